// Requests that an ordinary client never sends.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDLESS, endlessTree, later, tempTree } from './helpers.mjs';
import { connect, request, serve, toolCall, until } from './service.mjs';

const TREE = { 'a.md': 'word\n' };

/** Formats a request as HTTP text. */
function wire(method, target, headers, body = '') {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers];
  if (body !== '') {
    lines.push('Content-Type: application/json', 'Accept: application/json, text/event-stream');
    lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

const LOCALHOST = 'Host: localhost';
const statusOf = ({ text }) => Number(text.split(' ', 2)[1]);

/** Sends the text alone on a connection and returns the status of the answer. */
async function statusFor(url, text) {
  const connection = connect(url, text);
  await until(() => connection.text !== '');
  connection.socket.destroy();
  return statusOf(connection);
}

describe('a service', { timeout: 120_000 }, () => {
  test('drops the pipelined requests of a client that left', async (t) => {
    const { url, gate } = await serve(t, { root: endlessTree(t) });
    const body = JSON.stringify(toolCall('search_in_files', ENDLESS));
    const many = wire('POST', '/mcp', [LOCALHOST], body).repeat(20);
    const { socket } = connect(url, many);
    await until(() => gate.inFlight > 0);
    await later(100);
    assert.equal(gate.inFlight, 1, 'they run one after the other');
    socket.destroy();
    await until(() => gate.inFlight === 0);
    await later(200);
    assert.equal(gate.inFlight, 0, 'none of them begins any more');
  });

  test('answers pipelined requests in order', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    const find = wire('GET', '/context?action=search&query=word', [LOCALHOST]);
    const last = wire('GET', '/healthz', [LOCALHOST, 'Connection: close']);
    const connection = connect(url, find.repeat(3) + last);
    await connection.closed;
    const statuses = connection.text.match(/HTTP\/1\.1 \d+/g);
    assert.deepEqual(statuses, Array(4).fill('HTTP/1.1 200'));
    assert.match(connection.text, /"status":"ok"/);
    assert.equal(connection.text.split('"total_matches":1').length, 4);
  });

  test('refuses deeply nested JSON before parsing', async (t) => {
    const { url, lines } = await serve(t, { root: tempTree(t, TREE) });
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    for (const path of ['/mcp', '/context']) {
      for (const body of [deep, `{"a":"\\"[","b":${deep}}`, '{"a":'.repeat(65)]) {
        const answer = await request(url + path, { method: 'POST', body });
        assert.deepEqual([answer.status, JSON.parse(answer.text).error.code], [400, -32600]);
      }
      // Brackets in a string are not nesting.
      const flat = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { a: '[\\"'.repeat(99) } });
      const answer = await postTo(url + path, flat);
      assert.equal(answer.status, 200, answer.text);
    }
    assert.deepEqual(lines.filter((line) => line.level === 'error'), []);
  });

  test('refuses huge batches before reading their messages', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    const batch = JSON.stringify(Array(101).fill({ jsonrpc: '2.0', method: 'x' }));
    for (const path of ['/mcp', '/context']) {
      const { status, text } = await postTo(url + path, batch);
      assert.deepEqual([status, JSON.parse(text).error.code], [400, -32600]);
    }
  });

  test('does not convert nested lists to numbers', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    const max_results = JSON.parse('['.repeat(50) + ']'.repeat(50));
    const call = toolCall('search_documents', { query: 'word', max_results });
    const { status, text } = await postTo(`${url}/context`, JSON.stringify(call));
    assert.deepEqual([status, JSON.parse(text).result.isError], [200, undefined]);
  });

  test('has no other methods at /mcp', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    for (const method of ['TRACE', 'PUT', 'PATCH']) {
      assert.equal(await statusFor(url, wire(method, '/mcp', [LOCALHOST])), 405, method);
    }
  });

  test('closes a connection on request, also after a stream', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    const headers = [LOCALHOST, 'Connection: close'];
    const body = JSON.stringify(toolCall('find', {}));
    const connection = connect(url, wire('POST', '/mcp', headers, body));
    await until(() => connection.socket.destroyed);
    assert.match(connection.text, /a\.md/);
  });

  test('refuses two hosts and an absolute URL', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    const get = (target, ...headers) => statusFor(url, wire('GET', target, headers));
    assert.equal(await get('/healthz', LOCALHOST), 200);
    assert.equal(await get('/healthz', 'Host: LOCALHOST:'), 200);
    assert.equal(await get('/healthz', LOCALHOST, 'Host: evil.example'), 403);
    assert.equal(await get('http://evil.example/healthz', LOCALHOST), 403);
    for (const origin of ['http://evil.example@localhost', 'http://localhost/evil', 'null']) {
      assert.equal(await get('/healthz', LOCALHOST, `Origin: ${origin}`), 403, origin);
    }
    assert.equal(await get('/healthz', LOCALHOST, 'Origin: http://localhost'), 200);
    assert.equal(await get('/healthz', LOCALHOST, 'Origin: http://localhost:8080'), 403);
  });
});

function postTo(url, body) {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  return request(url, { method: 'POST', headers, body });
}
