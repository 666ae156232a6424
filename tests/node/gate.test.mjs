// Calls beyond the limit wait briefly, in order, and then fail because the gate is full.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { rejection } from './helpers.mjs';

const require = createRequire(import.meta.url);
const { Gate } = require('../../server/gate.js');

/** Makes a call that lasts until it is ended. */
function lasting() {
  let end;
  const ended = new Promise((resolve) => (end = resolve));
  return { run: () => ended, end };
}

test('queued calls start in order as running ones end', async () => {
  const gate = new Gate(2, { waitMs: 60_000 });
  const running = [lasting(), lasting()];
  const done = [];
  const runs = running.map(({ run }) => gate.run(run));
  const waits = [1, 2].map((n) => gate.run(async () => done.push(n)));
  assert.deepEqual([gate.inFlight, gate.waiting], [2, 2]);
  const third = await rejection(gate.run(() => 3));
  assert.equal(third.code, 'busy');
  running[0].end();
  await Promise.all([runs[0], ...waits]);
  assert.deepEqual([done, gate.inFlight, gate.waiting], [[1, 2], 1, 0]);
  running[1].end();
  await gate.empty();
  assert.equal(gate.inFlight, 0);
});

test('a queued call is refused after its time, and dropped when its caller leaves', async () => {
  const gate = new Gate(1, { waitMs: 10 });
  const first = lasting();
  const running = gate.run(first.run);
  let begun = 0;
  const begin = () => (begun += 1);
  assert.equal((await rejection(gate.run(begin))).code, 'busy');
  const controller = new AbortController();
  const patient = new Gate(1, { waitMs: 60_000 });
  const held = patient.run(first.run);
  const left = rejection(patient.run(begin, { signal: controller.signal }));
  controller.abort(new Error('left'));
  assert.equal((await left).message, 'left');
  assert.deepEqual([begun, patient.waiting], [0, 0]);
  first.end();
  await Promise.all([running, held]);
});
