'use strict';

const http = require('node:http');

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const HEADERS = Object.freeze({
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
});

/**
 * Sends the service a ping. What the libraries load and compile at the first request holds the
 * event loop for some 50 ms, which shall not come while searches run. How it ends is no matter.
 */
function warmUp(url) {
  return new Promise((resolve) => {
    const options = { method: 'POST', agent: false, headers: HEADERS };
    const request = http.request(`${url}/mcp`, options, (response) => response.resume());
    request.on('error', resolve).on('close', resolve).end(PING);
  });
}

module.exports = { warmUp };
