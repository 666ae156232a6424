// What the tests share: directories, endless searches, child processes.

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
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const TOP = fileURLToPath(new URL('../../', import.meta.url));
export const CLI = join(TOP, 'node', 'cli.js');

/** Makes a directory with the files (path -> text) and removes it after the test. */
export function tempTree(t, files) {
  const root = mkdtempSync(join(tmpdir(), 'searchscope-test-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** A tree in which a search with `ENDLESS` runs until it is cancelled, for all a test can tell. */
export function endlessTree(t) {
  // The end of a match occurs, so the file cannot be passed over; but only before its beginning.
  return tempTree(t, { 'one-line.txt': `dc${randomLetters(2_000_000)}` });
}

/**
 * Thousands of possible matches are open at every place of the line, and each place has its own set
 * of them, so that no automaton can remember what it has seen.
 */
export const ENDLESS = Object.freeze({ query: 'a[ab]{0,5000}[cd]', use_regex: true, timeout: 60 });

/** A tree in which a search with `ENDLESS` takes a moment for each of many directories. */
export function slowTree(t) {
  const [directories, bytes] = [600, 2000];
  // Each file has a text of its own, because an automaton remembers what it has seen.
  const letters = randomLetters(directories * bytes);
  const files = Array.from({ length: directories }, (_, n) => [
    `${n}/one-line.txt`,
    `dc${letters.slice(n * bytes, (n + 1) * bytes)}`,
  ]);
  return tempTree(t, Object.fromEntries(files));
}

function randomLetters(count) {
  const letters = Buffer.alloc(count);
  // Numerical Recipes' generator; its high bits are good, and every run gives the same text.
  for (let n = 0, seed = 1; n < count; n += 1) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    letters[n] = seed >>> 31 === 0 ? 0x61 : 0x62;
  }
  return letters.toString('latin1');
}

/** Longer than any child of a test takes; one that hangs is ended, and its test fails. */
const CHILD_MS_MAX = 120_000;

/**
 * Runs Node with the words and gives its exit code, signal, output and time; `within` is a command
 * that runs the one behind it.
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
 * Runs a CommonJS script in a child that has `searchscope` and the extra words as `argv`; `flags` are
 * Node's.
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

/** Gives what the promise is rejected with; a promise that resolves is a failure. */
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

/** A tree with so many files, each with so many lines that hold `hit`. */
export function hitTree(t, files, lines) {
  const text = Array.from({ length: lines }, (_, n) => `line ${n} hit zwölf 🦀\n`).join('');
  const all = Array.from({ length: files }, (_, n) => [`d${n % 7}/f${n}.txt`, text]);
  return tempTree(t, Object.fromEntries(all));
}

/** The arguments of a `search` that runs as long as `ENDLESS`, but finds some lines at once. */
export const ENDLESS_SEARCH = Object.freeze({
  patterns: ['^first', ENDLESS.query],
  deadline_ms: 60_000,
});

/** A tree in which `ENDLESS_SEARCH` finds 300 lines, and then nothing for all a test can tell. */
export function endlessStreamTree(t) {
  const root = endlessTree(t);
  for (let n = 0; n < 300; n += 1) {
    mkdirSync(join(root, `a${n}`));
    writeFileSync(join(root, `a${n}`, 'a.txt'), 'first\n');
  }
  return root;
}

/** How many threads of this process run a stream; undefined where that cannot be seen. */
export function streamThreads() {
  return threadNames()?.filter((name) => name.startsWith('searchscope-str')).length;
}

/** The names of this process's threads, cut to 15 bytes; undefined where they cannot be seen. */
export function threadNames() {
  if (!existsSync('/proc/self/task')) return undefined;
  return readdirSync('/proc/self/task').map((id) => {
    try {
      return readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim();
    } catch {
      // It has ended meanwhile.
      return '';
    }
  });
}

/** Waits until the condition holds, and fails when that takes too long; gives how long it took. */
export async function until(condition, ms = 60_000) {
  const started = performance.now();
  while (!condition()) {
    if (performance.now() - started > ms) throw new Error(`after ${ms} ms still not: ${condition}`);
    await later(1);
  }
  return performance.now() - started;
}
