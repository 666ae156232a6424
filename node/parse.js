'use strict';

const { setImmediate: turn } = require('node:timers/promises');

/** Parsing so much takes two or three milliseconds; a longer reply is parsed in slices. */
const SLICE_CHARS = 256 << 10;

/** What opens, closes or hides something in JSON. */
const STRUCTURE = /["{}[\]]/g;

/**
 * Parses a reply. A long one is parsed in slices, between which the event loop turns: parsed at once,
 * a reply of 100,000 matches would hold up everything else in the process for 200 ms.
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
 * The lists among the fields of the object `text`, as they are read: each as pieces of `{key, slices}`
 * and at last one with the places `start` and `end` of what is in its brackets.
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

/** Where the next item begins after the end of one; after the last one, where its list ends. */
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

/** Where the string that begins at `at` has its closing quote. */
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
