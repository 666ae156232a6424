// Errors of another copy of the package: a host may have one of its own, and give its workspace to us.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { SearchscopeError } from 'searchscope';
import { rejection } from './helpers.mjs';
import { listener } from './documents/oracle.mjs';
import { connectInProcess } from './mcp-clients.mjs';

const require = createRequire(import.meta.url);
const { callError, isBusy } = require('../../server/defects.js');
const { searchIn } = require('../../node/documents/search.js');
const { BusyError } = require('../../server/gate.js');

/** Loads the module of errors a second time, as a second copy of the package does. */
function otherCopy() {
  const file = require.resolve('../../node/errors.js');
  const loaded = require.cache[file];
  delete require.cache[file];
  const copy = require(file);
  require.cache[file] = loaded;
  assert.notEqual(copy.SearchscopeError, SearchscopeError);
  return copy;
}

describe('an error of another copy of the package', { timeout: 60_000 }, () => {
  const foreign = otherCopy().invalidParam('query', 'query must not be empty');
  const workspace = { callText: () => Promise.reject(foreign), callJson: () => Promise.reject(foreign) };

  test('is a result of a tool call, and no defect', async (t) => {
    const client = await connectInProcess(t, '.', { workspace, tools: 'all' });
    const result = await client.callTool({ name: 'Grep', arguments: { pattern: '' } });
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /^invalid_param: query must not be empty\n {2}parameter: query/);
  });

  test('becomes a plain error of searchDocuments', async () => {
    const open = async () => ({ root: '/', workspace, ignored: [] });
    const error = await rejection(searchIn(open, listener(), 'x', {}));
    assert.deepEqual([error.name, error.code, error.cause], ['Error', 'invalid_param', foreign]);
  });
});

test('a defect is logged, and its caller learns only that there was one', () => {
  const logged = [];
  const logger = { error: (message, fields) => logged.push({ message, ...fields }) };
  const seen = (error) => callError(error, logger, { message: 'failed', tool: 'find' });
  const known = new SearchscopeError({ code: 'timeout', message: 'late' });
  const busy = new BusyError(1);
  assert.deepEqual([seen(known), seen(busy), isBusy(busy), isBusy(known)], [known, busy, true, false]);
  assert.deepEqual(logged, []);
  const defects = [new TypeError('secret'), undefined, 'secret', Object.assign(new Error('secret'), { code: 5 })];
  for (const defect of defects) {
    const { code, message } = seen(defect);
    assert.deepEqual([code, message], ['internal', 'internal error in searchscope']);
  }
  // The engine's own defects are logged too; their message is meant for callers.
  const internal = new SearchscopeError({ code: 'internal', message: 'a worker panicked' });
  assert.equal(seen(internal), internal);
  assert.equal(logged.length, defects.length + 1);
  assert.deepEqual([logged[0].message, logged[0].tool], ['failed', 'find']);
});
