// Streams: the same results as calls, how they are read, left and ended, and their refusals.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SearchscopeError, Workspace } from 'searchscope';
import { collect, endlessStreamTree, hitTree as tree, later, rejection } from './helpers.mjs';
import { ENDLESS_SEARCH, streamThreads, tempTree, until } from './helpers.mjs';

const LIVE = { timeout: 120_000 };

/**
 * Asserts equal results. A diff of thousands would take minutes, so it compares their number and each one.
 */
function same(results, expected) {
  assert.equal(results.length, expected.length);
  results.forEach((result, n) => assert.deepEqual(result, expected[n]));
}

/** Returns the parts that a report and a reply share, without the duration. */
function lasting({ elapsed_us, ...report }) {
  assert.equal(typeof elapsed_us, 'number');
  return report;
}

describe('a stream returns', LIVE, () => {
  test('the results of the call in order, and then its report', async (t) => {
    const ws = Workspace.open(tree(t, 40, 20));
    for (const mode of ['content', 'files', 'count']) {
      const args = { patterns: ['hit', 'line 1.'], mode, context_after: 1 };
      const stream = ws.search(args);
      const results = await collect(stream);
      const { matches, files, ...report } = await ws.call('search', args);
      same(results, matches ?? files);
      assert.equal(results.length, mode === 'content' ? 800 : 40);
      assert.deepEqual(lasting(stream.report), lasting(report));
    }
  });

  test('the results of `find`, in any order', async (t) => {
    const ws = Workspace.open(tree(t, 300, 1));
    const orders = ['path', 'mtime'].map((order) => ({ order, details: true }));
    for (const args of [{}, ...orders]) {
      const stream = ws.find(args);
      const found = await collect(stream);
      const { files, ...report } = await ws.call('find', args);
      same(found, files);
      assert.deepEqual(lasting(stream.report), lasting(report));
    }
    assert.equal((await collect(ws.find())).length, 300);
  });

  test('more results than a call or its buffer may hold', async (t) => {
    const ws = Workspace.open(tree(t, 100, 200));
    const results = await collect(ws.search({ patterns: ['hit'] }));
    assert.equal(results.length, 20_000);
    const reply = await ws.call('search', { patterns: ['hit'] });
    assert.equal(reply.stopped, 'limit');
    same(results.slice(0, reply.matches.length), reply.matches);
    const places = new Set(results.map(({ path, line }) => `${path}:${line}`));
    assert.equal(places.size, 20_000);
  });

  test('results larger than its buffer', async (t) => {
    const word = 'x'.repeat(900_000);
    const ws = Workspace.open(tempTree(t, { 'a.txt': `${word}\n${word}\n`, 'b.txt': `${word}\n` }));
    const args = { patterns: ['^x'], line_bytes_max: 65_536, context_before: 10 };
    same(await collect(ws.search(args)), (await ws.call('search', args)).matches);
  });

  test('no results without a match', async (t) => {
    const ws = Workspace.open(tempTree(t, {}));
    const stream = ws.search({ patterns: ['hit'] });
    assert.equal(stream.report, undefined);
    assert.deepEqual(await collect(stream), []);
    assert.deepEqual([stream.report.complete, stream.report.total], [true, 0]);
  });

  test('pages, by the cursor of its report', async (t) => {
    const ws = Workspace.open(tree(t, 10, 5));
    const given = [];
    let cursor;
    do {
      const page = ws.search({ patterns: ['hit'], matches_max: 7, cursor });
      const results = await collect(page);
      assert.ok(results.length <= 7);
      given.push(...results);
      cursor = page.report.cursor;
    } while (cursor !== undefined);
    same(given, (await ws.call('search', { patterns: ['hit'] })).matches);
    assert.equal(given.length, 50);
  });

  test('results for the arguments at its creation', async (t) => {
    const ws = Workspace.open(tree(t, 2, 2));
    const args = { patterns: ['hit'] };
    const stream = ws.search(args);
    args.patterns = ['zzz'];
    assert.equal((await collect(stream)).length, 4);
  });
});

