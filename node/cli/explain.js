'use strict';

/** What a person can do about each code. */
const HINTS = Object.freeze({
  invalid_param: '"searchscope tools --json" shows what each tool takes.',
  pattern_syntax: 'to search for the text as it stands, do not ask for a regular expression.',
  not_found: 'paths are relative to --root, which is the current directory unless given.',
  access_denied: 'only what lies beneath --root can be searched.',
  timeout: 'give it more time, or narrow the search to fewer files.',
  cancelled: 'nothing was changed; run it again.',
  result_too_large: 'narrow the search: a path, a file pattern, a lower limit.',
  io: 'the file system refused; check permissions and the disk.',
  unsupported: 'this build or this system cannot do that.',
  internal: 'this is a defect of searchscope; please report it with the command you ran.',
});

/** Codes that mean the caller's words are wrong, as opposed to the world. */
const BAD_ARGUMENT = new Set(['invalid_param', 'pattern_syntax']);

function isBadArgument(error) {
  return BAD_ARGUMENT.has(error.code);
}

/** The error for a person: code, message, where, and what to do. `args` is the JSON of the call. */
function describeError(error, args) {
  const lines = [`searchscope: ${error.code}: ${error.message}`];
  if (error.param !== undefined) lines.push(`  parameter: ${error.param}`);
  if (error.path !== undefined) lines.push(`  path: ${error.path}`);
  if (error.near !== undefined) lines.push(`  did you mean: ${error.near.join(', ')}`);
  if (error.span !== undefined) lines.push(...markSpan(error, args));
  const hint = HINTS[error.code];
  if (hint !== undefined) lines.push(`  hint: ${hint}`);
  return `${lines.join('\n')}\n`;
}

/** Shows the parameter's text with the mistake underlined, if it is one line. */
function markSpan({ param, span }, args) {
  const text = JSON.parse(args)[param];
  if (typeof text !== 'string' || /[\n\r\t]/.test(text))
    return [`  bytes: ${span.start} to ${span.end}`];
  const bytes = Buffer.from(text);
  const width = (from, to) => [...bytes.subarray(from, to).toString()].length;
  const underline = '^'.repeat(Math.max(width(span.start, span.end), 1));
  return [`  ${text}`, `  ${' '.repeat(width(0, span.start))}${underline}`];
}

module.exports = { describeError, isBadArgument };
