// A panic of the engine becomes the code `internal`; if our boundary did not catch it, Node would abort.
// The addon is built again for this, with a switch that makes it panic.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { TOP, runNode, tempTree } from './helpers.mjs';
import { libraryOf } from '../../scripts/lib/setup.mjs';

const BUILD = ['build', '--locked', '-p', 'searchscope-node', '--features', 'test-panic'];

let library;

before(() => {
  const args = [...BUILD, '--message-format=json-render-diagnostics'];
  const cargo = spawnSync('cargo', args, { cwd: TOP, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(cargo.status, 0, cargo.stderr ?? String(cargo.error));
  library = libraryOf(cargo.stdout);
});

/** Runs the script in a child whose `api` comes from the panicking addon. */
function runPanicking(t, script) {
  const root = tempTree(t, { 'a.txt': 'needle\n' });
  const addon = join(tempTree(t, {}), 'panicking.node');
  copyFileSync(library, addon);
  const prelude = `const native = require(process.argv[1]);
    const { Workspace, SearchscopeError } = require('./node/api.js').createApi(native);
    const ws = Workspace.open(process.argv[2]);`;
  return runNode(['-e', `${prelude}\n(async () => { ${script} })();`, addon, root]);
}

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
