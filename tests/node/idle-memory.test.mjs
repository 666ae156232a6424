// Memory that goes back to the system when a service is idle.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const { IdleMemory } = require('../../server/idle-memory.js');
const { limitHeaps, returnMemory } = require('searchscope');

test('memory is returned once no call has run for a second', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let n = 0;
  const idle = new IdleMemory(() => (n += 1));
  idle.look(0);
  t.mock.timers.tick(999);
  idle.look(1);
  t.mock.timers.tick(5000);
  assert.equal(n, 0, 'a call runs');
  idle.look(0);
  t.mock.timers.tick(600);
  idle.look(0);
  t.mock.timers.tick(999);
  assert.equal(n, 0, 'the second begins with the last call');
  t.mock.timers.tick(1);
  assert.equal(n, 1);
  t.mock.timers.tick(60_000);
  assert.equal(n, 1, 'once');
});

test('the number of heaps is checked', () => {
  for (const n of [0, 256, 1.5, -1, NaN, '2', undefined]) {
    const named = { code: 'invalid_param', param: 'n', message: /must be an integer from 1 to 255/ };
    assert.throws(() => limitHeaps(n), named, String(n));
  }
  limitHeaps(8);
  returnMemory();
});
