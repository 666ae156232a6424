'use strict';

/** A request over HTTP that no server of the protocol sees, answered as one would. */
function refusal(status, code, message) {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}

module.exports = { refusal };
