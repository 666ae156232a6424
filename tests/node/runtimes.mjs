// The runtimes, package managers and bundlers that the package is tested with, fetched from npm's registry into
// a directory below `target`, and the scripts that are run with them.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDLESS, TOP } from './helpers.mjs';
import { fetchPackages } from '../../scripts/lib/fetch.mjs';

const FOLDER = join(process.env.CARGO_TARGET_DIR ?? join(TOP, 'target'), 'runtimes');

/** Exact versions: a release of another project must not fail our tests. */
const DEPENDENCIES = {
  node22: 'npm:node@22.23.3',
  node24: 'npm:node@24.21.0',
  node26: 'npm:node@26.10.0',
  bun: '1.4.5',
  deno: '2.9.6',
  pnpm: '10.34.9',
  yarn: '1.22.22',
  '@yarnpkg/cli-dist': '4.18.1',
  esbuild: '0.28.2',
  '@vercel/ncc': '0.45.0',
  postject: '1.0.0-alpha.6',
};

/** Fetches the runtimes unless they are there already. Returns why the tests must be skipped, or undefined. */
export function fetchRuntimes() {
  const why = fetchPackages(FOLDER, DEPENDENCIES);
  return why && `SKIPPED: runtimes: ${why}`;
}

/** Returns a file of a fetched package. */
export function fetched(...path) {
  return join(FOLDER, 'node_modules', ...path);
}

/** Returns the version of a fetched package. */
export function fetchedVersion(name) {
  return JSON.parse(readFileSync(fetched(name, 'package.json'), 'utf8')).version;
}

/**
 * Uses everything that depends on the runtime: asynchronous calls, one of them to a parser, a stream to its end,
 * a stream that is left, an aborted call and an aborted stream. Its argument is a directory in which `ENDLESS` does not end.
 */
const USES = `const root = process.argv.at(-1);
const workspace = Workspace.open('docs');
const reply = await workspace.call('search_in_files', { query: 'needle' });
console.log('call', reply.total_matches);
const symbols = await workspace.call('scope_search_symbols', { scope: 'All Places', query: 'Thread' });
console.log('symbols', symbols.items.length);
let matches = 0;
for await (const match of workspace.search({ patterns: ['needle'] })) matches += match.spans.length;
console.log('stream', matches);
for await (const match of workspace.search({ patterns: ['needle'] })) {
  console.log('left after', match.line);
  break;
}
const endless = Workspace.open(root);
const reason = (promise) => promise.then(() => 'no abort', (error) => error.message);
const abortSoon = () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('stop')), 50);
  return { signal: controller.signal };
};
console.log('aborted call', await reason(endless.call('search_in_files', ENDLESS, abortSoon())));
const stream = endless.search({ patterns: [ENDLESS.query] }, abortSoon());
console.log('aborted stream', await reason(stream.next()));`;

/** Terminates a worker during a call that does not end, and calls again. */
const TERMINATES = `const worker = new Worker(new URL('worker.cjs', pathToFileURL('./')), { argv: [root] });
await new Promise((resolve) => worker.once('message', resolve));
await worker.terminate();
console.log('terminated', (await workspace.call('search_in_files', { query: 'needle' })).total_matches);`;

const WORKER = `const { parentPort } = require('node:worker_threads');
const { Workspace } = require('searchscope');
const ENDLESS = ${JSON.stringify(ENDLESS)};
Workspace.open(process.argv.at(-1)).call('search_in_files', ENDLESS).catch(() => {});
setTimeout(() => parentPort.postMessage('searching'), 50);`;

const IMPORTS = `import { Worker } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
import { Workspace } from 'searchscope';`;

const REQUIRES = `const { Worker } = require('node:worker_threads');
const { pathToFileURL } = require('node:url');
const { Workspace } = require('searchscope');`;

const PRELUDE = `const ENDLESS = ${JSON.stringify(ENDLESS)};`;

/** Standard output of the scripts without workers. */
export const USED = `call 2
symbols 1
stream 3
left after 1
aborted call stop
aborted stream stop
`;

/** Standard output of the scripts with workers. */
export const USED_AND_TERMINATED = `${USED}terminated 2\n`;

/** Writes the searched directory and the scripts: `use` without workers, `all` with one. */
export function writeScripts(folder) {
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs', 'notes.md'), 'needle\nneedle, needle\n');
  writeFileSync(join(folder, 'docs', 'code.rs'), 'struct Thread;\n');
  writeFileSync(join(folder, 'worker.cjs'), WORKER);
  for (const [name, body] of Object.entries({ use: USES, all: `${USES}\n${TERMINATES}` })) {
    writeFileSync(join(folder, `${name}.mjs`), `${IMPORTS}\n${PRELUDE}\n${body}\n`);
    const wrapped = `(async () => {\n${body}\n})();`;
    writeFileSync(join(folder, `${name}.cjs`), `${REQUIRES}\n${PRELUDE}\n${wrapped}\n`);
  }
}
