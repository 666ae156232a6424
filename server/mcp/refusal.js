'use strict';

const { LATEST_PROTOCOL_VERSION } = require('@modelcontextprotocol/server');

/** What a client is told that begins without a revision; undefined for any other message. */
function adviceOnVersion(message) {
  const isWithout =
    message?.method === 'initialize' && typeof message.params?.protocolVersion !== 'string';
  if (!isWithout) return undefined;
  return `initialize needs params.protocolVersion, a revision of the protocol such as "${LATEST_PROTOCOL_VERSION}"`;
}

/** Returns the response to an HTTP request that is refused here, in the form of a protocol server. */
function refusal(status, code, message, id = null) {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status });
}

module.exports = { adviceOnVersion, refusal };
