// Eight loops make every kind of call for a while; once a second, between calls, the program prints the
// resources of the process. Usage: node --expose-gc soak-worker.mjs ROOT SECONDS; for `npm run soak`.
// Each line of its output is a sample: kilobytes of memory, open handles, threads, calls so far.

import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { samples } from './samples.mjs';

const { Workspace } = createRequire(import.meta.url)('../../node/index.js');

const LOOPS = 8;
const NAP_MS = 10;
const [root, seconds] = process.argv.slice(2);
const until = Date.now() + Number(seconds) * 1000;

/** The words of the tree that the sample calls use. */
const WORDS = { text: 'needle', document: 'docs/0.md', symbol: 'needle' };
/** Calls with options and errors that the samples lack. */
const VARIANTS = [
  ['search', { patterns: ['needle'], context_before: 2 }],
  ['search', { patterns: ['n[a-z]+e'], order: 'mtime', matches_max: 20 }],
  ['search', { patterns: ['fn \\w+'], enclosing: true }],
  ['search', { patterns: ['('] }],
  ['look', { q: 'neeedle' }],
  ['read', { what: ['docs/0.md:1-20'] }],
];
const CALLS = [...Object.entries(samples(WORDS)), ...VARIANTS];
/** Errors that a call on a changing tree may return. */
const EXPECTED = new Set(['pattern_syntax', 'not_found', 'io']);

const shared = Workspace.open(root);
let calls = 0;
let busy = 0;
let isAtRest = false;

async function call(workspace, n) {
  const [tool, args] = CALLS[n % CALLS.length];
  try {
    await workspace.call(tool, args);
  } catch (error) {
    if (!EXPECTED.has(error.code)) throw error;
  }
}

/** Makes a stream that is left, aborted, or read to its end. */
async function stream(n) {
  const controller = new AbortController();
  let left = (n * 37) % 150;
  try {
    for await (const match of shared.search({ patterns: ['needle'] }, { signal: controller.signal })) {
      if (match.path === '') throw new Error('a match without a path');
      if (left-- > 0) continue;
      if (n % 2 === 0) break;
      controller.abort();
    }
  } catch (error) {
    if (error.name !== 'AbortError') throw error;
  }
}

async function loop(n) {
  for (; Date.now() < until; n += LOOPS + 1) {
    while (isAtRest) await sleep(NAP_MS);
    busy += 1;
    if (n % 7 === 0) await stream(n);
    else if (n % 7 === 1) {
      const own = Workspace.open(root);
      await call(own, n);
      own.close();
    } else await call(shared, n);
    busy -= 1;
    calls += 1;
  }
}

function ofStatus(name) {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)[1]);
}

/** Pauses all loops, so that only retained resources count. */
async function sample() {
  isAtRest = true;
  while (busy > 0) await sleep(NAP_MS);
  globalThis.gc?.();
  let [handles, threads] = [Infinity, Infinity];
  for (let n = 0; n < 5; n += 1) {
    handles = Math.min(handles, readdirSync('/proc/self/fd').length);
    threads = Math.min(threads, ofStatus('Threads'));
    await sleep(NAP_MS);
  }
  console.log(`${ofStatus('VmRSS')} ${handles} ${threads} ${calls}`);
  isAtRest = false;
}

const loops = Array.from({ length: LOOPS }, (_, n) => loop(n));
while (Date.now() < until) {
  await sleep(1000);
  await sample();
}
await Promise.all(loops);
shared.close();
