// The guides: each runs in a copy of examples/project, command by command, and every reply is the one that the guide
// shows. SEARCHSCOPE_UPDATE=1 writes the replies into the guides instead.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, test } from 'node:test';
import { SERVER_CLI, TOP, ofThree, tempTree } from './helpers.mjs';

const GUIDES = ['first-search', 'agents', 'paging'];

/** Verbs whose output on a terminal differs from the one into a pipe. */
const VERBS = 'search|find|symbols|docs|scope|outline';

/** A command with the reply that follows it. */
const STEP = /(^```sh\n)([^]*?)(^```\n\n```(?:text|json)\n)([^]*?)(^```\n)/gm;

const CURSOR = /\bA[\w-]{80,}/g;

const isUpdate = process.env.SEARCHSCOPE_UPDATE !== undefined;

const path = (guide) => join(TOP, 'docs', `${guide}.md`);

/** Makes a copy of the project, beside the commands of this build as a terminal has them. */
function project(t) {
  const folder = tempTree(t, {});
  cpSync(join(TOP, 'examples', 'project'), join(folder, 'project'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  const native = join(TOP, 'node', 'searchscope');
  script(join(folder, 'bin', 'searchscope'), [
    `case "$PRETTY $1" in`,
    `  "1 "@(${VERBS})) exec '${native}' "$@" --pretty --color never ;;`,
    `  *) exec '${native}' "$@" ;;`,
    'esac',
  ]);
  script(join(folder, 'bin', 'searchscope-server'), [`exec '${process.execPath}' '${SERVER_CLI}' "$@"`]);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(TOP, join(folder, 'node_modules', 'searchscope'), 'dir');
  return folder;
}

function script(file, lines) {
  writeFileSync(file, ['#!/bin/bash', 'shopt -s extglob', ...lines, ''].join('\n'));
  chmodSync(file, 0o755);
}

/** Runs a command as at a terminal, unless it has a pipe of its own. Returns both outputs in their order. */
function run(folder, command) {
  const PATH = [join(folder, 'bin'), process.env.PATH].join(delimiter);
  const PRETTY = / \| /.test(command) ? '' : '1';
  const options = { cwd: join(folder, 'project'), env: { ...process.env, PATH, PRETTY }, timeout: 60_000 };
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', `exec 2>&1\n${command}`], options, (error, stdout) => {
      // A status is an outcome that a guide may show; a signal or a missing shell is a defect.
      if (error && typeof error.code !== 'number') reject(error);
      else resolve(stdout);
    });
  });
}

/** Replaces durations, which differ from run to run. */
const timeless = (text) => text.replace(/\d+ ms\b/g, '0 ms').replace(/("elapsed_us": ?)\d+/g, '$10');

/** Returns the guide with the replies of this build; cursors of earlier replies stand for those of the guide. */
async function played(t, text) {
  const folder = project(t);
  const cursors = new Map();
  let all = '';
  let end = 0;
  for (const step of text.matchAll(STEP)) {
    const [whole, fence, command, between, shown, close] = step;
    const actual = command.replace(CURSOR, (cursor) => cursors.get(cursor) ?? cursor);
    const reply = timeless(await run(folder, actual));
    const known = [...shown.matchAll(CURSOR)].map(([cursor]) => cursor);
    const masked = reply.replace(CURSOR, (cursor) => {
      const name = known.shift() ?? cursor;
      cursors.set(name, cursor);
      return isUpdate ? cursor : name;
    });
    all += text.slice(end, step.index) + fence + (isUpdate ? actual : command) + between + masked + close;
    end = step.index + whole.length;
  }
  return all + text.slice(end);
}

describe('the guides', { timeout: 120_000 }, () => {
  for (const guide of GUIDES) {
    test(`${guide} shows what its commands print`, async (t) => {
      const text = readFileSync(path(guide), 'utf8');
      if (isUpdate) return writeFileSync(path(guide), await played(t, text));
      const expected = timeless(text);
      assert.equal(await ofThree(expected, () => played(t, text)), expected);
    });

    test(`${guide} begins with a command and its reply`, () => {
      const text = readFileSync(path(guide), 'utf8');
      assert.ok([...text.matchAll(STEP)].length >= 4, 'few commands');
      const [before] = text.split('```sh\n');
      assert.ok(before.split('\n').length <= 8, 'a long beginning');
      const commands = text.match(/^```sh\n/gm).length;
      assert.equal([...text.matchAll(STEP)].length, commands, 'a command without a reply');
    });
  }

  test('are played up to three times', async () => {
    for (const [outputs, result, left] of [['abc', 'a', 2], ['xya', 'a', 0], ['xyzw', 'z', 1]]) {
      const rest = [...outputs];
      assert.equal(await ofThree('a', async () => rest.shift()), result);
      assert.equal(rest.length, left);
    }
  });

  test('have a project and a native command', () => {
    for (const file of ['examples/project/pyproject.toml', 'node/searchscope']) {
      assert.ok(existsSync(join(TOP, file)), file);
    }
  });
});
