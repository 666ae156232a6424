'use strict';

/** Returns the response to an HTTP request that is refused here, in the form of a protocol server. */
function refusal(status, error, id = null) {
  return Response.json({ jsonrpc: '2.0', error, id }, { status });
}

/** Returns the id of a request for the reply to it; null if it has no valid one. */
function idOf(message) {
  return ['string', 'number'].includes(typeof message?.id) ? message.id : null;
}

module.exports = { idOf, refusal };
