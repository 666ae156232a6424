// The addon built with its test hooks (feature `test-hooks`), in a child process.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOP, runNode, tempTree } from './helpers.mjs';
import { libraryOf } from '../../scripts/lib/setup.mjs';

// Together with the tests of Rust, so that the addon contains their engine.
const BUILD = [
  ...['build', '--locked', '-p', 'searchscope-node', '-p', 'searchscope-tests', '--lib'],
  ...['--features', 'searchscope-node/test-hooks'],
];
const HELPERS = new URL('./helpers.mjs', import.meta.url).href;

/** Functions for scripts: calls that wait until they are released or aborted. */
export const HELD = `
  const hold = (workspace) => {
    const controller = new AbortController();
    const call = workspace.call('test_hold', {}, { signal: controller.signal });
    // Awaited later, if at all.
    call.catch(() => {});
    return { call, abort: () => controller.abort() };
  };
  const holdMany = (workspace, length) => Array.from({ length }, () => hold(workspace));
  const places = (held) => Promise.all(held.map(({ call }) => call));
  const begun = (n) => until(() => native.testBegun() >= n);`;

/** Builds the addon with hooks and returns its file. */
export function buildHooked() {
  const args = [...BUILD, '--message-format=json-render-diagnostics'];
  const cargo = spawnSync('cargo', args, { cwd: TOP, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(cargo.status, 0, cargo.stderr ?? String(cargo.error));
  return libraryOf(cargo.stdout);
}

/**
 * Runs the script, the body of an async function, in a child whose `api` comes from the addon with hooks.
 * It has the addon as `native`, a workspace `ws`, and `open()`, which opens another one.
 */
export function runHooked(t, library, script) {
  const root = tempTree(t, { 'a.txt': 'needle\n' });
  const addon = join(tempTree(t, {}), 'hooked.node');
  copyFileSync(library, addon);
  const prelude = `const [, addon, root, helpers] = process.argv;
    const native = require(addon);
    const { Workspace, SearchscopeError } = require('./node/api.js').createApi(native);
    const open = () => Workspace.open(root);
    const ws = open();`;
  return runNode(['-e', `${prelude}\n(async () => {
    const { later, rejection, threadNames, until } = await import(helpers);
    ${script} })();`, addon, root, HELPERS]);
}
