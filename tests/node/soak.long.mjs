// A short soak runs to its end.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runNode } from './helpers.mjs';

const BUILD = { timeout: 900_000 };

describe('npm run soak', BUILD, () => {
  test('runs through C and Node at once', async () => {
    const done = await runNode([join('scripts', 'soak.mjs'), '--seconds', '10']);
    assert.equal(done.code, 0, done.stdout + done.stderr);
    assert.match(done.stdout, /^C: \d+ calls; memory \d+ -> \d+ KB, handles \d+ -> \d+, threads/m);
    assert.match(done.stdout, /^Node: \d+ calls;/m);
    assert.match(done.stdout, /^Node: too short to judge/m);
  });
});
