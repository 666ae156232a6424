// Calls at once, and the host's own jobs meanwhile. `call-threads.test.mjs` has the order of the queue.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { Workspace } from 'searchscope';
import { ENDLESS, ENDLESS_SEARCH, endlessStreamTree, endlessTree } from './helpers.mjs';
import { rejection, runScript, until } from './helpers.mjs';

const require = createRequire(import.meta.url);
const { callRunner } = require('../../node/calls.js');

/** Timeout of a test that might hang. */
const LIVE = { timeout: 120_000 };

test('eight searches of a workspace report progress side by side, and the ninth waits', LIVE, async (t) => {
  const ws = Workspace.open(endlessTree(t));
  const calls = Array.from({ length: 9 }, () => {
    const call = { reports: 0, controller: new AbortController() };
    const onProgress = () => (call.reports += 1);
    const { signal } = call.controller;
    call.end = rejection(ws.call('search_in_files', ENDLESS, { signal, onProgress }));
    return call;
  });
  // Only a call that runs reports, and none ends by itself.
  const ninth = calls[8];
  await until(() => calls.slice(0, 8).every(({ reports }) => reports >= 2));
  assert.equal(ninth.reports, 0);
  calls[0].controller.abort();
  await until(() => ninth.reports > 0);
  for (const { controller } of calls) controller.abort();
  for (const { end } of calls) assert.equal((await end).name, 'AbortError');
});

describe('the host', LIVE, () => {
  test('reads files and resolves names during searches, with one thread of libuv', async (t) => {
    const script = `const ws = Workspace.open(argv[0]);
      let n_ended = 0;
      const ended = () => (n_ended += 1);
      for (let n = 0; n < 8; n += 1) ws.call('search_in_files', ENDLESS).then(ended, ended);
      for (let n = 0; n < 4; n += 1) {
        const read = async () => { for await (const _ of ws.search(JSON.parse(argv[1]))); };
        read().then(ended, ended);
      }
      setTimeout(async () => {
        for (let n = 0; n < 5; n += 1) await require('node:fs/promises').readFile(argv[0] + '/a0/a.txt');
        // The name need not exist: libuv has looked for it either way.
        await require('node:dns/promises').lookup('localhost').catch(() => {});
        console.log(n_ended);
        process.exit();
      }, 200);`;
    const words = [endlessStreamTree(t), JSON.stringify(ENDLESS_SEARCH)];
    const done = await runScript(script, words, { env: { UV_THREADPOOL_SIZE: '1' } });
    assert.deepEqual([done.code, done.stdout], [0, '0\n'], done.stderr);
  });
});

describe('the runner of calls', LIVE, () => {
  test('continues after calls that fail, natively or before they start', async () => {
    const native = {
      cancelAll() {},
      cancelAtEnd() {},
      CancelToken: class {
        cancel() {}
      },
    };
    const run = callRunner(native);
    const options = { stops: new Set() };
    const failure = new Error('no memory');
    const throws = () => {
      throw failure;
    };
    for (const begin of [throws, async () => throws()]) {
      const error = await rejection(run(begin, options));
      assert.deepEqual([error.code, error.cause], ['internal', failure]);
    }
    assert.equal(await run(async () => 'fine', options), 'fine');
    assert.equal(options.stops.size, 0);
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
  for (let n = 0; n < 10; n += 1) {
    const onProgress = takers[n % 2];
    const call = ws.call('search_in_files', ENDLESS, { onProgress });
    assert.equal(await rejection(call), failure);
  }
  assert.equal((await ws.call('search_in_files', { query: 'zzz' })).total_matches, 0);
});
