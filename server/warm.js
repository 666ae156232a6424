'use strict';

const http = require('node:http');

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const HEADERS = Object.freeze({
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
});

/**
 * Sends the service a ping. At the first request the libraries load and compile code, which blocks the
 * event loop for some 50 ms; that must not happen while searches run. The outcome is ignored.
 */
function warmUp(url) {
  return new Promise((resolve) => {
    const options = { method: 'POST', agent: false, headers: HEADERS };
    const request = http.request(`${url}/mcp`, options, (response) => response.resume());
    request.on('error', resolve).on('close', resolve).end(PING);
  });
}

module.exports = { warmUp };
