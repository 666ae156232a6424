'use strict';

/** What a service has when nobody says otherwise; the command's help names them too. */
module.exports = Object.freeze({
  host: '127.0.0.1',
  /** The usual port; when it is taken, the next that is free. */
  port: 3000,
  /** A service answers many questions about one tree. */
  index: 'auto',
  /** Agents need no credentials, and write what they see into logs. */
  denySecrets: true,
  /** The set of tools over MCP. */
  tools: 'agent',
  result: 'text',
  callsMax: 64,
  /** Sending a reply holds the event loop for about 10 ms per MiB. */
  replyBytesMax: 512 << 10,
  /** How long calls in flight may take to end when the service stops. */
  graceMs: 5000,
});
