// The runtimes, package managers and bundlers that the package is tested with, fetched from npm's registry into
// a directory below `target`, and the scripts that are run with them.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDLESS, TOP } from './helpers.mjs';
import { NPM } from '../../scripts/lib/process.mjs';

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

/** Longer than a download of 250 MB takes. */
const FETCH_MS_MAX = 900_000;

/** Longer than the registry takes to answer one request. */
const QUESTION_MS_MAX = 60_000;

/**
 * Fetches the runtimes unless they are there already. Returns why the tests must be skipped, or undefined.
 * Throws if the registry answers and the installation fails.
 */
export function fetchRuntimes() {
  const manifest = JSON.stringify({ private: true, dependencies: DEPENDENCIES });
  const marker = join(FOLDER, 'complete.json');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === manifest) return undefined;
  const question = ['view', 'esbuild', 'version', '--fetch-retries=0'];
  if (npm(question, QUESTION_MS_MAX).status !== 0) {
    return `SKIPPED: runtimes: npm's registry cannot be reached: "npm ${question.join(' ')}" failed`;
  }
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'package.json'), manifest);
  const done = npm(['install', '--no-audit', '--no-fund', '--no-package-lock'], FETCH_MS_MAX);
  if (done.status !== 0) throw new Error(`the runtimes cannot be installed: ${done.stderr}`);
  writeFileSync(marker, manifest);
  return undefined;
}

function npm(words, timeout) {
  const shell = process.platform === 'win32';
  return spawnSync(NPM, words, { cwd: existsSync(FOLDER) ? FOLDER : TOP, encoding: 'utf8', timeout, shell });
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
 * Uses everything that depends on the runtime: an asynchronous call, a stream to its end, a stream that is
 * left, an aborted call and an aborted stream. Its argument is a directory in which `ENDLESS` does not end.
 */
const USES = `const root = process.argv.at(-1);
const workspace = Workspace.open('docs');
const reply = await workspace.call('search_in_files', { query: 'needle' });
console.log('call', reply.total_matches);
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
const ENDLESS = ${JSON.stringify({ ...ENDLESS, timeout: 600 })};
Workspace.open(process.argv.at(-1)).call('search_in_files', ENDLESS).catch(() => {});
setTimeout(() => parentPort.postMessage('searching'), 50);`;

const IMPORTS = `import { Worker } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
import { Workspace } from 'searchscope';`;

const REQUIRES = `const { Worker } = require('node:worker_threads');
const { pathToFileURL } = require('node:url');
const { Workspace } = require('searchscope');`;

const PRELUDE = `const ENDLESS = ${JSON.stringify({ ...ENDLESS, timeout: 600 })};`;

/** Standard output of the scripts without workers. */
export const USED = `call 2
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
  writeFileSync(join(folder, 'worker.cjs'), WORKER);
  for (const [name, body] of Object.entries({ use: USES, all: `${USES}\n${TERMINATES}` })) {
    writeFileSync(join(folder, `${name}.mjs`), `${IMPORTS}\n${PRELUDE}\n${body}\n`);
    const wrapped = `(async () => {\n${body}\n})();`;
    writeFileSync(join(folder, `${name}.cjs`), `${REQUIRES}\n${PRELUDE}\n${wrapped}\n`);
  }
}
