// Memory that goes back to the system when a service is idle.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const { Gate } = require('../../server/gate.js');
const { IdleMemory } = require('../../server/idle-memory.js');
const { limitHeaps, returnMemory } = require('searchscope');

/** A real gate whose calls end when the test says so, and the number of times that memory was returned. */
function idleGate(t) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let n = 0;
  const idle = new IdleMemory(
    () => gate.inFlight,
    () => (n += 1),
  );
  const gate = new Gate(8, { onLeave: () => idle.look() });
  const begin = () => {
    const { promise, resolve } = withResolvers();
    const ended = gate.run(() => promise);
    return () => (resolve(), ended);
  };
  return { begin, wait: (ms) => t.mock.timers.tick(ms), returned: () => n };
}

function withResolvers() {
  let resolve;
  const promise = new Promise((r) => (resolve = r));
  return { promise, resolve };
}

test('memory is returned once no call has run for a second', async (t) => {
  const { begin, wait, returned } = idleGate(t);
  const [one, other] = [begin(), begin()];
  await one();
  wait(5000);
  assert.equal(returned(), 0, 'a call runs');
  await other();
  wait(999);
  assert.equal(returned(), 0, 'the second is not over');
  wait(1);
  assert.equal(returned(), 1);
  wait(60_000);
  assert.equal(returned(), 1, 'once');
});

test('a call within the second puts the return off', async (t) => {
  const { begin, wait, returned } = idleGate(t);
  await begin()();
  wait(600);
  const end = begin();
  wait(600);
  assert.equal(returned(), 0, 'it still runs after the second');
  await end();
  wait(600);
  await begin()();
  wait(999);
  assert.equal(returned(), 0, 'the second begins with the last call');
  wait(1);
  assert.equal(returned(), 1);
});

test('the number of heaps is checked', () => {
  for (const n of [0, 256, 1.5, -1, NaN, '2', undefined]) {
    const named = { code: 'invalid_param', param: 'n', message: /must be an integer from 1 to 255/ };
    assert.throws(() => limitHeaps(n), named, String(n));
  }
  limitHeaps(8);
  returnMemory();
});
