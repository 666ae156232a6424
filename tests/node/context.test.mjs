// The document service over real HTTP: GET, JSON-RPC, and what clients do wrong.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { get as httpGet } from 'node:http';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import express from 'express';
import { SearchscopeError } from 'searchscope';
import { contextRouter } from 'searchscope/context';
import { searchDocuments } from 'searchscope/documents';
import { TOP, later } from './helpers.mjs';
import { listener } from './documents/oracle.mjs';
import { evaluate, seedPart, testWithSeed } from './documents/seed.mjs';
import { writeTree } from './documents/trees.mjs';

const require = createRequire(import.meta.url);
const { Gate } = require('../../node/service/gate.js');
const { version } = require('searchscope/package.json');

const TREE = {
  'guide/start.md': '---\nname: Getting Started\ndescription: The first steps\n---\nconfig here\nand config\n',
  'guide/plain.md': 'test of API, no api\n',
  'api.md': '---\ndescription: All calls\n---\nconfig **API** reference\n',
  'drafts/secret.md': 'config\n',
};

/** Serves the router at /context; gives its address, what the logger heard, and two ways to ask. */
async function serve(t, { files = TREE, before = [], at = '/context', ...config } = {}) {
  const docsRoot = writeTree(t, files);
  const logger = { ...listener(), errors: [] };
  logger.error = (message, fields) => logger.errors.push({ message, ...fields });
  const app = express();
  for (const handler of before) app.use(handler);
  app.use(at, contextRouter({ docsRoot, excludes: ['drafts/'], ...config }, logger));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address();
  const url = `http://127.0.0.1:${port}${at}`;
  const get = (query, options) => ask(`${url}${query}`, options);
  const post = (body, options = {}) => ask(url, { method: 'POST', body, ...options });
  const rpc = (message, options) => post(JSON.stringify(message), options);
  return { url, port, docsRoot, logger, get, post, rpc };
}

async function ask(url, options) {
  const response = await fetch(url, options);
  const text = await response.text();
  const { status, headers } = response;
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  if (text === '') return { status, headers, text };
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  return { status, headers, text, body: JSON.parse(text) };
}

