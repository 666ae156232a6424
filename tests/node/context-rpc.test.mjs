// The document service over POST: JSON-RPC, its tools, and mistakes of clients.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { searchDocuments } from 'searchscope/documents';
import { listener } from './documents/oracle.mjs';
import { evaluate, seedPart, testWithSeed } from './documents/seed.mjs';
import { TREE, call, serve } from './documents/service.mjs';

const { version } = createRequire(import.meta.url)('searchscope/package.json');

const initialize = (protocolVersion) => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

describe('context: POST', { timeout: 120_000 }, () => {
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
    assert.equal(
      await textOf({ query: 'gone' }),
      "# Search Results for 'gone'\n\nNo matches found.",
    );
    assert.equal(
      await textOf({ query: 'x hit' }),
      "# Search Results for 'x hit'\n\nFound 1 matches in 1 files\n\n## /a.md (N)\n\n1. Line 1: **x hit**\n\n",
    );
    assert.match(
      await textOf({ query: 'hit' }),
      /\n\nFound 500 matches in 51 files \(truncated\)\n\n/,
    );
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
      { type: 'text', text: 'Lines 2 to 3 of 6 of /guide/start.md; continue with start_line 4.' },
    ]);
    const [, end] = await contentOf('read_document', { path, start_line: 5 });
    assert.equal(end.text, 'Lines 5 to 6 of 6 of /guide/start.md.');
    for (const start_line of [7, 50]) {
      assert.deepEqual(await contentOf('read_document', { path, start_line }), [
        { type: 'text', text: '' },
        { type: 'text', text: '/guide/start.md has only 6 lines.' },
      ]);
    }
  });

  test('a tool that fails returns an error result', async (t) => {
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
    test(`receives an error: ${String(body).slice(0, 70)}`, async (t) => {
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

  test('notifications and responses get no response', async (t) => {
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

  test('the replies to a batch have a common limit', async (t) => {
    const large = `${'x'.repeat(99)}\n`.repeat(40_000);
    const { rpc } = await serve(t, { files: { 'large.md': large, 'small.md': 'config' } });
    const read = (path, id) => call('read_document', { path }, id);
    const last = [
      read('/small.md', 'small'),
      { jsonrpc: '2.0', id: 'ping', method: 'ping' },
      call('gone', {}, 'gone'),
    ];
    const batch = [...Array.from({ length: 90 }, (_, id) => read('/large.md', id)), ...last];
    const { status, text, body } = await rpc(batch);
    assert.equal(status, 200);
    assert.ok(text.length > 12 << 20 && text.length < 17 << 20, `${text.length} bytes`);
    assert.deepEqual(
      body.map(({ id }) => id),
      batch.map(({ id }) => id),
    );
    const whole = body.filter(({ result }) => result?.content?.[0].text === large);
    assert.equal(whole.length, 4);
    for (const { id, result } of body.slice(4)) {
      if (id === 'ping') assert.deepEqual(result, {});
      else {
        assert.equal(result.isError, true);
        assert.match(result.content[0].text, /^result_too_large: .*send this request alone$/);
      }
    }
    const alone = await rpc(read('/small.md', 1));
    assert.equal(alone.body.result.content[0].text, 'config');
  });

  test('JSON is taken under every content type, and with a byte order mark', async (t) => {
    const { post } = await serve(t);
    const body = Buffer.from(
      `\ufeff${JSON.stringify(call('search_documents', { query: '설정 a+b=%' }))}`,
    );
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data',
      'x',
    ]) {
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
      error: { code: -32600, message: 'the body exceeds 1048576 bytes' },
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
