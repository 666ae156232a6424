// The oldest module resolution, "node10", does not know `exports`. TypeScript 7 has dropped it, so an
// older compiler checks a project in which the package is installed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TOP, tempTree } from './helpers.mjs';

const TSC = join(TOP, 'node_modules', 'typescript-5', 'bin', 'tsc');
const HOST = `
import { Workspace, tools } from 'searchscope';
import { contextRouter } from 'searchscope-server/context';
import { searchDocuments } from 'searchscope/documents';
import { load } from 'searchscope/load';
import { createMcpService } from 'searchscope-server/mcp';

export async function lines(): Promise<number> {
  const reply = await Workspace.open('.').call('search_in_files', { query: 'x' });
  return reply.total_matches;
}
export { contextRouter, createMcpService, load, searchDocuments, tools };
`;

/** Compiles the files as a project of a user would, and returns the output of the compiler. */
function compile(t, files) {
  const root = tempTree(t, files);
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(TOP, join(root, 'node_modules', 'searchscope'), 'dir');
  symlinkSync(join(TOP, 'server'), join(root, 'node_modules', 'searchscope-server'), 'dir');
  const flags = ['--moduleResolution', 'node10', '--module', 'commonjs', '--target', 'es2022'];
  const types = ['--types', 'node', '--typeRoots', join(TOP, 'node_modules', '@types')];
  const args = [TSC, '--noEmit', '--strict', ...flags, ...types, ...Object.keys(files)];
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' }).stdout;
}

test('every entry point has its declarations with node10, and no others', (t) => {
  // The second file proves that the compiler finds declarations, and no substitutes without types.
  const files = { 'host.ts': HOST, 'wrong.ts': HOST.replaceAll('contextRouter', 'nothing') };
  const lines = compile(t, files).trim().split('\n');
  assert.equal(lines.length, 1, lines.join('\n'));
  assert.match(lines[0], /^wrong\.ts\(.* no exported member 'nothing'/);
});
