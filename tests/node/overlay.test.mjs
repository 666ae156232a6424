// Unsaved texts: `withOverlay` and the option `overlay` of calls and streams.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Workspace } from 'searchscope';
import { rejection, tempTree } from './helpers.mjs';

const TREE = { 'a.js': 'const saved = 1;\n', 'b.js': 'saved();\n', 'doc.md': '# saved\n' };
const UNSAVED = { 'a.js': 'const unsaved = 2;\n', 'new/c.js': 'unsaved();\n', 'b.js': null };

const paths = async (workspace, pattern, options) => {
  const { matches } = await workspace.call('search', { patterns: [pattern] }, options);
  return matches.map(({ path }) => path);
};

describe('an overlay', () => {
  test('is searched as if its texts were saved', async (t) => {
    const root = tempTree(t, TREE);
    const workspace = Workspace.open(root);
    const edited = workspace.withOverlay(UNSAVED);
    assert.deepEqual(await paths(edited, 'saved'), ['a.js', 'doc.md', 'new/c.js']);
    assert.deepEqual(await paths(workspace, 'saved', { overlay: UNSAVED }), [
      'a.js',
      'doc.md',
      'new/c.js',
    ]);
    assert.deepEqual(await paths(workspace, 'saved'), ['a.js', 'b.js', 'doc.md']);
    const streamed = [];
    for await (const { path } of workspace.find({}, { overlay: UNSAVED })) streamed.push(path);
    assert.deepEqual(streamed, ['a.js', 'doc.md', 'new/c.js']);
    workspace.close();
    assert.deepEqual(await paths(edited, 'unsaved'), ['a.js', 'new/c.js']);
    writeFileSync(join(root, 'a.js'), 'later\n');
    assert.deepEqual(await paths(edited, 'unsaved'), ['a.js', 'new/c.js']);
  });

  test('with invalid texts is refused', async (t) => {
    const workspace = Workspace.open(tempTree(t, TREE));
    const bad = [[], null, 'text', { 'a.js': 1 }, { 'a.js': undefined }, { '../x': '' }, { '.': '' }];
    for (const overlay of bad) {
      const failed = await rejection(Promise.resolve().then(() => workspace.withOverlay(overlay)));
      assert.equal(failed.param, 'overlay', JSON.stringify(overlay));
      if (overlay === undefined) continue;
      assert.equal((await rejection(paths(workspace, 'x', { overlay }))).param, 'overlay');
    }
    workspace.close();
    assert.throws(() => workspace.withOverlay({}), { code: 'cancelled' });
  });
});
