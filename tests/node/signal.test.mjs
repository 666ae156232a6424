// Abort signals: each case that a binding can get wrong.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, test } from 'node:test';
import { Workspace } from 'searchscope';
import { ENDLESS, endlessTree, later, rejection } from './helpers.mjs';

/** Far longer than a slow machine needs, far shorter than a search that is never ended. */
const SOON_MS = 60_000;

const endless = (ws, signal) => ws.call('search_in_files', ENDLESS, { signal });

describe('a signal', { timeout: 240_000 }, () => {
  test('that is already aborted rejects at once with its reason', async (t) => {
    const ws = Workspace.open(endlessTree(t));
    const reason = { why: 'not even an error' };
    assert.equal(await rejection(endless(ws, AbortSignal.abort(reason))), reason);
    assert.equal((await rejection(endless(ws, AbortSignal.abort()))).name, 'AbortError');
  });

  test('that is already aborted is checked before the arguments', async (t) => {
    const ws = Workspace.open(endlessTree(t));
    const reason = new Error('first');
    assert.equal(
      await rejection(ws.call('no_such_tool', {}, { signal: AbortSignal.abort(reason) })),
      reason,
    );
  });

  test('ends a running call', async (t) => {
    const ws = Workspace.open(endlessTree(t));
    const controller = new AbortController();
    const call = rejection(endless(ws, controller.signal));
    await later(100);
    const aborted = performance.now();
    const reason = new Error('enough');
    controller.abort(reason);
    assert.equal(await call, reason);
    assert.ok(performance.now() - aborted < SOON_MS);
    // The search itself has ended too: its slot is free.
    await ws.call('search_in_files', { query: 'zzz' });
    assert.ok(performance.now() - aborted < 2 * SOON_MS);
  });

  test('ends a queued call and no other', async (t) => {
    const ws = Workspace.open(endlessTree(t));
    const running = Array.from({ length: 8 }, () => new AbortController());
    const endlessCalls = running.map((controller) => rejection(endless(ws, controller.signal)));
    const waiting = new AbortController();
    const waits = rejection(ws.call('search_in_files', { query: 'a' }, { signal: waiting.signal }));
    const next = ws.call('search_in_files', { query: 'zzz' });
    await later(50);
    const aborted = performance.now();
    waiting.abort();
    assert.equal((await waits).name, 'AbortError');
    assert.ok(performance.now() - aborted < SOON_MS);
    for (const controller of running) controller.abort();
    await Promise.all(endlessCalls);
    assert.equal((await next).total_matches, 0);
  });

  test('can be used for one call after the other, and for several at once', async (t) => {
    const ws = Workspace.open(endlessTree(t));
    const controller = new AbortController();
    const { signal } = controller;
    for (let n = 0; n < 20; n += 1) await ws.call('search_in_files', { query: 'zzz' }, { signal });
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    const calls = Array.from({ length: 4 }, () => rejection(endless(ws, signal)));
    await later(50);
    controller.abort();
    for (const call of calls) assert.equal(await call, signal.reason);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  test('can end far more calls at once than Node allows listeners without a warning', async (t) => {
    const warnings = [];
    const listen = (warning) => warnings.push(warning);
    process.on('warning', listen);
    t.after(() => process.off('warning', listen));
    const ws = Workspace.open(endlessTree(t));
    const controller = new AbortController();
    const calls = Array.from({ length: 40 }, () => rejection(endless(ws, controller.signal)));
    await later(50);
    controller.abort();
    for (const call of calls) assert.equal(await call, controller.signal.reason);
    assert.deepEqual(warnings, []);
  });

  test('of a timer ends a call', async (t) => {
    const ws = Workspace.open(endlessTree(t));
    const started = performance.now();
    const error = await rejection(endless(ws, AbortSignal.timeout(100)));
    assert.equal(error.name, 'TimeoutError');
    assert.ok(performance.now() - started < 100 + SOON_MS);
  });

  test('keeps the onabort of its owner', async (t) => {
    const ws = Workspace.open(endlessTree(t));
    const controller = new AbortController();
    let heard = 0;
    const onabort = () => (heard += 1);
    controller.signal.onabort = onabort;
    const call = rejection(endless(ws, controller.signal));
    await later(20);
    assert.equal(controller.signal.onabort, onabort);
    controller.abort();
    await call;
    assert.equal(heard, 1);
  });

  test('that comes too late changes nothing', async (t) => {
    const ws = Workspace.open(endlessTree(t));
    const controller = new AbortController();
    const reply = await ws.call('search_in_files', { query: 'zzz' }, { signal: controller.signal });
    controller.abort();
    assert.equal(reply.total_matches, 0);
    await ws.call('search_in_files', { query: 'zzz' });
  });

  for (const signal of [{}, null, 'abort', new AbortController(), { aborted: false }]) {
    test(`is not ${JSON.stringify(signal)}`, async (t) => {
      const ws = Workspace.open(endlessTree(t));
      const error = await rejection(ws.call('search_in_files', { query: 'a' }, { signal }));
      assert.deepEqual([error.code, error.param], ['invalid_param', 'signal']);
    });
  }

  test('may be undefined', async (t) => {
    const ws = Workspace.open(endlessTree(t));
    await ws.call('search_in_files', { query: 'zzz' }, { signal: undefined });
  });
});
