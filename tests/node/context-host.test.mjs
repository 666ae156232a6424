// The document service in a host, under load and with defects, and its clients.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { get as httpGet } from 'node:http';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import * as old from '@modelcontextprotocol/sdk/client/index.js';
import * as oldHttp from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import express from 'express';
import { SearchscopeError, Workspace } from 'searchscope';
import { contextRouter } from 'searchscope-server/context';
import { TOP, later, runNode } from './helpers.mjs';
import { listener } from './documents/oracle.mjs';
import { seedPart, testWithSeed } from './documents/seed.mjs';
import { TREE, ask, call, serve } from './documents/service.mjs';
import { writeTree } from './documents/trees.mjs';

const { Gate } = createRequire(import.meta.url)('../../server/gate.js');

/** Mocks a workspace whose calls last until their signal is aborted. */
function endlessWorkspace() {
  const seen = { calls: 0, aborted: 0 };
  const workspace = {
    callJson: (tool, args, { signal }) => {
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

/** Waits until the condition holds, bounded by the test's own time limit. */
async function until(isSo) {
  while (!isSo()) await later(5);
}

describe('context: in a host', { timeout: 120_000 }, () => {
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
    const wrong = [
      {},
      { docsRoot: 5 },
      { docsRoot: '.', excludes: [5] },
      { docsRoot: '.', excludes: ['[а-я]'] },
      { docsRoot: '/searchscope/is not/here', excludes: ['x'.repeat(5000)] },
      { docsRoot: '/searchscope/is not/here', deny: ['ok', 'a*'.repeat(40)] },
      { docsRoot: '.', deny: 'x' },
    ];
    for (const config of wrong) {
      const name = 'SearchscopeError';
      assert.throws(() => contextRouter(config, listener()), { name, code: 'invalid_param' });
    }
  });

  test('whose directory is missing', async (t) => {
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

  test('with an internal error: only the log has the details', async (t) => {
    const secret = 'a secret at /some/place';
    const failures = [
      () => Promise.reject(new Error(secret)),
      () => Promise.reject(new SearchscopeError({ code: 'internal', message: secret })),
      () => {
        throw secret;
      },
    ];
    for (const callJson of failures) {
      const { get, rpc, logger } = await serve(t, { workspace: { callJson } });
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

  test('whose documents cannot be opened: the log has the reason', async (t) => {
    const where = writeTree(t, {});
    const { get, logger } = await serve(t, { docsRoot: where });
    // Replaced after the check of the settings.
    const { open } = Workspace;
    t.after(() => (Workspace.open = open));
    Workspace.open = () => {
      throw new Error('no handles are left');
    };
    const { status, text } = await get('?action=list');
    assert.equal(status, 500);
    assert.doesNotMatch(text, /handles/);
    assert.equal(logger.errors[0].cause, 'no handles are left');
  });

  test('with documents that cannot be read', async (t) => {
    const failing = (code) => () => {
      const message = `document '/a.md' ${code}`;
      return Promise.reject(new SearchscopeError({ code, message, path: 'a.md' }));
    };
    const table = [
      ['io', 403, 'ACCESS_DENIED'],
      ['not_found', 404, 'NOT_FOUND'],
      ['result_too_large', 413, 'RESULT_TOO_LARGE'],
      ['timeout', 504, 'TIMEOUT'],
      ['invalid_param', 400, 'INVALID_PARAMS'],
      ['access_denied', 400, 'INVALID_PARAMS'],
    ];
    for (const [code, status, name] of table) {
      const { get, rpc, logger } = await serve(t, { workspace: { callJson: failing(code) } });
      const message = `document '/a.md' ${code}`;
      for (const action of ['list', 'read&path=/a.md']) {
        const answer = await get(`?action=${action}`);
        const error = { code: name, message };
        assert.deepEqual([answer.status, answer.body], [status, { error }]);
      }
      const search = await get('?action=search&query=x');
      const told = { error: { code: 'INVALID_PARAMS', message } };
      assert.deepEqual([search.status, search.body], [400, told]);
      for (const [tool, args] of [
        ['search_documents', { query: 'x' }],
        ['list_documents', {}],
        ['read_document', { path: '/a.md' }],
      ]) {
        const { body } = await rpc(call(tool, args));
        const content = [{ type: 'text', text: message }];
        assert.deepEqual(body.result, { content, isError: true });
      }
      assert.deepEqual(logger.errors, []);
    }
  });

  test('that has a gate of its own', async (t) => {
    const gate = { run: () => Promise.reject(Object.assign(new Error('full'), { code: 'busy' })) };
    const { get, rpc } = await serve(t, { gate });
    const { status, body } = await get('?action=list');
    assert.deepEqual([status, body], [503, { error: { code: 'BUSY', message: 'full' } }]);
    assert.equal((await rpc(call('list_documents', {}))).body.error.code, -32000);
  });

  test('whose settings for JSON and ETags are not for what we send', async (t) => {
    const app = express();
    app.set('json spaces', 2).set('json escape', true);
    const hashed = [];
    app.set('etag', (body) => hashed.push(body) && '"x"');
    app.use(contextRouter({ docsRoot: writeTree(t, TREE) }, listener()));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const url = `http://127.0.0.1:${server.address().port}/`;
    const message = { method: 'POST', body: JSON.stringify(call('list_documents', {})) };
    for (const [query, options] of [
      ['', {}],
      ['?action=list', {}],
      ['?action=read&path=/api.md', {}],
      ['?action=search&query=config', {}],
      ['?action=drop', {}],
      ['', message],
    ]) {
      const { text, body, headers } = await ask(`${url}${query}`, options);
      assert.equal(text, JSON.stringify(body));
      assert.equal(headers.get('etag'), null);
      assert.equal(headers.get('content-length'), String(Buffer.byteLength(text)));
    }
    assert.deepEqual(hashed, []);
    const head = await ask(`${url}?action=list`, { method: 'HEAD' });
    assert.equal(head.text, '');
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
    const batch = await rpc([
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      call('list_documents', {}),
    ]);
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
    const body = JSON.stringify(
      [1, 2, 3].map((id) => call('search_documents', { query: 'x' }, id)),
    );
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
    // The service did not start the rest of the batch, and logged no defect.
    assert.equal(seen.calls, 3);
    assert.deepEqual(logger.errors, []);
    assert.equal((await rpc({ jsonrpc: '2.0', id: 1, method: 'ping' }, { url })).status, 200);
  });

  test('with a thousand requests at once', async (t) => {
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

describe('context: clients', { timeout: 60_000 }, () => {
  const clients = [
    ['of today', Client, StreamableHTTPClientTransport],
    ['of version 1', old.Client, oldHttp.StreamableHTTPClientTransport],
  ];
  for (const [name, AnyClient, AnyTransport] of clients) {
    test(`the official one ${name} lists and calls`, async (t) => {
      const { url } = await serve(t);
      const client = new AnyClient({ name: 'test', version: '1' });
      await client.connect(new AnyTransport(new URL(url)));
      t.after(() => client.close());
      const { tools } = await client.listTools();
      assert.equal(tools.length, 3);
      const found = await client.callTool({
        name: 'search_documents',
        arguments: { query: 'config' },
      });
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
    assert.match(
      first.result.content[0].text,
      /^# Search Results for 'authentication'\n\nNo matches/,
    );
    assert.deepEqual([config.success, config.total_matches], [true, 3]);
    assert.deepEqual([api.query, api.total_matches], ['API', 2]);
    assert.deepEqual([chars.query, chars.total_matches], ['test', 1]);
    assert.deepEqual(empty, { error: { code: 'INVALID_PARAMS', message: 'query required' } });
    assert.match(post.result.content[0].text, /^# Search Results for 'config'\n\nFound 3 matches/);
  });

  test('the service runs standalone', async (t) => {
    const docsRoot = writeTree(t, TREE);
    const script = join(TOP, 'server', 'context-mcp.js');
    const child = spawn(process.execPath, [script, docsRoot], {
      env: { ...process.env, PORT: '0' },
    });
    t.after(() => child.kill());
    const [line] = await once(child.stderr.setEncoding('utf8'), 'data');
    const { url } = JSON.parse(line);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/context$/);
    const { body } = await ask(`${url}?action=search&query=config`);
    assert.equal(body.total_matches, 4);
    const { port } = new URL(url);
    assert.equal(await statusFor(port, `localhost:${port}`), 200);
    assert.equal(await statusFor(port, 'rebound.example'), 403);
    const exitOf = (PORT) => runNode([script, docsRoot], { env: { PORT } });
    assert.equal((await exitOf(port)).code, 1);
    for (const wrong of ['abc', '70000', '-1', '30 00']) {
      const { code, stdout, stderr } = await exitOf(wrong);
      assert.deepEqual([code, stdout], [2, '']);
      assert.equal(stderr, `PORT must be a whole number from 0 to 65535: ${wrong}\n`);
    }
  });
});

/** Returns the status of a request with this Host header, which `fetch` does not allow to set. */
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
