// Reads the error of a call: its parameters, the wrong part of a pattern, and calls that may succeed.

import { queryNames } from './form.mjs';

/** Arguments with which each tool takes its query as text. */
const LITERAL = {
  search: { literal: true },
  search_in_files: { use_regex: undefined },
  find_and_grep: { fixed_strings: true },
};

/**
 * Returns what the error of a run offers: `names` of the parameters that it is about, `excerpt`, the text
 * before, in and after the wrong part of a pattern, `literal` `{args, label}` for a search for the text as
 * written, and `nearArgs(name)`, the arguments with a name that exists in the place of one that does not.
 */
export function offersOf({ tool, args, error }) {
  const isPattern = error.code === 'pattern_syntax' || /pattern_syntax|^Invalid regex/i.test(error.message);
  const named = error.param ?? /'(\w+)'/.exec(error.message)?.[1];
  const name = named?.replace(/[[.].*$/, '') ?? (isPattern ? queryNames.find((one) => one in args) : undefined);
  const value = name === undefined ? undefined : args[name];
  return {
    names: name === undefined ? [] : [name],
    excerpt: excerptOf([value].flat(), error),
    literal: isPattern ? literalOf(tool, name, value) : undefined,
    nearArgs: (near) => nearArgs(name, value, error.path, near),
  };
}

function literalOf(tool, name, value) {
  const label = 'Search for the text as written';
  if (name === 'name_pattern' && /[*?]/.test(value)) return { args: { glob: true }, label: 'Use it as a glob' };
  if (name !== 'name_pattern' && LITERAL[tool] !== undefined) return { args: LITERAL[tool], label };
  if (typeof value !== 'string') return undefined;
  return { args: { [name]: value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') }, label };
}

/** Returns the excerpt of the only value; the span is in its UTF-8 bytes. */
function excerptOf([value, ...others], { span }) {
  if (span === undefined || typeof value !== 'string' || others.length > 0) return undefined;
  const bytes = new TextEncoder().encode(value);
  const part = (from, to) => new TextDecoder().decode(bytes.subarray(from, to));
  return [part(0, span.start), part(span.start, span.end), part(span.end)];
}

function nearArgs(name, value, path, near) {
  if (name === undefined || path === undefined) return undefined;
  if (value === path) return { [name]: near };
  if (!Array.isArray(value) || !value.includes(path)) return undefined;
  return { [name]: value.map((one) => (one === path ? near : one)) };
}
