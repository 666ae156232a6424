// The npm command: it runs the native one, or that of the service, and ends as they do.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { CLI, TOP, runNode, tempTree } from './helpers.mjs';

const { VERBS, nativeCommand } = createRequire(import.meta.url)('../../node/cli/native.js');

const COMMAND_FILES = [
  'package.json',
  ...['cli.js', 'nearest.js', 'platforms.js', 'printable.js'].map((name) => `node/${name}`),
  ...['command.js', 'exit.js', 'native.js', 'serve.js'].map((name) => `node/cli/${name}`),
];

/** Copies the files that the command needs, with this script as the native command. */
function installed(t, script) {
  const top = tempTree(t, {});
  for (const file of COMMAND_FILES) {
    mkdirSync(dirname(join(top, file)), { recursive: true });
    cpSync(join(TOP, file), join(top, file));
  }
  if (script !== undefined) {
    writeFileSync(join(top, 'node', 'searchscope'), script);
    chmodSync(join(top, 'node', 'searchscope'), 0o755);
  }
  return join(top, 'node', 'cli.js');
}

describe('native verbs', { timeout: 120_000, skip: process.platform === 'win32' }, () => {
  test('are those of the native command', () => {
    const table = readFileSync(join(TOP, 'cli', 'src', 'table', 'mod.rs'), 'utf8');
    const names = [...table.matchAll(/^    name: "(\w+)",\n    short: (?:None|Some\("(\w+)"\)),$/gm)];
    const verbs = names.flatMap(([, name, short]) => (short ? [name, short] : [name]));
    assert.ok(verbs.length > 8);
    const others = ['tools', 'scopes', 'secrets', 'completions', 'man'];
    assert.deepEqual([...VERBS], [...verbs, ...others]);
  });

  test('forward arguments, input, output and exit status', async (t) => {
    const cli = installed(t, '#!/bin/sh\necho "$@"\ncat\necho told >&2\nexit 7\n');
    const done = await runNode([cli, 's', '-w', 'a b', ''], { input: 'given\n' });
    assert.deepEqual([done.code, done.stdout, done.stderr], [7, 's -w a b \ngiven\n', 'told\n']);
  });

  test('end by the signal that ends the native command', async (t) => {
    const cli = installed(t, '#!/bin/sh\nkill -INT $$\n');
    const done = await runNode([cli, 'search', 'x']);
    assert.deepEqual([done.code, done.signal], [null, 'SIGINT']);
  });

  test('forward signals that only this process receives, from the start of the native command', async (t) => {
    // The native command signals this process at once, and by itself ends long after the test.
    const cli = installed(t, '#!/bin/sh\nkill -TERM $PPID\nexec sleep 40\n');
    const started = performance.now();
    const signalOf = async () => {
      const child = spawn(process.execPath, [cli, 'find'], { stdio: ['ignore', 'pipe', 'inherit'] });
      // The stream ends once the native command, which shares it, has exited too.
      const [, signal] = await once(child, 'close');
      return signal;
    };
    const signals = await Promise.all(Array.from({ length: 10 }, signalOf));
    assert.deepEqual(signals, Array(10).fill('SIGTERM'));
    const ms = performance.now() - started;
    assert.ok(ms < 35_000, `${ms} ms`);
  });

  test('explain how to install a missing native command', async (t) => {
    const done = await runNode([installed(t), 'search', 'x']);
    assert.deepEqual([done.code, done.stdout], [2, '']);
    assert.match(
      done.stderr,
      /^searchscope: 'search' needs the native command of version \d\S*, which is not installed for /,
    );
    assert.match(done.stderr, /\nInstall the prebuilt one: {2}npm install @searchscope\/.*@\d/);
    assert.match(done.stderr, /\nOr build it, .* node ".*install\.mjs"\n$/);
  });

  test('search', async (t) => {
    if (nativeCommand() === undefined) {
      const reason = 'SKIPPED: the native command: it was not built here';
      console.log(reason);
      return t.skip(reason);
    }
    const cwd = tempTree(t, { 'a.txt': 'needle\n' });
    const done = await runNode([CLI, 'search', 'needle'], { cwd });
    assert.deepEqual([done.code, done.stdout, done.stderr], [0, 'a.txt:1:needle\n', '']);
    assert.equal((await runNode([CLI, 's', 'none'], { cwd })).code, 1);
  });
});

describe('serve', { timeout: 120_000 }, () => {
  /** A service that prints how it was called. */
  const SERVER = {
    'node_modules/searchscope-server/package.json': '{"exports": {"./command": "./command.js"}}',
    'node_modules/searchscope-server/command.js':
      'exports.runCommand = (words, name) => console.log(__dirname, words.join(), name);',
  };
  const folder = (place) => realpathSync(join(place, 'node_modules', 'searchscope-server'));

  test('never runs code of the working directory', async (t) => {
    const done = await runNode([installed(t), 'serve', '--port', '1'], { cwd: tempTree(t, SERVER) });
    assert.deepEqual([done.code, done.stdout], [2, '']);
  });

  test('runs the package beside this one', async (t) => {
    const cli = installed(t);
    const beside = dirname(dirname(cli));
    for (const [path, text] of Object.entries(SERVER)) {
      mkdirSync(dirname(join(beside, path)), { recursive: true });
      writeFileSync(join(beside, path), text);
    }
    const done = await runNode([cli, 'serve', '--port', '1'], { cwd: tempTree(t, SERVER) });
    assert.deepEqual([done.code, done.stdout], [0, `${folder(beside)} --port,1 searchscope serve\n`]);
  });

  test('explains how to install a missing package', async (t) => {
    for (const words of [['serve'], ['serve', '--help'], ['help', 'serve'], ['mcp', 'install']]) {
      const done = await runNode([installed(t), ...words], { cwd: tempTree(t, {}) });
      const verb = words.find((word) => word === 'mcp') ?? 'serve';
      const message = `searchscope: '${verb}' needs the npm package searchscope-server, which is not installed.
Install it:  npm install searchscope-server
`;
      assert.deepEqual([done.code, done.stdout, done.stderr], [2, '', message]);
    }
  });
});

describe('the command itself', { timeout: 120_000 }, () => {
  test('prints help for people who know no verb', async () => {
    for (const words of [['--help'], ['-h'], ['help']]) {
      const done = await runNode([CLI, ...words]);
      assert.deepEqual([done.code, done.stderr], [0, '']);
      assert.match(done.stdout, /^Usage: searchscope VERB/);
      for (const verb of VERBS) {
        assert.match(done.stdout, new RegExp(`\\b${verb}\\b`));
      }
    }
  });

  test('refuses unknown verbs and options, escaped', async () => {
    for (const [word, message] of [
      ['sreve', "unknown command 'sreve'; did you mean 'serve'?"],
      ['\u001b[31m', "unknown command '\\u{1b}[31m'"],
      ['--prot', "unknown option '--prot'"],
    ]) {
      const done = await runNode([CLI, word]);
      const text = `searchscope: ${message}\n(searchscope --help says more)\n`;
      assert.deepEqual([done.code, done.stdout, done.stderr], [2, '', text]);
    }
  });
});