describe('a reader', LIVE, () => {
  test('may request several results at once', async (t) => {
    const ws = Workspace.open(tree(t, 10, 5));
    const stream = ws.search({ patterns: ['hit'] });
    const steps = await Promise.all(Array.from({ length: 53 }, () => stream.next()));
    const { matches } = await ws.call('search', { patterns: ['hit'] });
    const values = steps.filter(({ done }) => !done).map(({ value }) => value);
    same(values, matches);
    assert.deepEqual(steps.slice(50), Array(3).fill({ value: undefined, done: true }));
  });

  test('reads two streams side by side', async (t) => {
    const ws = Workspace.open(tree(t, 200, 50));
    const [left, right] = [ws.search({ patterns: ['hit'] }), ws.search({ patterns: ['line'] })];
    let count = 0;
    for await (const match of left) {
      const { value } = await right.next();
      assert.deepEqual([value.path, value.line], [match.path, match.line]);
      count += 1;
    }
    assert.equal(count, 10_000);
    assert.deepEqual(await right.next(), { value: undefined, done: true });
    assert.ok(right.report.complete);
  });

  test('may take its time', async (t) => {
    const ws = Workspace.open(tree(t, 60, 200));
    let count = 0;
    for await (const _ of ws.search({ patterns: ['hit'] })) {
      if (count % 2000 === 0) await later(30);
      count += 1;
    }
    assert.equal(count, 12_000);
  });

  test('leaves the event loop its turns', async (t) => {
    const ws = Workspace.open(tree(t, 100, 200));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await collect(ws.search({ patterns: ['hit'] }));
    clearInterval(timer);
    assert.ok(turns >= 3, `${turns} turns`);
  });

  test('leaves by break, return and throw', async (t) => {
    const ws = Workspace.open(tree(t, 100, 200));
    const args = { patterns: ['hit'] };
    const leave = {
      async break(stream) {
        for await (const _ of stream) break;
      },
      async return(stream) {
        return (async () => {
          for await (const match of stream) return match;
        })();
      },
      async throw(stream) {
        const failure = new Error('of the loop');
        const loop = async () => {
          for await (const _ of stream) throw failure;
        };
        assert.equal(await rejection(loop()), failure);
      },
      async 'iterator.return'(stream) {
        await stream.next();
        assert.deepEqual(await stream.return('last'), { value: 'last', done: true });
      },
      async 'iterator.throw'(stream) {
        await stream.next();
        const failure = new Error('thrown in');
        assert.equal(await rejection(stream.throw(failure)), failure);
      },
    };
    for (const [how, run] of Object.entries(leave)) {
      const stream = ws.search(args);
      await run(stream);
      assert.deepEqual(await stream.next(), { value: undefined, done: true }, how);
      assert.equal(stream.report, undefined, how);
    }
    await until(() => !streamThreads());
  });

  test('that leaves early gets no report, even a pending one', async (t) => {
    const stream = Workspace.open(tree(t, 1, 3)).search({ patterns: ['hit'] });
    await stream.next();
    await later(50);
    await stream.next();
    await stream.next();
    await stream.return();
    assert.equal(stream.report, undefined);
  });

  test('that leaves settles pending requests', async (t) => {
    const ws = Workspace.open(endlessStreamTree(t));
    const stream = ws.search(ENDLESS_SEARCH);
    const steps = Array.from({ length: 302 }, () => stream.next());
    assert.equal((await steps[0]).value.text, 'first');
    await later(50);
    await stream.return();
    const last = (await Promise.all(steps)).slice(-2);
    assert.deepEqual(last, Array(2).fill({ value: undefined, done: true }));
  });

  test('may leave a stream that it never read', async (t) => {
    const ws = Workspace.open(tree(t, 1, 1));
    const stream = ws.search({ patterns: ['hit'] });
    await stream.return();
    assert.deepEqual(await collect(stream), []);
  });

  test('gets the stream itself as its iterator', async (t) => {
    const stream = Workspace.open(tree(t, 1, 1)).find();
    assert.equal(stream[Symbol.asyncIterator](), stream);
    assert.equal(Object.keys(stream).length, 0);
  });

  test('can dispose of it', { skip: !Symbol.asyncDispose }, async (t) => {
    const ws = Workspace.open(endlessStreamTree(t));
    const stream = ws.search(ENDLESS_SEARCH);
    await stream.next();
    assert.equal(await stream[Symbol.asyncDispose](), undefined);
    assert.deepEqual(await stream.next(), { value: undefined, done: true });
    await until(() => !streamThreads());
  });
});

