// Shared by the tests: directories, endless searches, child processes.

import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

export const TOP = fileURLToPath(new URL('../../', import.meta.url));
export const CLI = join(TOP, 'node', 'cli.js');
export const SERVER_CLI = join(TOP, 'server', 'cli.js');

/** Returns the file of the addon: one that was built here, or that of the platform's package. */
export function addonFile() {
  const require = createRequire(import.meta.url);
  require('searchscope');
  return Object.keys(require.cache).find((path) => path.endsWith('.node'));
}

/**
 * Returns the first of three results that is the expected one, or the last: on a machine under load the time of a
 * step of `look` may end before it has found all.
 */
export async function ofThree(expected, make) {
  let result = await make();
  for (let left = 2; left > 0 && result !== expected; left -= 1) result = await make();
  return result;
}

/** Makes a directory with the files (path -> text) and removes it after the test. */
export function tempTree(t, files) {
  const root = mkdtempSync(join(tmpdir(), 'searchscope-test-'));
  t.after(() => removeTree(root));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/**
 * Returns a stand-in for the context of a test: what is made for it lasts until the last test of the suite in
 * which this is called.
 */
export function suiteContext() {
  const ends = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  return { after: (end) => ends.push(end) };
}

/** Removes a directory. On Windows the root of a workspace that is still open remains, without entries. */
export function removeTree(root) {
  try {
    rmSync(root, { recursive: true, force: true });
  } catch (error) {
    if (process.platform !== 'win32' || error.code !== 'EBUSY') throw error;
  }
}

/** Makes a tree in which a search with `ENDLESS` runs until it is cancelled, as far as a test can observe. */
export function endlessTree(t) {
  return tempTree(t, endlessFiles());
}

/** Returns the files of an `endlessTree`, in a directory that ends with a slash. */
export function endlessFiles(directory = '') {
  // The end of a match occurs, so the prefilter cannot skip the file, but only before a possible start.
  return { [`${directory}one-line.txt`]: `dc${randomLetters(2_000_000)}` };
}

/**
 * Thousands of possible matches are open at every position of the line, and each position has its own
 * set of them, so no automaton can cache its states.
 */
export const ENDLESS = Object.freeze({ query: 'a[ab]{0,5000}[cd]', use_regex: true, timeout: 600 });

/** Returns files, in a directory that ends with a slash, in each of which `ENDLESS` takes a moment. */
export function slowFiles(directory = '') {
  const [directories, bytes] = [600, 2000];
  // Each file has a text of its own, because an automaton caches its states.
  const letters = randomLetters(directories * bytes);
  const files = Array.from({ length: directories }, (_, n) => [
    `${directory}${n}/one-line.txt`,
    `dc${letters.slice(n * bytes, (n + 1) * bytes)}`,
  ]);
  return Object.fromEntries(files);
}

function randomLetters(count) {
  const letters = Buffer.alloc(count);
  // Numerical Recipes' generator; its high bits are good, and every run produces the same text.
  for (let n = 0, seed = 1; n < count; n += 1) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    letters[n] = seed >>> 31 === 0 ? 0x61 : 0x62;
  }
  return letters.toString('latin1');
}

/** Timeout of a child: longer than any test needs. A child that hangs is killed, and its test fails. */
const CHILD_MS_MAX = 120_000;

/**
 * Runs Node with the arguments and returns its exit code, signal, output and time; `within` is a command
 * that runs the command after it.
 */
export function runNode(words, { input, cwd = TOP, env, within = [] } = {}) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const options = { cwd, timeout: CHILD_MS_MAX, killSignal: 'SIGKILL' };
    const [program, ...all] = [...within, process.execPath, ...words];
    const child = spawn(program, all, { ...options, env: { ...process.env, ...env } });
    const out = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (chunk) => (out[name] += chunk));
    }
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ ...out, code, signal, ms: performance.now() - started }),
    );
    child.stdin.on('error', () => {}).end(input ?? '');
  });
}

/**
 * Runs a CommonJS script in a child that has `searchscope`, with the extra arguments as `argv`; `flags`
 * are for Node.
 */
export function runScript(script, words = [], { flags = [], ...options } = {}) {
  const prelude = `const { Workspace, SearchscopeError } = require(${JSON.stringify(TOP)});
    const argv = process.argv.slice(1);
    const ENDLESS = ${JSON.stringify(ENDLESS)};
    const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));`;
  return runNode([...flags, '-e', `${prelude}\n${script}`, ...words], options);
}

export function later(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Returns the reason of a rejected promise; fails if it resolves. */
export async function rejection(promise) {
  const value = await promise.then(
    (value) => ({ resolved: value }),
    (reason) => ({ reason }),
  );
  if ('resolved' in value) throw new Error(`resolved with ${JSON.stringify(value.resolved)}`);
  return value.reason;
}

/** Reads an async iterable to its end. */
export async function collect(stream) {
  const all = [];
  for await (const each of stream) all.push(each);
  return all;
}

/** Makes a tree of `files` files, each with `lines` lines that contain `hit`. */
export function hitTree(t, files, lines) {
  const text = Array.from({ length: lines }, (_, n) => `line ${n} hit zwölf 🦀\n`).join('');
  const all = Array.from({ length: files }, (_, n) => [`d${n % 7}/f${n}.txt`, text]);
  return tempTree(t, Object.fromEntries(all));
}

/** Arguments of a `search` that runs as long as `ENDLESS`, but finds some lines at once. */
export const ENDLESS_SEARCH = Object.freeze({
  patterns: ['^first', ENDLESS.query],
  deadline_ms: 600_000,
});

/** Makes a tree in which `ENDLESS_SEARCH` finds 300 lines, and then nothing, as far as a test can observe. */
export function endlessStreamTree(t) {
  const root = endlessTree(t);
  for (let n = 0; n < 300; n += 1) {
    mkdirSync(join(root, `a${n}`));
    writeFileSync(join(root, `a${n}`, 'a.txt'), 'first\n');
  }
  return root;
}

/**
 * Returns the number of this process's threads that run a stream; undefined if it cannot be determined.
 */
export function streamThreads() {
  return threadNames()?.filter((name) => name.startsWith('searchscope-str')).length;
}

/** Returns the names of this process's threads, cut to 15 bytes; undefined if they cannot be read. */
export function threadNames() {
  // Wine shows Linux's own `/proc`, with the thread identifiers of that system.
  if (process.platform === 'win32' || !existsSync('/proc/self/task')) return undefined;
  return readdirSync('/proc/self/task').map((id) => {
    try {
      return readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim();
    } catch {
      // The thread has ended meanwhile.
      return '';
    }
  });
}

/** Waits until the condition holds and returns how long it took; fails after `ms`. */
export async function until(condition, ms = 60_000) {
  const started = performance.now();
  while (!condition()) {
    if (performance.now() - started > ms) throw new Error(`after ${ms} ms still not: ${condition}`);
    await later(1);
  }
  return performance.now() - started;
}
