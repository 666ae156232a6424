// The index: it is built on request, reports its state, and changes no reply.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Workspace } from 'searchscope';
import { TOP, collect, later, rejection, tempTree } from './helpers.mjs';

const TREE = { 'a.txt': 'needle\n', 'b/c.txt': 'hay\n', 'b/d.txt': 'hay and a needle\n' };

/** On other systems nothing reports or proves that a file is unchanged, so nothing is indexed. */
const REMEMBERS = process.platform === 'linux';

const OFF = Object.freeze({
  state: 'off',
  directories: 0,
  files: 0,
  memory_bytes: 0,
  left_out: 0,
  waiting: 0,
  not_watched: null,
});

const open = (root, options) => Workspace.open(root, { index: 'auto', ...options });

/** Returns the matches of "needle", as path:line. */
async function needles(workspace) {
  const { matches } = await workspace.search_in_files({ query: 'needle' });
  return matches.map(({ file_path, line_number }) => `${file_path}:${line_number}`);
}

/** Makes a tree that takes much longer to read than a timer takes to fire. */
function largeTree(t) {
  const text = 'a line of text that is long enough to have many trigrams 0123456789\n'.repeat(1500);
  const files = Array.from({ length: 200 }, (_, n) => [`d${n % 20}/f${n}.txt`, `${n}${text}`]);
  return tempTree(t, Object.fromEntries(files));
}

describe('warm', { timeout: 120_000 }, () => {
  test('resolves with the state of the index', async (t) => {
    const workspace = open(tempTree(t, TREE));
    assert.equal(workspace.indexStatus().state, 'cold');
    const status = await workspace.warm();
    assert.deepEqual(Object.keys(status), Object.keys(OFF));
    assert.deepEqual(workspace.indexStatus(), status);
    assert.equal(status.left_out, 0);
    if (REMEMBERS) assert.equal(status.state, 'ready');
    assert.deepEqual(await needles(workspace), ['a.txt:1', 'b/d.txt:1']);
    assert.equal((await workspace.warm()).state, status.state);
  });

  test('counts what it remembers, where the file system can be trusted', async (t) => {
    const { not_watched, directories, files, memory_bytes } = await open(tempTree(t, TREE)).warm();
    if (!REMEMBERS || not_watched !== null) {
      console.log(`SKIPPED: nothing is watched here: ${not_watched}`);
      return;
    }
    assert.deepEqual([directories, files], [2, 3]);
    assert.ok(memory_bytes > 0);
  });

  test('does nothing without an index', async (t) => {
    for (const options of [undefined, { index: 'off' }, { memory_bytes_max: 1 << 20 }]) {
      const workspace = Workspace.open(tempTree(t, TREE), options);
      assert.deepEqual(await workspace.warm(), OFF);
      assert.deepEqual(workspace.indexStatus(), OFF);
      assert.deepEqual(await needles(workspace), ['a.txt:1', 'b/d.txt:1']);
    }
  });

  test('reports progress', async (t) => {
    const seen = [];
    await open(largeTree(t), { threads: 1 }).warm({ onProgress: ({ files }) => seen.push(files) });
    // A machine that reads the whole tree between two reports makes none.
    assert.ok(seen.every((files) => Number.isInteger(files) && files <= 200), seen.join());
    assert.deepEqual(seen, seen.toSorted((left, right) => left - right));
  });

  test('ends with the error of its onProgress', async (t) => {
    const failed = new Error('mine');
    let called = false;
    const onProgress = () => {
      called = true;
      throw failed;
    };
    const end = await open(largeTree(t), { threads: 1 })
      .warm({ onProgress })
      .then(() => undefined, (error) => error);
    assert.equal(end, called ? failed : undefined);
  });

  test('ends with a signal, and continues later', async (t) => {
    const workspace = open(largeTree(t));
    const early = await rejection(workspace.warm({ signal: AbortSignal.abort('never') }));
    assert.equal(early, 'never');
    assert.equal(workspace.indexStatus().state, 'cold');
    const controller = new AbortController();
    const warming = rejection(workspace.warm({ signal: controller.signal }));
    controller.abort('enough');
    assert.equal(await warming, 'enough');
    const status = await workspace.warm();
    if (REMEMBERS) assert.equal(status.state, 'ready');
  });

  test('ends when its workspace closes', async (t) => {
    const workspace = open(largeTree(t));
    const warming = rejection(workspace.warm());
    workspace.close();
    assert.equal((await warming).code, 'cancelled');
    assert.equal((await rejection(workspace.warm())).code, 'cancelled');
    assert.throws(() => workspace.indexStatus(), { code: 'cancelled' });
  });

  test('refuses what is not an option of a call', async (t) => {
    const workspace = open(tempTree(t, TREE));
    for (const [options, param] of [
      [{ sginal: undefined }, 'sginal'],
      [{ signal: 'x' }, 'signal'],
      [{ onProgress: 1 }, 'onProgress'],
      [{ format: 'text' }, 'format'],
      [null, 'options'],
      ['now', 'options'],
    ]) {
      const error = await rejection(workspace.warm(options));
      assert.deepEqual([error.code, error.param], ['invalid_param', param]);
    }
    assert.equal(workspace.indexStatus().state, 'cold');
  });
});

