// The sample call of each tool, for tests that call every tool on their own tree.

import { readFileSync } from 'node:fs';
import { tools } from 'searchscope';

const FILE = new URL('../../tools/src/tests/samples.txt', import.meta.url);

/** Returns the arguments of one call of each tool, by its name; `words` occur in the tree. */
export function samples(words) {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  const calls = lines.flatMap((line) => {
    const [, name, args] = /^(\w+) \S+ (.+)$/.exec(line) ?? [];
    return name ? [[name, JSON.parse(args.replace(/\$(\w+)/g, (_, word) => words[word]))]] : [];
  });
  const byName = Object.fromEntries(calls);
  const missing = tools().filter(({ name }) => !byName[name]);
  if (missing.length > 0) throw new Error(`samples.txt has no call of ${missing[0].name}`);
  return byName;
}

/** Parses a reply without durations, which differ between two calls of the same kind. */
export function timeless(json) {
  return JSON.parse(json, (key, value) =>
    /^elapsed|_ms$|_us$/.test(key) || (key === 'text' && /Took/.test(value)) ? 0 : value,
  );
}
