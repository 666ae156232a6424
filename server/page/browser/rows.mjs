// Converts the replies of all tools to items {path, line?, text?, marks?, before?, after?, note?, kind?}.
// `marks` are ranges of the text in UTF-16 units.

import { unquote } from './places.mjs';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns the items of a complete reply. */
export function itemsOf(reply, args = {}, root = '') {
  if (typeof reply !== 'object' || reply === null) return [];
  if (typeof reply.text === 'string' && reply.data === undefined) {
    const query = plainQuery(args);
    return itemsOfText(reply.text).map((item) => finish(item, query, ''));
  }
  if (typeof reply.content === 'string') return itemsOfDocument(reply);
  const query = plainQuery(args);
  const inRoot = root === '' ? root : `${root.replace(/\/$/, '')}/`;
  return listOf(reply)
    .flatMap((entry) => (Array.isArray(entry?.matches) ? withParent(entry) : [entry]))
    .map(itemOf)
    .map((item) => finish(inBase(item, reply.base_path), query, inRoot));
}

/** Adds the common directory that a reply may state once for all its paths. */
function inBase(item, base) {
  return base && item.path !== undefined ? { ...item, path: `${base}/${item.path}` } : item;
}

/** Returns the item for one result of any tool. */
export function itemOf(entry) {
  if (typeof entry === 'string') return { path: entry };
  const path = entry.path ?? entry.file_path ?? entry.filePath ?? entry.file;
  const line = entry.file_line ?? entry.line ?? entry.line_number ?? entry.lineNumber;
  const text = entry.text ?? entry.line_content ?? entry.content ?? entry.excerpt;
  const item = { path, line, text, before: linesOf(entry, 'before'), after: linesOf(entry, 'after') };
  if (Array.isArray(entry.spans)) {
    item.marks = marksOfSpans(text, entry.spans);
    const uses = new Set(entry.spans.map(({ use }) => use).filter(Boolean));
    if (uses.size > 0) item.note = [...uses].join(',');
  }
  if (typeof entry.lineText === 'string') Object.assign(item, unmark(entry));
  if (entry.enclosing !== undefined) item.enclosing = entry.enclosing;
  if (entry.encoding !== undefined) item.encoding = entry.encoding;
  if (Array.isArray(entry.reasons)) item.note = entry.reasons.join(', ');
  if (path === undefined || (line !== undefined && text === undefined)) {
    item.text ??= entry.displayName ?? entry.qualifiedName ?? entry.name ?? JSON.stringify(entry);
    const about = [entry.keyword ?? entry.kind, entry.signature, entry.language, entry.scopeRefId];
    item.note ??= about.filter(Boolean).join(' · ');
  } else if (text === undefined && line === undefined) item.note ??= noteOfFile(entry);
  return item;
}

