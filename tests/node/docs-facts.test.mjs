// Lists in the documents are complete: tools, parameters, flags, options, codes.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { CLI, TOP, runNode } from './helpers.mjs';

const { tools } = createRequire(import.meta.url)('../../node/index.js');

const read = (path) => readFileSync(join(TOP, path), 'utf8');

/** Returns the names that the document lacks as code, alone or at the start of a code span. */
function missing(document, names) {
  const code = [...read(document).matchAll(/`([^`\n]+)`/g)].map(([, text]) => text);
  const known = new Set(code.flatMap((text) => [text, text.split(/[ =:"]/)[0]]));
  return names.filter((name) => !known.has(name));
}

/** Returns the error codes in the declarations. */
function declaredCodes() {
  const text = read('node/index.d.ts');
  const union = text.slice(text.indexOf('export type ErrorCode')).split(';')[0];
  return [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code);
}

describe('the documents name', () => {
  test('every tool, in the README and in docs/tools.md', () => {
    const names = tools().map(({ name }) => name);
    for (const document of ['README.md', 'docs/tools.md', 'docs/contracts/README.md']) {
      assert.deepEqual(missing(document, names), [], document);
    }
  });

  test('every parameter of look, read, search and find', () => {
    const described = tools().filter(({ name }) => ['look', 'read', 'search', 'find'].includes(name));
    const names = described.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties));
    assert.ok(names.length > 40);
    assert.deepEqual(missing('docs/tools.md', names), []);
  });

  test('every parameter of a tool that has a contract of its own, there', () => {
    const contracts = {
      search: 'search-and-find',
      find: 'search-and-find',
      search_in_files: 'search-in-files',
      find_files_by_name: 'find-files-by-name',
      find_and_grep: 'find-and-grep',
      Grep: 'grep',
      scope_search_text: 'scopes',
      scope_search_symbols: 'scopes',
    };
    for (const [tool, contract] of Object.entries(contracts)) {
      const { inputSchema } = tools().find(({ name }) => name === tool);
      const names = Object.keys(inputSchema.properties);
      assert.deepEqual(missing(`docs/contracts/${contract}.md`, names), [], tool);
    }
  });

  test('every folder of the engine, in the code map', () => {
    const entries = readdirSync(join(TOP, 'core', 'src'), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const map = read('ARCHITECTURE.md');
    const unnamed = (name) => !map.includes(`### core/src/${name}\n`) && !map.includes(`\`${name}\` `);
    assert.deepEqual(folders.filter(unnamed), []);
  });

  test('every flag of the service', async () => {
    const { stdout } = await runNode([CLI, 'serve', '--help']);
    const flags = [...stdout.matchAll(/^ +(--[a-z-]+)/gm)].map(([, flag]) => flag);
    assert.ok(flags.length > 15);
    assert.deepEqual(missing('docs/service.md', flags), []);
  });

  test('every option of a workspace', () => {
    const text = read('node/index.d.ts');
    const body = text.slice(text.indexOf('export interface WorkspaceOptions')).split(/^}/m)[0];
    const options = [...body.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) => name);
    assert.ok(options.length > 8);
    assert.deepEqual(missing('docs/workspace-options.md', options), []);
  });

  test('every error code, with its number', () => {
    const rows = [...read('core/src/error.rs').matchAll(/^ +\w+ = (\d+), "(\w+)";/gm)];
    const page = read('docs/errors.md');
    assert.ok(rows.length >= 10);
    const lost = rows.filter(([, number, code]) => !page.includes(`| \`${code}\` | ${number} |`));
    assert.deepEqual(lost.map(([, , code]) => code), []);
    assert.deepEqual(missing('docs/errors.md', declaredCodes()), []);
  });
});