test('the options of the index are checked', (t) => {
  const root = tempTree(t, TREE);
  for (const [options, param, message] of [
    [{ index: 'on' }, 'index', /auto/],
    [{ index: true }, 'index', /index/],
    [{ memory_bytes_max: 1000 }, 'memory_bytes_max', /1048576.*1000/],
    [{ memory_bytes_max: '1' }, 'memory_bytes_max', /memory_bytes_max/],
    [{ memory_max: 1 << 20 }, 'memory_max', /memory_bytes_max/],
  ]) {
    assert.throws(
      () => Workspace.open(root, options),
      (error) => {
        assert.deepEqual([error.code, error.param], ['invalid_param', param]);
        assert.match(error.message, message);
        return true;
      },
    );
  }
  assert.equal(open(root, { memory_bytes_max: 1 << 20 }).indexStatus().state, 'cold');
});

describe('with the index', { timeout: 120_000 }, () => {
  test('a search sees every edit before it', async (t) => {
    const root = tempTree(t, TREE);
    const workspace = open(root);
    await workspace.warm();
    const edits = [
      [() => writeFileSync(join(root, 'b/c.txt'), 'needle\n'), ['a.txt:1', 'b/c.txt:1', 'b/d.txt:1']],
      [() => rmSync(join(root, 'b/d.txt')), ['a.txt:1', 'b/c.txt:1']],
      [() => appendFileSync(join(root, 'a.txt'), 'needle\n'), ['a.txt:1', 'a.txt:2', 'b/c.txt:1']],
      [() => writeFileSync(join(root, '.gitignore'), 'a.txt\n'), ['b/c.txt:1']],
      [() => rmSync(join(root, 'b'), { recursive: true }), []],
    ];
    for (const [edit, expected] of edits) {
      edit();
      assert.deepEqual(await needles(workspace), expected, `${edit}`);
    }
    for (let n = 0; n < 200; n += 1) {
      writeFileSync(join(root, 'n.txt'), `line ${n}.\n`);
      const { total } = await workspace.call('search', { patterns: [`line ${n}.`], literal: true });
      assert.equal(total, 1, `round ${n}`);
    }
  });

  test('streams and finds return the same as without', async (t) => {
    const root = tempTree(t, TREE);
    const [cold, warm] = [Workspace.open(root), open(root)];
    await warm.warm();
    const args = { patterns: ['needle'] };
    assert.deepEqual(await collect(warm.search(args)), await collect(cold.search(args)));
    assert.deepEqual(await collect(warm.find({})), await collect(cold.find({})));
  });

  test('it is built after the second search', async (t) => {
    const workspace = open(tempTree(t, TREE));
    await needles(workspace);
    assert.equal(workspace.indexStatus().state, 'cold');
    await needles(workspace);
    const end = performance.now() + 60_000;
    while (REMEMBERS && workspace.indexStatus().state !== 'ready') {
      assert.ok(performance.now() < end, workspace.indexStatus().state);
      await later(5);
    }
    assert.deepEqual(await needles(workspace), ['a.txt:1', 'b/d.txt:1']);
  });

  test('little memory leaves directories out and changes no reply', async (t) => {
    const root = largeTree(t);
    const workspace = open(root, { memory_bytes_max: 1 << 20 });
    const status = await workspace.warm();
    if (REMEMBERS && status.not_watched === null) assert.ok(status.left_out > 0);
    const args = { patterns: ['^39'], mode: 'files' };
    const reply = async (each) => {
      const { elapsed_us, ...rest } = await each.call('search', args);
      return rest;
    };
    assert.deepEqual(await reply(workspace), await reply(Workspace.open(root)));
  });
});

describe('in a worker thread', { timeout: 120_000 }, () => {
  const start = (root, script) => {
    const prelude = `const { parentPort, workerData } = require('node:worker_threads');
      const { Workspace } = require(workerData.top);
      const workspace = Workspace.open(workerData.root, { index: 'auto' });`;
    return new Worker(`${prelude}\n${script}`, { eval: true, workerData: { top: TOP, root } });
  };

  test('it is built and used, and the worker ends by itself', async (t) => {
    const worker = start(
      tempTree(t, TREE),
      `(async () => {
        const { state } = await workspace.warm();
        const { total_matches } = await workspace.search_in_files({ query: 'needle' });
        parentPort.postMessage({ state, total_matches });
      })();`,
    );
    const [[told], [code]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
    assert.deepEqual([told.total_matches, code], [2, 0]);
    if (REMEMBERS) assert.equal(told.state, 'ready');
  });

  test('it can be terminated while it is built', async (t) => {
    const worker = start(
      largeTree(t),
      `workspace.warm().catch(() => {}); parentPort.postMessage('warming');`,
    );
    await once(worker, 'message');
    await later(5);
    await worker.terminate();
  });
});
