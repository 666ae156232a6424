// The view for choosing and calling a tool and reading its reply.

import { byId, copy, debounce, el, scrollIfNarrow, toast } from './dom.mjs';
import { ArgsForm } from './form.mjs';
import { ResultView } from './result.mjs';
import { Run } from './run.mjs';

/** Number of runs whose replies are kept for the browser's history. */
const RUNS_MAX = 20;
/** Number of lines of a document that are shown before a match, and in total. */
const CONTEXT_LINES = 5;
const DOCUMENT_LINES = 100;

export class CallView {
  #tools;
  #root;
  #form;
  #tool;
  #result;
  #runs = new Map();
  #count = 0;

  /** Called when a call has ended. */
  onEnd = () => {};

  constructor(tools, root) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#root = root;
    this.#result = new ResultView(byId('result'), {
      around: (path, line) => this.#around(path, line),
      page: (cursor) => this.runWith({ cursor }),
      include: (args) => this.runWith(args),
    });
    byId('tool').append(...groups(tools));
    byId('tool').addEventListener('change', () => this.choose(byId('tool').value, this.#common()));
    byId('form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.run();
    });
    byId('view-call').addEventListener('keydown', runOnEnter);
    byId('cancel').addEventListener('click', () => this.cancel());
    byId('args').addEventListener('input', debounce(() => this.#fromJson(), 150));
    byId('copy-args').addEventListener('click', () => copy(JSON.stringify(this.#args() ?? {}), 'the arguments'));
    byId('copy-command').addEventListener('click', () => copy(this.#command(), 'the command'));
    byId('clear-args').addEventListener('click', () => this.choose(this.#tool.name, {}));
  }

  /** Chooses the tool and sets its arguments. */
  choose(name, args = {}) {
    const tool = this.#tools.get(name) ?? this.#tools.get('search');
    if (tool !== this.#tool) {
      this.#tool = tool;
      byId('tool').value = tool.name;
      const outside = ' Not offered to agents over MCP (--tools).';
      byId('tool-about').textContent = `${firstSentences(tool.description)}${tool.served ? '' : outside}`;
      const places = { common: byId('fields'), more: byId('more-fields') };
      const more = { moreTitle: byId('more-title'), moreDetails: byId('more') };
      this.#form = new ArgsForm(tool, { ...places, ...more }, () => this.#toJson());
    }
    const unknown = this.#form.write(args);
    this.#toJson(unknown.length === 0 ? undefined : args);
  }

  focus() {
    this.#form.focus();
  }

  focusTool() {
    byId('tool').focus();
  }

  /** Runs the tool with the arguments of the form, some of them replaced. */
  runWith(changes) {
    const args = { ...this.#args(), ...changes };
    this.choose(this.#tool.name, JSON.parse(JSON.stringify(args)));
    this.run();
  }

  run() {
    const args = this.#args();
    if (args === undefined) {
      byId('json-part').open = true;
      return byId('args').focus();
    }
    this.cancel();
    const run = new Run(this.#tool.name, args, this.#root);
    this.#remember(run);
    byId('cancel').disabled = false;
    this.#result.attach(run);
    run.start((changed) => this.#changed(changed)).then(() => this.onEnd());
    scrollIfNarrow(byId('result'));
  }

  cancel() {
    this.#result.run?.cancel();
  }

  get isRunning() {
    return this.#result.run?.state === 'running';
  }

  show(form) {
    this.#result.choose(form);
  }

  copyShown() {
    this.#result.copyShown();
  }

  nextPage() {
    byId('next-page')?.click();
  }

  /** Shows the call that an address names after `#call/`; only a person starts it. */
  restore(place, state) {
    const { tool, args } = parsePlace(place);
    if (tool === undefined && this.#tool !== undefined) return;
    this.choose(tool ?? 'search', args);
    const run = this.#runs.get(state?.run);
    if (run !== undefined && run !== this.#result.run) {
      this.cancel();
      this.#result.attach(run);
    }
  }

  #changed(run) {
    if (run === this.#result.run) byId('cancel').disabled = run.state !== 'running';
    // Many events arrive at once; one frame draws them all.
    if (run.isDrawing && run.state === 'running') return;
    run.isDrawing = true;
    requestAnimationFrame(() => {
      run.isDrawing = false;
      this.#result.update(run);
    });
  }

  #around(path, line) {
    if (path === undefined) return;
    // Documents have their own root: their paths begin with a slash.
    const from = Math.max((line ?? 1) - CONTEXT_LINES, 1);
    if (path.startsWith('/')) this.choose('read_document', { path, start_line: from, lines_max: DOCUMENT_LINES });
    else if (line === undefined) this.choose('read', { what: [path], outline: true });
    else this.choose('read', { what: [`${path}:${line}`] });
    this.run();
  }

  #remember(run) {
    this.#count += 1;
    this.#runs.set(this.#count, run);
    this.#runs.delete(this.#count - RUNS_MAX);
    const place = `#call/${run.tool}?${encodeURIComponent(JSON.stringify(run.args))}`;
    const isSame = location.hash === place || location.hash === '' || location.hash === '#call';
    history[isSame ? 'replaceState' : 'pushState']({ run: this.#count }, '', place);
  }

  /** Returns the arguments; undefined while the JSON is not an object. */
  #args() {
    try {
      const args = JSON.parse(byId('args').value || '{}');
      return typeof args === 'object' && args !== null && !Array.isArray(args) ? args : undefined;
    } catch {
      return undefined;
    }
  }

  /** Returns the form's arguments that the newly chosen tool also takes. */
  #common() {
    const args = { ...this.#args(), cursor: undefined };
    const { properties } = this.#tools.get(byId('tool').value).inputSchema;
    return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(properties, name)));
  }

  #toJson(args) {
    const read = this.#form.read();
    const { wrong } = read;
    byId('args').value = JSON.stringify(args ?? read.args, null, 1);
    byId('args').rows = Math.min(Math.max(byId('args').value.split('\n').length, 3), 12);
    this.#drawLine(args ?? read.args);
    this.#tellError(wrong.length === 0 ? '' : `Invalid values: ${wrong.join(', ')}`);
  }

  #fromJson() {
    const args = this.#args();
    if (args === undefined) return this.#tellError('This is not a JSON object.');
    const unknown = this.#form.write(args);
    this.#drawLine(args);
    // The tool may accept other names of parameters; it decides.
    this.#tellError(unknown.length === 0 ? '' : `Not in this form: ${unknown.join(', ')}`);
  }

  #drawLine(args) {
    byId('args-line').textContent = `${this.#tool.name} ${JSON.stringify(args)}`;
  }

  #tellError(text) {
    byId('args-error').textContent = text;
  }

  #command() {
    const args = JSON.stringify(this.#args() ?? {}).replaceAll("'", "'\\''");
    return `searchscope call ${this.#tool.name} '${args}' --root '${this.#root.replaceAll("'", "'\\''")}'`;
  }
}

/** Runs the tool on Ctrl-Enter, and on Enter in a list field with one line, as in an ordinary input. */
function runOnEnter(event) {
  const { key, ctrlKey, metaKey, target } = event;
  if (key !== 'Enter' || event.isComposing) return;
  const isList = target.classList.contains('lines-field') && !event.shiftKey && !target.value.includes('\n');
  if (ctrlKey || metaKey || isList) {
    event.preventDefault();
    byId('form').requestSubmit();
  }
}

function groups(tools) {
  const option = ({ name }) => el('option', { value: name }, name);
  const parts = [
    ['For agents (over MCP)', tools.filter(({ served }) => served)],
    ['Other tools', tools.filter(({ served }) => !served)],
  ].filter(([, list]) => list.length > 0);
  return parts.map(([label, list]) => el('optgroup', { label }, list.map(option)));
}

function firstSentences(text) {
  const line = text.replace(/\s+/g, ' ');
  if (line.length <= 240) return line;
  const end = line.lastIndexOf('. ', 240);
  return end > 40 ? line.slice(0, end + 1) : `${line.slice(0, 239)}…`;
}

function parsePlace(place) {
  const [tool, text] = place.split(/\?(.*)/s);
  if (!tool) return {};
  try {
    return { tool, args: text ? JSON.parse(decodeURIComponent(text)) : {} };
  } catch {
    toast('The address does not contain a valid call');
    return { tool, args: {} };
  }
}
