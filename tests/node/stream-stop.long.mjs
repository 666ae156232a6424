// Latency and cost: the first result, the end of the engine, memory, the host's own jobs.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Workspace } from 'searchscope';
import { ENDLESS, ENDLESS_SEARCH, collect, endlessStreamTree, hitTree } from './helpers.mjs';
import { later, rejection, runScript, streamThreads, threadNames, until } from './helpers.mjs';

const LIVE = { timeout: 120_000 };

/** Far longer than a slow machine needs, far shorter than a search that is never ended. */
const SOON_MS = 20_000;

const HELPERS = new URL('./helpers.mjs', import.meta.url).href;
const GC = { flags: ['--expose-gc'] };
const HIT = Object.freeze({ patterns: ['hit'] });

function skipWithoutProc(what) {
  if (threadNames() !== undefined) return false;
  console.log(`SKIPPED: ${what}: it is read from /proc, which this system lacks`);
  return true;
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

describe('soon', LIVE, () => {
  test('the first result of a long search is there', async (t) => {
    const ws = Workspace.open(endlessStreamTree(t));
    const times = [];
    for (let n = 0; n < 20; n += 1) {
      const started = performance.now();
      for await (const _ of ws.search(ENDLESS_SEARCH)) break;
      times.push(performance.now() - started);
    }
    t.diagnostic(`the first result took ${times.map((ms) => ms.toFixed(1)).join(', ')} ms`);
    assert.ok(median(times) < SOON_MS);
    // A pull that is not woken returns after 50 ms.
    assert.ok(Math.min(...times) < 45);
  });

  test('the engine stops when the loop is left after 10 matches', async (t) => {
    if (skipWithoutProc('the end of a thread')) return;
    const ws = Workspace.open(hitTree(t, 300, 300));
    const times = [];
    for (let n = 0; n < 5; n += 1) {
      let count = 0;
      for await (const _ of ws.search(HIT)) if ((count += 1) === 10) break;
      times.push(await until(() => streamThreads() === 0));
    }
    t.diagnostic(`the engine stopped after ${times.map((ms) => ms.toFixed(1)).join(', ')} ms`);
    assert.ok(median(times) < SOON_MS);
  });

  test('the engine stops in the middle of a huge line', async (t) => {
    if (skipWithoutProc('the end of a thread')) return;
    const ws = Workspace.open(endlessStreamTree(t));
    const stream = ws.search(ENDLESS_SEARCH);
    await stream.next();
    await later(50);
    assert.equal(streamThreads(), 1);
    await stream.return();
    assert.ok((await until(() => streamThreads() === 0)) < SOON_MS);
  });

  test('the first result comes while calls take their turns', async (t) => {
    const ws = Workspace.open(hitTree(t, 50, 50));
    const calls = Array.from({ length: 20 }, () => ws.call('search', HIT));
    const found = await collect(ws.search(HIT));
    assert.equal(found.length, 2500);
    for (const reply of await Promise.all(calls)) assert.equal(reply.total, 1000);
  });
});

describe('a stream without a reader', LIVE, () => {
  test('pauses: it keeps a buffer and takes no CPU time', async (t) => {
    const ws = Workspace.open(hitTree(t, 200, 500));
    const stream = ws.search(HIT);
    await stream.next();
    await later(300);
    const [cpu, rss] = [process.cpuUsage(), process.memoryUsage.rss()];
    await later(500);
    const { user, system } = process.cpuUsage(cpu);
    assert.ok(user + system < 100_000, `${user + system} µs`);
    assert.ok(process.memoryUsage.rss() - rss < 8 * 1024 * 1024);
    assert.equal((await collect(stream)).length, 99_999);
  });

  test('ends when it is garbage-collected', async (t) => {
    if (skipWithoutProc('the end of a thread')) return;
    // With everything that could keep it alive: a signal, a timer, the workspace.
    const script = `
      const ws = Workspace.open(argv[0]);
      const { signal } = new AbortController();
      const forget = async () => {
        const stream = ws.search({ patterns: ['hit'] }, { signal, onProgress() {} });
        await stream.next();
      };
      (async () => {
        const { streamThreads, until } = await import(argv[1]);
        for (let n = 0; n < 3; n += 1) await forget();
        // A thread that helps them has the name of the one that starts it until it sets its own.
        await until(() => streamThreads() <= 3);
        console.log(streamThreads());
        for (let n = 0; n < 100 && streamThreads() > 0; n += 1) { gc(); await later(10); }
        console.log(streamThreads(), require('node:events').getEventListeners(signal, 'abort').length);
      })();`;
    const done = await runScript(script, [hitTree(t, 20, 500), HELPERS], GC);
    assert.deepEqual([done.code, done.stdout], [0, '3\n0 0\n'], done.stderr);
  });

  test('ends when its native object is collected', async (t) => {
    if (skipWithoutProc('the end of a thread')) return;
    const script = `
      const native = require(process.cwd() + '/node/searchscope.node');
      const { streamThreads, until } = await import(argv[1]);
      const args = Buffer.from('{"patterns":["hit"]}');
      const ws = native.NativeWorkspace.open(argv[0], Buffer.from('{}'));
      let stream = ws.search(args, 0);
      await stream.pull();
      await until(() => streamThreads() <= 1);
      console.log(streamThreads());
      stream = undefined;
      for (let n = 0; n < 100 && streamThreads() > 0; n += 1) { gc(); await later(10); }
      console.log(streamThreads());`;
    const words = [hitTree(t, 20, 500), HELPERS];
    const done = await runScript(`(async () => {${script}})();`, words, GC);
    assert.deepEqual([done.code, done.stdout], [0, '1\n0\n'], done.stderr);
  });

  test('is kept while a result is pending', async (t) => {
    const script = `
      const ws = Workspace.open(argv[0]);
      const timer = setInterval(gc, 5);
      const started = performance.now();
      ws.search(JSON.parse(argv[1])).next().then(({ done }) => {
        console.log(JSON.stringify({ done, ms: performance.now() - started }));
        clearInterval(timer);
      });`;
    const slow = JSON.stringify({ patterns: [ENDLESS.query], deadline_ms: 500 });
    const args = [endlessStreamTree(t), slow];
    const done = await runScript(script, args, GC);
    assert.equal(done.code, 0, done.stderr);
    const end = JSON.parse(done.stdout);
    // No result within the deadline: it ended by itself, and was not collected.
    assert.ok(end.done && end.ms >= 500, done.stdout);
  });
});

describe('memory', LIVE, () => {
  /** Reads a stream in a child and returns the peak rise of its memory in KiB. */
  async function risenKb(t, root, body) {
    const script = `
      const fs = require('node:fs');
      const kb = (name) => Number(new RegExp(name + ':\\\\s+(\\\\d+)').exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]);
      const read = async (args) => { let n = 0; for await (const _ of ws.search(args)) { ${body} n += 1; } return n; };
      const ws = Workspace.open(argv[0]);
      (async () => {
        await read({ patterns: ['hit'], matches_max: 5000 });
        gc();
        const before = kb('VmRSS');
        fs.writeFileSync('/proc/self/clear_refs', '5');
        const count = await read({ patterns: ['hit'] });
        console.log(JSON.stringify({ count, kb: kb('VmHWM') - before }));
      })();`;
    const done = await runScript(script, [root], GC);
    assert.equal(done.code, 0, done.stderr);
    const { count, kb } = JSON.parse(done.stdout);
    assert.equal(count, 100_000);
    t.diagnostic(`100,000 matches held ${kb} KiB above the baseline`);
    return kb;
  }

  const table = [
    ['in many files', 100, 1000, ''],
    ['in one file', 1, 100_000, ''],
    ['for a slow reader', 100, 1000, 'if (n % 1000 === 0) await later(5);'],
  ];
  for (const [name, files, lines, body] of table) {
    test(`of 100,000 matches ${name} stays below 32 MB`, async (t) => {
      if (skipWithoutProc('the memory of a process')) return;
      assert.ok((await risenKb(t, hitTree(t, files, lines), body)) < 32_000);
    });
  }
});

describe('reading a file of the host', LIVE, () => {
  for (const [calls, streams] of [
    [0, 4],
    [2, 2],
  ]) {
    test(`is not blocked by ${calls} endless calls and ${streams} endless streams`, async (t) => {
      const root = endlessStreamTree(t);
      const ws = Workspace.open(root);
      const all = [
        ...Array.from({ length: calls }, () => rejection(ws.call('search', ENDLESS_SEARCH))),
        ...Array.from({ length: streams }, () => rejection(collect(ws.search(ENDLESS_SEARCH)))),
      ];
      await later(50);
      for (let n = 0; n < 5; n += 1) {
        const started = performance.now();
        await readFile(join(root, 'one-line.txt'));
        assert.ok(performance.now() - started < SOON_MS, `${performance.now() - started} ms`);
      }
      ws.close();
      for (const error of await Promise.all(all)) assert.equal(error.code, 'cancelled');
    });
  }
});
