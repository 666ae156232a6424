// The preparations of `npm run bench`: its arguments, and the check that a tree is complete.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
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
import { History, commitsIn } from '../../bench/agents/commits.mjs';
import { answer, isRight } from '../../bench/agents/policy.mjs';
import { longestWords } from '../../bench/agents/rankers.mjs';
import { interval, placeOf } from '../../bench/agents/replay.mjs';
import { lookReply } from '../../bench/agents/replies.mjs';
import { roughQuestions } from '../../bench/agents/rough.mjs';
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
  const replay = parse(['replay', '--repository', '/x y', '--commits', '40']);
  assert.deepEqual([replay.names, replay.repository, replay.commits], [['replay'], '/x y', 40]);
  const service = parse(['service', '--seconds', '5']);
  assert.deepEqual([service.names, service.seconds], [['service'], 5]);
  for (const words of [['--fast'], ['no_such'], ['--runs'], ['--runs', '0'], ['--runs=x'], ['--repository'], ['--repository', '--quick']]) {
    assert.throws(() => parse(words), /unknown argument|requires a (?:number|directory)/);
  }
});

test('a quick run needs no download', () => {
  const corpora = [...corporaOf(parse(['--quick']))];
  assert.ok(corpora.includes('tree-20') && corpora.includes('documents'), `${corpora}`);
  assert.ok(!corpora.includes('linux') && !corpora.includes('npm'), `${corpora}`);
  assert.deepEqual([...corporaOf(parse(['find']))], ['linux']);
  assert.deepEqual([...corporaOf(parse(['scopes']))], ['linux']);
  assert.deepEqual([...corporaOf(parse(['agents']))], ['crates', 'npm']);
  assert.deepEqual([...corporaOf(parse(['replay']))], []);
  assert.deepEqual([...corporaOf(parse(['service']))], ['linux']);
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

test('a reply is read with ranges, files without rows, and reports of absence', () => {
  const reply = lookReply('# best 2 of 9 files\na/b.rs\n>3-5: fn f() {\n 9: f();\nc.rs\n[all 2 lines in 2 files]\n');
  assert.deepEqual(
    reply.rows.map(({ path, line, lineEnd, isDefinition }) => [path, line, lineEnd, isDefinition]),
    [['a/b.rs', 3, 5, true], ['a/b.rs', 9, 9, false], ['c.rs', undefined, undefined, undefined]],
  );
  assert.deepEqual([reply.isExact, reply.isAbsent], [true, false]);
  assert.ok(lookReply('# nothing found for "x"\n[0 lines]\n').isAbsent);
  assert.ok(lookReply('# no file has both "x" and "y"; with one:\na.rs\n 1: x\n[1 line]\n').isAbsent);
});

test('a rough question is judged by files, lines, places or absence', () => {
  const row = (path, line, lineEnd = line) => ({ path, line, lineEnd });
  const judge = (answer, ...rows) => isRight({ kind: 'rough', answer }, { rows });
  const first = { files: ['b.rs'], within: 1 };
  assert.ok(judge(first, row('b.rs', 1), row('a.rs', 1)) && !judge(first, row('a.rs', 1), row('b.rs', 1)));
  assert.ok(judge({ ...first, within: 2 }, row('a.rs', 1), row('a.rs', 2), row('b.rs', 1)));
  const placed = { ...first, line: 7 };
  assert.ok(judge(placed, row('b.rs', 4), row('b.rs', 5, 9)) && !judge(placed, row('b.rs', 8)));
  assert.ok(judge(placed, { path: 'b.rs' }), 'a reply of files has no lines to judge');
  const called = { places: ['b.rs:7'] };
  assert.ok(judge(called, row('b.rs', 7)) && !judge(called, row('b.rs', 8), row('b.rs', 7)));
  assert.ok(isRight({ kind: 'rough', answer: { nothing: true } }, { nothing: true }));
  assert.ok(!judge({ nothing: true }, row('a.rs', 1)));
  assert.ok(!isRight({ kind: 'rough', answer: first }, { nothing: true }), 'a false "nothing there" is wrong');
});

/** A tree with enough definitions, comments, constants and messages for each form of a rough question. */
function roughTree() {
  const parts = ['Token', 'Buffer', 'Schedule', 'Header', 'Window', 'Signature', 'Parcel', 'Orchard', 'Lantern', 'Meadow'];
  const others = ['Estuary', 'Mountain', 'Glacier', 'Woodland', 'Peninsula', 'Waterfall', 'Headland', 'Prairie', 'Volcano', 'Marshland'];
  // Without their second part, these names are equal.
  const twins = ['keepAlphabetMatterSlowly', 'keepOmegaMatterSlowly'].map((name) => `export function ${name}(a) {}`);
  const files = parts.map((part, n) => {
    const name = `read${part}${others[n]}Carefully`;
    return [
      `src/part${n}/file${part}.ts`,
      [
        `// Reads the ${part.toLowerCase()} of a ${name.length} letter name slowly, then returns it.`,
        `export function ${name}(a) {`,
        `  throw new Error(\`cannot read the ${part.toLowerCase()} file \${a} today\`);`,
        '}',
        `export const MAX_${part.toUpperCase()} = 3;`,
        `export const last = ${name}(1);`,
      ],
    ];
  });
  return new Map([...files, ['src/twins.ts', twins]]);
}

test('rough questions repeat with a seed, and their answers are in the tree', () => {
  const files = roughTree();
  const questions = roughQuestions({ acme: files }, 3);
  assert.deepEqual(roughQuestions({ acme: files }, 3), questions);
  assert.notDeepEqual(roughQuestions({ acme: files }, 4), questions);
  const forms = new Set(questions.map(({ form }) => form));
  assert.equal(questions.length, forms.size * 8);
  for (const { form, ask, answer } of questions) {
    for (const file of answer.files ?? []) assert.ok(files.has(file), `${ask}: ${file}`);
    for (const place of answer.places ?? []) {
      const [path, line] = place.split(':');
      assert.ok(files.get(path)[line - 1].includes(`= ${ask.split(' ').at(-1)}(`), `${ask}: ${place}`);
    }
    if (answer.line) assert.match(files.get(answer.files[0])[answer.line - 1], /^export function /);
    const text = [...files].flat(2).join('\n').toLowerCase();
    const isNew = ['parts in another order', 'a part missing', 'parts abbreviated', 'an assignment', 'a message with values'];
    assert.notEqual(ask, 'keepMatterSlowly', 'two names have these parts');
    if (isNew.includes(form)) assert.ok(!text.includes(ask.toLowerCase()), `${ask} is in the tree as it is`);
  }
});

test('the longest words of a question are searched for, each once', () => {
  assert.deepEqual(longestWords('fix: the parser of parser and lexers, at last'), ['parser', 'lexers', 'last']);
  assert.deepEqual(longestWords('?!'), []);
});

test('the place of the first right file is counted, and its share has an interval', () => {
  assert.equal(placeOf(['b', 'c'], ['a', 'c', 'b']), 2);
  assert.equal(placeOf(['d'], ['a']), Infinity);
  assert.equal(placeOf(['d'], []), undefined);
  const [low, high] = interval(90, 140);
  assert.ok(Math.abs(low - 0.5607) < 0.001 && Math.abs(high - 0.7174) < 0.001, `${low} to ${high}`);
  assert.ok(interval(0, 10)[0] === 0 && interval(0, 10)[1] > 0.2);
});

test('commits to replay change few code files, of which one existed before', () => {
  const entry = (hash, subject, ...changes) => `\x01${hash}\x02${hash}p other\x02${subject}\x02\0\n${changes.map((change) => `${change}\0`).join('')}`;
  const many = Array.from({ length: 11 }, (_, n) => `M\0${n}.rs`);
  const log = [
    entry('one', 'walk: keep rules (#12)', 'M\0src/a b.rs', 'A\0src/new.rs', 'M\0README.md'),
    entry('two', 'docs only', 'M\0README.md'),
    entry('three', 'only new', 'A\0src/new.rs'),
    entry('four', 'a sweep', ...many),
    '\x01first\x02\x02the first commit\x02\0\nM\0a.rs\0',
  ];
  assert.deepEqual(commitsIn(log.join('')), [
    { hash: 'one', parent: 'onep', subject: 'walk: keep rules', files: ['src/a b.rs'] },
  ]);
});

test('a history is replayed in a copy, and the repository stays as it is', (t) => {
  if (spawnSync('git', ['--version']).status !== 0) return t.skip('git is not installed');
  const root = temporary(t);
  const git = (...args) => {
    const own = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', '-c', 'commit.gpgsign=false'];
    const done = spawnSync('git', [...own, ...args], { cwd: root, encoding: 'utf8' });
    assert.equal(done.status, 0, done.stderr);
    return done.stdout.trim();
  };
  git('init', '--quiet');
  for (const text of ['one', 'two', 'three']) {
    writeFileSync(join(root, 'ä.rs'), text);
    git('add', '.');
    git('commit', '--quiet', '-m', `write ${text}`);
  }
  const history = new History(root);
  t.after(() => history.close());
  const commits = history.commits(10);
  assert.deepEqual(commits.map(({ subject, files }) => [subject, files]), [['write three', ['ä.rs']], ['write two', ['ä.rs']]]);
  assert.equal(history.commits(1).length, 1);
  history.checkOut(commits[1].parent);
  assert.equal(readFileSync(join(history.root, 'ä.rs'), 'utf8'), 'one');
  assert.equal(git('status', '--porcelain'), '');
  assert.equal(git('log', '-1', '--format=%s'), 'write three');
  history.close();
  assert.ok(!existsSync(history.root));
  assert.throws(() => new History(temporary(t)), /not a git repository/);
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
