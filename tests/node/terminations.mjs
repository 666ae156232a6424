// Worker threads that are terminated at any moment, some times in `npm test` and more often in the long run.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Workspace } from 'searchscope';
import { ENDLESS, ENDLESS_SEARCH, TOP, endlessStreamTree, hitTree } from './helpers.mjs';
import { later, tempTree, threadNames, until } from './helpers.mjs';

/** Starts a worker whose script has a workspace `ws` of the root. */
export function worker(script, root) {
  const prelude = `const { parentPort, workerData } = require('node:worker_threads');
    const { Workspace } = require(workerData.top);
    const ws = Workspace.open(workerData.root);
    const { ENDLESS, STREAM } = workerData;`;
  // Longer than a test may take: a search that is never ended fails its test.
  const workerData = {
    top: TOP,
    root,
    ENDLESS: { ...ENDLESS, timeout: 600 },
    STREAM: { ...ENDLESS_SEARCH, deadline_ms: 600_000 },
  };
  return new Worker(`${prelude}\n${script}`, { eval: true, workerData });
}

/** Declares the tests, which terminate this number of workers each, four at a time. */
export function testTerminations(times) {
  describe('a worker, repeatedly', { timeout: 300_000 }, () => {
    test('leaves no handle of the root, whenever it is terminated', async (t) => {
      if (!existsSync('/proc/self/fd')) {
        console.log('SKIPPED: handles are counted in /proc, which is not here');
        return;
      }
      const root = tempTree(t, { 'a.txt': 'needle\n' });
      const handles = () =>
        readdirSync('/proc/self/fd').filter((fd) => {
          try {
            return readlinkSync(`/proc/self/fd/${fd}`).startsWith(root);
          } catch {
            return false;
          }
        }).length;
      // The calls begin at once, and the worker ends at about that time: some of them wait, some run, and
      // some have ended.
      const script = `parentPort.postMessage('begun');
        for (let n = 0; n < 12; n += 1) ws.call('search_in_files', { query: 'needle' }).catch(() => {});
        setInterval(() => {}, 1000);`;
      const terminate = async (n) => {
        const each = worker(script, root);
        await once(each, 'message');
        for (let turns = random(n) % 6; turns > 0; turns -= 1) await new Promise(setImmediate);
        await each.terminate();
      };
      for (let n = 0; n < times; n += 4) {
        await Promise.all([n, n + 1, n + 2, n + 3].map(terminate));
      }
      await until(() => handles() === 0);
    });

    test(`can be terminated at any moment, ${times} times`, async (t) => {
      const root = endlessStreamTree(t);
      const rest = hitTree(t, 20, 500);
      const script = `for (let n = 0; n < 3; n += 1) ws.call('search_in_files', ENDLESS).catch(() => {});
        ws.call('search_in_files', { query: 'zzz' }).catch(() => {});
        const read = async (stream) => { for await (const _ of stream); };
        for (let n = 0; n < 2; n += 1) read(ws.search(STREAM)).catch(() => {});
        Workspace.open(${JSON.stringify(rest)}).search({ patterns: ['hit'] }).next().catch(() => {});`;
      const terminate = async (n) => {
        const each = worker(script, root);
        const failed = once(each, 'error').then(([error]) => assert.fail(error));
        await later(random(n) % 120);
        await Promise.race([each.terminate(), failed]);
      };
      const ours = () => threadNames()?.filter((name) => /^searchscope-[a-z]/.test(name));
      const started = performance.now();
      for (let n = 0; n < times; n += 4) {
        await Promise.all([n, n + 1, n + 2, n + 3].map(terminate));
      }
      t.diagnostic(`${times} workers took ${Math.round(performance.now() - started)} ms`);
      // The numbered threads of the engine's pool stay; Node's come and go.
      if (!ours()) console.log('SKIPPED: threads are counted in /proc, which is not here');
      else await until(() => ours().length === 0);
      // Everything that they held is free again.
      const reply = await Workspace.open(root).call('search_in_files', { query: 'zzz' });
      assert.equal(reply.total_matches, 0);
      for await (const _ of Workspace.open(root).search(ENDLESS_SEARCH)) break;
    });
  });
}

/** Returns a number that depends on `n` alone and differs from those of its neighbours. */
function random(n) {
  return Math.imul(n + 1, 2654435761) >>> 16;
}