const call = (name, args, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

/** Stands for a workspace whose calls last until their signal is aborted. */
function endlessWorkspace() {
  const seen = { calls: 0, aborted: 0 };
  const workspace = {
    call: (tool, args, { signal }) => {
      seen.calls += 1;
      return new Promise((resolve, reject) =>
        signal.addEventListener('abort', () => {
          seen.aborted += 1;
          reject(signal.reason);
        }),
      );
    },
  };
  return { seen, workspace };
}

/** Waits until something is so; the test's own time limit is the bound. */
async function until(isSo) {
  while (!isSo()) await later(5);
}

describe('context: GET', () => {
  test('without an action says what there is', async (t) => {
    const { get } = await serve(t);
    for (const query of ['', '?', '?action=', '?other=x']) {
      const { status, body } = await get(query);
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body), ['name', 'version', 'tools', 'usage']);
      assert.deepEqual([body.name, body.version], ['searchscope', version]);
      const names = body.tools.map(({ name }) => name).sort();
      assert.deepEqual(names, ['list_documents', 'read_document', 'search_documents']);
    }
  });

  testWithSeed('context: the definition, the usage and the words are the seed`s', async (t) => {
    const { get } = await serve(t);
    const { body } = await get('');
    const definition = seedPart("{\n  name: 'search_documents',\n  description: 'Search", '\n```');
    const tool = body.tools.find(({ name }) => name === 'search_documents');
    assert.deepEqual(tool, evaluate(`return ${definition}`));
    const usage = seedPart('// After\nusage: {\n', '\n```').replace('// After\nusage: ', '');
    assert.equal(JSON.stringify(body.usage), JSON.stringify(evaluate(`return ${usage}`)));
    const [, unknown] = /(`Unknown action: \$\{action\}. Use [^`]*, or [^`]*`)/.exec(
      seedPart('**Unknown action', '**GET'),
    );
    const wrong = await get('?action=drop');
    assert.equal(wrong.status, 400);
    assert.deepEqual(wrong.body, {
      error: { code: 'INVALID_PARAMS', message: evaluate(`return ${unknown}`, { action: 'drop' }) },
    });
  });

  test('action=search gives what the function gives', async (t) => {
    const { get, docsRoot, logger } = await serve(t);
    const table = [
      ['query=config', 'config', {}],
      ['query=API&case_sensitive=true', 'API', { case_sensitive: true }],
      ['query=API&case_sensitive=TRUE', 'API', {}],
      ['query=test&context_chars=100', 'test', { context_chars: 100 }],
      ['query=config&context_chars=0x20', 'config', {}],
      ['query=config&context_chars=11px&max_results=1', 'config', { context_chars: 11, max_results: 1 }],
      ['query=config&path=/guide', 'config', { path: '/guide' }],
      ['query=config&path=', 'config', {}],
      ['query=%20here%20', 'here', {}],
      ['query=and+config', 'and config', {}],
      ['query=%EC%84%A4%EC%A0%95', '설정', {}],
    ];
    for (const [query, text, options] of table) {
      const { status, body } = await get(`?action=search&${query}`);
      const expected = await searchDocuments(
        { docsRoot, excludes: ['drafts/'] },
        listener(),
        text,
        options,
      );
      assert.equal(status, 200, query);
      assert.equal(JSON.stringify(body), JSON.stringify({ success: true, ...expected }), query);
    }
    assert.equal(logger.heard.length, table.length);
    assert.match(logger.heard[0], /"Document search completed",\{"query":"config","total_matches":3,/);
  });

  test('action=list and action=read', async (t) => {
    const { get } = await serve(t);
    const list = await get('?action=list&path=/');
    assert.deepEqual(list.body, {
      success: true,
      documents: [
        { path: '/api.md', name: 'api', description: 'All calls' },
        { path: '/guide/start.md', name: 'Getting Started', description: 'The first steps' },
      ],
      total_found: 2,
      truncated: false,
    });
    assert.equal((await get('?action=list&path=/guide')).body.total_found, 1);
    const { body } = await get('?action=read&path=/guide/start.md');
    assert.deepEqual(body, {
      success: true,
      path: '/guide/start.md',
      name: 'Getting Started',
      description: 'The first steps',
      content: TREE['guide/start.md'],
      start_line: 1,
      total_lines: 6,
    });
    const part = await get('?action=read&path=/guide/start.md&start_line=5&lines_max=1');
    assert.deepEqual([part.body.content, part.body.start_line], ['config here\n', 5]);
  });

  test('wrong parameters are told and harm nothing', async (t) => {
    const { get, logger } = await serve(t);
    const table = [
      ['action=drop', 400, "Unknown action: drop. Use 'list', 'read', or 'search'"],
      ['action=constructor', 400, "Unknown action: constructor. Use 'list', 'read', or 'search'"],
      ['action=search', 400, 'query required'],
      ['action=search&query=', 400, 'query required'],
      ['action=search&query=%20', 400, 'query required'],
      [`action=search&query=${'x'.repeat(201)}`, 400, 'query must be 200 characters or less'],
      ['action=search&query=a&query=b', 400, 'query must be given only once'],
      ['action=search&action=list', 400, 'action must be given only once'],
      ['action=search&query[a]=b', 400, 'query required'],
      ['action=search&query[]=b', 400, 'query required'],
      ['action=search&query=x&path=..', 400, /^PATH_TRAVERSAL: /],
      ['action=search&query=x&path=a%00b', 400, /^PATH_TRAVERSAL: /],
      ['action=search&query=x&path=a&path=b', 400, 'path must be given only once'],
      ['action=read', 400, 'path required'],
      ['action=read&path=/../x', 400, /^PATH_TRAVERSAL: /],
      ['action=read&path=/gone.md', 404, /./],
      ['action=read&path=/api.md&start_line=x', 400, 'start_line must be a whole number'],
      ['action=read&path=/api.md&lines_max=-1', 400, 'lines_max must be a whole number'],
      ['action=list&path=/..', 400, /^PATH_TRAVERSAL: /],
    ];
    for (const [query, expected, message] of table) {
      const { status, body } = await get(`?${query}`);
      assert.equal(status, expected, query);
      assert.deepEqual(Object.keys(body), ['error'], query);
      assert.equal(body.error.code, expected === 404 ? 'NOT_FOUND' : 'INVALID_PARAMS', query);
      if (typeof message === 'string') assert.equal(body.error.message, message, query);
      else assert.match(body.error.message, message, query);
    }
    for (const query of ['action=search&query=%', 'action=search&query=%ff', '&=&&a=b', '?%%%']) {
      assert.equal((await get(`?${query}`)).status, 200, query);
    }
    assert.deepEqual(logger.errors, []);
  });

  test('other methods are refused', async (t) => {
    const { get, url } = await serve(t);
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const { status, headers, body } = await get('', { method });
      assert.equal(status, 405);
      assert.equal(headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
      assert.equal(body.error.code, 'METHOD_NOT_ALLOWED');
    }
    assert.equal((await get('', { method: 'HEAD' })).status, 200);
    assert.equal((await get('', { method: 'OPTIONS' })).status, 204);
    assert.equal((await get('', { headers: { accept: 'text/event-stream' } })).status, 405);
    assert.equal((await fetch(`${url}/below`)).status, 404);
  });
});

