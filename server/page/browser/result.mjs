// The view of a run: its reply in three forms, with notes on skipped entries.

import { button, copy, el } from './dom.mjs';
import { offersOf } from './errors.mjs';
import { explainReply } from './explain.mjs';
import { visible } from './places.mjs';
import { RowsView, plainText } from './rows-view.mjs';
import { RunHead, rowCount } from './run-head.mjs';
import { sizeOf } from './sizes.mjs';

const FORMS = [
  ['read', 'For people'],
  ['compact', 'For agents'],
  ['json', 'JSON'],
];

/** View of one run at a time. */
export class ResultView {
  #place;
  #actions;
  #run;
  #form = 'read';
  #parts;

  /**
   * `actions`: `around(path, line)`, `runWith(args)`, `look(q)`, and `mark(tool, names)`, which returns the
   * controls of the marked fields.
   */
  constructor(place, actions) {
    this.#place = place;
    this.#actions = actions;
    place.append(examples((q) => actions.look(q)));
  }

  get run() {
    return this.#run;
  }

  /** Shows the run from its beginning; `update` continues. */
  attach(run) {
    // A person who comes back to a reply is where they left it.
    if (this.#run !== undefined) this.#run.top = this.#place.scrollTop;
    this.#run = run;
    this.#parts = {
      head: new RunHead(run, 'The call is running'),
      facts: el('div', { class: 'notes' }),
      tabs: el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Format of the reply' }),
      panel: el('div', { class: 'panel', role: 'tabpanel', id: 'panel' }),
      next: el('div', { class: 'buttons' }),
      rows: new RowsView((path, line) => this.#actions.around(path, line)),
    };
    const { head, facts, tabs, panel, next } = this.#parts;
    this.#keepFocus(() => this.#place.replaceChildren(head.element, facts, tabs, panel, next));
    for (const [n, [form, title]] of FORMS.entries()) tabs.append(this.#tab(form, title, n));
    this.#parts.rows.update(run.items);
    this.update(run);
    this.choose(this.#form);
    this.#place.scrollTop = run.top ?? 0;
  }

  /** Keeps the focus in the reply when `draw` removes the focused button or link. */
  #keepFocus(draw) {
    const hadFocus = this.#place.contains(document.activeElement);
    draw();
    if (hadFocus && !this.#place.contains(document.activeElement)) this.#place.focus({ preventScroll: true });
  }

  /** Draws the changes of the shown run; ignores other runs. */
  update(run) {
    if (run !== this.#run) return;
    const { head, rows, tabs } = this.#parts;
    rows.update(run.items);
    head.update();
    const sizes = { read: rowCount(run), compact: sizeIf(run.text), json: sizeIf(run.json) };
    for (const tab of tabs.children) tab.querySelector('.size').textContent = sizes[tab.dataset.form];
    this.#drawNotes(run);
    this.#drawNext(run);
    if (this.#form !== 'read' && this.#formText() !== this.#parts.shown) this.#keepFocus(() => this.#drawPanel());
    if (run.error !== undefined && !this.#parts.hasFailed) this.#fail(run);
  }

  /** Marks the field and shows the error, once: a person may correct the field while events arrive. */
  #fail(run) {
    this.#parts.hasFailed = true;
    [this.#parts.field] = this.#actions.mark(run.tool, offersOf(run).names);
    if (this.#form === 'read') this.#keepFocus(() => this.#drawPanel());
  }

  /** Chooses a form: `read`, `compact` or `json`. */
  choose(form, hasFocus = false) {
    this.#form = form;
    if (this.#parts === undefined) return;
    for (const tab of this.#parts.tabs.children) {
      const isChosen = tab.dataset.form === form;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      if (isChosen) this.#parts.panel.setAttribute('aria-labelledby', tab.id);
      if (isChosen && hasFocus) tab.focus();
    }
    this.#keepFocus(() => this.#drawPanel());
  }

  /** Copies the shown form; for the one to read, copies the one for agents. */
  copyShown() {
    const text = this.#formText() ?? this.#run?.text;
    if (text !== undefined) copy(text, 'the reply');
  }

  #tab(form, title, n) {
    const onKey = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      this.choose(FORMS[(n + step + FORMS.length) % FORMS.length][0], true);
    };
    const props = { id: `tab-${form}`, role: 'tab', 'data-form': form, 'aria-controls': 'panel' };
    const tab = button('', () => this.choose(form), props);
    tab.addEventListener('keydown', onKey);
    tab.append(el('span', {}, title), el('span', { class: 'size' }));
    return tab;
  }

  #formText() {
    const { text, json } = this.#run ?? {};
    return { read: undefined, compact: text, json }[this.#form];
  }

  #drawPanel() {
    const { panel, rows } = this.#parts;
    const run = this.#run;
    const text = this.#formText();
    this.#parts.shown = text;
    if (this.#form === 'read') {
      const value = run.error === undefined ? scalarOf(run) : errorOf(run, this.#actions.runWith, this.#parts.field);
      panel.replaceChildren(...[value, rows.element].filter(Boolean));
      return;
    }
    if (text === undefined) {
      const words = this.#form === 'compact' ? run.textError : undefined;
      const otherwise = run.state === 'running' ? 'Not received yet.' : 'Not available.';
      panel.replaceChildren(el('p', { class: 'about' }, words ?? otherwise));
      return;
    }
    const isJson = this.#form === 'json';
    const note = isJson
      ? 'Indented here; the size is that of the reply as sent.'
      : 'As an agent gets it, from a call of its own; its pages may be smaller than those of JSON.';
    const head = el('div', { class: 'buttons' }, button('Copy', () => this.copyShown()));
    head.append(el('span', { class: 'about' }, note));
    panel.replaceChildren(head, plainText(isJson ? JSON.stringify(run.reply, null, 2) : text));
  }

  #drawNotes(run) {
    if (run.reply === undefined || this.#parts.noted) return;
    this.#parts.noted = true;
    this.#parts.facts.replaceChildren(notesOf(run, (args) => this.#actions.runWith(args)));
  }

  #drawNext({ reply, args, state }) {
    const { next } = this.#parts;
    if (state === 'running' || next.childElementCount > 0) return;
    const { runWith } = this.#actions;
    const toFirst = () => runWith({ cursor: undefined, page: undefined });
    if (args.cursor !== undefined || args.page > 1) next.append(button('First page', toFirst, { id: 'first-page' }));
    const more = nextArgs(reply);
    if (more !== undefined) {
      next.append(button('Next page', () => runWith(more), { id: 'next-page', class: 'main', title: 'Next page (n)' }));
    }
  }
}

/** Returns the arguments that continue a reply: its cursor, the row of `look`, or the places of `read`. */
export function nextArgs(reply) {
  if (typeof reply?.cursor === 'string') return { cursor: reply.cursor };
  if (Number.isInteger(reply?.next_page)) return { page: reply.next_page };
  const places = /; next: what: (\[.*\])\]\n?$/.exec(reply?.text ?? '');
  try {
    return places === null ? undefined : { what: JSON.parse(places[1]) };
  } catch {
    return undefined;
  }
}

const EXAMPLES = [
  ['main', 'a name'],
  ['how are errors reported', 'a question'],
  ['/TODO|FIXME/', 'a regular expression'],
  ['*.md', 'names of files'],
];

/** Returns the text of a page without a reply; `look` is called with the example that a person presses. */
function examples(look) {
  const row = ([q, what]) => [el('dt', {}, button(q, () => look(q), { class: 'small' })), el('dd', {}, what)];
  return el(
    'div',
    { class: 'empty' },
    el('h2', {}, 'Search this project'),
    el('p', { class: 'about' }, 'Write a name, a text, a question, or a line of a log, and press Enter. For example:'),
    el('dl', { class: 'facts' }, EXAMPLES.map((one) => el('div', {}, row(one)))),
    el('p', { class: 'about' }, 'The menu has the other tools, and ? the shortcuts.'),
  );
}

function sizeIf(text) {
  return text === undefined ? '' : sizeOf(text);
}

/** Returns the notes on the reply of a run as a list; `include` is called with arguments for another call. */
export function notesOf({ tool, reply, args }, include) {
  const notes = explainReply(tool, reply, args).map((note) => {
    const act = () => include(note.include);
    const more = note.include === undefined ? '' : button(note.label, act, { class: 'small' });
    return el('li', note.isBad ? { class: 'bad' } : {}, el('span', {}, note.text), ' ', more);
  });
  return notes.length > 0 ? el('ul', {}, notes) : '';
}

/** Returns the element for the error of a run, with what a person can do; `field` is the control of its field. */
export function errorOf(run, runWith, field) {
  const { message, path, near = [] } = run.error;
  const { names, excerpt, literal, nearArgs } = offersOf(run);
  const [before, wrong, after] = excerpt?.map(visible) ?? [];
  const fact = (name, value) => el('p', {}, `${name}: `, value);
  const again = (args, text, props) => button(text, () => runWith(args), props);
  const canTake = (name) => runWith !== undefined && nearArgs(name) !== undefined;
  const take = (name) => again(nearArgs(name), visible(name), { class: 'small' });
  const proposals = near.map((name) => (canTake(name) ? take(name) : el('code', {}, visible(name))));
  const isOffered = literal !== undefined && runWith !== undefined;
  const goTo = (name) => button(name, () => focusField(field), { class: 'small' });
  return el(
    'div',
    { class: 'note bad', role: 'alert', id: 'error' },
    el('p', {}, el('strong', {}, visible(message))),
    excerpt === undefined ? '' : el('pre', { class: 'excerpt' }, before, el('mark', {}, wrong), after),
    names.map((name) => fact('Parameter', field === undefined ? el('code', {}, name) : goTo(name))),
    path ? fact('Path', el('code', {}, visible(path))) : '',
    near.length > 0 ? el('p', {}, 'Did you mean: ', proposals) : '',
    isOffered ? again(literal.args, literal.label, { id: 'literal', class: 'main' }) : '',
  );
}

/** Focuses the field; opens the details that it is in. */
function focusField(field) {
  for (let e = field.closest('details'); e; e = e.parentElement.closest('details')) e.open = true;
  field.focus();
}

/** Returns the element for a reply without a list, such as a number or the analysis of a pattern. */
function scalarOf({ items, reply, state }) {
  if (items.length > 0 || reply === undefined || state === 'running') return undefined;
  if (Array.isArray(reply.matches ?? reply.files)) return el('p', { class: 'about' }, 'No results.');
  return plainText(JSON.stringify(reply, null, 2));
}
