// What `npm run bench` does before it measures: its words, and that only whole trees count.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cacheDirectory, spreadTimes, whole } from '../../bench/lib/cache.mjs';
import { without } from '../../bench/lib/linux.mjs';
import { corporaOf, parse } from '../../bench/lib/words.mjs';

function temporary(t) {
  const directory = mkdtempSync(join(tmpdir(), 'searchscope-bench-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test('words are understood or refused', () => {
  assert.deepEqual(parse([]), { help: false, quick: false, runs: 7, names: [] });
  assert.equal(parse(['--quick']).runs, 3);
  assert.equal(parse(['--quick', '--runs', '5']).runs, 5);
  assert.deepEqual(parse(['find', 'scopes', '--runs=2']).names, ['find', 'scopes']);
  assert.equal(parse(['--help']).help, true);
  for (const words of [['--fast'], ['no_such'], ['--runs'], ['--runs', '0'], ['--runs=x']]) {
    assert.throws(() => parse(words), /is not known|needs a number/);
  }
});

test('a quick run needs no download', () => {
  const corpora = [...corporaOf(parse(['--quick']))];
  assert.ok(corpora.includes('tree-20') && corpora.includes('documents'), `${corpora}`);
  assert.ok(!corpora.includes('linux') && !corpora.includes('npm'), `${corpora}`);
  assert.deepEqual([...corporaOf(parse(['find']))], ['linux']);
  assert.deepEqual([...corporaOf(parse(['scopes']))], ['linux']);
});

test('what was cut off is never taken for whole', async (t) => {
  const cache = temporary(t);
  const fail = (directory) => {
    writeFileSync(join(directory, 'half'), '');
    throw new Error('cut off');
  };
  await assert.rejects(whole(cache, 'tree-1', fail, 'tree-'), /cut off/);
  assert.ok(!existsSync(join(cache, 'tree-1')));
  const make = (directory) => {
    assert.deepEqual(readdirSync(directory), []);
    writeFileSync(join(directory, 'all'), '');
  };
  mkdirSync(join(cache, 'tree-0'));
  const directory = await whole(cache, 'tree-1', make, 'tree-');
  assert.deepEqual(readdirSync(directory), ['all']);
  assert.deepEqual(readdirSync(cache), ['tree-1']);
  assert.equal(await whole(cache, 'tree-1', fail, 'tree-'), directory);
});

test('every file gets a time of its own', (t) => {
  const directory = temporary(t);
  for (let n = 0; n < 50; n += 1) writeFileSync(join(directory, `${n}`), '');
  spreadTimes(directory);
  const times = readdirSync(directory).map((name) => statSync(join(directory, name)).mtimeMs);
  assert.equal(new Set(times).size, 50);
  assert.ok(Math.max(...times) < Date.now());
});

test('the lines that ignore everything are taken out', () => {
  assert.equal(without('.*\n/*\n!/debian/\n*.o\n/*.spec\n'), '.*\n*.o\n/*.spec\n');
});

test('the cache lies where it was asked for', () => {
  assert.equal(cacheDirectory({ SEARCHSCOPE_BENCH_CACHE: '/x' }), '/x');
  assert.equal(cacheDirectory({ XDG_CACHE_HOME: '/y' }), join('/y', 'searchscope-bench'));
});
