// The preparations of `npm run bench`: its arguments, and the check that a tree is complete.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { answer, isRight } from '../../bench/agents/policy.mjs';
import { distance } from '../../bench/agents/slips.mjs';
import { complete } from '../../bench/agents/truths.mjs';
import { cacheDirectory, spreadTimes, whole } from '../../bench/lib/cache.mjs';
import { fillRepository } from '../../bench/lib/corpora.mjs';
import { without } from '../../bench/lib/linux.mjs';
import { corporaOf, parse } from '../../bench/lib/words.mjs';

function temporary(t) {
  const directory = mkdtempSync(join(tmpdir(), 'searchscope-bench-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test('arguments are parsed or refused', () => {
  assert.deepEqual(parse([]), { help: false, quick: false, runs: 7, names: [] });
  assert.equal(parse(['--quick']).runs, 3);
  assert.equal(parse(['--quick', '--runs', '5']).runs, 5);
  assert.deepEqual(parse(['find', 'scopes', '--runs=2']).names, ['find', 'scopes']);
  assert.equal(parse(['--help']).help, true);
  assert.equal(parse(['agents', '--seed', '3']).seed, 3);
  for (const words of [['--fast'], ['no_such'], ['--runs'], ['--runs', '0'], ['--runs=x']]) {
    assert.throws(() => parse(words), /unknown argument|requires a number/);
  }
});

test('a quick run needs no download', () => {
  const corpora = [...corporaOf(parse(['--quick']))];
  assert.ok(corpora.includes('tree-20') && corpora.includes('documents'), `${corpora}`);
  assert.ok(!corpora.includes('linux') && !corpora.includes('npm'), `${corpora}`);
  assert.deepEqual([...corporaOf(parse(['find']))], ['linux']);
  assert.deepEqual([...corporaOf(parse(['scopes']))], ['linux']);
  assert.deepEqual([...corporaOf(parse(['agents']))], ['crates', 'npm']);
});

const TREE = new Map([
  ['src/parse.rs', ['// reads the whole', '// text at once', 'pub fn parse_header() {}']],
  ['src/main.rs', ['fn main() { parse_header(); }', 'struct UnusedThing;', 'struct OtherThing;']],
]);

test('expected answers are read from the files, and a question without one is refused', () => {
  const of = (kind, ask, answer = {}) => complete({ tree: 't', kind, ask, answer }, TREE).answer;
  assert.deepEqual(of('definition', 'parse_header', { file: 'src/parse.rs', line: /fn parse_header/ }), {
    file: 'src/parse.rs',
    lines: [3],
  });
  assert.deepEqual(of('count', 'parse_header'), { number: 2 });
  assert.deepEqual(of('uses', 'parse_header'), { files: ['src/parse.rs', 'src/main.rs'] });
  assert.throws(() => of('count', 'nothing like it'), /no file contains the text/);
  assert.throws(() => of('absent', 'PARSE_header'), /the text is present/);
  assert.throws(() => of('file', 'x', { file: 'src/x.rs' }), /no such file: src\/x.rs/);
});

test('the scripted agent concludes from a reply, and continues while it is empty', async () => {
  const question = { kind: 'definition', ask: 'parse_haeder', answer: { file: 'src/parse.rs', lines: [3] } };
  const row = { path: 'src/parse.rs', line: 3, text: 'pub fn parse_header() {}' };
  const asked = [];
  const system = (replyTo) => ({
    ask: async (ask) => {
      asked.push(ask.find);
      return { text: '', rows: replyTo(asked.length), isExact: true };
    },
  });
  const late = await answer(system((n) => (n === 3 ? [row] : [])), question);
  assert.deepEqual(asked, ['definition', 'text', 'text']);
  assert.ok(isRight(question, late.conclusion) && late.replies.length === 3);
  const never = await answer(system(() => []), question);
  assert.deepEqual(never.conclusion, { nothing: true });
  assert.ok(!isRight(question, never.conclusion), 'a false "nothing there" is wrong');
  const other = await answer(system(() => [{ ...row, line: 9 }]), question);
  assert.ok(!isRight(question, other.conclusion), 'another line is wrong');
});

test('a slip is one step away', () => {
  for (const [a, b, n] of [['parse', 'pasre', 1], ['parse', 'prse', 1], ['parse', 'parsed', 1], ['a', 'xyz', 3]]) {
    assert.equal(distance(a, b), n);
  }
});

test('an incomplete directory is never used', async (t) => {
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

test('a repository has edited and new files, and a worktree that can be moved', async (t) => {
  const git = (root, ...args) => {
    const done = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    return done.status === 0 ? done.stdout.trimEnd().split('\n') : done.stderr;
  };
  if (spawnSync('git', ['--version']).status !== 0) return t.skip('git is not installed');
  const from = join(temporary(t), 'from');
  mkdirSync(from);
  for (let n = 0; n < 40; n += 1) writeFileSync(join(from, `${n}.rs`), 'fn f() {}\n');
  fillRepository(from, true);
  const root = join(temporary(t), 'to');
  renameSync(from, root);
  assert.equal(git(root, 'diff', '--name-only', 'HEAD').length, 20);
  const others = git(root, 'ls-files', '--others', '--exclude-standard');
  assert.deepEqual(others, ['copy/', ...[0, 1, 2, 3, 4].map((n) => `new_${n}.rs`)]);
  assert.deepEqual(git(join(root, 'copy'), 'status', '--porcelain'), ['']);
  assert.equal(git(join(root, 'copy'), 'ls-files').length, 40);
});

test('every file gets a distinct time', (t) => {
  const directory = temporary(t);
  for (let n = 0; n < 50; n += 1) writeFileSync(join(directory, `${n}`), '');
  spreadTimes(directory);
  const times = readdirSync(directory).map((name) => statSync(join(directory, name)).mtimeMs);
  assert.equal(new Set(times).size, 50);
  assert.ok(Math.max(...times) < Date.now());
});

test('the lines that ignore everything are removed', () => {
  assert.equal(without('.*\n/*\n!/debian/\n*.o\n/*.spec\n'), '.*\n*.o\n/*.spec\n');
});

test('the cache is in the requested directory', () => {
  assert.equal(cacheDirectory({ SEARCHSCOPE_BENCH_CACHE: '/x' }), '/x');
  assert.equal(cacheDirectory({ XDG_CACHE_HOME: '/y' }), join('/y', 'searchscope-bench'));
});
