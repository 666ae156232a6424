// The number of calls that run at once, and the host's own jobs meanwhile.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Workspace } from 'searchscope';
import { ENDLESS, endlessTree, later, rejection } from './helpers.mjs';

const require = createRequire(import.meta.url);
const { CallQueue, callsMax } = require('../../node/queue.js');

/** Timeout of a test that might hang. */
const LIVE = { timeout: 120_000 };

test('calls get at most two libuv threads, and at most half of them', { timeout: 120_000 }, () => {
  const table = { undefined: 2, 1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 128: 2, '': 1, abc: 1, '-3': 1 };
  for (const [size, max] of Object.entries(table)) {
    assert.equal(
      callsMax(size === 'undefined' ? undefined : size),
      max,
      `UV_THREADPOOL_SIZE=${size}`,
    );
  }
});

test('endless searches do not block reading a file', { timeout: 120_000 }, async (t) => {
  const root = endlessTree(t);
  const ws = Workspace.open(root);
  const controller = new AbortController();
  const call = () => rejection(ws.call('search_in_files', ENDLESS, { signal: controller.signal }));
  const calls = Array.from({ length: 4 }, call);
  await later(50);
  for (let n = 0; n < 5; n += 1) {
    const started = performance.now();
    await readFile(join(root, 'one-line.txt'));
    // The searches take 60 s.
    assert.ok(performance.now() - started < 20_000, `reading took ${performance.now() - started} ms`);
  }
  controller.abort();
  await Promise.all(calls);
});

/** Makes a native part whose calls end when the test decides; `others` slots are taken elsewhere. */
function fakeNative() {
  const native = {
    running: 0,
    most: 0,
    others: 0,
    cancelAll() {},
    CancelToken: class {
      cancel() {}
      files() {
        return 7;
      }
    },
  };
  native.ends = [];
  native.begin = (_token, max) => {
    if (native.running + native.others >= max) return null;
    native.running += 1;
    native.most = Math.max(native.most, native.running);
    return new Promise((resolve, reject) => {
      const end = (settle) => (value) => {
        native.running -= 1;
        settle(value);
      };
      native.ends.push({ resolve: end(resolve), reject: end(reject) });
    });
  };
  return native;
}

describe('the queue', { timeout: 120_000 }, () => {
  test('starts calls in order, two at a time', async () => {
    const native = fakeNative();
    const queue = new CallQueue(native);
    const calls = [1, 2, 3, 4, 5].map(() => queue.run(native.begin));
    for (let n = 0; n < 5; n += 1) {
      assert.equal(native.ends.length, Math.min(n + 2, 5));
      native.ends[n].resolve(n);
      assert.equal(await calls[n], n);
      await later(0);
    }
    assert.equal(native.most, 2);
  });

  test('continues after calls that fail, natively or before they start', async () => {
    const native = fakeNative();
    const queue = new CallQueue(native);
    const failure = new Error('no memory');
    const thrown = rejection(
      queue.run(() => {
        throw failure;
      }),
    );
    const failed = rejection(queue.run(native.begin));
    native.ends[0].reject(failure);
    for (const error of [await thrown, await failed]) {
      assert.deepEqual([error.code, error.cause], ['internal', failure]);
    }
    const good = queue.run(native.begin);
    native.ends[1].resolve('fine');
    assert.equal(await good, 'fine');
  });

  test('waits for slots that other threads hold', async () => {
    const native = fakeNative();
    const queue = new CallQueue(native);
    native.others = 2;
    const call = queue.run(native.begin);
    await later(20);
    assert.equal(native.ends.length, 0);
    native.others = 1;
    await later(20);
    native.ends[0].resolve('came');
    assert.equal(await call, 'came');
  });

  test('forgets a waiting call that is aborted', async () => {
    const native = fakeNative();
    const queue = new CallQueue(native);
    const first = [queue.run(native.begin), queue.run(native.begin)];
    const controller = new AbortController();
    const waiting = rejection(queue.run(native.begin, { signal: controller.signal }));
    controller.abort('never mind');
    assert.equal(await waiting, 'never mind');
    for (const end of [...native.ends]) end.resolve();
    await Promise.all(first);
    await later(0);
    assert.equal(native.ends.length, 2);
  });

  test('reports no progress of a queued call', async () => {
    const native = fakeNative();
    const queue = new CallQueue(native);
    const told = [];
    const first = [queue.run(native.begin), queue.run(native.begin)];
    const third = queue.run(native.begin, { onProgress: (report) => told.push(report) });
    await later(600);
    assert.deepEqual(told, []);
    for (const end of native.ends.splice(0)) end.resolve();
    await Promise.all(first);
    while (told.length === 0) await later(10);
    assert.deepEqual(told[0], { files: 7 });
    native.ends[0].resolve();
    await third;
  });
});

test('a progress callback that throws ends only its own call', LIVE, async (t) => {
  const ws = Workspace.open(endlessTree(t));
  const failure = new Error('no room on the screen');
  const takers = [
    () => {
      throw failure;
    },
    () => Promise.reject(failure),
  ];
  // In sequence, and more than may run at once: a call that kept running would block the rest.
  for (const onProgress of [...takers, ...takers]) {
    const call = ws.call('search_in_files', ENDLESS, { onProgress });
    assert.equal(await rejection(call), failure);
  }
  assert.equal((await ws.call('search_in_files', { query: 'zzz' })).total_matches, 0);
});
