// The set-up: its messages if something is missing, and that `npm start` works from any directory.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { TOP, runNode, tempTree } from './helpers.mjs';
import { request, until } from './service.mjs';
import {
  commandOf,
  libraryOf,
  loadFailure,
  packageFailure,
  removeStaleBuilds,
  requireNode,
} from '../../scripts/lib/setup.mjs';
import { runAndListen } from '../../scripts/lib/process.mjs';
import { PARTS, partInTurn, partOf } from '../../scripts/lib/parts.mjs';
import { LONG_RUN, testSteps } from '../../scripts/lib/steps.mjs';

const lock = JSON.parse(readFileSync(join(TOP, 'package-lock.json'), 'utf8'));

/** The engine may have to be built first. */
const COLD = { timeout: 900_000 };

describe('the set-up', COLD, () => {
  test('names the required version of Node', () => {
    assert.throws(
      () => requireNode('18.20.1'),
      /Node 20 or newer is required; this is Node 18\.20\.1/,
    );
    requireNode('20.0.0');
    requireNode();
  });

  test('removes only the leftovers of killed builds', (t) => {
    const directory = tempTree(t, {});
    const { pid: dead } = spawnSync(process.execPath, ['-e', '']);
    const names = [`searchscope-build-${dead}-abc`, `searchscope-build-${process.pid}-abc`, 'other'];
    for (const name of names) mkdirSync(join(directory, name, 'release'), { recursive: true });
    removeStaleBuilds(directory);
    assert.deepEqual(readdirSync(directory).sort(), names.slice(1).sort());
  });

  test('explains how to install a missing cargo', async (t) => {
    const done = await runNode([join('scripts', 'build.mjs')], { env: { PATH: tempTree(t, {}) } });
    assert.equal(done.code, 1);
    assert.match(done.stderr, /^searchscope: Building the native addon requires Rust.*https:\/\/rustup\.rs/);
    assert.doesNotMatch(done.stderr, /\n +at /);
  });

  test('finds the library in the output of cargo', () => {
    const artifact = {
      reason: 'compiler-artifact',
      target: { name: 'searchscope_node' },
      filenames: ['/t/x.rlib', '/t/x.so'],
    };
    const messages = [
      'text',
      JSON.stringify({ reason: 'build-finished' }),
      JSON.stringify(artifact),
    ];
    assert.equal(libraryOf(messages.join('\n')), '/t/x.so');
    assert.throws(() => libraryOf('{"reason":"build-finished"}'), /no library/);
    const command = { reason: 'compiler-artifact', target: { name: 'searchscope-launcher' } };
    const library = JSON.stringify({ ...command, executable: null });
    const program = JSON.stringify({ ...command, executable: '/t/searchscope' });
    assert.equal(commandOf(`${library}\n${program}`), '/t/searchscope');
    assert.throws(() => commandOf(library), /no command/);
  });

  test('detects an addon that does not load', (t) => {
    const root = tempTree(t, { 'bad.node': 'not a library' });
    assert.equal(packageFailure(), null);
    assert.match(loadFailure(join(root, 'bad.node')), /bad\.node/);
    assert.match(loadFailure(join(root, 'gone.node')), /gone\.node/);
  });

  test('runs every test file, the long ones separately', () => {
    const { args } = testSteps().find((step) => step.name === 'Node tests');
    assert.ok(args.includes(join('tests', 'node', 'scripts.test.mjs')));
    const long = partOf('node').steps()[0].args;
    assert.ok(long.includes(join('tests', 'node', 'exit.long.mjs')));
    assert.deepEqual(long.filter((arg) => args.includes(arg) && !arg.startsWith('-')), []);
  });

  test('runs every Rust test in npm test or in one part of the long run', () => {
    const isCargoTest = ({ program, args }) =>
      program === 'cargo' && args[0] === 'test' && !args.includes('--no-run');
    const short = testSteps().filter(isCargoTest);
    const long = PARTS.flatMap(({ steps }) => steps()).filter(isCargoTest);
    for (const { args } of short) assert.deepEqual(args.slice(-3), ['--', '--skip', LONG_RUN]);
    // Together these are all targets with tests.
    const targets = short.flatMap(({ args }) => args.slice(args.indexOf('--no-fail-fast') + 1, -3));
    assert.deepEqual(targets, ['--test', '*', '--lib', '--bins', '--doc']);
    const [ofWorkspace, others] = [true, false].map((isIt) =>
      long.filter(({ args }) => args.includes('--workspace') === isIt),
    );
    // Documentation tests are never long.
    assert.ok(ofWorkspace.some(({ args }) => args.includes('--lib') && args.includes('--bins')));
    const programs = ofWorkspace.flatMap(({ args }) => args.filter((_, n) => args[n - 1] === '--test'));
    const folders = [join('tests', 'tests'), join('cli', 'tests')];
    const files = folders.flatMap((folder) => readdirSync(join(TOP, folder)));
    assert.deepEqual(programs.sort(), files.map((name) => name.replace(/\.rs$/, '')).sort());
    for (const { args } of ofWorkspace) assert.deepEqual(args.slice(-2), ['--test-threads=1', LONG_RUN]);
    // Other builds run both kinds.
    const words = others.map(({ args }) => args.slice(0, args.indexOf('--')).join(' '));
    assert.deepEqual(others.map(({ args }) => args.at(-2)), ['--skip', '--test-threads=1']);
    assert.equal(words[0], words[1]);
  });
});

