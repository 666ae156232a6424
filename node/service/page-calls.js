'use strict';

const { SearchscopeError, cancelled, defectFields, internal } = require('../errors.js');
const { describeError } = require('../explain.js');
const { refuse } = require('./refuse.js');

/** Interval at which found results are sent as one batch. */
const FLUSH_MS = 80;
const BATCH_MAX = 500;

/** Parameters whose defaults limit a tool call; they limit a stream only if they are given. */
const LIMITS = Object.freeze(['matches_max', 'files_max', 'output_bytes_max', 'deadline_ms']);

/** The tools that stream. */
const STREAMED = Object.freeze(['search', 'find']);

/**
 * Calls from the page. The response is lines of JSON, each with `event`:
 * `progress` {files}; `results` {results} and `report` {report, ms} of a tool that streams, or `reply`
 * {json, ms} of another; `text` {text, ms}, the reply as an agent gets it; `error` {form, error, agent}
 * instead of one of the two forms; and `end`, without which the response is incomplete.
 */
class PageCalls {
  #workspace;
  #tools;
  #gate;
  #logger;

  constructor({ workspace, table, gate, logger }) {
    this.#workspace = workspace;
    this.#tools = new Map(table.map((tool) => [tool.name, tool]));
    this.#gate = gate;
    this.#logger = logger;
  }

  async handle(req, res) {
    const { tool: name, arguments: args = {} } = req.body ?? {};
    const tool = this.#tools.get(name);
    if (tool === undefined || typeof args !== 'object' || args === null || Array.isArray(args)) {
      const message = 'the body must be {"tool": NAME, "arguments": {…}}, with the name of a tool';
      return refuse(req, res, { status: 400, code: 'bad_request', message });
    }
    const controller = new AbortController();
    res.once('close', () => controller.abort(cancelled('the page has left or cancelled the call')));
    const { signal } = controller;
    res.status(200).set({
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    res.flushHeaders();
    const call = { tool, args, signal, send: (event) => send(res, event) };
    const isWhole = await this.#forms(call);
    if (isWhole) await call.send({ event: 'end' });
    res.end();
  }

  /** Sends both forms of the reply; returns false if the client has disconnected. */
  async #forms(call) {
    const { tool, signal } = call;
    try {
      const run = async () => {
        await this.#asJson(call);
        // A reply may be too large in one of the two forms.
        await this.#asText(call).catch((error) => {
          if (signal.aborted) throw error;
          return this.#sendError('text', call, error);
        });
      };
      await this.#gate.run(run, { signal, tool: tool.name, via: 'page' });
    } catch (error) {
      if (signal.aborted) return false;
      await this.#sendError('json', call, error);
    }
    return !signal.aborted;
  }

  #asJson(call) {
    return STREAMED.includes(call.tool.name) ? this.#stream(call) : this.#reply(call);
  }

  async #reply({ tool, args, signal, send }) {
    const started = performance.now();
    const options = { signal, onProgress: ({ files }) => void send({ event: 'progress', files }) };
    const json = await this.#workspace.callJson(tool.name, args, options);
    await send({ event: 'reply', json, ms: since(started) });
  }

  async #asText({ tool, args, signal, send }) {
    const started = performance.now();
    const options = { signal, onProgress: ({ files }) => void send({ event: 'progress', files }) };
    const text = await this.#workspace.callText(tool.name, args, options);
    await send({ event: 'text', text, ms: since(started) });
  }

  async #stream({ tool, args, signal, send }) {
    const started = performance.now();
    const onProgress = ({ files }) => void send({ event: 'progress', files });
    const stream = this.#workspace[tool.name](withLimits(tool, args), { signal, onProgress });
    let results = [];
    const flush = async () => {
      if (results.length === 0) return;
      const batch = results;
      results = [];
      await send({ event: 'results', results: batch });
    };
    // Sends buffered results even while the search finds no more.
    const timer = setInterval(flush, FLUSH_MS);
    try {
      for await (const result of stream) {
        results.push(result);
        if (results.length >= BATCH_MAX) await flush();
      }
    } finally {
      clearInterval(timer);
    }
    await flush();
    await send({ event: 'report', report: stream.report, ms: since(started) });
  }

  #sendError(form, { tool, args, send }, error) {
    const known = error instanceof SearchscopeError || error?.code === 'busy';
    if (!known || error.code === 'internal') {
      this.#logger.error('call of the page failed', { tool: tool.name, ...defectFields(error) });
    }
    const told = known ? error : internal(error);
    const { code, message, param, path, near, span } = told;
    const agent = describeError(told, args, 'agent');
    return send({ event: 'error', form, error: { code, message, param, path, near, span }, agent });
  }
}

/** Returns the arguments with the default limits of a tool call. */
function withLimits({ inputSchema }, args) {
  const limits = {};
  for (const name of LIMITS) {
    const value = inputSchema.properties[name]?.default;
    // In this mode all lines are counted unless the caller sets the limit.
    const isOff = name === 'matches_max' && args.mode === 'count';
    if (typeof value === 'number' && !isOff) limits[name] = value;
  }
  return { ...limits, ...args };
}

function since(started) {
  return Math.round((performance.now() - started) * 10) / 10;
}

/** Writes a line; resolves when the reader has room for more, or is gone. */
function send(res, event) {
  if (res.destroyed) return Promise.resolve();
  if (res.write(`${JSON.stringify(event)}\n`)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}

module.exports = { PageCalls };
