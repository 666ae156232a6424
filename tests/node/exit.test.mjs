// The process ends when its owner wants it to: not later because of us, and not earlier.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endlessTree, runScript, tempTree } from './helpers.mjs';

/** What the exit may take, measured in the child from the decision on. */
const EXIT_MS = 500;

const SEARCH = `const ws = Workspace.open(argv[0]);
  const calls = [1, 2, 3].map(() => ws.call('search_in_files', ENDLESS).catch(() => {}));
  const decide = () => require('node:fs').writeSync(1, String(Date.now()));`;

/** Runs the script and checks that the process was gone soon after it had called `decide()`. */
async function exitsSoon(script, root) {
  const done = await runScript(`${SEARCH}\n${script}`, [root]);
  const took = Date.now() - Number(done.stdout);
  assert.ok(took < EXIT_MS, `exit took ${took} ms; ${done.stderr}`);
  return done;
}

describe('the process', { timeout: 120_000 }, () => {
  test('exits during a search', async (t) => {
    const done = await exitsSoon(
      'setTimeout(() => { decide(); process.exit(7); }, 100);',
      endlessTree(t),
    );
    assert.equal(done.code, 7);
  });

  test('exits during a search by an exception that nobody catches', async (t) => {
    const done = await exitsSoon(
      `setTimeout(() => { decide(); throw new Error('oops'); }, 100);`,
      endlessTree(t),
    );
    assert.equal(done.code, 1);
    assert.match(done.stderr, /oops/);
  });

  test('exits while a worker searches', async (t) => {
    const script = `const { Worker } = require('node:worker_threads');
      const source = 'const { workerData: w } = require("node:worker_threads");' +
        'require(w.top).Workspace.open(w.root).call("search_in_files", w.endless).catch(() => {});';
      const workerData = { top: 'searchscope', root: argv[0], endless: ENDLESS };
      new Worker(source, { eval: true, workerData });
      setTimeout(() => { decide(); process.exit(0); }, 400);`;
    const done = await exitsSoon(script, endlessTree(t));
    assert.equal(done.code, 0);
  });

  test('dies of a signal during a search', async (t) => {
    const done = await exitsSoon(
      `setTimeout(() => { decide(); process.kill(process.pid, 'SIGTERM'); }, 100);`,
      endlessTree(t),
    );
    assert.equal(done.signal, 'SIGTERM');
  });

  test('waits for calls that nobody awaits', async (t) => {
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

  test('refuses calls once it is exiting', async (t) => {
    const root = tempTree(t, { 'a.txt': 'needle\n' });
    const script = `const ws = Workspace.open(argv[0]);
      process.on('exit', () => {
        ws.call('search_in_files', ENDLESS).catch(() => {});
      });`;
    const done = await runScript(script, [root]);
    assert.equal(done.code, 0);
    assert.ok(done.ms < 5000, `${done.ms} ms`);
  });
});
