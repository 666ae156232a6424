// @ff-labs/fff-node: every matching line of a text, of all files, from an index that is built for the
// query (cold) or exists already: without a watch of changes (warm), or with it (watched). The first argument is
// the directory of its package.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [peers] = process.argv.splice(2, 1);
const { root, serve } = await import('./serve.mjs');
// Imported by its file, because a package that only supports `import` cannot be resolved from another
// directory.
const entry = join(peers, 'node_modules', '@ff-labs', 'fff-node', 'dist', 'src', 'index.js');
const { FileFinder } = await import(pathToFileURL(entry));

/** Limits large enough to cut nothing. */
const ALL = { maxMatchesPerFile: 1_000_000, pageSize: 1_000_000, maxFileSize: 2 ** 30 };
const INDEX_MS = 120_000;
let kept;

await serve(async (mode, calls) => {
  const answers = [];
  for (const [, [query]] of calls) {
    const isKept = mode !== 'cold';
    const finder = isKept ? (kept ??= await make(mode !== 'watched')) : await make(true);
    const lines = [];
    let cursor = null;
    do {
      const page = value(finder.grep(query, { mode: 'plain', smartCase: false, cursor, ...ALL }));
      for (const { relativePath, lineNumber, lineContent } of page.items) {
        lines.push(`${relativePath}:${lineNumber}:${lineContent}`);
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
    if (!isKept) finder.destroy();
    answers.push(lines.join('\n'));
  }
  return answers;
});

async function make(disableWatch) {
  const finder = value(FileFinder.create({ basePath: root, disableWatch }));
  if (!value(await finder.waitForIndexReady(INDEX_MS))) throw new Error('the index is not ready');
  return finder;
}

function value(result) {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}
