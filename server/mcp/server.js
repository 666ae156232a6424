'use strict';

const { Server } = require('@modelcontextprotocol/server');

/** Lists of tools and guides stay as they are while the process runs, and are the same for every client. */
const UNCHANGING = Object.freeze({ ttlMs: 60 * 60 * 1000, cacheScope: 'public' });

/**
 * Creates a protocol server of tools with the guide `instructions`; each connection, and each request over HTTP,
 * gets its own. `ability` describes the tools to clients, `list` is the reply to `tools/list`, and
 * `call(server, params, context)` returns the result of a `tools/call`.
 */
function toolServer(identity, { ability, instructions, list, call }) {
  const server = new Server(identity, {
    capabilities: { tools: ability },
    instructions,
    cacheHints: { 'tools/list': UNCHANGING, 'server/discover': UNCHANGING },
  });
  server.setRequestHandler('tools/list', () => list);
  server.setRequestHandler('tools/call', ({ params }, context) => call(server, params, context));
  return server;
}

module.exports = { toolServer };
