// The log line that reports that the index is ready.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const { Gate } = require('../../server/gate.js');
const { IndexLog } = require('../../server/index-log.js');

const STATUS = { directories: 2, files: 3, memory_bytes: 4096, left_out: 0, not_watched: null };

/**
 * Makes a log over a workspace whose index is in each of the states in turn, and then stays in the last.
 */
function logOf(...states) {
  const lines = [];
  let looks = 0;
  const indexStatus = () => {
    const state = states[Math.min(looks, states.length - 1)];
    looks += 1;
    return typeof state === 'string' ? { ...STATUS, state } : { ...STATUS, ...state };
  };
  const logger = { info: (message, fields) => lines.push([message, fields]) };
  return { log: new IndexLog({ indexStatus }, logger), lines, looks: () => looks };
}

test('the line is written once, by the first call or query after the index is ready', async () => {
  const { log, lines, looks } = logOf('cold', 'building', 'ready');
  const gate = new Gate(2, { onLeave: () => log.look() });
  await gate.run(() => 1);
  await assert.rejects(gate.run(() => Promise.reject(new Error('a call that fails'))), /fails/);
  assert.deepEqual(lines, []);
  assert.equal(log.status().state, 'ready');
  await gate.run(() => 2);
  assert.deepEqual(lines, [['index', { state: 'ready', files: 3, memory_bytes: 4096 }]]);
  // Calls no longer query the index, but explicit questions do.
  assert.equal(looks(), 3);
  assert.equal(log.status().files, 3);
  assert.equal(looks(), 4);
  assert.equal(lines.length, 1);
});

test('the line says what is left out or compared at each call', () => {
  const { log, lines } = logOf({ state: 'ready', left_out: 7, not_watched: 'too few watches' });
  log.look();
  const fields = { state: 'ready', files: 3, memory_bytes: 4096 };
  assert.deepEqual(lines, [['index', { ...fields, left_out: 7, not_watched: 'too few watches' }]]);
});

test('an index that is off is neither polled nor logged', () => {
  const { log, lines, looks } = logOf('off');
  log.look();
  log.look();
  assert.deepEqual([looks(), lines], [1, []]);
});