const initialize = (protocolVersion) => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

describe('context: POST', () => {
  test('initialize agrees on a version', async (t) => {
    const { rpc } = await serve(t);
    for (const known of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const { status, body } = await rpc(initialize(known));
      assert.equal(status, 200);
      assert.deepEqual([body.jsonrpc, body.id], ['2.0', 0]);
      assert.equal(body.result.protocolVersion, known);
      assert.deepEqual(body.result.capabilities, { tools: {} });
      assert.deepEqual(body.result.serverInfo, { name: 'searchscope', version });
    }
    for (const unknown of ['1999-01-01', undefined, 5, '2099-01-01']) {
      assert.equal((await rpc(initialize(unknown))).body.result.protocolVersion, '2025-11-25');
    }
  });

  test('ping and tools/list', async (t) => {
    const { rpc, get } = await serve(t);
    const ping = await rpc({ jsonrpc: '2.0', id: 'a', method: 'ping' });
    assert.equal(ping.text, '{"jsonrpc":"2.0","id":"a","result":{}}');
    const list = await rpc({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} });
    assert.deepEqual(list.body.result, { tools: (await get('')).body.tools });
    for (const tool of list.body.result.tools) {
      assert.deepEqual(Object.keys(tool), ['name', 'description', 'inputSchema']);
      assert.equal(tool.inputSchema.type, 'object');
    }
  });

  testWithSeed('context: the text of a search is the seed`s', async (t) => {
    const { rpc, docsRoot } = await serve(t);
    const block = seedPart("case 'search_documents': {", '\n```');
    const executeTool = evaluate(
      `return async function executeTool(name, args) { switch (name) { ${block} } };`,
      { searchDocuments, config: { docsRoot, excludes: ['drafts/'] }, logger: listener() },
    );
    const table = [
      { query: 'config' },
      { query: ' API ', case_sensitive: true, context_chars: 10 },
      { query: 'no such words' },
      { query: 'config', max_results: 1, path: '/guide' },
      { query: 'c', max_results: 100, unknown: true },
    ];
    for (const args of table) {
      const expected = await executeTool('search_documents', args);
      const { body } = await rpc(call('search_documents', args));
      assert.equal(JSON.stringify(body.result), JSON.stringify(expected));
    }
  });

  test('the text of a search, with and without results', async (t) => {
    const many = Object.fromEntries(
      Array.from({ length: 51 }, (_, n) => [`f${n}.md`, 'hit '.repeat(10)]),
    );
    const { rpc } = await serve(t, { files: { 'a.md': '---\nname: N\n---\nx hit', ...many } });
    const textOf = async (args) =>
      (await rpc(call('search_documents', args))).body.result.content[0].text;
    assert.equal(await textOf({ query: 'gone' }), "# Search Results for 'gone'\n\nNo matches found.");
    assert.equal(
      await textOf({ query: 'x hit' }),
      "# Search Results for 'x hit'\n\nFound 1 matches in 1 files\n\n## /a.md (N)\n\n1. Line 1: **x hit**\n\n",
    );
    assert.match(await textOf({ query: 'hit' }), /\n\nFound 500 matches in 51 files \(truncated\)\n\n/);
  });

  test('list_documents and read_document', async (t) => {
    const { rpc } = await serve(t);
    const contentOf = async (name, args) => (await rpc(call(name, args))).body.result.content;
    assert.deepEqual(await contentOf('list_documents', {}), [
      {
        type: 'text',
        text:
          '# Documents\n\nFound 2 documents\n\n## /api.md (api)\n\nAll calls\n\n' +
          '## /guide/start.md (Getting Started)\n\nThe first steps\n',
      },
    ]);
    assert.deepEqual(await contentOf('list_documents', { path: '/gone' }), [
      { type: 'text', text: '# Documents\n\nNo documents found.' },
    ]);
    const path = '/guide/start.md';
    assert.deepEqual(await contentOf('read_document', { path }), [
      { type: 'text', text: TREE['guide/start.md'] },
    ]);
    assert.deepEqual(await contentOf('read_document', { path, start_line: 2, lines_max: 2 }), [
      { type: 'text', text: 'name: Getting Started\ndescription: The first steps\n' },
      { type: 'text', text: 'Lines 2 to 3 of 6 of /guide/start.md; go on with start_line 4.' },
    ]);
    const [, end] = await contentOf('read_document', { path, start_line: 5 });
    assert.equal(end.text, 'Lines 5 to 6 of 6 of /guide/start.md.');
  });

  test('a tool that fails gives a result that says so', async (t) => {
    const { rpc, logger } = await serve(t);
    const table = [
      ['search_documents', {}, /^query is required and must not be empty$/],
      ['search_documents', { query: 5 }, /^query must be a string$/],
      ['search_documents', { query: 'x', path: '..' }, /^PATH_TRAVERSAL: /],
      ['read_document', { path: '/gone.md' }, /gone\.md/],
      ['read_document', {}, /path/],
    ];
    for (const [name, args, message] of table) {
      const { status, body } = await rpc(call(name, args));
      assert.equal(status, 200);
      assert.equal(body.result.isError, true);
      assert.match(body.result.content[0].text, message);
    }
    assert.deepEqual(logger.errors, []);
  });

  const error = (code, id = null) => ({ jsonrpc: '2.0', id, error: { code } });
  const valid = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const mistakes = [
    ['', 400, error(-32700)],
    ['{', 400, error(-32700)],
    ['action=search', 400, error(-32700)],
    [Buffer.from('{"jsonrpc":"2.0","id":"\xff"}', 'latin1'), 400, error(-32700)],
    ['[]', 400, error(-32600)],
    ['[[]]', 200, [error(-32600)]],
    ['5', 400, error(-32600)],
    ['null', 400, error(-32600)],
    ['"x"', 400, error(-32600)],
    ['{}', 400, error(-32600)],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, error(-32600, 1)],
    ['{"jsonrpc":"2.0","id":1}', 400, error(-32600, 1)],
    ['{"jsonrpc":"2.0","id":1,"method":5}', 400, error(-32600, 1)],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, error(-32600)],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":5}', 400, error(-32600, 1)],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 200, error(-32602, 1)],
    ['{"jsonrpc":"2.0","id":1,"method":"gone"}', 200, error(-32601, 1)],
    ['{"jsonrpc":"2.0","id":1,"method":"constructor"}', 200, error(-32601, 1)],
    ['{"jsonrpc":"2.0","id":null,"method":"gone"}', 200, error(-32601)],
    [JSON.stringify({ ...valid, method: 'tools/call' }), 200, error(-32602, 1)],
    [JSON.stringify(call('gone', {})), 200, error(-32602, 1)],
    [JSON.stringify(call('constructor', {})), 200, error(-32602, 1)],
    [JSON.stringify(call('search_documents', [])), 200, error(-32602, 1)],
    [JSON.stringify(call('search_documents', 'x')), 200, error(-32602, 1)],
    [JSON.stringify(Array(101).fill(valid)), 400, error(-32600)],
  ];
  for (const [body, status, expected] of mistakes) {
    test(`is told its mistake: ${String(body).slice(0, 70)}`, async (t) => {
      const { post, logger } = await serve(t);
      const reply = await post(body);
      assert.equal(reply.status, status);
      const all = [reply.body].flat();
      for (const each of all) {
        assert.ok(each.error.message.length > 10);
        delete each.error.message;
      }
      assert.deepEqual(reply.body, expected);
      assert.deepEqual(logger.errors, []);
    });
  }

  test('notifications and answers are taken without a word', async (t) => {
    const { rpc, logger } = await serve(t);
    const silent = [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'gone', params: {} },
      { jsonrpc: '2.0', method: 'tools/call', params: { name: 'search_documents' } },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
    ];
    for (const message of [...silent, silent]) {
      const { status, text } = await rpc(message);
      assert.deepEqual([status, text], [202, '']);
    }
    assert.deepEqual(logger.heard, []);
  });

  test('batches are answered in their order, without notifications', async (t) => {
    const { rpc } = await serve(t);
    const { status, body } = await rpc([
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      call('search_documents', { query: 'config' }, 'two'),
      { jsonrpc: '2.0', id: 3, method: 'gone' },
      7,
    ]);
    assert.equal(status, 200);
    assert.deepEqual(
      body.map(({ id, error }) => [id, error?.code]),
      [
        [1, undefined],
        ['two', undefined],
        [3, -32601],
        [null, -32600],
      ],
    );
    assert.match(body[1].result.content[0].text, /^# Search Results for 'config'/);
  });

  test('JSON is taken under every content type, and with a byte order mark', async (t) => {
    const { post } = await serve(t);
    const body = Buffer.from(`\ufeff${JSON.stringify(call('search_documents', { query: '설정 a+b=%' }))}`);
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data', 'x']) {
      const { status, body: reply } = await post(body, { headers: { 'content-type': type } });
      assert.equal(status, 200);
      assert.match(reply.result.content[0].text, /^# Search Results for '설정 a\+b=%'/);
    }
  });

  test('a body that is too large or cannot be decoded is refused', async (t) => {
    const { post, logger } = await serve(t);
    const long = `${JSON.stringify(call('search_documents', { query: 'x' }))}${' '.repeat(10 << 20)}`;
    const { status, body } = await post(long);
    assert.equal(status, 413);
    assert.deepEqual(body, {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: 'the body must not be larger than 1048576 bytes' },
    });
    for (const encoding of ['gzip', 'x']) {
      const { status } = await post('{}', { headers: { 'content-encoding': encoding } });
      assert.ok([400, 415].includes(status), `${encoding}: ${status}`);
    }
    const small = await serve(t, { bodyBytesMax: 100 });
    assert.equal((await small.post(' '.repeat(101))).status, 413);
    assert.deepEqual(logger.errors, []);
  });
});

