// The native program of the packages: it runs the command in the addon beside it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, linkSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { TOP } from './helpers.mjs';

const require = createRequire(import.meta.url);
const { nativeCommand } = require('../../node/cli/native.js');
const { commandName, platformName } = require('../../node/platforms.js');
const { version } = require('../../package.json');

/** Copies the program into a folder, with the files of these names and what makes each. */
function folderOf(t, files = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'searchscope-launcher-')));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, commandName(platformName()));
  copyFileSync(nativeCommand(), program);
  for (const [name, make] of Object.entries(files)) make(join(folder, name));
  return { folder, program };
}

const addon = (path) => {
  const built = join(TOP, 'node', 'searchscope.node');
  try {
    linkSync(built, path);
  } catch {
    copyFileSync(built, path);
  }
};

const run = (program, ...words) => {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  return { status, stdout, stderr };
};

describe('the native program', { timeout: 120_000 }, () => {
  const expected = { status: 0, stdout: `searchscope ${version}\n`, stderr: '' };

  test('finds the addon under both of its names', (t) => {
    for (const name of ['searchscope.node', `searchscope.${platformName()}.node`]) {
      const { program } = folderOf(t, { [name]: addon });
      assert.deepEqual(run(program, '--version'), expected, name);
    }
  });

  test('finds it through a link to the program', { skip: process.platform === 'win32' }, (t) => {
    const { program } = folderOf(t, { 'searchscope.node': addon });
    const { folder } = folderOf(t);
    symlinkSync(program, join(folder, 'linked'));
    assert.deepEqual(run(join(folder, 'linked'), '--version'), expected);
  });

  test('passes every argument and the exit status on', { skip: process.platform === 'win32' }, (t) => {
    const { folder, program } = folderOf(t, { 'searchscope.node': addon });
    writeFileSync(join(folder, 'a b'), 'one "two"\n');
    const found = run(program, 'search', '-F', 'one "two"', join(folder, 'a b'));
    assert.deepEqual([found.status, found.stderr], [0, '']);
    assert.match(found.stdout, /one "two"\n$/);
    assert.equal(run(program, 'search', 'absent', join(folder, 'a b')).status, 1);
    assert.equal(run(program, 'search', '(', folder).status, 2);
    // A path that is not UTF-8, which a shell can write and other systems refuse.
    if (process.platform !== 'linux') return;
    const script = 'cd "$1" && name=$(printf "a\\377") && mkdir "$name" && echo needle >"$name/b" && "$0" search needle "$name"';
    const bytes = run('sh', '-c', script, program, folder);
    assert.deepEqual([bytes.status, bytes.stderr], [0, ''], bytes.stdout);
  });

  test('names what is missing or wrong', (t) => {
    const missing = folderOf(t);
    const { status, stdout, stderr } = run(missing.program, 'search', 'x');
    const message =
      'searchscope: this program needs the file searchscope.node or searchscope.PLATFORM.node beside it, ' +
      `in ${missing.folder}\n`;
    assert.deepEqual({ status, stdout, stderr }, { status: 2, stdout: '', stderr: message });

    const broken = folderOf(t, { 'searchscope.node': (path) => writeFileSync(path, 'not a library') });
    const refused = run(broken.program, 'search', 'x');
    assert.deepEqual([refused.status, refused.stdout], [2, '']);
    assert.ok(refused.stderr.includes(join(broken.folder, 'searchscope.node')), refused.stderr);
  });

  test('refuses an addon of another version', { skip: process.platform !== 'linux' }, (t) => {
    if (spawnSync('cc', ['--version']).status !== 0) {
      const reason = 'SKIPPED: an addon of another version: cc is not installed';
      console.log(reason);
      return t.skip(reason);
    }
    const compiled = (code) => (path) => {
      const source = join(dirname(path), 'other.c');
      writeFileSync(source, code);
      const cc = spawnSync('cc', ['-shared', '-fPIC', '-o', path, source], { encoding: 'utf8' });
      assert.equal(cc.status, 0, cc.stderr);
    };
    const other = 'int searchscope_command(const char *text, unsigned long len) { return -1; }\n';
    const cases = [
      [other, `is not of version ${version}; install the package again`],
      ['int nothing;\n', 'does not contain the command'],
    ];
    for (const [code, why] of cases) {
      const { folder, program } = folderOf(t, { 'searchscope.node': compiled(code) });
      const { status, stderr } = run(program, '--version');
      assert.deepEqual([status, stderr], [2, `searchscope: ${join(folder, 'searchscope.node')} ${why}\n`]);
    }
  });
});
