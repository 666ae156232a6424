// The results, refusals and resources of `searchDocuments` calls.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Workspace } from 'searchscope';
import { searchDocuments } from 'searchscope/documents';
import { later, rejection } from './helpers.mjs';
import { listener } from './documents/oracle.mjs';
import { Link, writeTree } from './documents/trees.mjs';

const { searchIn } = createRequire(import.meta.url)('../../node/documents/search.js');

const quiet = listener();

describe('searchDocuments', { timeout: 120_000 }, () => {
  const config = (t, files = { 'a.md': '----\nname: A\n----\n\nconfig\n' }) => ({
    docsRoot: writeTree(t, files),
  });

  test('treats lines of three hyphens as text by default', async (t) => {
    const docsRoot = writeTree(t, { 'a.md': '---\nname: config\n---\ntext config\n' });
    const found = async (settings) => {
      const { results } = await searchDocuments({ docsRoot, ...settings }, quiet, 'config');
      return results.map(({ name, matches }) => [name, matches.map(({ line }) => line)]);
    };
    assert.deepEqual(await found({}), [['a', [2, 4]]]);
    assert.deepEqual(await found({ front_matter_hyphens_min: 4 }), [['a', [2, 4]]]);
    assert.deepEqual(await found({ front_matter_hyphens_min: 3 }), [['config', [1]]]);
    const error = await rejection(searchDocuments({ docsRoot, front_matter_hyphens_min: 2 }, quiet, 'x'));
    assert.match(error.message, /'front_matter_hyphens_min' must be at least 3, got 2/);
  });

  test('returns the line in the file and the line after the front matter', async (t) => {
    const result = await searchDocuments(config(t), quiet, 'config');
    assert.equal(
      JSON.stringify(result),
      '{"query":"config","total_matches":1,"total_files":1,"truncated":false,"results":[{"path":"/a.md",' +
        '"name":"A","match_count":1,"matches":[{"line":2,"excerpt":" **config** ","file_line":5}]}]}',
    );
  });

  test('logs its end', async (t) => {
    const logger = listener();
    await searchDocuments(config(t), logger, ' config ');
    assert.deepEqual(logger.heard, [
      '["info","Document search completed",{"query":"config","total_matches":1,"total_files":1,"truncated":false}]',
    ]);
  });

  test('needs no excludes', async (t) => {
    for (const excludes of [undefined, null, [], '']) {
      const result = await searchDocuments({ ...config(t), excludes }, quiet, 'config');
      assert.equal(result.total_matches, 1);
    }
  });

  test('ignores other keys of the configuration', async (t) => {
    const noise = { workspace: 'mine', deny: ['*'], docs_root: '/', threads: 'many' };
    const result = await searchDocuments({ ...noise, ...config(t) }, quiet, 'config');
    assert.equal(result.total_matches, 1);
  });

  test('rejects invalid queries, and never throws', async (t) => {
    const good = config(t);
    const bad = [
      [[good, quiet, 5], /^query must be a string$/],
      [[good, quiet, {}], /^query must be a string$/],
      [[good, quiet, ['config']], /^query must be a string$/],
      [[good, quiet, 'a\ud83e'], /^query must not contain a lone surrogate$/],
      [[good, quiet, ' \n'], /^query is required and must not be empty$/],
      [[good, quiet, 'x'.repeat(201)], /^query must be 200 characters or less$/],
      [[good, quiet, 'x', { path: 5 }], /^path must be a string$/],
      [[good, quiet, 'x', { path: '../..' }], /^PATH_TRAVERSAL: /, 'PATH_VIOLATION'],
      [[good, quiet, 'x', { path: '//etc' }], /^PATH_TRAVERSAL: /, 'PATH_TRAVERSAL'],
      [[good, quiet, 'x', { path: 'a\0b' }], /^PATH_TRAVERSAL: /, 'PATH_VIOLATION'],
      [[{}, quiet, 'x'], /^docsRoot must be a non-empty string, the path of a directory$/],
      [[{ ...good, excludes: [5] }, quiet, 'x'], /^excludes must be gitignore lines/],
    ];
    for (const [args, message, code] of bad) {
      const error = await rejection(searchDocuments(...args));
      assert.equal(Object.getPrototypeOf(error), Error.prototype, message);
      assert.match(error.message, message);
      // Hosts choose a status by the code that the replaced function returns, if it returns one.
      assert.equal(error.code, code);
      assert.equal('code' in error, code !== undefined);
    }
    for (const args of [
      [undefined, quiet, 'x'],
      [null, quiet, 'x'],
      [good, quiet, 'x', null],
      [good, null, 'x'],
    ]) {
      assert.ok((await rejection(searchDocuments(...args))) instanceof TypeError);
    }
    const symbol = { context_chars: Symbol('no number') };
    assert.ok((await rejection(searchDocuments(good, quiet, 'x', symbol))) instanceof TypeError);
  });

  test('never leaves the directory through a symlink', async (t) => {
    const files = { 'docs/in/a.md': 'config', 'out/b.md': 'config' };
    const links = { 'docs/out': new Link('../out'), 'docs/b.md': new Link('../out/b.md') };
    const docsRoot = join(writeTree(t, { ...files, ...links }), 'docs');
    assert.equal((await searchDocuments({ docsRoot }, quiet, 'config')).total_matches, 1);
    const error = await rejection(searchDocuments({ docsRoot }, quiet, 'config', { path: '/out' }));
    assert.match(error.message, /^PATH_TRAVERSAL: /);
    assert.equal(error.code, 'PATH_VIOLATION');
  });

  test('searches a file whose name is not UTF-8', async (t) => {
    const docsRoot = writeTree(t, {});
    writeFileSync(
      Buffer.concat([Buffer.from(`${docsRoot}/b`), Buffer.of(0xff), Buffer.from('.md')]),
      'x',
    );
    const { results } = await searchDocuments({ docsRoot }, quiet, 'x');
    assert.deepEqual([results[0].path, results[0].name], ['/b\ufffd.md', 'b\ufffd']);
  });

  test('ends with its signal', async (t) => {
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    assert.equal(await rejection(searchDocuments(config(t), quiet, 'x', { signal })), reason);
    const gone = { docsRoot: join(writeTree(t, {}), 'gone') };
    assert.equal(await rejection(searchDocuments(gone, quiet, 'x', { signal })), reason);
    const controller = new AbortController();
    const call = searchDocuments(config(t), quiet, 'x', { signal: controller.signal });
    controller.abort(reason);
    assert.equal(await rejection(call), reason);
  });

  test('sees a directory that was recreated, and one created later', async (t) => {
    const above = writeTree(t, { 'docs/a.md': 'one', 'new/b.md': 'two two', 'newer/c.md': 'one' });
    const docsRoot = join(above, 'docs');
    const total = async (query) =>
      (await searchDocuments({ docsRoot }, quiet, query)).total_matches;
    assert.deepEqual([await total('one'), await total('two')], [1, 0]);
    rmSync(docsRoot, { recursive: true });
    assert.equal(await total('one'), 0);
    renameSync(join(above, 'new'), docsRoot);
    assert.deepEqual([await total('one'), await total('two')], [0, 2]);
    renameSync(docsRoot, join(above, 'old'));
    renameSync(join(above, 'newer'), docsRoot);
    assert.deepEqual([await total('one'), await total('two')], [1, 0]);
  });

  test('opens a directory once, however many calls', { skip: noProc() }, async (t) => {
    const root = config(t);
    const before = nHandles();
    for (let n = 0; n < 200; n += 1) await searchDocuments(root, quiet, 'config');
    assert.ok(nHandles() - before < 10, `${nHandles() - before} more handles`);
  });

  test('keeps few handles, however many directories', { skip: noProc() }, async (t) => {
    const roots = Array.from({ length: 100 }, () => config(t));
    const before = nHandles();
    for (const root of roots) await searchDocuments(root, quiet, 'config');
    // Evicted workspaces are closed when they are collected, and not before.
    collectGarbage();
    await later(50);
    assert.ok(nHandles() - before < 30, `${nHandles() - before} more handles`);
  });

  test('releases a removed directory', { skip: noProc() }, async (t) => {
    const docsRoot = join(writeTree(t, { 'docs/a.md': 'config' }), 'docs');
    // Several settings, because each has a workspace of its own.
    for (const excludes of [[], ['x'], ['y'], ['z']]) {
      await searchDocuments({ docsRoot, excludes }, quiet, 'config');
    }
    const held = async () => {
      await later(50);
      collectGarbage();
      await later(50);
      return nHandles();
    };
    const before = await held();
    rmSync(docsRoot, { recursive: true });
    await searchDocuments({ docsRoot }, quiet, 'config');
    // One workspace serves all missing directories.
    const after = await held();
    assert.ok(after <= before - 3, `${before} handles before, ${after} after`);
  });

  test('compiles invalid excludes only once', async (t) => {
    const excludes = ['a', '[а-я]', '[б-я]', 'b'];
    const { open } = Workspace;
    t.after(() => (Workspace.open = open));
    let opened = 0;
    Workspace.open = (...words) => {
      opened += 1;
      return open(...words);
    };
    for (const expected of [3, 4]) {
      await searchDocuments({ ...config(t), excludes }, quiet, 'config');
      assert.equal(opened, expected);
    }
  });

  test('skips the excludes that the engine refuses, and says so each time', async (t) => {
    const files = { 'a.md': 'config', 'b.md': 'config', 'c.md': 'config' };
    const excludes = ['b.md', '[а-я]', 'x'.repeat(5000), 'c.md'];
    const where = { ...config(t, files), excludes };
    for (let n = 0; n < 2; n += 1) {
      const logger = listener();
      const { results } = await searchDocuments(where, logger, 'config');
      assert.deepEqual(
        results.map(({ path }) => path),
        ['/a.md'],
      );
      const warnings = logger.heard.map((words) => JSON.parse(words)).slice(0, -1);
      assert.deepEqual(warnings, [
        ['warn', 'Exclude line ignored', { line: '[а-я]', error: 'the pattern is not supported' }],
        [
          'warn',
          'Exclude line ignored',
          { line: 'x'.repeat(200), error: 'the line is too long' },
        ],
      ]);
    }
  });

  test('checks paths equally for present and missing directories', async (t) => {
    const here = config(t);
    const gone = { docsRoot: join(here.docsRoot, 'gone') };
    for (const path of ['..', '/../x', '//x', 'a\0b', "it's/../..", '\u001b/../..', 'a\n/../..']) {
      const [one, other] = [
        await rejection(searchDocuments(here, quiet, 'config', { path })),
        await rejection(searchDocuments(gone, quiet, 'config', { path })),
      ];
      assert.match(one.message, /^PATH_TRAVERSAL: /);
      assert.deepEqual([other.message, other.code], [one.message, one.code]);
      assert.equal(one.code, path === '//x' ? 'PATH_TRAVERSAL' : 'PATH_VIOLATION');
    }
    for (const path of ['/', '///', 'open.js', '/search.js']) {
      const logger = listener();
      const { total_matches } = await searchDocuments(gone, logger, 'const', { path });
      assert.equal(total_matches, 0);
      const below = join(gone.docsRoot, path).replace(/\/$/, '');
      assert.ok(logger.heard[0].includes(`ENOENT: no such file or directory, scandir '${below}'`));
      assert.equal(logger.heard.length, 2);
    }
  });

  test('reports skipped entries to the logger only', async () => {
    const found = { query: 'x', total_matches: 0, total_files: 0, truncated: true, results: [] };
    const warnings = [{ path: 'a', operation: 'read', reason: 'not found' }];
    const replies = [
      { ...found, warnings, more_warnings: 7, timed_out: true },
      { ...found, timed_out: true },
    ];
    const heard = [];
    for (const reply of replies) {
      const workspace = { callJson: async () => JSON.stringify(reply) };
      const open = async () => ({ root: '/docs', workspace, ignored: [] });
      const logger = listener();
      const { json, value } = await searchIn(open, logger, 'x', { path: '/guide' });
      assert.equal(json, JSON.stringify(found));
      assert.deepEqual(value, found);
      heard.push(logger.heard.map((words) => JSON.parse(words)).slice(0, -1));
    }
    const late = ['warn', 'Document search timed out', { query: 'x', path: '/guide' }];
    const error = "ENOENT: no such file or directory, open '/docs/a'";
    assert.deepEqual(heard, [
      [
        ['warn', 'Search file error', { path: 'a', error }],
        ['warn', 'Further warnings left out', { count: 7 }],
        late,
      ],
      [late],
    ]);
  });

  test('returns the same in concurrent calls', async (t) => {
    const good = config(t);
    const calls = Array.from({ length: 50 }, () => searchDocuments(good, quiet, 'config'));
    for (const result of await Promise.all(calls)) assert.equal(result.total_matches, 1);
  });
});

function noProc() {
  try {
    readFileSync('/proc/self/stat');
    return false;
  } catch {
    return 'SKIPPED: documents: open handles are counted in /proc, which is not here';
  }
}

function collectGarbage() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

function nHandles() {
  return readdirSync('/proc/self/fd').length;
}
