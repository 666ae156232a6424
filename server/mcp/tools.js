'use strict';

const { ProtocolError } = require('@modelcontextprotocol/server');
const { cancelled } = require('searchscope/internal');
const { callError } = require('../defects.js');
const { describeError } = require('../explain.js');
const { RPC } = require('../json-rpc.js');
const { cancellationOf } = require('./cancellations.js');
const { reportProgress } = require('./progress.js');
const { failedResult, isErrorReply, isStructured, textContent } = require('./results.js');
const { explainUnknown } = require('./sets.js');

/** The protocol's other hints apply only to tools that change something. */
const ANNOTATIONS = Object.freeze({ readOnlyHint: true, openWorldHint: false });

/** The first revision of the protocol that has structured results. */
const STRUCTURED_SINCE = '2025-06-18';

/** The revision that the protocol assumes for an HTTP client that names none. */
const ASSUMED_REVISION = '2025-03-26';

/** Returns the tools as the protocol lists them: with the short schemas of their arguments. */
function listing(served, result) {
  return served.map(({ name, description, listSchema, outputSchema }) => ({
    name,
    description,
    inputSchema: listSchema,
    // A tool that declares an output schema must return a structured result.
    ...(isStructured(result) && { outputSchema }),
    annotations: ANNOTATIONS,
  }));
}

/** Runs the tool calls of all connections, and can cancel them all. */
class ToolCalls {
  #table;
  #served;
  #workspace;
  #result;
  #gate;
  #logger;
  #running = new Set();

  constructor({ table, served, workspace, result, gate, logger }) {
    this.#table = table;
    this.#served = new Map(served.map((tool) => [tool.name, tool]));
    this.#workspace = workspace;
    this.#result = result;
    this.#gate = gate;
    this.#logger = logger;
  }

  /** Returns the result of a `tools/call`; errors of the tool are results too, for the agent. */
  async run(server, { name, arguments: args = {} }, context) {
    const tool = this.#served.get(name);
    if (tool === undefined) {
      const message = explainUnknown(name, [...this.#served.values()], this.#table);
      throw new ProtocolError(RPC.invalidParams, message);
    }
    const started = performance.now();
    const { result, outcome } = await this.#answer(server, tool, args, context);
    const ms = Math.round(performance.now() - started);
    this.#logger.info('tool called', { tool: name, outcome, ms });
    return result;
  }

  cancelAll() {
    for (const controller of this.#running) {
      controller.abort(cancelled('the service is shutting down'));
    }
  }

  async #answer(server, tool, args, context) {
    try {
      const reply = await this.#call(tool.name, args, context);
      const result = this.#success(server, tool, reply, context);
      return { result, outcome: result.isError ? 'error reply' : 'ok' };
    } catch (error) {
      const reported = callError(error, this.#logger, { message: 'MCP tool call failed', tool: tool.name });
      return { result: failedResult(describeError(reported, args, 'agent')), outcome: reported.code };
    }
  }

  async #call(name, args, context) {
    const controller = new AbortController();
    const leave = () => controller.abort(cancelled('the client disconnected or cancelled the call'));
    // The client's cancellation over standard streams, the end of the HTTP request that carried the call, and the
    // client's cancellation over HTTP.
    const signals = [context.mcpReq.signal, context.http?.req?.signal, cancellationOf(context)].filter(Boolean);
    for (const signal of signals) {
      if (signal.aborted) leave();
      signal.addEventListener('abort', leave, { once: true });
    }
    const progress = reportProgress(context);
    this.#running.add(controller);
    try {
      const { signal } = controller;
      const options = { signal, ...progress?.options };
      const asText = this.#result === 'text';
      const call = asText ? this.#workspace.callText : this.#workspace.callJson;
      const run = () => call.call(this.#workspace, name, args, options);
      return await this.#gate.run(run, { signal, tool: name, via: 'mcp' });
    } finally {
      progress?.end();
      this.#running.delete(controller);
      for (const signal of signals) signal.removeEventListener('abort', leave);
    }
  }

  #success(server, tool, reply, context) {
    const mark = isErrorReply(tool.name, reply) ? { isError: true } : {};
    const structured = isStructured(this.#result) && revision(server, context) >= STRUCTURED_SINCE;
    const text = this.#result !== 'structured' || !structured;
    const content = text ? [textContent(reply)] : [];
    if (!structured) return { content, ...mark };
    const result = { content, structuredContent: JSON.parse(reply), ...mark };
    // Earlier revisions allow only objects; the server wraps other values as its tool list declares.
    return server.projectCallToolResult(result, tool.outputSchema);
  }
}

/** Returns the protocol revision of the client, also for stand-alone requests. */
function revision(server, context) {
  return (
    server.getNegotiatedProtocolVersion() ??
    context.http?.req?.headers.get('mcp-protocol-version') ??
    ASSUMED_REVISION
  );
}

module.exports = { ToolCalls, listing };