describe('a stream refuses', LIVE, () => {
  test('unknown options and wrong types at once', (t) => {
    const ws = Workspace.open(tempTree(t, {}));
    const cases = [
      [() => ws.search(), 'args'],
      [() => ws.search('hit'), 'args'],
      [() => ws.search(['hit']), 'args'],
      [() => ws.find(null), 'args'],
      [() => ws.find({ size: 1n }), 'args'],
      [() => ws.find({}, 'fast'), 'options'],
      [() => ws.find({}, { signl: 1 }), 'signl'],
      [() => ws.find({}, { signal: {} }), 'signal'],
      [() => ws.find({}, { onProgress: 1 }), 'onProgress'],
    ];
    for (const [make, param] of cases) {
      assert.throws(make, (error) => {
        assert.ok(error instanceof SearchscopeError);
        assert.deepEqual([error.code, error.param], ['invalid_param', param]);
        return true;
      });
    }
  });

  test('errors of the engine once, with the first result', async (t) => {
    const ws = Workspace.open(tree(t, 3, 3));
    const cases = [
      [ws.search({ patterns: ['a(b'] }), { code: 'pattern_syntax', param: 'patterns' }],
      [ws.search({ patterns: ['a'], paths: ['gone'] }), { code: 'not_found', path: 'gone' }],
      [ws.search({ patterns: ['a'], patrn: 1 }), { code: 'invalid_param' }],
      [ws.find({ paths: ['../..'] }), { code: 'access_denied' }],
    ];
    for (const [stream, expected] of cases) {
      const error = await rejection(stream.next());
      assert.ok(error instanceof SearchscopeError, String(error));
      for (const [key, value] of Object.entries(expected)) assert.equal(error[key], value);
      assert.deepEqual(await stream.next(), { value: undefined, done: true });
      assert.equal(stream.report, undefined);
    }
    const { span } = await rejection(collect(ws.search({ patterns: ['ok', 'a(b'] })));
    assert.ok(span.start >= 0 && span.end <= 3);
    assert.equal((await collect(ws.search({ patterns: ['hit'] }))).length, 9);
  });

  test('to exceed the limit of streams, and names the remedy', async (t) => {
    // More than a buffer can hold, so each stream pauses until it is read.
    const ws = Workspace.open(tree(t, 20, 200));
    const args = { patterns: ['hit'] };
    const streams = Array.from({ length: 64 }, () => ws.search(args));
    await Promise.all(streams.map((stream) => stream.next()));
    const error = await rejection(ws.search(args).next());
    assert.ok(error instanceof SearchscopeError);
    assert.equal(error.code, 'busy');
    assert.match(error.message, /64 streams .* (finish|leave the loop)/);
    // Calls have a limit of their own.
    assert.equal((await ws.call('find', {})).total, 20);
    // A stream that was read to its end and one that was left free their slots.
    assert.equal((await collect(streams[0])).length, 3999);
    await ws.search(args).next();
    await streams[1].return();
    await later(200);
    assert.equal((await collect(ws.search(args))).length, 4000);
    ws.close();
    await until(() => !streamThreads());
  });
});
