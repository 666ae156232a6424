'use strict';

/** Defaults of a service; the command's help lists them too. */
module.exports = Object.freeze({
  host: '127.0.0.1',
  /** The usual port; if it is taken, the next free one is used. */
  port: 3000,
  /** A service runs many searches in one tree. */
  index: 'auto',
  /** Agents need no credentials, and may copy them to logs. */
  denySecrets: true,
  /** The set of tools over MCP. */
  tools: 'agent',
  result: 'text',
  callsMax: 64,
  /** Sending a reply blocks the event loop for about 10 ms per MiB. */
  replyBytesMax: 512 << 10,
  /** Time that calls in flight get to end when the service stops. */
  graceMs: 5000,
});
