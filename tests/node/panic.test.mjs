// A panic of the engine becomes the code `internal`; if our boundary did not catch it, Node would abort.
// The addon is built again for this, with a switch that makes it panic.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { runNode } from './helpers.mjs';
import { buildHooked, runHooked } from './hooks.mjs';

let library;

before(() => {
  library = buildHooked();
});

const runPanicking = (t, script) => runHooked(t, library, script);

describe('a panic', { timeout: 120_000 }, () => {
  test('in a call rejects it, and the next call works', async (t) => {
    const done = await runPanicking(
      t,
      `for (let n = 0; n < 3; n += 1) {
         const error = await ws.call('test_panic').catch((error) => error);
         console.log(error instanceof SearchscopeError, error.code);
       }
       console.log((await ws.call('search_in_files', { query: 'needle' })).total_matches);`,
    );
    assert.deepEqual([done.code, done.signal], [0, null], done.stderr);
    assert.equal(done.stdout, 'true internal\n'.repeat(3) + '1\n');
  });

  test('in many calls at once costs no thread', async (t) => {
    const done = await runPanicking(
      t,
      `const panics = Array.from({ length: 40 }, () => rejection(ws.call('test_panic')));
       console.log(new Set((await Promise.all(panics)).map(({ code }) => code)));
       const held = Array.from({ length: 8 }, () => ws.call('test_hold'));
       await until(() => native.testBegun() === 8);
       native.testRelease(8);
       console.log((await Promise.all(held)).length);`,
    );
    assert.deepEqual([done.code, done.signal], [0, null], done.stderr);
    assert.equal(done.stdout, "Set(1) { 'internal' }\n8\n");
  });

  test('in a stream rejects its first result, and the next stream works', async (t) => {
    const done = await runPanicking(
      t,
      `for (let n = 0; n < 3; n += 1) {
         const stream = ws.search({ patterns: ['test_panic'] });
         const error = await stream.next().catch((error) => error);
         console.log(error instanceof SearchscopeError, error.code, (await stream.next()).done);
       }
       for await (const match of ws.search({ patterns: ['needle'] })) console.log(match.path);
       console.log((await ws.call('search_in_files', { query: 'needle' })).total_matches);`,
    );
    assert.deepEqual([done.code, done.signal], [0, null], done.stderr);
    assert.equal(done.stdout, 'true internal true\n'.repeat(3) + 'a.txt\n1\n');
  });

  test('on the main thread is an exception', async (t) => {
    const done = await runPanicking(
      t,
      `try { native.testPanic(); } catch (error) { console.log(error instanceof Error); }
       console.log((await ws.call('search_in_files', { query: 'needle' })).total_matches);`,
    );
    assert.deepEqual([done.code, done.signal], [0, null], done.stderr);
    assert.equal(done.stdout, 'true\n1\n');
  });

  test('cannot be provoked in the installed addon', async () => {
    const done = await runNode(['-p', `typeof require('./node/searchscope.node').testPanic`]);
    assert.equal(done.stdout, 'undefined\n');
  });
});
