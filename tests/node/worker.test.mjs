// Worker threads: each has its own copy of the package, and may be terminated at any moment.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Workspace } from 'searchscope';
import { ENDLESS, ENDLESS_SEARCH, TOP, endlessStreamTree, endlessTree } from './helpers.mjs';
import { collect, hitTree, later, rejection, streamThreads, tempTree } from './helpers.mjs';
import { threadNames, until } from './helpers.mjs';

function worker(script, root) {
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

const SEARCH_AND_TELL = `
  const ended = ws.call('search_in_files', ENDLESS).catch((error) => parentPort.postMessage(error.code));
  setTimeout(() => parentPort.postMessage('searching'), 50);`;

describe('a worker', { timeout: 300_000 }, () => {
  test('searches, and ends by itself', async (t) => {
    const root = tempTree(t, { 'a.txt': 'needle\n' });
    const script = `ws.call('search_in_files', { query: 'needle' }).then((reply) => parentPort.postMessage(reply))`;
    const workers = Array.from({ length: 4 }, () => worker(script, root));
    const ends = workers.map((each) => Promise.all([once(each, 'message'), once(each, 'exit')]));
    for (const [[reply], [code]] of await Promise.all(ends)) {
      assert.equal(reply.total_matches, 1);
      assert.equal(code, 0);
    }
  });

  test('can be terminated during a search', async (t) => {
    const root = endlessTree(t);
    const searching = worker(SEARCH_AND_TELL, root);
    await once(searching, 'message');
    // It resolves only after the search has ended, and the search does not end by itself.
    await searching.terminate();
  });

  test('that exits by itself ends its search and no other', async (t) => {
    const root = endlessTree(t);
    const controller = new AbortController();
    let over = false;
    const own = rejection(
      Workspace.open(root).call('search_in_files', ENDLESS, { signal: controller.signal }),
    );
    own.then(() => (over = true));
    // The search does not end by itself, so any exit shows that it was ended.
    const exiting = worker(`${SEARCH_AND_TELL} setTimeout(() => process.exit(3), 100);`, root);
    const [code] = await once(exiting, 'exit');
    assert.equal(code, 3);
    await later(50);
    assert.equal(over, false);
    controller.abort();
    await own;
  });

  test('that waits for the slots of another thread gets its turn', async (t) => {
    const root = endlessTree(t);
    const controller = new AbortController();
    const call = (ws) =>
      rejection(ws.call('search_in_files', ENDLESS, { signal: controller.signal }));
    // Two workspaces at their maximum are the maximum of the process.
    const workspaces = [Workspace.open(root), Workspace.open(root)];
    const own = workspaces.flatMap((ws) => Array.from({ length: 8 }, () => call(ws)));
    const script = `ws.call('search_in_files', { query: 'zzz' }).then(() => parentPort.postMessage('done'))`;
    const other = worker(script, root);
    const done = once(other, 'message');
    await later(200);
    controller.abort();
    await Promise.all(own);
    assert.deepEqual(await done, ['done']);
    await other.terminate();
  });

  test('reads a stream, and ends by itself though it has left one half-way', async (t) => {
    const script = `(async () => {
        let count = 0;
        for await (const _ of ws.search({ patterns: ['hit'] })) count += 1;
        await ws.search({ patterns: ['hit'] }).next();
        parentPort.postMessage(count);
      })();`;
    const each = worker(script, hitTree(t, 20, 500));
    const [[count], [code]] = await Promise.all([once(each, 'message'), once(each, 'exit')]);
    assert.deepEqual([count, code], [10_000, 0]);
    await until(() => !streamThreads());
  });

  test('can be terminated during a stream, whether it waits or rests', async (t) => {
    const roots = [
      [endlessStreamTree(t), 'ws.search(STREAM)'],
      [hitTree(t, 20, 500), `ws.search({ patterns: ['hit'] })`],
    ];
    for (const [root, stream] of roots) {
      const script = `const stream = ${stream};
        stream.next().then(() => parentPort.postMessage('reading'));`;
      const reading = worker(script, root);
      await once(reading, 'message');
      await later(20);
      await reading.terminate();
      await until(() => !streamThreads());
    }
  });

  test('that is terminated ends its own streams and no other', async (t) => {
    const root = hitTree(t, 20, 500);
    const own = Workspace.open(root).search({ patterns: ['hit'] });
    await own.next();
    const script = `ws.search({ patterns: ['hit'] }).next().then(() => parentPort.postMessage('reading'));`;
    const reading = worker(script, root);
    await once(reading, 'message');
    assert.equal(streamThreads() ?? 2, 2);
    await reading.terminate();
    await until(() => (streamThreads() ?? 1) === 1);
    // The rest, because one of the 10,000 has been read.
    assert.equal((await collect(own)).length, 9999);
  });

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
    for (let n = 0; n < 200; n += 4) {
      await Promise.all([n, n + 1, n + 2, n + 3].map(terminate));
    }
    await until(() => handles() === 0);
  });

  test('can be terminated at any moment, 200 times', async (t) => {
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
    for (let n = 0; n < 200; n += 4) {
      await Promise.all([n, n + 1, n + 2, n + 3].map(terminate));
    }
    t.diagnostic(`200 workers took ${Math.round(performance.now() - started)} ms`);
    // The numbered threads of the engine's pool stay; Node's come and go.
    if (!ours()) console.log('SKIPPED: threads are counted in /proc, which is not here');
    else await until(() => ours().length === 0);
    // Everything that they held is free again.
    const reply = await Workspace.open(root).call('search_in_files', { query: 'zzz' });
    assert.equal(reply.total_matches, 0);
    for await (const _ of Workspace.open(root).search(ENDLESS_SEARCH)) break;
  });
});

/** Returns a number that depends on `n` alone and differs from those of its neighbours. */
function random(n) {
  return Math.imul(n + 1, 2654435761) >>> 16;
}
