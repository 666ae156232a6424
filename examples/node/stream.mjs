// Prints the locations of a text in a project as they are found, and stops after COUNT of them.
//
//   node stream.mjs DIRECTORY TEXT [COUNT]

import { Workspace } from 'searchscope';

const [directory, text, count = '20'] = process.argv.slice(2);
if (!directory || !text) {
  console.error('usage: node stream.mjs DIRECTORY TEXT [COUNT]');
  process.exit(2);
}

// Ctrl-C ends the search; it also ends by itself after ten seconds.
const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort(new Error('interrupted')));
const signal = AbortSignal.any([interrupt.signal, AbortSignal.timeout(10_000)]);

const request = { patterns: [text], literal: true };
let left = Number(count);
try {
  for await (const match of Workspace.open(directory).search(request, { signal })) {
    console.log(`${match.path}:${match.line}:${match.column}: ${match.text.trim()}`);
    left -= 1;
    // Leaving the loop stops the engine; it does not search the rest.
    if (left === 0) break;
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
