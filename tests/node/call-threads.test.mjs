// The threads that run calls: how many there are, whose turn it is, and how they end.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { HELD, buildHooked, runHooked } from './hooks.mjs';

/** Longer than that of a child, so that one which hangs is killed and its output shown. */
const LIVE = { timeout: 300_000 };

let library;

before(() => {
  library = buildHooked();
});

/** Runs a script that prints one value as JSON, and compares the value. */
async function prints(t, expected, script) {
  const done = await runHooked(t, library, `${HELD}\n${script}`);
  assert.deepEqual([done.code, done.signal], [0, null], done.stderr);
  assert.deepEqual(JSON.parse(done.stdout), expected);
}

describe('calls', LIVE, () => {
  test('of one workspace run side by side, eight at a time and in order', async (t) => {
    const script = `const held = holdMany(ws, 10);
      await begun(8);
      await later(100);
      const first = native.testBegun();
      held[0].abort();
      await begun(9);
      held[1].abort();
      await begun(10);
      native.testRelease(8);
      console.log(JSON.stringify([first, await places(held.slice(8))]));`;
    await prints(t, [8, [9, 10]], script);
  });

  test('of a second workspace run beside eight of the first', async (t) => {
    const script = `holdMany(ws, 20);
      await begun(8);
      const reply = await open().call('search_in_files', { query: 'needle' });
      console.log(reply.total_matches);
      native.testRelease(20);`;
    await prints(t, 1, script);
  });

  test('of a workspace with unsaved text have the turns of the one below it', async (t) => {
    const script = `holdMany(ws, 8);
      await begun(8);
      holdMany(ws.withOverlay({ 'b.txt': 'text' }), 1);
      const other = hold(open());
      await begun(9);
      native.testRelease(10);
      console.log(await other.call);`;
    await prints(t, 9, script);
  });

  test('take turns by workspace when the process has no room', async (t) => {
    const script = `const [a, b, c] = [ws, open(), open()];
      const ofA = holdMany(a, 8);
      await begun(8);
      const ofB = holdMany(b, 8);
      await begun(16);
      const [nextOfA, nextOfB, nextOfC] = [holdMany(a, 3), holdMany(b, 1), holdMany(c, 2)];
      for (let n = 0; n < 5; n += 1) {
        ofA[n].abort();
        await begun(17 + n);
      }
      ofB[0].abort();
      await begun(22);
      native.testRelease(16);
      console.log(JSON.stringify([await places(nextOfA), await places(nextOfB), await places(nextOfC)]));`;
    await prints(t, [[17, 19, 21], [22], [18, 20]], script);
  });

  test('that are aborted while they wait never begin', async (t) => {
    const script = `const held = holdMany(ws, 12);
      await begun(8);
      for (const each of held.slice(8, 11)) each.abort();
      const names = await Promise.all(held.slice(8, 11).map(({ call }) => rejection(call)));
      native.testRelease(9);
      console.log(JSON.stringify([names.map(({ name }) => name), await held[11].call]));`;
    await prints(t, [['AbortError', 'AbortError', 'AbortError'], 9], script);
  });

  test('that come one by one wake a waiting thread each', async (t) => {
    const script = `const started = performance.now();
      for (let n = 0; n < 20; n += 1) {
        await ws.call('search_in_files', { query: 'needle' });
        // Meanwhile the thread begins to wait.
        await later(5);
      }
      console.log(Math.round(performance.now() - started));`;
    const done = await runHooked(t, library, script);
    assert.deepEqual([done.code, done.signal], [0, null], done.stderr);
    t.diagnostic(`20 calls took ${done.stdout.trim()} ms`);
    // A thread that is not woken looks for a call after two seconds.
    assert.ok(Number(done.stdout) < 20_000, done.stdout);
  });

  test('that wait release their workspace when it is closed', async (t) => {
    const script = `const held = holdMany(ws, 9);
      await begun(8);
      ws.close();
      const codes = await Promise.all(held.map(({ call }) => rejection(call)));
      // All threads are free again, and would have begun the ninth call before this one.
      const after = hold(open());
      await begun(9);
      native.testRelease(1);
      console.log(JSON.stringify([codes.map(({ code }) => code), await after.call]));`;
    await prints(t, [Array(9).fill('cancelled'), 9], script);
  });
});

describe('threads for calls', LIVE, () => {
  test('that cannot be started make a call fail, or wait for one that exists', async (t) => {
    const script = `native.testRefuseThreads(true);
      const { code, message } = await rejection(ws.call('search_in_files', { query: 'needle' }));
      native.testRefuseThreads(false);
      const first = hold(ws);
      await begun(1);
      native.testRefuseThreads(true);
      const second = hold(ws);
      await later(50);
      const before = native.testBegun();
      native.testRelease(1);
      await begun(2);
      native.testRelease(1);
      console.log(JSON.stringify([code, message, before, await places([first, second])]));`;
    const message = 'the system cannot start a thread for the call';
    await prints(t, ['busy', message, 1, [1, 2]], script);
  });

  test('end when they are idle', async (t) => {
    const script = `if (threadNames() === undefined) {
        console.log('"SKIPPED: threads are counted in /proc, which is not here"');
        return;
      }
      const ours = () => threadNames().filter((name) => name.startsWith('searchscope-cal')).length;
      const held = holdMany(ws, 8);
      await begun(8);
      const before = ours();
      native.testRelease(8);
      await places(held);
      await until(() => ours() === 0);
      native.testRelease(1);
      console.log(JSON.stringify([before, await hold(ws).call]));`;
    const done = await runHooked(t, library, `${HELD}\n${script}`);
    assert.equal(done.stderr, '');
    if (done.stdout.includes('SKIPPED')) return console.log(JSON.parse(done.stdout));
    assert.deepEqual(JSON.parse(done.stdout), [8, 9]);
  });

  test('serve all JavaScript threads, and are free again after a worker', async (t) => {
    const script = `const { Worker } = require('node:worker_threads');
      const source = \`const { workerData } = require('node:worker_threads');
        const native = require(workerData.addon);
        const { Workspace } = require('./node/api.js').createApi(native);
        const ws = Workspace.open(workerData.root);
        for (let n = 0; n < 12; n += 1) ws.call('test_hold').catch(() => {});\`;
      const worker = new Worker(source, { eval: true, workerData: { addon, root } });
      await begun(8);
      holdMany(ws, 8);
      await begun(16);
      const waiting = holdMany(open(), 8);
      await later(50);
      const before = native.testBegun();
      await worker.terminate();
      await begun(24);
      native.testRelease(16);
      console.log(JSON.stringify([before, (await places(waiting)).length]));`;
    const done = await runHooked(t, library, `${HELD}\n${script}`);
    assert.deepEqual([done.code, done.signal], [0, null], done.stderr);
    assert.deepEqual(JSON.parse(done.stdout), [16, 8]);
    // Node waited for the end of the worker's calls.
    assert.equal(done.stderr, 'a held call has ended\n'.repeat(8));
  });

  test('end their calls before the process exits', async (t) => {
    const script = `holdMany(ws, 12);
      await begun(8);
      process.exit(7);`;
    const done = await runHooked(t, library, `${HELD}\n${script}`);
    assert.deepEqual([done.code, done.signal], [7, null]);
    assert.equal(done.stderr, 'a held call has ended\n'.repeat(8));
  });
});
