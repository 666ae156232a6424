'use strict';

const { setImmediate } = require('node:timers/promises');
const { version: packageVersion } = require('./package.json');
const { invalidParam } = require('searchscope/internal');
const { callsMax: CALLS_MAX } = require('./defaults.js');
const { Gate } = require('./gate.js');
const { HttpFace } = require('./mcp/http.js');
const { versionWith } = require('./mcp/identity.js');
const { instructions } = require('./mcp/instructions.js');
const { RESULTS } = require('./mcp/results.js');
const { toolServer } = require('./mcp/server.js');
const { AGENT_SET, chooseTools } = require('./mcp/sets.js');
const { StdioFace } = require('./mcp/stdio.js');
const { ToolCalls, listing } = require('./mcp/tools.js');

const SILENT = Object.freeze({ debug() {}, info() {}, warn() {}, error() {} });

/** Creates a service of the workspace's tools over the Model Context Protocol; see mcp.d.ts. */
function createMcpService({
  workspace,
  tools: wanted = AGENT_SET,
  result = 'text',
  gate = new Gate(CALLS_MAX),
  logger = SILENT,
  name = 'searchscope',
  version: ownVersion,
}) {
  if (!RESULTS.includes(result)) {
    throw invalidParam('result', `result must be one of: ${RESULTS.join(', ')}`);
  }
  const { tools } = require('searchscope');
  const table = tools();
  const served = chooseTools(table, wanted);
  const calls = new ToolCalls({ table, served, workspace, result, gate, logger });
  const list = { tools: listing(served, result) };
  const guide = instructions(served);
  const version = ownVersion ?? versionWith(packageVersion, [list, guide]);

  const newServer = () =>
    toolServer({ name, version }, {
      ability: { listChanged: false },
      instructions: guide,
      list,
      call: (server, params, context) => calls.run(server, params, context),
    });
  const onError = (error) => logger.debug('MCP message refused', { error: error.message });
  const http = new HttpFace(newServer, onError);
  const stdio = new StdioFace(newServer, onError);
  return {
    handle: (req, res) => http.handle(req, res),
    serveStdio: (streams) => stdio.serve(streams),
    async close() {
      calls.cancelAll();
      // Lets the answers of the cancelled calls go out.
      await setImmediate();
      await Promise.all([http.close(), stdio.close()]);
    },
  };
}

module.exports = { createMcpService };
