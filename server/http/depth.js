'use strict';

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}');

/**
 * Returns whether lists and objects in JSON are nested deeper than `depthMax`. Parsing and checking such
 * JSON takes long, or overflows the stack. For bytes that are not JSON the result is arbitrary.
 */
function isDeep(bytes, depthMax) {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = stringEnd(bytes, at + 1);
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > depthMax) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth -= 1;
    }
  }
  return false;
}

/** Returns the position of the closing quote of the string whose contents begin at `from`. */
function stringEnd(bytes, from) {
  for (let end = from; ; end += 1) {
    end = bytes.indexOf(QUOTE, end);
    if (end < 0) return bytes.length;
    let backslashes = 0;
    while (end - backslashes > from && bytes[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

module.exports = { isDeep };
