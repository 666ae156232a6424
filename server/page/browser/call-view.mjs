// The view for choosing and calling a tool and reading its reply.

import { byId, copy, debounce, el, isNarrow, scrollIfNarrow, toast } from './dom.mjs';
import { ArgsForm, queryName, queryValue } from './form.mjs';
import { addressOf, readCall, titleOf } from './places.mjs';
import { ResultView } from './result.mjs';
import { Run } from './run.mjs';

/** Number of runs whose replies are kept for the browser's history. */
const RUNS_MAX = 20;
/** The tools that come first in the menu. */
const FIRST = ['look', 'read', 'search', 'find'];
/** The tool of a page that is opened without a call. */
const [START] = FIRST;

export class CallView {
  #tools;
  #root;
  #form;
  #tool;
  #result;
  /** Text of the query that a person wrote last; kept while other tools are shown. */
  #query = '';
  #runs = new Map();
  #count = 0;

  /** Title of the page for the shown run. */
  title = titleOf();

  /** Called when a call has ended. */
  onEnd = () => {};

  constructor(tools, root) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#root = root;
    this.#result = new ResultView(byId('result'), {
      around: (path, line) => this.#around(path, line),
      runWith: (args) => this.runWith(args),
      look: (q) => this.#start('look', { q }),
      mark: (tool, names) => (tool === this.#tool.name ? this.#mark(names) : []),
    });
    byId('options').open = !isNarrow();
    byId('tool').append(...groups(tools));
    byId('tool').addEventListener('change', () => this.#change(byId('tool').value));
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
    const tool = this.#tools.get(name) ?? this.#tools.get(START);
    if (tool !== this.#tool) {
      this.#tool = tool;
      byId('tool').value = tool.name;
      const outside = ' Not offered to agents over MCP (--tools).';
      byId('tool-about').textContent = `${firstSentences(tool.description)}${tool.served ? '' : outside}`;
      const places = { query: byId('query'), common: byId('fields'), more: byId('more-fields') };
      const more = { moreTitle: byId('more-title'), moreDetails: byId('more') };
      this.#form = new ArgsForm(tool, { ...places, ...more }, () => this.#edited());
    }
    this.#form.mark([]);
    const unknown = this.#form.write(args);
    this.#toJson(unknown.length === 0 ? undefined : args);
    this.#keepQuery();
  }

  /** Remembers the query of the form; a file that was opened from a reply does not replace it. */
  #keepQuery() {
    if (!this.#tool.name.startsWith('read') && this.#form.query) this.#query = this.#form.query;
  }

  /** Changes the tool; the query stays, and so do the other arguments that the tool also takes. */
  #change(name) {
    const tool = this.#tools.get(name);
    const { [queryName(this.#tool)]: _, ...args } = { ...this.#args(), cursor: undefined, page: undefined };
    const common = Object.entries(args).filter(([one]) => Object.hasOwn(tool.inputSchema.properties, one));
    const main = this.#query === '' ? undefined : queryName(tool);
    const query = main === undefined ? {} : { [main]: queryValue(tool, main, this.#query) };
    this.choose(name, { ...Object.fromEntries(common), ...query });
  }

  #edited() {
    this.#query = this.#form.query ?? this.#query;
    this.#toJson();
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
      byId('options').open = true;
      byId('json-part').open = true;
      return byId('args').focus();
    }
    this.cancel();
    this.#form.mark([]);
    const run = new Run(this.#tool.name, args, this.#root);
    this.#remember(run);
    byId('cancel').disabled = false;
    this.#attach(run);
    run.start((changed) => this.#changed(changed)).then(() => this.onEnd());
    if (isNarrow()) byId('options').open = false;
    scrollIfNarrow(byId('view-call'));
  }

  /** Marks the fields that an error names, where the form still has its call; returns their controls. */
  #mark(names) {
    const marked = this.#form.mark(names, 'error');
    // Above the reply, open options would move the error out of view.
    if (!isNarrow() && marked.some((control) => byId('options').contains(control))) byId('options').open = true;
    return marked;
  }

  #start(name, args) {
    this.choose(name, args);
    this.run();
  }

  #attach(run) {
    const query = run.args[queryName(this.#tool)] ?? '';
    this.title = titleOf(run.tool, [query].flat().join(' '));
    document.title = this.title;
    this.#result.attach(run);
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

  /**
   * Shows the call that an address names after `#call/`. Only a person starts it, except for a file to read,
   * which is a link of the page and cheap.
   */
  restore(place, state) {
    const { tool, args } = parsePlace(place);
    if (tool === undefined && this.#tool !== undefined) return;
    this.choose(tool ?? START, args);
    const run = this.#runs.get(state?.run);
    if (run !== undefined && run !== this.#result.run) {
      this.cancel();
      this.#attach(run);
    } else if (run === undefined && tool === 'read') this.run();
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
    this.#start(...readCall(path, line));
  }

  #remember(run) {
    this.#count += 1;
    this.#runs.set(this.#count, run);
    this.#runs.delete(this.#count - RUNS_MAX);
    const place = addressOf(run.tool, run.args);
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

  #toJson(args) {
    const read = this.#form.read();
    const { wrong } = read;
    byId('args').value = JSON.stringify(args ?? read.args, null, 1);
    byId('args').rows = Math.min(Math.max(byId('args').value.split('\n').length, 3), 12);
    this.#form.mark(wrong);
    this.#tellError(wrong.length === 0 ? '' : `Invalid values: ${wrong.join(', ')}`);
  }

  #fromJson() {
    const args = this.#args();
    if (args === undefined) return this.#tellError('This is not a JSON object.');
    const unknown = this.#form.write(args);
    this.#keepQuery();
    // The tool may accept other names of parameters; it decides.
    this.#tellError(unknown.length === 0 ? '' : `Not in this form: ${unknown.join(', ')}`);
  }

  #tellError(text) {
    byId('args-error').textContent = text;
    byId('args').setAttribute('aria-invalid', String(this.#args() === undefined));
  }

  #command() {
    const args = JSON.stringify(this.#args() ?? {}).replaceAll("'", "'\\''");
    return `searchscope call ${this.#tool.name} '${args}' --root '${this.#root.replaceAll("'", "'\\''")}'`;
  }
}

/** Runs the tool on Ctrl-Enter, and on Enter in the query or in a list with one line, as in an ordinary input. */
function runOnEnter(event) {
  const { key, ctrlKey, metaKey, target } = event;
  if (key !== 'Enter' || event.isComposing) return;
  const { classList } = target;
  const isInput = classList.contains('query') || (classList.contains('lines-field') && !target.value.includes('\n'));
  if (ctrlKey || metaKey || (isInput && !event.shiftKey)) {
    event.preventDefault();
    byId('form').requestSubmit();
  }
}

function groups(tools) {
  const option = ({ name }) => el('option', { value: name }, name);
  const rank = ({ name }) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const sorted = tools.toSorted((a, b) => rank(a) - rank(b));
  const parts = [
    ['For agents (over MCP)', sorted.filter(({ served }) => served)],
    ['Other tools', sorted.filter(({ served }) => !served)],
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
