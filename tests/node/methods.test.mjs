// The tools as methods of a workspace, under their names.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { Workspace, tools } from 'searchscope';
import { rejection, tempTree } from './helpers.mjs';
import { samples, timeless } from './samples.mjs';

const { createApi } = createRequire(import.meta.url)('../../node/api.js');

const STREAMED = ['search', 'find'];
const CALLED = tools()
  .map(({ name }) => name)
  .filter((name) => !STREAMED.includes(name));

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
    const ws = Workspace.open(tempTree(t, { 'a.rs': 'fn needle() {}\n', 'b.md': '# Needle\n' }));
    const calls = samples({ text: 'needle', document: 'b.md', symbol: 'needle' });
    for (const tool of CALLED) {
      const [reply, own] = [await ws[tool](calls[tool]), await ws.callJson(tool, calls[tool])];
      assert.deepEqual(timeless(JSON.stringify(reply)), timeless(own), tool);
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