describe('the parts of the long run', () => {
  const git = (cwd, ...words) => {
    const done = spawnSync('git', words, { cwd, encoding: 'utf8' });
    assert.equal(done.status, 0, done.stderr);
  };
  const commit = (cwd) => {
    const author = ['-c', 'user.name=n', '-c', 'user.email=e@example.com'];
    git(cwd, ...author, '-c', 'commit.gpgsign=false', 'commit', '--quiet', '--allow-empty', '--message=m');
  };

  test('take turns with each commit', async (t) => {
    const cwd = tempTree(t, {});
    git(cwd, 'init', '--quiet');
    const turns = PARTS.map(() => {
      commit(cwd);
      return partInTurn(cwd).name;
    });
    const names = PARTS.map(({ name }) => name);
    assert.deepEqual(turns, [...names.slice(1), names[0]]);
    git(cwd, 'clone', '--quiet', '--depth=1', `file://${cwd}`, 'shallow');
    assert.ok(names.includes(partInTurn(join(cwd, 'shallow')).name));
    const named = await runNode([join('scripts', 'test.mjs'), '--turn']);
    assert.equal(named.stdout, `${partInTurn().name}\n`);
    assert.throws(() => partInTurn(tempTree(t, {})), /name a part/);
  });

  test('have a name each, and are listed', async () => {
    const listed = await runNode([join('scripts', 'test.mjs'), '--parts']);
    const names = listed.stdout.trim().split('\n').map((line) => line.split(':')[0]);
    assert.deepEqual(names, PARTS.map(({ name }) => name));
    assert.equal(new Set(names).size, names.length);
    assert.throws(() => partOf('x'), /unknown part "x"; known: engine, /);
    const mistaken = await runNode([join('scripts', 'test.mjs'), '--part', 'engine']);
    assert.match(mistaken.stderr, /--part is for the long run/);
  });

  test('list their peers after those of npm test', async () => {
    const lines = async (...words) =>
      (await runNode([join('scripts', 'test.mjs'), '--peers', ...words])).stdout.trim().split('\n');
    const [short, installed] = [await lines(), await lines('--long', '--part', 'installed')];
    assert.ok(short.includes('rg cargo ripgrep 15.2.0'));
    assert.deepEqual(installed.slice(0, short.length), short);
    assert.ok(installed.includes('go apt golang') && !short.includes('go apt golang'));
  });
});

describe('a bare machine', () => {
  test('has an empty home directory, the requirements, and no other program', async () => {
    const programs = 'cc git cargo node npm rg fd';
    const script = `ls -A "$HOME"; for name in ${programs}; do command -v $name >&2; done; printf "$CI"`;
    // A test fails without some programs where CI is set, which a bare machine does not have.
    const done = await runNode([join('scripts', 'bare.mjs'), 'sh', '-c', script], { env: { CI: 'true' } });
    assert.equal(done.code, 0, done.stderr);
    assert.equal(done.stdout, '');
    const found = done.stderr.trim().split('\n').slice(1).map((path) => path.split('/').at(-1));
    assert.deepEqual(found, ['cc', 'git', 'cargo', 'node', 'npm']);
    assert.equal((await runNode([join('scripts', 'bare.mjs'), 'false'])).code, 1);
  });
});

