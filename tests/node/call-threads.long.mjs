// The time that threads for calls take to abort waiting calls, and to wake a thread that waits for them.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { HELD, buildHooked, runHooked } from './hooks.mjs';

const LIVE = { timeout: 120_000 };

let library;

before(() => {
  library = buildHooked();
});

test('calls that wait are aborted without a pass through the queue for each', LIVE, async (t) => {
  const script = `holdMany(ws, 8);
    await begun(8);
    // Time of processors, which other programs do not change.
    const abortMany = async (n) => {
      const held = holdMany(ws, n);
      const before = process.cpuUsage();
      for (const each of held) each.abort();
      await Promise.allSettled(held.map(({ call }) => call));
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    await abortMany(500);
    const [few, many] = [await abortMany(2_000), await abortMany(20_000)];
    native.testRelease(8);
    console.log(JSON.stringify([few, many]));`;
  const done = await runHooked(t, library, `${HELD}\n${script}`);
  assert.deepEqual([done.code, done.signal], [0, null], done.stderr);
  const [few, many] = JSON.parse(done.stdout);
  t.diagnostic(`2,000 calls took ${few} µs, 20,000 took ${many} µs`);
  // Ten times as many are to take ten times as long; quadratic work takes a hundred times.
  assert.ok(many < few * 40, `${few} µs, ${many} µs`);
});

test('threads for calls wake a JavaScript thread that waits for their end', LIVE, async (t) => {
  const script = `const { Worker } = require('node:worker_threads');
    const source = \`const { workerData } = require('node:worker_threads');
      const native = require(workerData.addon);
      const { Workspace } = require('./node/api.js').createApi(native);
      Workspace.open(workerData.root).call('test_hold').catch(() => {});\`;
    const times = [];
    for (let n = 1; n <= 5; n += 1) {
      const worker = new Worker(source, { eval: true, workerData: { addon, root } });
      await begun(n);
      const started = performance.now();
      await worker.terminate();
      times.push(Math.round(performance.now() - started));
    }
    console.log(Math.min(...times));`;
  const done = await runHooked(t, library, `${HELD}\n${script}`);
  assert.deepEqual([done.code, done.signal], [0, null]);
  assert.equal(done.stderr, 'a held call has ended\n'.repeat(5));
  t.diagnostic(`the end of a worker waited ${done.stdout.trim()} ms for its call`);
  // A held call ends within 60 ms. A thread that is not woken waits for a second, each time.
  assert.ok(Number(done.stdout) < 950, done.stdout);
});
