// Runs the examples as a reader would.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { TOP, runNode, tempTree } from './helpers.mjs';
import { request, until } from './service.mjs';

const EXAMPLES = join(TOP, 'examples', 'node');

const example = (name, ...words) => runNode([join(EXAMPLES, name), ...words]);

const TREE = {
  'guide.md': '----\nname: Guide\n----\nHow to begin.\n\nThe needle is here.\n',
  'drafts/later.md': 'another needle\n',
  'src/a.js': 'const x = 1;\n  needle(x); // needle\n',
  'src/b.js': 'needle();\n',
};

describe('the examples', { timeout: 120_000 }, () => {
  test('are listed here', () => {
    assert.deepEqual(readdirSync(EXAMPLES).sort(), ['documents.cjs', 'express.mjs', 'stream.mjs']);
  });

  test('stream: prints matches as they are found, up to the limit', async (t) => {
    const root = tempTree(t, TREE);
    const two = await example('stream.mjs', root, 'needle', '2');
    assert.deepEqual([two.code, two.stderr], [0, '']);
    const first = 'drafts/later.md:1:9: another needle\nguide.md:6:5: The needle is here.\n';
    assert.equal(two.stdout, first);
    const all = await example('stream.mjs', root, 'needle');
    assert.deepEqual([all.code, all.stdout.split('\n').length], [0, 5]);
    assert.match(all.stdout, /^src\/a\.js:2:3: needle\(x\); \/\/ needle$/m);
    const none = await example('stream.mjs', join(root, 'gone'), 'needle');
    assert.deepEqual([none.code, none.stdout], [1, '']);
    assert.equal((await example('stream.mjs')).code, 2);
  });

  test('documents: prints matching documents, or the error', async (t) => {
    const root = tempTree(t, TREE);
    const found = await example('documents.cjs', root, 'needle');
    assert.deepEqual([found.code, found.stderr], [0, '']);
    assert.equal(found.stdout, 'Guide (/guide.md)\n  6: How to begin.  The **needle** is here. \n');
    const refused = await example('documents.cjs', root, ' ');
    assert.equal(refused.code, 1);
    assert.equal(refused.stderr, 'query is required and must not be empty\n');
  });

  test('express: the documents and a route of its own', async (t) => {
    const root = tempTree(t, TREE);
    const child = spawn(process.execPath, [join(EXAMPLES, 'express.mjs'), root, '0']);
    t.after(() => child.kill('SIGKILL'));
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (stdout += chunk));
    await until(() => stdout.includes('\n'));
    const get = async (path) => JSON.parse((await request(`${stdout.trim()}${path}`)).text);
    assert.deepEqual(await get('/places?text=needle%5C(%5C)'), {
      places: [{ path: 'src/b.js', line: 1, text: 'needle();' }],
      complete: true,
    });
    assert.equal((await get('/places?text=(')).code, 'pattern_syntax');
    assert.equal((await get('/context?action=search&query=begin')).total_matches, 1);
  });
});
