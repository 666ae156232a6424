'use strict';

const { RPC, isObject } = require('../json-rpc.js');
const { failedResult } = require('../mcp/results.js');
const { WITH_HANDSHAKE } = require('../mcp/revisions.js');
const { RpcError } = require('./answer.js');
const { TOOLS, hasTool, runTool } = require('./tools.js');

const INSTRUCTIONS =
  'Search the Markdown documents with search_documents, list them with list_documents, ' +
  'and read one with read_document. Paths start with "/", the directory of the documents.';

const BATCH_FULL =
  'result_too_large: the replies to this batch are too large together; send this request alone';

/** Returns the protocol's methods for a server of tools. */
function mcpMethods(calls, serverInfo) {
  return new Map([
    ['initialize', (params) => initialize(params, serverInfo)],
    ['ping', () => ({})],
    ['tools/list', () => ({ tools: TOOLS })],
    ['tools/call', (params, signal) => callTool(params, calls, signal)],
  ]);
}

/** Returns the methods for the rest of a batch whose replies have become large: they call no tool. */
function methodsWhenFull(methods) {
  return new Map(methods).set('tools/call', () => failedResult(BATCH_FULL));
}

/** Answers with the client's version if we know it, else with our newest; then the client decides. */
function initialize({ protocolVersion }, serverInfo) {
  return {
    protocolVersion: WITH_HANDSHAKE.includes(protocolVersion)
      ? protocolVersion
      : WITH_HANDSHAKE[0],
    capabilities: { tools: {} },
    serverInfo,
    instructions: INSTRUCTIONS,
  };
}

async function callTool({ name, arguments: args = {} }, calls, signal) {
  if (typeof name !== 'string') throw new RpcError(RPC.invalidParams, 'name must be a string');
  if (!hasTool(name)) throw new RpcError(RPC.invalidParams, `Unknown tool: ${name}`);
  if (!isObject(args)) throw new RpcError(RPC.invalidParams, 'arguments must be an object');
  return runTool(name, calls, args, signal);
}

module.exports = { INSTRUCTIONS, callTool, mcpMethods, methodsWhenFull };
