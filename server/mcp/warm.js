'use strict';

const http = require('node:http');
const { CAPABILITIES_KEY, STATELESS, VERSION_KEY } = require('./revisions.js');

const HEADERS = Object.freeze({
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
});

const DISCOVER = 'server/discover';
const [REVISION] = STATELESS;

/** A request of each kind of revision, with its headers: the library has separate code for both. */
const REQUESTS = Object.freeze([
  [{ method: 'ping' }, {}],
  [
    { method: DISCOVER, params: { _meta: { [VERSION_KEY]: REVISION, [CAPABILITIES_KEY]: {} } } },
    { 'MCP-Protocol-Version': REVISION, 'Mcp-Method': DISCOVER },
  ],
]);

/**
 * Sends the service a request of each kind. At the first ones the libraries load and compile code, which blocks
 * the event loop for some 50 ms each; that must not happen while searches run. The outcome is ignored.
 */
async function warmUp(url) {
  for (const [message, headers] of REQUESTS) await send(url, message, headers);
}

function send(url, message, headers) {
  return new Promise((resolve) => {
    const options = { method: 'POST', agent: false, headers: { ...HEADERS, ...headers } };
    const request = http.request(`${url}/mcp`, options, (response) => response.resume());
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
    request.on('error', resolve).on('close', resolve).end(body);
  });
}

module.exports = { warmUp };
