// Ends of a stream from outside: signals, its workspace, a progress callback that throws.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { existsSync, readdirSync, readlinkSync, renameSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Workspace } from 'searchscope';
import { ENDLESS_SEARCH, collect, endlessStreamTree, hitTree } from './helpers.mjs';
import { later, rejection, streamThreads, until } from './helpers.mjs';

const LIVE = { timeout: 240_000 };

/** Far longer than a slow machine needs, far shorter than a search that is never ended. */
const SOON_MS = 60_000;

const END = { value: undefined, done: true };

describe('the signal of a stream', LIVE, () => {
  test('that is already aborted rejects the first result with its reason', async (t) => {
    const ws = Workspace.open(hitTree(t, 1, 1));
    const reason = { why: 'not even an error' };
    const signal = AbortSignal.abort(reason);
    const stream = ws.search({ patterns: ['hit'] }, { signal });
    assert.equal(await rejection(stream.next()), reason);
    assert.deepEqual(await stream.next(), END);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    const undone = ws.find({}, { signal: AbortSignal.abort() });
    assert.equal((await rejection(collect(undone))).name, 'AbortError');
  });

  test('that is aborted before the first request for a result', async (t) => {
    const ws = Workspace.open(hitTree(t, 1, 1));
    const controller = new AbortController();
    const stream = ws.find({}, { signal: controller.signal });
    controller.abort('no');
    await later(1);
    assert.equal(await rejection(stream.next()), 'no');
    assert.equal(streamThreads() ?? 0, 0);
  });

  test('ends one that waits', async (t) => {
    const ws = Workspace.open(endlessStreamTree(t));
    const controller = new AbortController();
    const reading = rejection(collect(ws.search(ENDLESS_SEARCH, { signal: controller.signal })));
    await later(100);
    const aborted = performance.now();
    const reason = new Error('enough');
    controller.abort(reason);
    assert.equal(await reading, reason);
    assert.ok(performance.now() - aborted < SOON_MS);
    await until(() => !streamThreads());
  });

  test('ends a paused one at once and drops its buffered results', async (t) => {
    const ws = Workspace.open(hitTree(t, 100, 200));
    const controller = new AbortController();
    const stream = ws.search({ patterns: ['hit'] }, { signal: controller.signal });
    await stream.next();
    await later(50);
    controller.abort();
    await until(() => !streamThreads(), SOON_MS);
    assert.equal(await rejection(stream.next()), controller.signal.reason);
    assert.deepEqual(await stream.next(), END);
    assert.equal(stream.report, undefined);
  });

  test('of a timer ends a stream', async (t) => {
    const ws = Workspace.open(endlessStreamTree(t));
    const started = performance.now();
    const signal = AbortSignal.timeout(100);
    const error = await rejection(collect(ws.search(ENDLESS_SEARCH, { signal })));
    assert.equal(error.name, 'TimeoutError');
    assert.ok(performance.now() - started < 100 + SOON_MS);
  });

  test('can be used for one stream after the other, and for several at once', async (t) => {
    const ws = Workspace.open(hitTree(t, 30, 30));
    const { signal } = new AbortController();
    for (let n = 0; n < 10; n += 1) {
      assert.equal((await collect(ws.search({ patterns: ['hit'] }, { signal }))).length, 900);
      for await (const _ of ws.find({}, { signal })) break;
    }
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    const endless = Workspace.open(endlessStreamTree(t));
    const shared = new AbortController();
    const all = Array.from({ length: 4 }, () =>
      rejection(collect(endless.search(ENDLESS_SEARCH, { signal: shared.signal }))),
    );
    const call = rejection(endless.call('search', ENDLESS_SEARCH, { signal: shared.signal }));
    await later(100);
    shared.abort();
    for (const ended of [...all, call]) assert.equal(await ended, shared.signal.reason);
    assert.equal(getEventListeners(shared.signal, 'abort').length, 0);
  });

  test('keeps the onabort of its owner', async (t) => {
    const ws = Workspace.open(endlessStreamTree(t));
    const controller = new AbortController();
    let heard = 0;
    const onabort = () => (heard += 1);
    controller.signal.onabort = onabort;
    const reading = rejection(collect(ws.search(ENDLESS_SEARCH, { signal: controller.signal })));
    await later(20);
    assert.equal(controller.signal.onabort, onabort);
    controller.abort();
    await reading;
    assert.equal(heard, 1);
  });

  test('that comes too late changes nothing', async (t) => {
    const ws = Workspace.open(hitTree(t, 3, 3));
    const controller = new AbortController();
    const stream = ws.search({ patterns: ['hit'] }, { signal: controller.signal });
    assert.equal((await collect(stream)).length, 9);
    controller.abort();
    assert.deepEqual(await stream.next(), END);
    assert.equal(stream.report.total, 9);
  });
});

