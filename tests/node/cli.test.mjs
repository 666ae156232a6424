// The command: its output on each stream, and its exit status.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { CLI, ENDLESS, TOP, endlessTree, later, runNode, tempTree } from './helpers.mjs';

const TREE = { 'a.txt': 'needle\n', 'sub/b.txt': 'needle\n' };
const QUERY = '{"query":"needle"}';

const command = (words, options) => runNode([CLI, ...words], options);

describe('call', { timeout: 120_000 }, () => {
  test('prints the reply as the engine writes it, with one line end', async (t) => {
    const cwd = tempTree(t, TREE);
    const done = await command(['call', 'search_in_files', QUERY], { cwd });
    assert.deepEqual([done.code, done.stderr], [0, '']);
    assert.match(done.stdout, /^\{"matches":\[.*\}\n$/);
    assert.equal(JSON.parse(done.stdout).total_matches, 2);
  });

  test('searches the directory that --root names', async (t) => {
    const cwd = tempTree(t, TREE);
    for (const words of [['--root', 'sub'], ['--root=sub']]) {
      const done = await command(['call', 'search_in_files', QUERY, ...words], { cwd });
      assert.deepEqual(
        JSON.parse(done.stdout).matches.map((match) => match.file_path),
        ['b.txt'],
      );
    }
  });

  test('reads the arguments from standard input', async (t) => {
    const cwd = tempTree(t, TREE);
    const done = await command(['call', 'search_in_files', '-'], { cwd, input: `${QUERY}\n` });
    assert.equal(JSON.parse(done.stdout).total_matches, 2);
  });

  test('takes a query that looks like an option as text', async (t) => {
    const cwd = tempTree(t, { 'a.txt': 'rg --pre=x\n' });
    const done = await command(['call', 'search_in_files', '{"query":"--pre=x"}'], { cwd });
    assert.equal(JSON.parse(done.stdout).total_matches, 1);
  });

  test('explains an error of the engine and exits with 2', async (t) => {
    const cwd = tempTree(t, TREE);
    const done = await command(['call', 'search_in_files', '{"query":"x","path":"gone"}'], { cwd });
    assert.deepEqual([done.code, done.stdout], [2, '']);
    assert.match(done.stderr, /^searchscope: not_found: PATH_NOT_FOUND: gone\n/);
    assert.match(done.stderr, /\n  hint: .+\n$/);
    assert.doesNotMatch(done.stderr, /\bat .*\.js/);
  });

  test('exits with 0, 1 or 2: found, nothing found, error', async (t) => {
    const cwd = tempTree(t, TREE);
    for (const [tool, args, code] of [
      ['Grep', { pattern: '(' }, 2],
      ['Grep', { pattern: 'needle' }, 0],
      ['search_in_files', { query: 'needle' }, 0],
      ['search_in_files', { query: 'nothing' }, 1],
      ['search_in_files', { query: 'x', path: 'gone' }, 2],
    ]) {
      const done = await command(['call', tool, JSON.stringify(args)], { cwd });
      assert.equal(done.code, code, `${tool} ${JSON.stringify(args)}: ${done.stdout}`);
    }
  });

  test('shows the mistake in a regex', async (t) => {
    const args = JSON.stringify({ query: 'ü(b', use_regex: true });
    const done = await command(['call', 'search_in_files', args], { cwd: tempTree(t, TREE) });
    assert.equal(done.code, 2);
    assert.match(done.stderr, /^searchscope: pattern_syntax: INVALID_REGEX: /);
    assert.match(done.stderr, /\n  parameter: query\n  ü\(b\n   \^/);
  });

  const usage = [
    ['no tool', ['call'], /<TOOL>/],
    ['too many arguments', ['call', 'search_in_files', '{}', 'more'], /unexpected argument 'more'/],
    [
      'an unknown option',
      ['call', 'search_in_files', '{}', '--rot', '.'],
      /unexpected argument '--rot' found[^]*'--root'/,
    ],
    ['an unknown command', ['cal'], /unknown command 'cal'/],
    ['text that is not JSON', ['call', 'search_in_files', '{query}'], /not JSON[^]*hint/],
    ['JSON that is not an object', ['call', 'search_in_files', '["x"]'], /must be a JSON object/],
    ['an unknown tool', ['call', 'serch', '{}'], /invalid_param/],
    [
      'an unknown argument',
      ['call', 'search_in_files', '{"query":"x","quer":1}'],
      /invalid_param[^]*quer/,
    ],
    ['no arguments', [], /Usage: searchscope/],
  ];
  for (const [name, words, message] of usage) {
    test(`exits with 2 for ${name}`, async (t) => {
      const done = await command(words, { cwd: tempTree(t, TREE) });
      assert.deepEqual([done.code, done.stdout], [2, '']);
      assert.match(done.stderr, message);
    });
  }
});

/**
 * Starts a call that reads its arguments from standard input, and returns once it does: it has then read
 * more than a pipe can buffer. Returns the child and a promise of its outcome.
 */
async function readingCall(cwd, args) {
  const child = spawn(process.execPath, [CLI, 'call', 'search_in_files', '-'], { cwd });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ signal, stderr })));
  await new Promise((resolve) => child.stdin.write(args + ' '.repeat(1_000_000), resolve));
  return { child, ended };
}