function noteOfFile(entry) {
  const hits = entry.matches ?? entry.match_count;
  const parts = [
    typeof hits === 'number' ? `${hits} ${hits === 1 ? 'match' : 'matches'}` : undefined,
    typeof entry.size === 'number' ? `${entry.size.toLocaleString('en')} B` : undefined,
    typeof entry.modified === 'string' ? entry.modified.slice(0, 16).replace('T', ' ') : undefined,
    entry.name,
    entry.description,
    Array.isArray(entry.reasons) ? entry.reasons.join(', ') : undefined,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** Returns the matches of a file, each with the file's path. */
function withParent(entry) {
  const { path, file, matches } = entry;
  return matches.map((match) => ({ path: path ?? file, ...match }));
}

function listOf(reply) {
  const data = reply.data ?? reply.summary ?? reply;
  const names = ['matches', 'results', 'occurrences', 'items', 'documents', 'matchedFilePaths'];
  const more = ['files', 'sample_matches', 'top_files', 'atoms'];
  const name = [...names, ...more].find((name) => Array.isArray(data[name]));
  return name === undefined ? [] : data[name];
}

function linesOf(entry, side) {
  const lines = entry[side] ?? entry[`context_${side}`];
  if (!Array.isArray(lines) || lines.length === 0) return undefined;
  return lines.map((line) => (typeof line === 'string' ? line : (line.text ?? line.content ?? '')));
}

/** Converts spans, in UTF-8 bytes, to marks; the spans of a cut line are relative to its part. */
function marksOfSpans(text, spans) {
  if (typeof text !== 'string') return undefined;
  const bytes = encoder.encode(text);
  const units = (to) => decoder.decode(bytes.subarray(0, to)).length;
  return spans.map(({ start, end }) => [units(start), units(end)]);
}

/** Returns the text and mark of an occurrence, whose match is between two pairs of bars. */
function unmark({ lineText, matchedText }) {
  const at = lineText.indexOf(`||${matchedText}||`);
  if (at < 0) return { text: lineText };
  const text = lineText.slice(0, at) + matchedText + lineText.slice(at + matchedText.length + 4);
  return { text, marks: [[at, at + matchedText.length]] };
}

/** Returns the searched text if it is literal, else an empty one: regexes are not evaluated here. */
function plainQuery({ query, pattern, patterns, q }) {
  const text = query ?? pattern ?? patterns ?? q;
  return typeof text === 'string' && !/[\\^$.*+?()[\]{}|]/.test(text) ? text : '';
}

function finish(item, query, inRoot) {
  if (inRoot !== '' && item.path?.startsWith(inRoot)) item.path = item.path.slice(inRoot.length);
  if (item.marks === undefined && query !== '' && typeof item.text === 'string') {
    item.marks = places(item.text, query);
    // A question is rarely written in the line, but a name in it may be.
    const name = /\S*([a-z][A-Z]|\w_\w)[\w:.]*/.exec(query)?.[0];
    if (item.marks.length === 0 && name !== undefined) item.marks = places(item.text, name);
    const lower = item.text.toLowerCase();
    // Lower-casing may change the length, and with it the positions.
    const isAligned = item.marks.length === 0 && lower.length === item.text.length;
    if (isAligned) item.marks = places(lower, query.toLowerCase());
  }
  return item;
}

function places(text, query) {
  const marks = [];
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
    marks.push([at, at + query.length]);
  }
  return marks;
}

function itemsOfDocument({ path, content, start_line: first = 1 }) {
  const lines = content.replace(/\n$/, '').split('\n');
  return lines.map((text, n) => ({ path, line: first + n, text }));
}

/** Parses the text reply of `look` and `read`: paths, their rows, remarks, and totals in brackets. */
export function itemsOfText(text) {
  const items = [];
  let path = '';
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const row = /^([ >-])(\d+)(?:\[(\d+)-(\d+)\/(\d+)\])?: ?([^]*)$/.exec(line);
    const names = /^# (files named like it:) (.*?)( and \d+ more .*)?$/.exec(line);
    if (row !== null) {
      const [, sign, number, from, to, size, text] = row;
      const kind = { '>': 'definition', '-': 'context' }[sign];
      // A long line is cut to a range of its bytes.
      const note = from === undefined ? undefined : `bytes ${from}–${to} of ${size}`;
      items.push({ path, line: Number(number), text, kind, note });
    } else if (names !== null) {
      const [, words, list, more] = names;
      items.push({ remark: words }, ...list.split(', ').map((name) => ({ path: unquote(name) })));
      if (more !== undefined) items.push({ remark: more.trim() });
    } else if (/^(# |\[.*\]$)/.test(line)) items.push({ remark: line.replace(/^# /, '') });
    else if (line !== '') {
      // Names of files only have their number of lines after a tab; a tab in a name is quoted.
      const [name, note] = line.split('\t');
      path = unquote(name);
      items.push(note === undefined ? { path } : { path, note });
    }
  }
  return items;
}
