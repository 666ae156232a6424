// The view for building a scope and listing its files.

import { ask } from './api.mjs';
import { byId, button, copy, debounce, el, scrollIfNarrow } from './dom.mjs';
import { errorOf, notesOf } from './result.mjs';
import { RowsView } from './rows-view.mjs';
import { RunHead } from './run-head.mjs';
import { Run } from './run.mjs';
import { add, isAtom, toProgram } from './scope-program.mjs';

const CATALOG_MAX = 1000;
const ATOMS_SHOWN = 60;
const FILES_MAX = 5000;

/** The operator that replaces each one when a person clicks it. */
const OTHER = { AND: 'OR', OR: 'AND' };

export class ScopeView {
  #catalog;
  #pieces = [];
  #actions;
  #controller = new AbortController();
  #run;

  /** `actions`: `use(scope)` searches in it, `around(path)` shows a file, `onEnd()` follows a listing. */
  constructor(actions) {
    this.#actions = actions;
    byId('atom-filter').addEventListener('input', debounce(() => this.#drawAtoms(), 80));
    byId('atom-pattern').addEventListener('input', debounce(() => this.#checkPattern(), 250));
    for (const name of ['pattern', 'directory']) {
      const submit = () => this.#addTyped(name);
      byId(`add-${name}`).addEventListener('click', submit);
      byId(`atom-${name}`).addEventListener('keydown', ({ key }) => key === 'Enter' && submit());
    }
    for (const one of document.querySelectorAll('[data-op]')) {
      one.addEventListener('click', () => this.#set(add(this.#pieces, { op: one.dataset.op })));
    }
    byId('undo').addEventListener('click', () => this.#set(this.#pieces.slice(0, -1)));
    byId('clear-scope').addEventListener('click', () => this.#set([]));
    byId('scope-files').addEventListener('click', () => this.#showFiles());
    byId('scope-cancel').addEventListener('click', () => this.cancel());
    byId('scope-use').addEventListener('click', () => this.#actions.use(this.#program()));
    byId('scope-copy').addEventListener('click', () => copy(JSON.stringify(this.#program()), 'the program'));
    this.#set([]);
  }

  async enter() {
    byId('atom-filter').focus({ preventScroll: true });
    if (this.#catalog !== undefined) return;
    this.#catalog = [];
    byId('atoms').replaceChildren(el('p', { class: 'about' }, 'Reading the catalog…'));
    try {
      const { items } = await ask('scope_list_catalog', { limit: CATALOG_MAX });
      this.#catalog = items;
    } catch (error) {
      this.#catalog = undefined;
      byId('atoms').replaceChildren(el('p', { class: 'bad' }, error.message));
      return;
    }
    this.#drawAtoms();
  }

  #drawAtoms() {
    const words = byId('atom-filter').value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = ({ displayName, scopeRefId, kind }) => `${displayName} ${scopeRefId} ${kind}`.toLowerCase();
    const found = (this.#catalog ?? []).filter((item) => words.every((word) => text(item).includes(word)));
    const shown = found.slice(0, ATOMS_SHOWN).map((item) => {
      const { displayName, kind, scopeRefId, requiresUserInput } = item;
      const choose = () => this.#add({ atom: { kind, scopeRefId }, label: displayName });
      const words = kindWords(requiresUserInput ? `${kind}, requires an editor` : kind);
      const atom = button('', choose, { title: scopeRefId, class: 'atom', disabled: requiresUserInput });
      atom.append(el('span', {}, displayName), el('span', { class: 'about' }, words));
      return atom;
    });
    const left = found.length - shown.length;
    const more = left > 0 ? [el('p', { class: 'about' }, `${left} more; filter to see them`)] : [];
    const none = found.length === 0 ? [el('p', { class: 'about' }, 'No atom matches the filter.')] : [];
    byId('atoms').replaceChildren(...shown, ...more, ...none);
  }

  #addTyped(name) {
    const input = byId(`atom-${name}`);
    const text = input.value.trim();
    if (text === '') return input.focus();
    const directory = { kind: 'DIRECTORY', directoryUrl: text, directoryWithSubdirectories: true };
    const atom = name === 'pattern' ? { kind: 'PATTERN', patternText: text } : directory;
    this.#add({ atom, label: name === 'pattern' ? text : `${text}/` });
    input.value = '';
    byId('pattern-note').textContent = '';
  }

  async #checkPattern() {
    const patternText = byId('atom-pattern').value.trim();
    const note = byId('pattern-note');
    if (patternText === '') return void (note.textContent = '');
    const words = await ask('scope_validate_pattern', { patternText }).then(
      ({ valid, diagnostics = [] }) => (valid ? 'Valid pattern' : (diagnostics[0] ?? 'Invalid pattern')),
      (error) => error.message,
    );
    if (byId('atom-pattern').value.trim() === patternText) note.textContent = words;
  }

  #add(piece) {
    this.#set(add(this.#pieces, piece));
  }

  #program() {
    return toProgram(this.#pieces).program;
  }

  #set(pieces) {
    this.#pieces = pieces;
    byId('expression').replaceChildren(...pieces.map((piece, at) => this.#chip(piece, at)));
    const { program, problem } = toProgram(pieces);
    for (const id of ['scope-files', 'scope-use', 'scope-copy']) byId(id).disabled = program === undefined;
    byId('undo').disabled = pieces.length === 0;
    byId('program').textContent = program === undefined ? '' : JSON.stringify(program, null, 1);
    byId('scope-result').replaceChildren();
    this.cancel();
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#note(problem ?? '…');
    if (program !== undefined) this.#describe(program, this.#controller.signal);
  }

  #chip(piece, at) {
    const without = () => this.#set(this.#pieces.filter((_, n) => n !== at));
    const remove = button('×', without, { class: 'remove', 'aria-label': `Remove ${piece.label ?? piece.op}` });
    if (isAtom(piece)) return el('li', { class: 'chip' }, el('span', {}, piece.label), remove);
    const turn = () => {
      const turned = this.#pieces.with(at, { op: OTHER[piece.op] });
      this.#set(turned);
      byId('expression').children[at].querySelector('button').focus();
    };
    const isBinary = OTHER[piece.op] !== undefined;
    const word = isBinary
      ? button(piece.op, turn, { title: `Change to ${OTHER[piece.op]}`, class: 'turn' })
      : el('span', {}, piece.op);
    return el('li', { class: 'chip operator' }, word, remove);
  }

  #note(text, isBad = false) {
    byId('scope-note').textContent = text;
    byId('scope-note').className = isBad ? 'note bad' : 'note';
  }

  async #describe(scope, signal) {
    try {
      const { expression, atoms } = await ask('scope_describe_program', { scope }, signal);
      const lost = atoms.filter(({ resolved }) => !resolved).map(({ displayName }) => displayName);
      if (lost.length === 0) return this.#note(expression);
      this.#note(`${expression}; unresolved: ${lost.join(', ')}`, true);
    } catch (error) {
      if (!signal.aborted) this.#note(error.message, true);
    }
  }

  /** Cancels the listing of files. */
  cancel() {
    this.#run?.cancel();
  }

  get isRunning() {
    return this.#run?.state === 'running';
  }

  #showFiles() {
    this.cancel();
    const run = new Run('find', { scope: this.#program(), files_max: FILES_MAX });
    this.#run = run;
    const head = new RunHead(run, 'Listing the files of the scope');
    const notes = el('div', { class: 'notes' });
    const rows = new RowsView((path) => this.#actions.around(path));
    byId('scope-result').replaceChildren(head.element, notes, rows.element);
    byId('scope-cancel').disabled = false;
    scrollIfNarrow(byId('scope-result'));
    run.start(() => this.#drawSoon(run, { head, rows }), { text: false }).then(() => {
      if (run === this.#run) byId('scope-cancel').disabled = true;
      if (run.error !== undefined) notes.replaceChildren(errorOf(run));
      else if (run.reply !== undefined) notes.replaceChildren(notesOf(run));
      this.#actions.onEnd();
    });
  }

  /** Draws the events of one frame together. */
  #drawSoon(run, { head, rows }) {
    if (run.isDrawing && run.state === 'running') return;
    run.isDrawing = true;
    requestAnimationFrame(() => {
      run.isDrawing = false;
      head.update();
      rows.update(run.items);
    });
  }
}

function kindWords(kind) {
  return kind.toLowerCase().replaceAll('_', ' ');
}