describe('the progress of a stream', LIVE, () => {
  test('is reported only while it runs', async (t) => {
    const ws = Workspace.open(endlessStreamTree(t));
    const told = [];
    const stream = ws.search(ENDLESS_SEARCH, { onProgress: (progress) => told.push(progress) });
    const reading = collect(stream);
    await until(() => told.length >= 3 && told.at(-1).files >= 200);
    await stream.return();
    await reading;
    const count = told.length;
    await later(600);
    assert.equal(told.length, count);
  });

  test('ends the stream when its callback throws', async (t) => {
    const ws = Workspace.open(endlessStreamTree(t));
    const failure = new Error('no room on the screen');
    const onProgress = () => {
      throw failure;
    };
    assert.equal(await rejection(collect(ws.search(ENDLESS_SEARCH, { onProgress }))), failure);
    await until(() => !streamThreads());
  });
});

describe('a workspace that is closed', LIVE, () => {
  test('ends its own running and queued calls and streams only', async (t) => {
    const root = endlessStreamTree(t);
    const [ws, other] = [Workspace.open(root), Workspace.open(root)];
    const calls = Array.from({ length: 4 }, () => rejection(ws.call('search', ENDLESS_SEARCH)));
    const streams = [ws.search(ENDLESS_SEARCH), ws.search(ENDLESS_SEARCH)];
    const reading = streams.map((stream) => rejection(collect(stream)));
    const fresh = ws.find();
    await later(50);
    const waiting = collect(other.find());
    const closed = performance.now();
    assert.equal(ws.close(), undefined);
    for (const ended of [...calls, ...reading, rejection(fresh.next())]) {
      assert.equal((await ended).code, 'cancelled');
    }
    assert.ok(performance.now() - closed < SOON_MS);
    assert.equal((await waiting).length, 301);
    await until(() => !streamThreads());
  });

  test('refuses what comes later, and may be closed again', async (t) => {
    const ws = Workspace.open(hitTree(t, 1, 1));
    ws.close();
    ws.close();
    const expected = { name: 'SearchscopeError', code: 'cancelled', message: /closed/ };
    await assert.rejects(ws.call('find', {}), expected);
    await assert.rejects(ws.callJson('find', '{}'), expected);
    assert.throws(() => ws.search({ patterns: ['hit'] }), expected);
    assert.throws(() => ws.find(), expected);
  });

  test('releases its root at once', async (t) => {
    const root = hitTree(t, 1, 1);
    if (process.platform === 'win32') {
      const ws = Workspace.open(root);
      assert.throws(() => renameSync(root, `${root}-renamed`));
      ws.close();
      renameSync(root, `${root}-renamed`);
      renameSync(`${root}-renamed`, root);
      return;
    }
    if (!existsSync('/proc/self/fd')) {
      console.log('SKIPPED: open handles are counted in /proc, which is not here');
      return;
    }
    const isRoot = (id) => {
      try {
        return readlinkSync(`/proc/self/fd/${id}`) === root;
      } catch {
        // It was closed meanwhile.
        return false;
      }
    };
    const handles = () => readdirSync('/proc/self/fd').filter(isRoot).length;
    const ws = Workspace.open(root);
    assert.equal((await collect(ws.find())).length, 1);
    assert.ok(handles() > 0);
    ws.close();
    assert.equal(handles(), 0);
  });

  test('leaves the results already returned by a stream', async (t) => {
    const ws = Workspace.open(hitTree(t, 3, 3));
    const stream = ws.search({ patterns: ['hit'] });
    assert.equal((await collect(stream)).length, 9);
    ws.close();
    assert.equal(stream.report.total, 9);
  });

  test('can be closed by `using`', { skip: !Symbol.dispose }, async (t) => {
    const ws = Workspace.open(hitTree(t, 1, 1));
    assert.equal(ws[Symbol.dispose](), undefined);
    await assert.rejects(ws.call('find', {}), { code: 'cancelled' });
    ws[Symbol.dispose]();
  });
});
