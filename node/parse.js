'use strict';

const { setImmediate: turn } = require('node:timers/promises');

/** Replies longer than this are parsed in slices; parsing a slice takes two or three milliseconds. */
const SLICE_CHARS = 256 << 10;

/** The characters that open or close a string, an object or a list in JSON. */
const STRUCTURE = /["{}[\]]/g;

/**
 * Parses a reply. A long one is parsed in slices, between which the event loop turns: parsed at once,
 * a reply of 100,000 matches would block the process for 200 ms.
 *
 * The lists of the top-level object are cut out and parsed a slice of whole items at a time. The rest of
 * the text, with empty lists, is small and parsed at the end.
 */
async function parseReply(text) {
  if (text.length <= SLICE_CHARS || !text.startsWith('{')) return JSON.parse(text);
  const lists = new Map();
  let skeleton = '';
  let from = 0;
  for (const { key, start, end, slices } of longLists(text)) {
    const items = lists.get(key) ?? [];
    lists.set(key, items);
    for (const [first, last] of slices) {
      for (const item of JSON.parse(`[${text.slice(first, last)}]`)) items.push(item);
      await turn();
    }
    if (end === undefined) continue;
    skeleton += text.slice(from, start);
    from = end;
  }
  const reply = JSON.parse(skeleton + text.slice(from));
  for (const [key, items] of lists) reply[key] = items;
  return reply;
}

/**
 * Yields the lists among the fields of the object `text` as it scans them: each as parts `{key, slices}`,
 * of which the last has the positions `start` and `end` of the text between its brackets.
 */
function* longLists(text) {
  let depth = 0;
  let key;
  let start = 0;
  let sliceStart = 0;
  STRUCTURE.lastIndex = 0;
  for (let at = next(text, 0); at !== -1; at = next(text, at + 1)) {
    const char = text[at];
    if (char === '"') {
      const end = stringEnd(text, at);
      if (depth === 1) key = text.slice(at, end + 1);
      at = end;
    } else if (char === '{' || char === '[') {
      depth += 1;
      if (depth === 2) start = sliceStart = at + 1;
    } else {
      depth -= 1;
      if (depth === 1 && char === ']' && at > start) {
        yield { key: JSON.parse(key), start, end: at, slices: [[sliceStart, at]] };
      }
    }
    const isItemEnd = depth === 2 && (char === '"' || char === '}' || char === ']');
    if (isItemEnd && at - sliceStart >= SLICE_CHARS && isInList(text, start)) {
      yield { key: JSON.parse(key), slices: [[sliceStart, at + 1]] };
      sliceStart = afterComma(text, at + 1);
    }
  }
}

/** Returns the start of the item after the one that ends at `from`, or the end of the list. */
function afterComma(text, from) {
  let at = from;
  while (/\s/.test(text[at])) at += 1;
  return text[at] === ',' ? at + 1 : at;
}

function isInList(text, start) {
  return text[start - 1] === '[';
}

function next(text, from) {
  STRUCTURE.lastIndex = from;
  return STRUCTURE.exec(text)?.index ?? -1;
}

/** Returns the position of the closing quote of the string that begins at `at`. */
function stringEnd(text, at) {
  let end = text.indexOf('"', at + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text, at) {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

module.exports = { SLICE_CHARS, parseReply };
