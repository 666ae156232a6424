'use strict';

const { cancelled } = require('searchscope/internal');
const { callError } = require('../defects.js');
const { describeError } = require('../explain.js');
const { refuse } = require('../http/refuse.js');

/** Interval at which found results are sent as one batch. */
const FLUSH_MS = 80;
const BATCH_MAX = 500;

/** Parameters whose defaults limit a tool call; they limit a stream only if they are given. */
const LIMITS = Object.freeze(['matches_max', 'files_max', 'output_bytes_max', 'deadline_ms']);

/** Other names that the tools accept for these parameters, as `tools/src/arguments/forms.rs` lists them. */
const OTHER_LIMITS = Object.freeze(['limit', 'max_results', 'max_count', 'head_limit']);
const OTHER_NAMES = Object.freeze({
  matches_max: OTHER_LIMITS,
  files_max: OTHER_LIMITS,
  deadline_ms: Object.freeze(['timeout_ms']),
});

/** The tools that stream. */
const STREAMED = Object.freeze(['search', 'find']);

/**
 * Calls from the page. The response is lines of JSON, each with `event`:
 * `progress` {files}; `results` {results} and `report` {report, ms} of a tool that streams, or `reply`
 * {json, ms} of another; `text` {text, ms}, the reply as an agent gets it; `error` {form, error, agent}
 * instead of one of the two forms; and `end`, without which the response is incomplete.
 *
 * The text is that of a second call, because pages for agents have lower limits. `text: false` in the body leaves
 * it out.
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
    const { tool: name, arguments: args = {}, text: hasText = true } = req.body ?? {};
    const tool = this.#tools.get(name);
    if (tool === undefined || typeof args !== 'object' || args === null || Array.isArray(args)) {
      const message = 'the body must be {"tool": NAME, "arguments": {…}}, where NAME is a tool';
      return refuse(req, res, { status: 400, code: 'bad_request', message });
    }
    const controller = new AbortController();
    res.once('close', () => controller.abort(cancelled('the page disconnected or cancelled the call')));
    res.status(200).set({
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    res.flushHeaders();
    const { signal } = controller;
    const onProgress = ({ files }) => void send(res, { event: 'progress', files });
    const options = { signal, onProgress };
    const call = { tool, args, hasText, signal, options, send: (event) => send(res, event) };
    const isWhole = await this.#forms(call);
    if (isWhole) await call.send({ event: 'end' });
    res.end();
  }

  /** Sends the forms of the reply; returns false if the client has disconnected. */
  async #forms(call) {
    const { tool, hasText, signal } = call;
    try {
      const run = async () => {
        await (STREAMED.includes(tool.name) ? this.#stream(call) : this.#reply(call));
        if (!hasText) return;
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

  async #reply({ tool, args, options, send }) {
    const started = performance.now();
    const json = await this.#workspace.callJson(tool.name, args, options);
    await send({ event: 'reply', json, ms: since(started) });
  }

  async #asText({ tool, args, options, send }) {
    const started = performance.now();
    const text = await this.#workspace.callText(tool.name, args, options);
    await send({ event: 'text', text, ms: since(started) });
  }

  /** Sends the results as they come, and then the report. */
  async #stream({ tool, args, options, send }) {
    const started = performance.now();
    const stream = this.#workspace[tool.name](withLimits(tool, args), options);
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
    const { report } = stream;
    await send({ event: 'report', report, ms: since(started) });
  }

  #sendError(form, { tool, args, send }, error) {
    const reported = callError(error, this.#logger, { message: 'call of the page failed', tool: tool.name });
    const { code, message, param, path, near, span } = reported;
    const agent = describeError(reported, args, 'agent');
    return send({ event: 'error', form, error: { code, message, param, path, near, span }, agent });
  }
}

/** Returns the arguments with the default limits of a tool call. */
function withLimits({ inputSchema }, args) {
  const limits = {};
  for (const name of LIMITS) {
    const value = inputSchema.properties[name]?.default;
    // In this mode all lines are counted unless the caller sets the limit.
    const isOff =
      (name === 'matches_max' && args.mode === 'count') || OTHER_NAMES[name]?.some((other) => other in args);
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