describe('context: in a host', () => {
  const handlers = [
    ['that parses JSON', express.json()],
    ['that reads text', express.text({ type: () => true })],
    ['that reads bytes', express.raw({ type: () => true })],
  ];
  for (const [name, handler] of handlers) {
    test(name, async (t) => {
      const { rpc, get } = await serve(t, { before: [handler], at: '/some/where' });
      const headers = { 'content-type': 'application/json' };
      const { body } = await rpc(call('search_documents', { query: 'config' }), { headers });
      assert.match(body.result.content[0].text, /^# Search Results/);
      assert.equal((await get('?action=search&query=config')).body.total_matches, 3);
    });
  }

  test('whose settings are wrong', () => {
    for (const config of [{}, { docsRoot: 5 }, { docsRoot: '.', excludes: [5] }]) {
      assert.throws(() => contextRouter(config, listener()), { code: 'invalid_param' });
    }
  });

  test('whose directory is not there', async (t) => {
    const { get, rpc, docsRoot, logger } = await serve(t, { docsRoot: '/searchscope/is not/here' });
    const search = await get('?action=search&query=x');
    assert.deepEqual([search.status, search.body.total_matches], [200, 0]);
    assert.equal((await get('?action=list')).body.total_found, 0);
    assert.equal((await get('?action=read&path=/a.md')).status, 404);
    const { body } = await rpc(call('read_document', { path: '/a.md' }));
    assert.equal(body.result.isError, true);
    assert.match(logger.heard[0], /ENOENT: no such file or directory, scandir '/);
    assert.doesNotMatch(JSON.stringify([search.body, body]), /is not/);
    assert.ok(docsRoot);
  });

  test('in which a defect shows: the log has it, the caller does not', async (t) => {
    const secret = 'a secret at /some/place';
    const failures = [
      () => Promise.reject(new Error(secret)),
      () => Promise.reject(new SearchscopeError({ code: 'internal', message: secret })),
      () => Promise.reject(new SearchscopeError({ code: 'io', message: secret })),
      () => {
        throw secret;
      },
    ];
    for (const call_ of failures) {
      const { get, rpc, logger } = await serve(t, { workspace: { call: call_ } });
      for (const action of ['search&query=x', 'list', 'read&path=/a.md']) {
        const { status, text } = await get(`?action=${action}`);
        assert.equal(status, 500);
        assert.equal(text, '{"error":{"code":"INTERNAL_ERROR","message":"internal error"}}');
      }
      const single = await rpc(call('list_documents', {}));
      const reply = { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'internal error' } };
      assert.deepEqual([single.status, single.body], [500, reply]);
      const batch = await rpc([call('search_documents', { query: 'x' })]);
      assert.deepEqual([batch.status, batch.body], [200, [reply]]);
      assert.equal(logger.errors.length, 5);
      assert.match(logger.errors[0].error, /a secret/);
    }
  });

  test('that is busy', async (t) => {
    const { seen, workspace } = endlessWorkspace();
    const gate = new Gate(1);
    const { get, rpc } = await serve(t, { workspace, gate });
    const first = new AbortController();
    const hung = get('?action=list', { signal: first.signal }).catch(() => 'gone');
    await until(() => seen.calls === 1);
    const other = await get('?action=search&query=x');
    assert.deepEqual([other.status, other.body.error.code], [503, 'BUSY']);
    assert.equal(other.headers.get('retry-after'), '1');
    const single = await rpc(call('list_documents', {}, 9));
    assert.deepEqual([single.status, single.body.id, single.body.error.code], [503, 9, -32000]);
    assert.equal(single.headers.get('retry-after'), '1');
    assert.match(single.body.error.message, /busy/);
    const batch = await rpc([{ jsonrpc: '2.0', id: 1, method: 'ping' }, call('list_documents', {})]);
    assert.deepEqual([batch.status, batch.body[1].error.code], [200, -32000]);
    assert.equal((await rpc({ jsonrpc: '2.0', id: 1, method: 'ping' })).status, 200);
    first.abort();
    assert.equal(await hung, 'gone');
    await gate.empty();
    assert.equal(seen.aborted, 1);
  });

  test('whose clients hang up: their searches end', async (t) => {
    const { seen, workspace } = endlessWorkspace();
    const gate = new Gate(10);
    const { port, url, rpc, logger } = await serve(t, { workspace, gate });
    const body = JSON.stringify([1, 2, 3].map((id) => call('search_documents', { query: 'x' }, id)));
    const requests = [
      'GET /context?action=search&query=x HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /context?action=read&path=a HTTP/1.1\r\nHost: x\r\n\r\n',
      `POST /context HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ];
    for (const [n, request] of requests.entries()) {
      const socket = connect(port, '127.0.0.1');
      socket.write(request);
      await until(() => seen.calls === n + 1);
      assert.equal(gate.inFlight, 1);
      socket.destroy();
      await gate.empty();
      assert.equal(seen.aborted, n + 1);
    }
    // The rest of the batch was not begun, and nobody was told of a defect.
    assert.equal(seen.calls, 3);
    assert.deepEqual(logger.errors, []);
    assert.equal((await rpc({ jsonrpc: '2.0', id: 1, method: 'ping' }, { url })).status, 200);
  });

  test('that is asked by a thousand at once', async (t) => {
    const { get, rpc, logger } = await serve(t, { callsMax: 8 });
    const asked = Array.from({ length: 1000 }, (_, n) =>
      n % 2 === 0
        ? get('?action=search&query=config')
        : rpc(call('search_documents', { query: 'config' }, n)),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    assert.deepEqual(
      statuses.filter((status) => status !== 200 && status !== 503),
      [],
    );
    assert.ok(statuses.includes(200));
    assert.equal((await get('?action=search&query=config')).body.total_matches, 3);
    assert.deepEqual(logger.errors, []);
  });
});

describe('context: clients', () => {
  const clients = [
    ['of today', Client, StreamableHTTPClientTransport],
    ['of version 1', OldClient, OldTransport],
  ];
  for (const [name, AnyClient, AnyTransport] of clients) {
    test(`the official one ${name} lists and calls`, async (t) => {
      const { url } = await serve(t);
      const client = new AnyClient({ name: 'test', version: '1' });
      await client.connect(new AnyTransport(new URL(url)));
      t.after(() => client.close());
      const { tools } = await client.listTools();
      assert.equal(tools.length, 3);
      const found = await client.callTool({ name: 'search_documents', arguments: { query: 'config' } });
      assert.match(found.content[0].text, /^# Search Results for 'config'\n\nFound 3 matches/);
      const failed = await client.callTool({ name: 'search_documents', arguments: { query: ' ' } });
      assert.equal(failed.isError, true);
    });
  }

  const noCurl = spawnSync('curl', ['--version']).status !== 0;
  testWithSeed('context: the curl lines of the seed', async (t) => {
    if (noCurl) {
      console.error('SKIPPED: the curl lines of the seed: curl is not installed');
      return t.skip('no curl');
    }
    const { port } = await serve(t);
    const blocks = [
      seedPart('```bash\ncurl -X POST', '\n```'),
      ...seedPart('# 기본 검색\n', '\n```').split(/\n\n/),
    ];
    const replies = [];
    for (const block of blocks) {
      const command = block.replace(/^(```bash|#.*)\n/gm, '');
      assert.match(command, /^curl /);
      replies.push(JSON.parse(await shell(command.replace('localhost:3000', `127.0.0.1:${port}`))));
    }
    const [first, config, api, chars, empty, post] = replies;
    assert.equal(replies.length, 6);
    assert.match(first.result.content[0].text, /^# Search Results for 'authentication'\n\nNo matches/);
    assert.deepEqual([config.success, config.total_matches], [true, 3]);
    assert.deepEqual([api.query, api.total_matches], ['API', 2]);
    assert.deepEqual([chars.query, chars.total_matches], ['test', 1]);
    assert.deepEqual(empty, { error: { code: 'INVALID_PARAMS', message: 'query required' } });
    assert.match(post.result.content[0].text, /^# Search Results for 'config'\n\nFound 3 matches/);
  });

  test('the service runs alone', async (t) => {
    const docsRoot = writeTree(t, TREE);
    const script = join(TOP, 'node', 'service', 'context-mcp.js');
    const child = spawn(process.execPath, [script, docsRoot], { env: { ...process.env, PORT: '0' } });
    t.after(() => child.kill());
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
    const { url } = JSON.parse(line);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/context$/);
    const { body } = await ask(`${url}?action=search&query=config`);
    assert.equal(body.total_matches, 4);
    const { port } = new URL(url);
    assert.equal(await statusFor(port, `localhost:${port}`), 200);
    assert.equal(await statusFor(port, 'rebound.example'), 403);
    const second = spawn(process.execPath, [script, docsRoot], { env: { ...process.env, PORT: port } });
    assert.deepEqual(await once(second, 'exit'), [1, null]);
  });
});

/** The status of the answer to a request for a host of that name; `fetch` lets nobody choose it. */
async function statusFor(port, host) {
  const [response] = await once(httpGet({ port, path: '/context', headers: { host } }), 'response');
  response.resume();
  return response.statusCode;
}

async function shell(command) {
  const child = spawn('sh', ['-c', `${command} --silent`]);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  await once(child, 'close');
  return text;
}
