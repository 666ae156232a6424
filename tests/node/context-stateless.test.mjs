// The document service for clients of the protocol's revision without sessions, beside its own contract.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import * as v2 from '@modelcontextprotocol/client';
import { rejection } from './helpers.mjs';
import { CAPABILITIES_KEY, VERSION_KEY, stateless } from './mcp-messages.mjs';
import { call, serve } from './documents/service.mjs';

const { version } = createRequire(import.meta.url)('searchscope/package.json');

const LIST = { method: 'tools/list', params: {} };
const HOUR_MS = 3_600_000;

/** Serves the documents; `ask(message, headers)` sends one and returns the status and the reply. */
async function open(t, config) {
  const { url, rpc, logger } = await serve(t, config);
  const ask = async (message, headers = headersOf(message)) => {
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify(Array.isArray(message) ? message : { jsonrpc: '2.0', id: 1, ...message }),
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    });
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    const text = await response.text();
    return { status: response.status, ...JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) };
  };
  return { url, rpc, ask, logger };
}

function headersOf({ method, params }) {
  const name = params?.name === undefined ? {} : { 'Mcp-Name': params.name };
  return { 'MCP-Protocol-Version': String(params?._meta?.[VERSION_KEY]), 'Mcp-Method': method, ...name };
}

const search = (args, meta) => stateless(call('search_documents', args), '2026-07-28', meta);

describe('context: stateless requests', { timeout: 120_000 }, () => {
  test('discover the service and list its tools, to be kept for an hour by anybody', async (t) => {
    const { ask, rpc } = await open(t);
    const found = await ask(stateless({ method: 'server/discover', params: {} }));
    assert.equal(found.status, 200);
    assert.deepEqual(found.result.supportedVersions, ['2026-07-28']);
    assert.deepEqual(found.result.capabilities, { tools: {} });
    assert.match(found.result.instructions, /search_documents/);
    const listed = await ask(stateless(LIST));
    const own = (await rpc({ jsonrpc: '2.0', id: 1, ...LIST })).body.result;
    assert.deepEqual(listed.result.tools, own.tools);
    for (const { result } of [found, listed]) {
      assert.deepEqual([result.resultType, result.ttlMs, result.cacheScope], ['complete', HOUR_MS, 'public']);
      const server = result._meta['io.modelcontextprotocol/serverInfo'];
      assert.equal(server.name, 'searchscope');
      assert.match(server.version, /^\d+\.\d+\.\d+\+[0-9a-f]{8}$/);
      assert.ok(server.version.startsWith(`${version}+`));
    }
  });

  test('call a tool and get the content that earlier revisions get', async (t) => {
    const { ask, rpc } = await open(t);
    for (const args of [{ query: 'config' }, { query: '' }, { query: 'x', path: '..' }]) {
      const { status, result } = await ask(search(args));
      const own = (await rpc(call('search_documents', args))).body.result;
      assert.deepEqual([status, result.content, result.isError], [200, own.content, own.isError]);
      assert.equal(result.resultType, 'complete');
      assert.deepEqual(Object.keys(own).filter((key) => !['content', 'isError'].includes(key)), []);
    }
  });

  test('are refused for a revision, a method, a tool or arguments that are wrong', async (t) => {
    const { ask, logger } = await open(t);
    const good = headersOf(stateless(LIST));
    const none = { [CAPABILITIES_KEY]: undefined };
    const table = [
      [stateless(LIST, '2027-01-01'), undefined, 400, -32022],
      [stateless(LIST, '2025-11-25'), undefined, 400, -32022],
      [LIST, { 'MCP-Protocol-Version': '2027-01-01' }, 400, -32022],
      [stateless(LIST, '2027-01-01'), good, 400, -32020],
      [stateless(LIST), { ...good, 'Mcp-Method': 'tools/call' }, 400, -32020],
      [stateless(LIST), {}, 400, -32020],
      [LIST, good, 400, -32602],
      [stateless(LIST, '2026-07-28', none), undefined, 400, -32602],
      [stateless(LIST, 5), undefined, 400, -32602],
      [{ method: 'server/discover' }, {}, 400, -32602],
      [stateless({ method: 'initialize', params: {} }), undefined, 404, -32601],
      [stateless({ method: 'ping', params: {} }), undefined, 404, -32601],
      [stateless({ method: 'logging/setLevel', params: {} }), undefined, 404, -32601],
      [stateless(call('gone', {})), undefined, 200, -32602],
      [[{ jsonrpc: '2.0', id: 1, ...stateless(LIST) }], {}, 400, -32600],
      [[{ jsonrpc: '2.0', id: 1, ...LIST }], { 'MCP-Protocol-Version': '2026-07-28' }, 400, -32600],
      [[{ jsonrpc: '2.0', id: 1, ...LIST }], { 'MCP-Protocol-Version': '2027-01-01' }, 400, -32022],
    ];
    for (const [message, headers, status, code] of table) {
      const reply = await ask(message, headers);
      assert.deepEqual([reply.status, reply.error?.code], [status, code], JSON.stringify([message, headers]));
      if (code === -32022) assert.deepEqual(reply.error.data.supported, ['2026-07-28']);
    }
    assert.deepEqual(logger.errors, []);
  });

  test('learn that the service is full, but not why it failed', async (t) => {
    const busy = Object.assign(new Error('too many calls'), { code: 'busy' });
    for (const [error, answered] of [
      [busy, { isError: true, text: 'busy: too many calls' }],
      [new Error('secret'), { code: -32603, text: 'internal error' }],
    ]) {
      const { ask, logger } = await open(t, { gate: { run: () => Promise.reject(error) } });
      const { result, error: told } = await ask(search({ query: 'config' }));
      assert.equal(result?.isError, answered.isError);
      assert.equal(told?.code, answered.code);
      assert.equal(result?.content[0].text ?? told.message, answered.text);
      assert.equal(logger.errors.length, error === busy ? 0 : 1);
    }
  });

  test('of the official client are served', async (t) => {
    const { url } = await open(t);
    const pin = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
    const client = new v2.Client({ name: 'test', version: '1' }, pin);
    t.after(() => client.close());
    await client.connect(new v2.StreamableHTTPClientTransport(new URL(url)));
    assert.equal((await client.listTools()).tools.length, 3);
    const found = await client.callTool({ name: 'search_documents', arguments: { query: 'config' } });
    assert.match(found.content[0].text, /^# Search Results for 'config'/);
    const error = await rejection(client.callTool({ name: 'gone', arguments: {} }));
    assert.equal(error.code, -32602);
  });

  test('leave messages with the header of an earlier revision to the service`s own contract', async (t) => {
    const { ask } = await open(t);
    for (const known of ['2025-06-18', '2025-11-25']) {
      const { status, result } = await ask({ method: 'ping' }, { 'MCP-Protocol-Version': known });
      assert.deepEqual([status, result], [200, {}]);
    }
  });
});
