'use strict';

/**
 * Characters that move a terminal's cursor, colour it, or reorder the text around them: controls
 * but for tab and line feed, and the marks of bidirectional text.
 */
const UNPRINTABLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Returns the text with all characters escaped that could mislead a terminal or a reader. */
function printable(text) {
  return text.replace(UNPRINTABLE, escape);
}

/** Returns the text as one line: line feeds and tabs are escaped as well. */
function printableLine(text) {
  return printable(text).replace(/[\n\t]/g, (char) => (char === '\n' ? '\\n' : '\\t'));
}

/** Returns equivalent JSON text with such characters as JSON escapes. */
function printableJson(json) {
  const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(UNPRINTABLE, escaped);
}

function escape(char) {
  return `\\u{${char.codePointAt(0).toString(16)}}`;
}

module.exports = { printable, printableJson, printableLine };
