'use strict';

/**
 * Advice for each code: one wording for all readers, or one for a person at the command line and one for
 * an agent that calls tools.
 */
const HINTS = Object.freeze({
  invalid_param: {
    person: '"searchscope tools --json" shows what each tool takes.',
    agent: "call again with arguments that fit the tool's input schema.",
  },
  pattern_syntax: 'to search for literal text, turn regular expressions off.',
  not_found: {
    person: 'paths are relative to --root, which is the current directory unless given.',
    agent: 'paths are relative to the root of the workspace; find the file by its name first.',
  },
  access_denied: {
    person: 'only files below --root that are not denied can be searched.',
    agent: 'only files below the root of the workspace that it does not deny can be searched; use another path.',
  },
  timeout: 'give it more time, or narrow the search to fewer files.',
  cancelled: {
    person: 'nothing was changed; run it again.',
    agent: 'nothing was changed; call again if the result is still wanted.',
  },
  result_too_large: 'narrow the search: a path, a file pattern, a lower limit.',
  busy: 'nothing was started; try again in a moment, with fewer calls at once.',
  io: 'the file system reported an error; check permissions and the disk.',
  unsupported: 'this build or this system does not support it.',
  internal: {
    person: 'this is a bug in searchscope; please report it with the command you ran.',
    agent: 'this is a bug in searchscope; inform the user, and try another tool.',
  },
});

/**
 * Returns the error as text: code, message, location and advice.
 * @param args the arguments of the call
 * @param reader 'person' or 'agent'
 */
function describeError(error, args, reader) {
  const lines = [`${error.code}: ${error.message}`];
  if (error.param !== undefined) lines.push(`  parameter: ${error.param}`);
  if (error.path !== undefined) lines.push(`  path: ${error.path}`);
  if (error.near !== undefined) lines.push(`  did you mean: ${error.near.join(', ')}`);
  if (error.span !== undefined) lines.push(...markSpan(error, args));
  const hint = HINTS[error.code];
  if (hint !== undefined) lines.push(`  hint: ${hint[reader] ?? hint}`);
  return lines.join('\n');
}

/** Returns the parameter's text with the mistake underlined if it is one line, else the byte range. */
function markSpan({ param, span }, args) {
  const text = args[param];
  if (typeof text !== 'string' || /[\n\r\t]/.test(text))
    return [`  bytes: ${span.start} to ${span.end}`];
  const bytes = Buffer.from(text);
  const width = (from, to) => [...bytes.subarray(from, to).toString()].length;
  const underline = '^'.repeat(Math.max(width(span.start, span.end), 1));
  return [`  ${text}`, `  ${' '.repeat(width(0, span.start))}${underline}`];
}

module.exports = { describeError };
