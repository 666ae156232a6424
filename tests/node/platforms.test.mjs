// `npm run platforms`: its exit status, its bound in time, and the names of the tests that it leaves out.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { TOP, runNode } from './helpers.mjs';
import { runCommands } from '../../scripts/lib/commands.mjs';
import { TARGETS } from '../../scripts/lib/platforms.mjs';

const platforms = (...words) => runNode([join('scripts', 'platforms.mjs'), ...words]);

describe('the checks of other platforms', { timeout: 120_000 }, () => {
  test('that were not run fail only with --strict', async () => {
    for (const [words, code] of [[['--strict'], 1], [[], 0]]) {
      const done = await platforms(...words, '--minutes', '0', 'x86_64-unknown-freebsd');
      assert.match(done.stderr, /x86_64-unknown-freebsd +0 s {2}type check: not run: the time is over\n$/);
      assert.equal(done.code, code, words.join());
    }
  });

  test('refuse wrong arguments', async () => {
    const wrong = {
      '--minutes=-1': /--minutes must be a number of at least 0, got "-1"/,
      '--minutes=': /--minutes must be a number of at least 0, got ""/,
      z80: /unknown target "z80"; known: x86_64-pc-windows-gnu, /,
      '--fast': /Unknown option '--fast'/,
    };
    for (const [word, message] of Object.entries(wrong)) {
      const done = await platforms(word);
      assert.equal(done.code, 1);
      assert.match(done.stderr, message);
    }
  });

  test('leave out tests that exist', () => {
    const folders = ['core', 'tools'].map((name) => join(TOP, name, 'src'));
    const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)));
    const rust = files.filter((path) => path.endsWith('.rs'));
    const source = rust.map((path) => readFileSync(path, 'utf8')).join('');
    const leftOut = TARGETS.flatMap(({ steps }) => steps.flatMap(({ leftOut = {} }) => Object.keys(leftOut)));
    const names = leftOut.filter((name) => !name.endsWith('.mjs'));
    assert.ok(names.length > 0);
    for (const name of names) assert.ok(source.includes(`fn ${name.split('::').at(-1)}()`), name);
  });

  test('run each file of Node tests under wine, or report why not', () => {
    const files = readdirSync(join(TOP, 'tests', 'node')).filter((name) => name.endsWith('.test.mjs'));
    const { leftOut, commands } = TARGETS.flatMap(({ steps }) => steps).find(
      ({ name }) => name === 'Node tests',
    );
    const run = commands.flatMap(({ args }) => args.filter((arg) => arg.endsWith('.test.mjs')));
    const names = [...run.map((path) => basename(path)), ...Object.keys(leftOut)];
    assert.deepEqual(names.sort(), files.sort());
  });

  test('have commands of text on a machine without the programs', () => {
    const commands = TARGETS.flatMap(({ steps }) => steps.flatMap((step) => step.commands));
    assert.ok(commands.length > 0);
    for (const { program, args } of commands) {
      for (const word of [program, ...args]) assert.equal(typeof word, 'string', `${program} ${args}`);
    }
  });

  test('fail at the limit of a step, and were not run at the deadline of the run', async () => {
    const sleeps = { name: 's', state: 'run', commands: [{ program: 'sleep', args: ['1000'] }] };
    const far = Date.now() + 60_000;
    const late = await runCommands({ ...sleeps, minutes: 0.001 }, {}, far);
    assert.deepEqual(late, { state: 'FAILED', isLate: true });
    const { state, why } = await runCommands(sleeps, {}, Date.now() + 50);
    assert.deepEqual({ state, why }, { state: 'not run', why: 'the time was over before its end' });
  });

  test('run every command in its directory, and demand the proof', async () => {
    const step = (proves) => ({
      name: 's',
      state: 'run',
      commands: [
        { program: 'cat', args: [], input: 'text', proves: /^text$/ },
        { program: 'pwd', args: [], cwd: '/', proves },
      ],
    });
    const far = Date.now() + 60_000;
    assert.deepEqual(await runCommands(step(/^\/\n$/), {}, far), { state: 'run' });
    assert.deepEqual(await runCommands(step(/^nothing$/), {}, far), { state: 'FAILED' });
    const fails = { name: 's', state: 'run', commands: [{ program: 'false', args: [] }] };
    assert.equal((await runCommands(fails, {}, far)).state, 'FAILED');
  });
});
