// The view of a run: its reply in three forms, with notes on skipped entries.

import { button, copy, el } from './dom.mjs';
import { explainReply } from './explain.mjs';
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

  /** `actions`: `around(path, line)`, `page(cursor)`, `include(args)`. */
  constructor(place, actions) {
    this.#place = place;
    this.#actions = actions;
    place.append(el('p', { class: 'about empty' }, 'Fill in the form and run the tool. Press ? for shortcuts.'));
  }

  get run() {
    return this.#run;
  }

  /** Shows the run from its beginning; `update` continues. */
  attach(run) {
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
    this.#place.replaceChildren(head.element, facts, tabs, panel, next);
    for (const [n, [form, title]] of FORMS.entries()) tabs.append(this.#tab(form, title, n));
    this.#parts.rows.update(run.items);
    this.update(run);
    this.choose(this.#form);
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
    if (this.#form !== 'read' && this.#formText() !== this.#parts.shown) this.#drawPanel();
    if (this.#form === 'read' && run.error !== undefined) this.#drawPanel();
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
    this.#drawPanel();
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
      const value = run.error === undefined ? scalarOf(run) : errorOf(run.error);
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
    const ofText = run.hasOwnText ? 'Agents get smaller pages than the limits of JSON allow; this text is from a separate call.' : '';
    const note = isJson ? 'Indented here; the size is that of the reply as sent.' : ofText;
    const head = el('div', { class: 'buttons' }, button('Copy', () => this.copyShown()));
    const about = note === '' ? '' : el('span', { class: 'about' }, note);
    if (about !== '') head.append(about);
    panel.replaceChildren(head, plainText(isJson ? JSON.stringify(run.reply, null, 2) : text));
  }

  #drawNotes(run) {
    if (run.reply === undefined || this.#parts.noted) return;
    this.#parts.noted = true;
    this.#parts.facts.replaceChildren(notesOf(run, (args) => this.#actions.include(args)));
  }

  #drawNext({ reply, args, state }) {
    const { next } = this.#parts;
    if (state === 'running' || next.childElementCount > 0) return;
    const { page } = this.#actions;
    if (args.cursor !== undefined) next.append(button('First page', () => page(undefined), { id: 'first-page' }));
    if (typeof reply?.cursor === 'string') {
      next.append(button('Next page', () => page(reply.cursor), { id: 'next-page', class: 'main' }));
    }
  }
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

/** Returns the element for an error of a tool. */
export function errorOf({ code, message, param, path, near }) {
  const facts = [
    ['Parameter', param],
    ['Path', path],
    ['Did you mean', near?.join(', ')],
  ].filter(([, value]) => value !== undefined && value !== '');
  return el(
    'div',
    { class: 'note bad', role: 'alert', id: 'error' },
    el('p', {}, el('strong', {}, code ?? 'error'), `: ${message}`),
    facts.map(([name, value]) => el('p', {}, `${name}: `, el('code', {}, value))),
  );
}

/** Returns the element for a reply without a list, such as a number or the analysis of a pattern. */
function scalarOf({ items, reply, state }) {
  if (items.length > 0 || reply === undefined || state === 'running') return undefined;
  if (Array.isArray(reply.matches ?? reply.files)) return el('p', { class: 'about' }, 'No results.');
  return plainText(JSON.stringify(reply, null, 2));
}
