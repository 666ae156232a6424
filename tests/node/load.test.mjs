// The package as its users load it: by its name, with `require` and `import`, with the same exports.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as esm from 'searchscope';
import { TOP } from './helpers.mjs';
import { ERROR_CODES } from '../../scripts/lib/declarations.mjs';

const cjs = createRequire(import.meta.url)('searchscope');

test('import and require export the same names', { timeout: 120_000 }, () => {
  const { default: all, ...named } = esm;
  const names = ['SearchscopeError', 'Workspace', 'scopeReference', 'secrets', 'tools'];
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
  const { exports, typesVersions } = require('../../package.json');
  for (const [subpath, target] of Object.entries(exports)) {
    const name = subpath.slice(2);
    if (name === '' || name === 'package.json') continue;
    const types = target.require?.types ?? target.types;
    assert.deepEqual(typesVersions['*'][name], [types.slice(2)], name);
  }
});
