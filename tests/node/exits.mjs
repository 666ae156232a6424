// The process exits when its owner wants it to: we neither delay nor force the exit.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDLESS_SEARCH, endlessStreamTree, endlessTree, hitTree } from './helpers.mjs';
import { runScript, tempTree } from './helpers.mjs';

const SEARCH = `const ws = Workspace.open(argv[0]);
  const calls = [1, 2, 3].map(() => ws.call('search_in_files', ENDLESS).catch(() => {}));
  const decide = () => require('node:fs').writeSync(1, String(Date.now()));`;

const STREAM = `const ws = Workspace.open(argv[0]);
  const decide = () => require('node:fs').writeSync(1, String(Date.now()));
  const read = async () => { for await (const _ of ws.search(JSON.parse(argv[1]))); };
  for (let n = 0; n < 4; n += 1) read().catch(() => {});`;

/**
 * Runs the script repeatedly and checks that the process exits soon after `decide()`: within `ms` in
 * each of the `exits` exits of a row, in one row out of `rows`.
 */
async function exitsWithin({ ms, exits, rows }, t, script, root) {
  let slowest = Infinity;
  let done;
  for (let row = 0; row < rows && slowest >= ms; row += 1) {
    const times = [];
    for (let n = 0; n < exits; n += 1) {
      done = await runScript(script, [root, JSON.stringify(ENDLESS_SEARCH)]);
      times.push(Date.now() - Number(done.stdout));
    }
    t.diagnostic(`exit took ${times.join(', ')} ms`);
    slowest = Math.max(...times);
  }
  assert.ok(slowest < ms, `the slowest exit took ${slowest} ms; ${done.stderr}`);
  return done;
}

/** Declares the tests, with the allowed time of an exit and the number of exits. */
export function testExits(bounds) {
  const exitsSoon = (...args) => exitsWithin(bounds, ...args);
  describe('the process', { timeout: 120_000 }, () => {
    for (const [what, script] of Object.entries({ calls: SEARCH, streams: STREAM })) {
      test(`exits during ${what}`, async (t) => {
        const exit = `${script} setTimeout(() => { decide(); process.exit(7); }, 100);`;
        const done = await exitsSoon(t, exit, endlessStreamTree(t));
        assert.equal(done.code, 7);
      });
    }

    test('exits while a stream rests', async (t) => {
      const script = `const ws = Workspace.open(argv[0]);
        ws.search({ patterns: ['hit'] }).next().then(() => setTimeout(() => {
          require('node:fs').writeSync(1, String(Date.now()));
          process.exit(7);
        }, 50));`;
      const done = await exitsSoon(t, script, hitTree(t, 20, 500));
      assert.equal(done.code, 7);
    });

    test('ends by itself while a stream rests', async (t) => {
      const script = `const ws = Workspace.open(argv[0]);
        ws.search({ patterns: ['hit'] }, { onProgress() {} }).next().then(({ value }) => console.log(value.line));`;
      const done = await runScript(script, [hitTree(t, 20, 500)]);
      assert.deepEqual([done.code, done.stdout], [0, '1\n']);
      assert.ok(done.ms < 5000, `${done.ms} ms`);
    });

    test('exits on an uncaught exception during a search', async (t) => {
      const script = `${SEARCH} setTimeout(() => { decide(); throw new Error('oops'); }, 100);`;
      const done = await exitsSoon(t, script, endlessTree(t));
      assert.equal(done.code, 1);
      assert.match(done.stderr, /oops/);
    });

    test('exits while a worker searches and streams', async (t) => {
      const script = `const { Worker } = require('node:worker_threads');
        const source = 'const { workerData: w } = require("node:worker_threads");' +
          'const ws = require(w.top).Workspace.open(w.root);' +
          'ws.search(w.stream).next(); ws.call("search_in_files", w.endless).catch(() => {});';
        const stream = JSON.parse(argv[1]);
        const workerData = { top: 'searchscope', root: argv[0], endless: ENDLESS, stream };
        new Worker(source, { eval: true, workerData });
        const decide = () => require('node:fs').writeSync(1, String(Date.now()));
        setTimeout(() => { decide(); process.exit(0); }, 400);`;
      const done = await exitsSoon(t, script, endlessStreamTree(t));
      assert.equal(done.code, 0);
    });

    test('dies of a signal during a search', async (t) => {
      const script = `${SEARCH} setTimeout(() => { decide(); process.kill(process.pid, 'SIGTERM'); }, 100);`;
      const done = await exitsSoon(t, script, endlessTree(t));
      // Windows has no signals: there the process ends with status 1.
      const ended = process.platform === 'win32' ? [1, null] : [null, 'SIGTERM'];
      assert.deepEqual([done.code, done.signal], ended);
    });

    test('waits for calls that are not awaited', async (t) => {
      const root = tempTree(t, { 'a.txt': 'needle\n' });
      const script = `const ws = Workspace.open(argv[0]);
        for (let n = 0; n < 5; n += 1) {
          ws.call('search_in_files', { query: 'needle' }).then((reply) => console.log(reply.total_matches));
        }`;
      const done = await runScript(script, [root]);
      assert.deepEqual([done.code, done.stdout], [0, '1\n'.repeat(5)]);
    });

    test('is not kept alive by an open workspace, or by calls that are over', async (t) => {
      const root = tempTree(t, { 'a.txt': 'needle\n' });
      const script = `const ws = Workspace.open(argv[0]);
        const signal = AbortSignal.timeout(60_000);
        ws.call('search_in_files', { query: 'needle' }, { signal }).then(() => console.log('over'));`;
      const done = await runScript(script, [root]);
      assert.deepEqual([done.code, done.stdout], [0, 'over\n']);
      assert.ok(done.ms < 5000, `${done.ms} ms`);
    });

    test('refuses calls and streams once it is exiting', async (t) => {
      const root = tempTree(t, { 'a.txt': 'needle\n' });
      const script = `const ws = Workspace.open(argv[0]);
        process.on('exit', () => {
          ws.call('search_in_files', ENDLESS).catch(() => {});
          ws.search({ patterns: ['x'] }).next().catch(() => {});
        });`;
      const done = await runScript(script, [root]);
      assert.equal(done.code, 0);
      assert.ok(done.ms < 5000, `${done.ms} ms`);
    });
  });
}
