// One call of a tool and its reply so far.

import { ServiceError, call } from './api.mjs';
import { itemOf, itemsOf } from './rows.mjs';

/** A call with its state: `running`, `done`, `cancelled` or `failed`. */
export class Run {
  state = 'running';
  files = 0;
  /** Items to show, even of an incomplete reply. */
  items = [];
  reply;
  json;
  text;
  error;
  textError;
  started = performance.now();
  /** Duration of the call at the service, in ms; `elapsed` is measured by the page. */
  ms;
  #results = [];
  #controller = new AbortController();
  #onChange = () => {};

  constructor(tool, args, root) {
    this.tool = tool;
    this.args = args;
    this.root = root;
  }

  get elapsed() {
    return (this.ended ?? performance.now()) - this.started;
  }

  /**
   * Runs the call; `onChange` is called after each event. Without `text` the service does not make the form
   * for agents. Rejects only for a defect of the page.
   */
  async start(onChange, { text = true } = {}) {
    this.#onChange = onChange;
    const { signal } = this.#controller;
    try {
      await call(this.tool, this.args, { signal, text, onEvent: (event) => this.#take(event) });
      this.state = this.error === undefined ? 'done' : 'failed';
    } catch (error) {
      this.#fail(error);
    }
    this.ended = performance.now();
    this.#onChange(this);
  }

  cancel() {
    if (this.state === 'running') this.#controller.abort();
  }

  #fail(error) {
    if (error.name === 'AbortError') {
      this.state = 'cancelled';
      return;
    }
    if (!(error instanceof ServiceError)) throw error;
    this.state = 'failed';
    this.error = { code: error.code, message: error.message };
  }

  #take(event) {
    switch (event.event) {
      case 'progress':
        this.files = Math.max(this.files, event.files);
        break;
      case 'results':
        this.#results.push(...event.results);
        this.items.push(...event.results.map(itemOf));
        break;
      case 'report':
        this.#finish({ [this.#listName()]: this.#results, ...event.report }, event.ms);
        this.json = JSON.stringify(this.reply);
        break;
      case 'reply':
        this.json = event.json;
        this.#finish(JSON.parse(event.json), event.ms);
        this.error = errorInReply(this.reply);
        this.items = this.error === undefined ? itemsOf(this.reply, this.args, this.root) : [];
        break;
      case 'text':
        this.text = event.text;
        break;
      case 'error':
        if (event.form === 'json') [this.error, this.text] = [event.error, event.agent];
        else this.textError = event.agent;
        break;
    }
    this.#onChange(this);
  }

  #finish(reply, ms) {
    this.reply = reply;
    this.ms = ms;
  }

  /** Returns the name of the list of results in the reply. */
  #listName() {
    const { mode = 'content' } = this.args;
    return this.tool === 'search' && mode === 'content' ? 'matches' : 'files';
  }
}

/** Returns the error of a reply that is an error in the shape of its tool. */
function errorInReply(reply) {
  if (reply?.status !== 'error' && reply?.success !== false) return undefined;
  const { error, stage } = reply;
  if (typeof error === 'string') return { code: `error in stage ${stage}`, message: error };
  return { code: error?.code, message: error?.message ?? reply.text };
}