describe('Ctrl-C', { timeout: 120_000 }, () => {
  test('ends a running search at once', async (t) => {
    const { child, ended } = await readingCall(endlessTree(t), JSON.stringify(ENDLESS));
    child.stdin.end();
    await later(500);
    const started = performance.now();
    child.kill('SIGINT');
    assert.deepEqual(await ended, { signal: 'SIGINT', stderr: '' });
    // The search takes 60 s.
    assert.ok(performance.now() - started < 30_000, `${performance.now() - started} ms`);
  });

  test('ends the reading of standard input', async (t) => {
    const { child, ended } = await readingCall(tempTree(t, TREE), '');
    child.kill('SIGINT');
    assert.deepEqual(await ended, { signal: 'SIGINT', stderr: '' });
  });
});

describe('standard output', { timeout: 120_000 }, () => {
  test('may close early', async (t) => {
    const cwd = tempTree(t, { 'a.txt': 'needle in a long line\n'.repeat(9000) });
    const child = spawn(process.execPath, [CLI, 'call', 'search_in_files', QUERY], { cwd });
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.stdout.destroy();
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.deepEqual([code, stderr], [0, '']);
  });

  test('receives large replies completely', async (t) => {
    const cwd = tempTree(t, { 'a.txt': 'needle in a long line\n'.repeat(9000) });
    const done = await command(['call', 'search_in_files', QUERY], { cwd });
    assert.equal(JSON.parse(done.stdout).total_matches, 9000);
  });
});

describe('the rest', { timeout: 120_000 }, () => {
  test('an unknown argument is shown with control characters escaped', async () => {
    const { code, stderr } = await command(['call', '--\u001b[31mred']);
    assert.equal(code, 2);
    assert.ok(stderr.includes('\\u{1b}[31mred') && !stderr.includes('\u001b'), stderr);
  });

  test('the language of scopes is explained', async () => {
    const { code, stdout } = await command(['scopes']);
    assert.equal(code, 0);
    assert.match(stdout, /^# .+\n/);
    assert.match(stdout, /`projectPath:`/);
  });

  test('tools are listed, for people and for programs', async () => {
    const list = await command(['tools']);
    assert.match(list.stdout, /^search_in_files +\S.*$/m);
    const json = JSON.parse((await command(['tools', '--json'])).stdout);
    assert.deepEqual(
      json.map((tool) => tool.name),
      list.stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    );
  });

  test('help and version', async () => {
    const { version } = createRequire(import.meta.url)('searchscope/package.json');
    const shown = await command(['--version'], { cwd: TOP });
    assert.deepEqual([shown.code, shown.stdout], [0, `${version}\n`]);
    const help = await command(['--help']);
    assert.deepEqual([help.code, help.stderr], [0, '']);
    assert.match(help.stdout, /Exit status:/);
  });
});
