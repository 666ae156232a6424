'use strict';

const { defectFields, isBusy } = require('../defects.js');
const { RPC } = require('../json-rpc.js');
const { versionWith } = require('../mcp/identity.js');
const { failedResult } = require('../mcp/results.js');
const { WITH_HANDSHAKE, isStateless } = require('../mcp/revisions.js');
const { RpcError } = require('./answer.js');
const { INSTRUCTIONS, callTool } = require('./methods.js');
const { TOOLS } = require('./tools.js');

/**
 * Returns whether a message, or one of a batch, is of a revision of the protocol without a handshake, or names
 * an unknown one. All other messages keep to the contract of this service, which is older.
 */
function wantsStateless(value, request) {
  const header = request.get('MCP-Protocol-Version');
  if (header !== undefined && !WITH_HANDSHAKE.includes(header)) return true;
  return [value].flat().some(isStateless);
}

/** Requests of revisions without a handshake, served by the protocol's library: it loads with the first one. */
class StatelessFace {
  #face;
  #calls;
  #serverInfo;
  #logger;

  constructor(calls, serverInfo, logger) {
    this.#calls = calls;
    this.#serverInfo = serverInfo;
    this.#logger = logger;
  }

  /** Serves a request with the parsed body. */
  handle(request, response, body) {
    this.#face ??= this.#open();
    return this.#face.handle(request, response, body);
  }

  #open() {
    const { ProtocolError } = require('@modelcontextprotocol/server');
    const { HttpFace } = require('../mcp/http.js');
    const { toolServer } = require('../mcp/server.js');
    const { name, version } = this.#serverInfo;
    const identity = { name, version: versionWith(version, [TOOLS, INSTRUCTIONS]) };
    const call = async (server, params, { mcpReq }) => {
      try {
        return await callTool(params, this.#calls, mcpReq.signal);
      } catch (error) {
        if (isBusy(error)) return failedResult(`busy: ${error.message}`);
        throw this.#explain(error, mcpReq.signal, ProtocolError);
      }
    };
    const options = { ability: {}, instructions: INSTRUCTIONS, list: { tools: TOOLS }, call };
    return new HttpFace(() => toolServer(identity, options), () => {});
  }

  #explain(error, signal, ProtocolError) {
    if (error instanceof RpcError) return new ProtocolError(error.code, error.message);
    if (!signal.aborted) this.#logger.error('Context request failed', defectFields(error));
    return new ProtocolError(RPC.internal, 'internal error');
  }
}

module.exports = { StatelessFace, wantsStateless };
