// The package as its users load it: by its name, with `require` and `import`, with the same exports.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import * as esm from 'searchscope';
import { TOP, addonFile, runNode, tempTree } from './helpers.mjs';
import { ERROR_CODES } from '../../scripts/lib/declarations.mjs';

const cjs = createRequire(import.meta.url)('searchscope');

test('import and require export the same names', { timeout: 120_000 }, () => {
  const { default: all, ...named } = esm;
  const names = [
    'SearchscopeError', 'Workspace', 'limitHeaps', 'returnMemory', 'scopeReference', 'secrets', 'tools',
  ];
  assert.deepEqual(Object.keys(named).sort(), names);
  for (const [name, value] of Object.entries(named)) assert.equal(cjs[name], value, name);
  assert.deepEqual(Object.keys(cjs).sort(), Object.keys(named).sort());
  assert.equal(all, cjs);
});

test('import and require export the same searchDocuments', { timeout: 120_000 }, async () => {
  const esmDocuments = await import('searchscope/documents');
  const cjsDocuments = createRequire(import.meta.url)('searchscope/documents');
  const { default: all, ...named } = esmDocuments;
  assert.deepEqual(Object.keys(named), ['searchDocuments']);
  assert.deepEqual(named, { ...cjsDocuments });
  assert.equal(all, cjsDocuments);
});

test('every tool has a name, a description and two schemas', { timeout: 120_000 }, () => {
  const list = esm.tools();
  assert.ok(list.some((tool) => tool.name === 'search_in_files'));
  for (const tool of list) {
    assert.match(tool.name, /^[A-Za-z_]+$/);
    assert.ok(tool.description.length > 20, tool.name);
    assert.equal(tool.inputSchema.type, 'object', tool.name);
    assert.equal(typeof tool.outputSchema, 'object', tool.name);
  }
});

test('the codes of the declarations are those of the engine', { timeout: 120_000 }, () => {
  const table = readFileSync(join(TOP, 'core', 'src', 'error.rs'), 'utf8');
  const codes = [...table.matchAll(/^ +\w+ = \d+, "(\w+)";$/gm)].map((match) => match[1]);
  assert.deepEqual(ERROR_CODES, codes);
});

test('the version of the package is the version of the engine', { timeout: 120_000 }, () => {
  const { version } = createRequire(import.meta.url)('searchscope/package.json');
  assert.ok(readFileSync(join(TOP, 'Cargo.toml'), 'utf8').includes(`version = "${version}"`));
});

test('old resolvers of types find the same declarations', { timeout: 120_000 }, () => {
  const require = createRequire(import.meta.url);
  for (const name of ['searchscope', 'searchscope-server']) {
    const { exports, typesVersions } = require(`${name}/package.json`);
    const typed = Object.entries(exports).flatMap(([subpath, target]) => {
      const types = target.require?.types ?? target.types;
      return types === undefined || subpath === '.' ? [] : [[subpath.slice(2), [types.slice(2)]]];
    });
    assert.equal(typed.length, 2);
    assert.deepEqual(typesVersions['*'], Object.fromEntries(typed), name);
  }
});

describe('an explicit addon', { timeout: 120_000 }, () => {
  const LOAD = `const { load } = require('searchscope/load');
    const tryLoad = (file) => {
      try { return load(file); } catch (error) { console.log(error.message); }
    };`;
  // Not `runScript`, whose prelude loads the installed addon first.
  const run = (script, ...words) => runNode(['-e', `${LOAD}\n${script}`, ...words]);

  test('is used by every later load, whatever its name', async (t) => {
    const root = tempTree(t, {});
    copyFileSync(addonFile(), join(root, 'asset'));
    const script = `const file = process.argv[1];
      const searchscope = load(file);
      console.log(searchscope.tools().length > 9, require('searchscope') === searchscope, load(file) === searchscope);
      console.log(Object.keys(require.cache).filter((path) => path.endsWith('.node')).length);`;
    const done = await run(script, join(root, 'asset'));
    assert.equal(done.stdout, 'true true true\n0\n', done.stderr);
  });

  test('must be one', async (t) => {
    const root = tempTree(t, { 'bad.node': 'not a library' });
    const done = await run('process.argv.slice(1).forEach(tryLoad);', join(root, 'bad.node'), join(root, 'gone.node'));
    const [bad, gone] = done.stdout.split('\n');
    assert.match(bad, /^searchscope: cannot load \S+bad\.node: /);
    assert.match(gone, /^searchscope: cannot load \S+gone\.node: /);
  });

  test('is refused after another one', async () => {
    const done = await run(`require('searchscope'); tryLoad('other.node');`);
    assert.match(done.stdout, /^searchscope: cannot load \S+other\.node: a native addon is already in use/);
  });
});
