// The writer of tar archives: its bytes depend on the contents alone, and tar unpacks them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, readFileSync, readlinkSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { tarball } from '../../scripts/lib/tar.mjs';
import { tempTree } from './helpers.mjs';

const FILES = { 'top/b/large.txt': 'x'.repeat(1500), 'top/a.txt': 'text\n', 'top/empty': '' };

function tree(t, files) {
  const parent = tempTree(t, files);
  symlinkSync('a.txt', join(parent, 'top', 'link'));
  chmodSync(join(parent, 'top', 'empty'), 0o755);
  return parent;
}

describe('an archive', () => {
  test('does not depend on times, order of creation or the umask', (t) => {
    const first = tree(t, FILES);
    const second = tree(t, Object.fromEntries(Object.entries(FILES).reverse()));
    utimesSync(join(second, 'top', 'a.txt'), 1, 1);
    chmodSync(join(second, 'top', 'a.txt'), 0o600);
    assert.ok(tarball(first, 'top').equals(tarball(second, 'top')));
  });

  test('depends on the contents', (t) => {
    const first = tree(t, FILES);
    const second = tree(t, { ...FILES, 'top/a.txt': 'tent\n' });
    assert.ok(!tarball(first, 'top').equals(tarball(second, 'top')));
  });

  test('is unpacked by tar', { skip: process.platform === 'win32' }, (t) => {
    const parent = tree(t, FILES);
    const into = tempTree(t, {});
    writeFileSync(join(into, 'x.tar.gz'), tarball(parent, 'top'));
    const done = spawnSync('tar', ['-xzf', 'x.tar.gz'], { cwd: into, encoding: 'utf8' });
    assert.equal(done.stderr, '');
    assert.equal(done.status, 0);
    for (const [path, text] of Object.entries(FILES)) {
      assert.equal(readFileSync(join(into, path), 'utf8'), text);
    }
    assert.equal(readlinkSync(join(into, 'top', 'link')), 'a.txt');
    assert.equal(lstatSync(join(into, 'top', 'empty')).mode & 0o111, 0o111);
    assert.equal(lstatSync(join(into, 'top', 'a.txt')).mode & 0o111, 0);
  });

  test('refuses a name that does not fit', (t) => {
    const name = 'n'.repeat(101);
    const parent = tempTree(t, { [name]: '' });
    assert.throws(() => tarball(parent, name), /has more than 100 bytes/);
  });
});
