// Worker threads: each has its own copy of the package, and may be terminated at any moment.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Workspace } from 'searchscope';
import { ENDLESS, collect, endlessStreamTree, endlessTree, hitTree, later } from './helpers.mjs';
import { rejection, streamThreads, tempTree, until } from './helpers.mjs';
import { testTerminations, worker } from './terminations.mjs';

const SEARCH_AND_TELL = `
  const ended = ws.call('search_in_files', ENDLESS).catch((error) => parentPort.postMessage(error.code));
  setTimeout(() => parentPort.postMessage('searching'), 50);`;

/** Keeps a worker alive: an idle stream does not. */
const STAY = 'setInterval(() => {}, 1000);';

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
        stream.next().then(() => parentPort.postMessage('reading'));
        ${STAY}`;
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
    // Kept, because a stream that is collected ends too.
    const script = `globalThis.kept = ws.search({ patterns: ['hit'] });
      kept.next().then(() => parentPort.postMessage('reading'));
      ${STAY}`;
    const reading = worker(script, root);
    await once(reading, 'message');
    assert.equal(streamThreads() ?? 2, 2);
    await reading.terminate();
    await until(() => (streamThreads() ?? 1) === 1);
    // The rest, because one of the 10,000 has been read.
    assert.equal((await collect(own)).length, 9999);
  });
});

testTerminations(40);
