// Items for reading: files, their lines with marked matches, enclosing symbols.

import { button, el } from './dom.mjs';
import { addressOf, readCall, visible, visiblePieces } from './places.mjs';
import { count } from './sizes.mjs';

/** Number of rows drawn at first; drawing too many at once makes a browser slow. */
export const ROWS_FIRST = 200;
const ROWS_MORE = 500;

/** List that draws a limited number of its items, and more on demand. */
export class RowsView {
  element = el('div', { class: 'rows' });
  #body = el('div');
  #foot = el('div', { class: 'buttons' });
  #items = [];
  #drawn = 0;
  #limit = ROWS_FIRST;
  #open;
  #around;

  /** `around(path, line)` is called when a person opens the location of a row. */
  constructor(around) {
    this.#around = around;
    this.element.append(this.#body, this.#foot);
  }

  /** Draws the new items; earlier ones must be unchanged. */
  update(items) {
    this.#items = items;
    this.#draw();
  }

  #draw() {
    const to = Math.min(this.#items.length, this.#limit);
    for (; this.#drawn < to; this.#drawn += 1) this.#add(this.#items[this.#drawn]);
    const left = this.#items.length - this.#drawn;
    if (left === 0) return this.#foot.replaceChildren();
    const text = `Show ${Math.min(left, ROWS_MORE).toLocaleString('en')} more of ${left.toLocaleString('en')}`;
    const [old] = this.#foot.children;
    // Reused, because a person may be about to press it while results arrive.
    if (old !== undefined) old.textContent = text;
    else this.#foot.append(button(text, () => this.#showMore(), { class: 'show-more' }));
  }

  #showMore() {
    const next = this.#drawn;
    this.#limit += ROWS_MORE;
    this.#draw();
    this.#body.querySelectorAll('[data-stop]')[next]?.focus();
  }

  #add(item) {
    if (item.remark !== undefined) {
      this.#open = undefined;
      this.#body.append(el('p', { class: 'remark' }, item.remark));
      return;
    }
    if (item.path !== undefined && this.#open?.path !== item.path) this.#openFile(item);
    if (item.text === undefined) return;
    if (this.#open === undefined) this.#openFile({ path: undefined });
    const list = this.#list();
    if (item.enclosing !== undefined && item.enclosing !== this.#open.enclosing) {
      list.append(el('li', { class: 'enclosing' }, `in ${item.enclosing}`));
    }
    this.#open.enclosing = item.enclosing;
    const first = (item.line ?? 0) - (item.before?.length ?? 0);
    item.before?.forEach((text, n) => list.append(contextRow(first + n, text)));
    list.append(this.#row(item));
    item.after?.forEach((text, n) => list.append(contextRow(item.line + 1 + n, text)));
  }

  #list() {
    if (this.#open.list === undefined) {
      this.#open.list = el('ol', { class: 'lines' });
      this.#body.append(this.#open.list);
    }
    return this.#open.list;
  }

  #openFile({ path, text, note, encoding }) {
    if (path !== undefined) {
      const title = isReadable(path) ? 'Read the file' : 'The name is not valid UTF-8';
      const head = this.#link(path, undefined, visibleText(path), { class: 'path', title });
      const shown = text === undefined ? note : encoding;
      const about = shown ? el('span', { class: 'about' }, shown) : '';
      this.#body.append(el('div', { class: 'file' }, head, about));
    }
    this.#open = { path };
  }

  /** Returns a link to a file or to one of its lines; other buttons and keys of the browser work on it. */
  #link(path, line, text, props) {
    const place = isReadable(path) ? addressOf(...readCall(path, line)) : undefined;
    const link = el('a', { ...props, 'data-stop': '', href: place, tabIndex: 0 }, text);
    link.addEventListener('click', (event) => {
      if (place === undefined || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      this.#around(path, line);
    });
    return link;
  }

  #row({ path, line, text, marks, note, kind }) {
    const title = 'Read the surrounding lines';
    const label = `Line ${line}: read the surrounding lines`;
    const props = { class: 'number', title, 'aria-label': label };
    const number = line === undefined ? '' : this.#link(path, line, String(line), props);
    const code = el('code', {}, marked(text, marks ?? []));
    const remark = note ? el('span', { class: 'about' }, note) : '';
    return el('li', { class: kind === undefined ? 'row' : `row ${kind}` }, number, code, remark);
  }
}

function contextRow(line, text) {
  return el(
    'li',
    { class: 'row context' },
    el('span', { class: 'number' }, String(line)),
    el('code', {}, visibleText(text)),
  );
}

/** Returns the text in pieces, with the ranges `marks` in `mark` elements. */
function marked(text, marks) {
  const pieces = [];
  let at = 0;
  for (const [start, end] of marks) {
    if (start < at || end < start) continue;
    pieces.push(...visibleText(text.slice(at, start)), el('mark', {}, visibleText(text.slice(start, end))));
    at = end;
  }
  return [...pieces, ...visibleText(text.slice(at))];
}

/** Returns whether a call can name the path: that of a name that is not UTF-8 contains replacements. */
function isReadable(path) {
  return path !== undefined && !path.includes('\ufffd');
}

/** Returns the text in pieces, with escapes in elements of their own. */
function visibleText(text) {
  return visiblePieces(text).map(([piece, isEscape]) => (isEscape ? el('span', { class: 'escape' }, piece) : piece));
}

const LINES_FIRST = 400;
const LINES_MORE = 2000;
/** Longer lines are cut for display only; copying includes the whole line. */
const LINE_MAX = 4000;

/** Creates an element with a plain text; draws its first lines, and more on demand. */
export function plainText(text) {
  const lines = text.replace(/\n$/, '').split('\n');
  const pre = el('pre', { class: 'plain', tabIndex: 0 });
  const foot = el('div', { class: 'buttons' });
  let drawn = 0;
  const draw = (more) => {
    const part = lines.slice(drawn, drawn + more).map((line) => visible(cut(line)));
    pre.append(`${drawn > 0 ? '\n' : ''}${part.join('\n')}`);
    drawn += part.length;
    const left = lines.length - drawn;
    const label = `Show ${count(Math.min(left, LINES_MORE), 'more line')} of ${left.toLocaleString('en')}`;
    foot.replaceChildren(...(left > 0 ? [button(label, () => draw(LINES_MORE))] : []));
  };
  draw(LINES_FIRST);
  return el('div', {}, pre, foot);
}

function cut(line) {
  if (line.length <= LINE_MAX) return line;
  return `${line.slice(0, LINE_MAX)}… (${line.length - LINE_MAX} more characters)`;
}
