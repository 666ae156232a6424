'use strict';

/** Returns the response to an HTTP request that is refused here, in the form of a protocol server. */
function refusal(status, code, message) {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}

module.exports = { refusal };