describe('a program that a script runs', { timeout: 60_000 }, () => {
  test('is ended with its children at the deadline', async () => {
    // Ignores the signal that ends most programs. The output closes only when the last child has ended.
    const args = ['-c', 'trap "" TERM; echo begun; sleep 1000 & wait'];
    const options = { deadline: Date.now() + 2000, isQuiet: true };
    const { stdout, isLate, ok } = await runAndListen('sh', args, options);
    assert.deepEqual([stdout, isLate, ok], ['begun\n', true, false]);
  });

  test('gets input, and returns its output and end', async () => {
    const quiet = { isQuiet: true };
    const far = Date.now() + 60_000;
    const copied = await runAndListen('cat', [], { input: 'text\n', deadline: far, ...quiet });
    assert.deepEqual(copied, { ok: true, end: 0, isLate: false, stdout: 'text\n', lines: ['text', ''] });
    const args = ['-c', 'echo out; echo err >&2; exit 3'];
    const failed = await runAndListen('sh', args, quiet);
    assert.deepEqual([failed.ok, failed.end, failed.stdout], [false, 3, 'out\n']);
    assert.deepEqual(failed.lines.sort(), ['', 'err', 'out']);
    assert.equal((await runAndListen('sh', ['-c', 'kill -9 $$'], quiet)).end, 'SIGKILL');
  });

  test('may be missing', async () => {
    const { ok, lines } = await runAndListen('searchscope-is-not-here', [], { isQuiet: true });
    assert.equal(ok, false);
    assert.match(lines[0], /^searchscope-is-not-here cannot be started: .*ENOENT/);
  });
});

describe('npm start', COLD, () => {
  const npmStart = (cwd, words) =>
    spawnSync('npm', ['start', '--silent', '--prefix', TOP, '--', ...words], {
      cwd,
      encoding: 'utf8',
    });

  test('searches the directory where npm was called, and prints nothing else', (t) => {
    const done = npmStart(tempTree(t, { 'a.txt': 'needle\n' }), [
      'call',
      'search_in_files',
      '{"query":"needle"}',
    ]);
    assert.equal(done.status, 0, done.stderr);
    assert.deepEqual(
      JSON.parse(done.stdout).matches.map((match) => match.file_path),
      ['a.txt'],
    );
  });

  test('gives the exit status of the command', (t) => {
    const done = npmStart(tempTree(t, {}), [
      'call',
      'search_in_files',
      '{"query":"x","path":"gone"}',
    ]);
    assert.deepEqual([done.status, done.stdout], [2, '']);
    assert.match(done.stderr, /PATH_NOT_FOUND: gone/);
  });

  test('without arguments serves the directory where npm was called, and ends with npm', async (t) => {
    const cwd = tempTree(t, { 'a.md': 'needle\n' });
    // The shell in which npm runs the script receives npm's signals and does not pass them on.
    const npm = spawn('npm', ['start', '--silent', '--prefix', TOP], { cwd });
    let stderr = '';
    npm.stderr.setEncoding('utf8').on('data', (chunk) => (stderr += chunk));
    let gone = false;
    const ended = new Promise((resolve) => npm.on('close', resolve)).then(() => (gone = true));
    t.after(() => npm.kill('SIGTERM'));
    await until(() => /^Ctrl-C stops it/m.test(stderr) || gone, 300_000);
    const [url] = /http:\/\/\S+(?=\/context)/.exec(stderr);
    const found = await request(`${url}/context?action=search&query=needle`);
    assert.equal(JSON.parse(found.text).total_matches, 1);
    npm.kill('SIGTERM');
    await ended;
    assert.match(stderr, /"msg":"stopped"/);
    await assert.rejects(request(`${url}/healthz`), { code: 'ECONNREFUSED' });
  });
});

test('the lock file names only the public registry, and fits the package', () => {
  const { name, version } = createRequire(import.meta.url)('searchscope/package.json');
  assert.deepEqual([lock.name, lock.version], [name, version]);
  // The packages of this repository are links.
  const downloaded = Object.entries(lock.packages).filter(([, { link }]) => !link);
  for (const [path, { resolved }] of downloaded) {
    if (resolved !== undefined) assert.ok(resolved.startsWith('https://registry.npmjs.org/'), path);
  }
});
