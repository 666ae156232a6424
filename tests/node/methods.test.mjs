// The tools as methods of a workspace, under their names.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { Workspace, tools } from 'searchscope';
import { rejection, tempTree } from './helpers.mjs';

const { createApi } = createRequire(import.meta.url)('../../node/api.js');

const STREAMED = ['search', 'find'];
const CALLED = tools()
  .map(({ name }) => name)
  .filter((name) => !STREAMED.includes(name));

/** Returns a reply without its times, which differ from call to call. */
function timeless(reply) {
  const text = JSON.stringify(reply).replaceAll(/(?<="time_ms":|Took )\d+/g, '0');
  return JSON.parse(text);
}

describe('a tool`s method', { timeout: 120_000 }, () => {
  test('exists for every tool, on the prototype, not enumerable', (t) => {
    const ws = Workspace.open(tempTree(t, {}));
    assert.ok(CALLED.length >= 13, CALLED.join());
    for (const name of [...CALLED, ...STREAMED]) {
      const property = Object.getOwnPropertyDescriptor(Workspace.prototype, name);
      assert.equal(typeof property?.value, 'function', name);
      assert.equal(property.enumerable, false, name);
    }
    assert.deepEqual(Object.keys(ws), []);
    for (const name in ws) assert.fail(`${name} is listed`);
  });

  test('calls the tool of its name', async (t) => {
    const ws = Workspace.open(tempTree(t, { 'a.txt': 'needle\n', 'b.md': '# Needle\n' }));
    const calls = {
      search_in_files: { query: 'needle' },
      find_files_by_name: { name_pattern: '*.txt' },
      Grep: { pattern: 'needle' },
      list_documents: {},
      scope_list_catalog: {},
    };
    for (const [tool, args] of Object.entries(calls)) {
      assert.deepEqual(timeless(await ws[tool](args)), timeless(await ws.call(tool, args)), tool);
    }
    // Each of the other tools at least refuses an argument with the same error as the call.
    for (const tool of CALLED) {
      const args = { no_such_argument: 1 };
      const words = async (call) => (await call.catch((error) => error)).message;
      assert.deepEqual(await words(ws[tool](args)), await words(ws.call(tool, args)), tool);
    }
  });

  test('takes the options of a call', async (t) => {
    const ws = Workspace.open(tempTree(t, {}));
    const signal = AbortSignal.abort('no');
    for (const tool of CALLED) assert.equal(await rejection(ws[tool]({}, { signal })), 'no');
    assert.equal((await rejection(ws.Grep({}, { signl: 1 }))).param, 'signl');
  });

  test('may not replace another method', () => {
    const native = { cancelAll() {}, cancelAtEnd() {}, NativeWorkspace: class {} };
    const api = (...names) => createApi({ ...native, toolNames: () => names });
    assert.equal(typeof api('search', 'good').Workspace.prototype.good, 'function');
    for (const name of ['call', 'close', 'callJson', 'callText', 'constructor', 'toString', 'good']) {
      const error = (() => {
        try {
          return api('search', 'good', name);
        } catch (error) {
          return error;
        }
      })();
      assert.equal(error.code, 'internal', name);
      assert.match(error.cause.message, new RegExp(`the tool ${name} has the name of a method`));
    }
  });
});
