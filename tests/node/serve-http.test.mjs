// The service over HTTP: its URLs, and its answers to invalid requests.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { rejection, tempTree } from './helpers.mjs';
import { callTool, connect, postMcp, request, serve, toolCall, until } from './service.mjs';

const { version } = createRequire(import.meta.url)('searchscope/package.json');

const TREE = { 'a.txt': 'needle\n', 'guide.md': '# Guide\n\nA needle.\n' };

const json = ({ text }) => JSON.parse(text);

describe('the addresses', { timeout: 120_000 }, () => {
  test('/healthz reports the state and the number of calls in flight', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    const answer = await request(`${url}/healthz`);
    const { uptime_s, index, ...rest } = json(answer);
    assert.deepEqual([answer.status, rest], [200, { status: 'ok', version, in_flight: 0 }]);
    assert.ok(Number.isInteger(uptime_s) && uptime_s >= 0);
    assert.equal(index.state, 'cold');
    assert.equal((await request(`${url}/healthz`, { method: 'HEAD' })).status, 200);
    const wrong = await request(`${url}/healthz`, { method: 'POST', body: '{}' });
    assert.deepEqual([wrong.status, wrong.headers.allow], [405, 'GET, HEAD']);
  });

  test('/healthz has the state of the index, which is logged once it is ready', async (t) => {
    const { url, lines } = await serve(t, { root: tempTree(t, TREE), level: 'info' });
    const health = async () => json(await request(`${url}/healthz`)).index;
    const fields = ['state', 'directories', 'files', 'memory_bytes', 'left_out', 'waiting', 'not_watched'];
    assert.deepEqual(Object.keys(await health()), fields);
    assert.equal(lines.find(({ msg }) => msg === 'listening').index, 'cold');
    for (let n = 0; n < 2; n += 1) await callTool(url, 'search_in_files', { query: 'needle' });
    if (process.platform !== 'linux') return;
    await until(async () => (await health()).state === 'ready');
    const { files, memory_bytes } = await health();
    const told = lines.filter(({ msg }) => msg === 'index');
    assert.equal(told.length, 1);
    assert.deepEqual([told[0].level, told[0].state], ['info', 'ready']);
    assert.deepEqual([told[0].files, told[0].memory_bytes], [files, memory_bytes]);
  });

  test('/healthz and the log report that the index is off', async (t) => {
    const { url, lines } = await serve(t, { root: tempTree(t, TREE), index: 'off' });
    for (let n = 0; n < 3; n += 1) await callTool(url, 'search_in_files', { query: 'needle' });
    const { index } = json(await request(`${url}/healthz`));
    assert.deepEqual([index.state, index.files, index.memory_bytes], ['off', 0, 0]);
    assert.equal(lines.find(({ msg }) => msg === 'listening').index, 'off');
    assert.ok(!lines.some(({ msg }) => msg === 'index'));
  });

  test('the memory of the index is checked at the start', async (t) => {
    const error = await rejection(serve(t, { root: tempTree(t, TREE), memoryBytesMax: 1000 }));
    assert.deepEqual([error.code, error.param], ['invalid_param', 'memory_bytes_max']);
  });

  test('/mcp has the tools', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    const { content } = await callTool(url, 'search_in_files', { query: 'needle' });
    assert.match(content[0].text, /^\[complete: true; total_matches: 2;/m);
  });

  test('/context has the documents', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    const found = json(await request(`${url}/context?action=search&query=needle`));
    assert.deepEqual([found.success, found.total_matches], [true, 1]);
    assert.deepEqual(
      found.results.map((result) => result.path),
      ['/guide.md'],
    );
    const body = JSON.stringify(toolCall('search_documents', { query: 'needle' }));
    const headers = { 'Content-Type': 'application/json' };
    const called = json(await request(`${url}/context`, { method: 'POST', headers, body }));
    assert.match(called.result.content[0].text, /^# Search Results for 'needle'\n/);
  });

  test('/context returns all that its contract allows; only /mcp is bounded', async (t) => {
    const document = `${'가나다라마바사아자차'.repeat(60)} 설정\n`.repeat(100);
    const files = Array.from({ length: 6 }, (_, n) => [`${n}.md`, document]);
    const { url } = await serve(t, { root: tempTree(t, Object.fromEntries(files)) });
    const options = { query: '설정', context_chars: 500, max_results: 100 };
    const answer = await request(`${url}/context?action=search&${new URLSearchParams(options)}`);
    const { total_matches, truncated, results } = json(answer);
    assert.deepEqual([answer.status, total_matches, truncated], [200, 500, true]);
    assert.equal(results.flatMap(({ matches }) => matches).length, 500);
    assert.ok(Buffer.byteLength(answer.text) > 1 << 20);
    const body = JSON.stringify(toolCall('search_documents', options));
    const called = json(await request(`${url}/context`, { method: 'POST', body }));
    assert.ok(Buffer.byteLength(called.result.content[0].text) > 1 << 20);
    const refused = await callTool(url, 'search_documents', options);
    assert.equal(refused.isError, true);
    assert.match(refused.content[0].text, /^result_too_large: /);
  });

  test('documents are read from --docs-root, except for excluded ones', async (t) => {
    const files = { 'top.md': 'needle', 'docs/a.md': 'needle', 'docs/old/b.md': 'needle' };
    const options = { root: tempTree(t, files), docsRoot: 'docs', excludes: ['old/'] };
    const { url } = await serve(t, options);
    const found = json(await request(`${url}/context?action=search&query=needle`));
    assert.deepEqual(
      found.results.map((result) => result.path),
      ['/a.md'],
    );
  });

  test('no tool can see a denied path', async (t) => {
    const root = tempTree(t, { ...TREE, 'secret/b.txt': 'needle\n', 'secret/c.md': 'needle\n' });
    const { url } = await serve(t, { root, deny: ['secret/'] });
    const { content } = await callTool(url, 'search_in_files', { query: 'needle' });
    assert.match(content[0].text, /^\[complete: true; total_matches: 2;/m);
    const found = json(await request(`${url}/context?action=search&query=needle`));
    assert.equal(found.total_files, 1);
  });

  test('unknown addresses get JSON that lists the known ones', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    for (const path of ['/page', '/favicon.ico', '/mcpx', '/context/deeper']) {
      const answer = await request(url + path);
      assert.equal(answer.status, 404, path);
      assert.match(answer.headers['content-type'], /^application\/json/);
    }
    const { error } = json(await request(`${url}/nothing`));
    assert.equal(error.code, 'not_found');
    assert.match(error.message, /\/healthz.*\/mcp.*\/context/);
  });
});

describe('bodies', { timeout: 120_000 }, () => {
  const MiB = 1 << 20;

  for (const path of ['/mcp', '/context']) {
    const post = (url, body, headers) =>
      request(url + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body,
      });

    test(`that are not JSON in UTF-8 are refused by ${path}`, async (t) => {
      const { url } = await serve(t, { root: tempTree(t, TREE) });
      const notUtf8 = Buffer.from('{"jsonrpc":"\xff"}', 'latin1');
      for (const body of ['{"jsonrpc":', 'null', '"x"', notUtf8]) {
        const answer = await post(url, body);
        const { error, ...rest } = json(answer);
        assert.deepEqual([answer.status, rest], [400, { jsonrpc: '2.0', id: null }]);
        assert.equal(error.code, -32700);
      }
    });

    test(`that are not calls are refused by ${path}`, async (t) => {
      const { url } = await serve(t, { root: tempTree(t, TREE) });
      for (const body of ['', '[]', '{}', '{"jsonrpc":"1.0","id":1,"method":"ping"}']) {
        const { error, jsonrpc } = json(await post(url, body));
        assert.equal(jsonrpc, '2.0');
        assert.ok([-32700, -32600].includes(error.code), `${body}: ${error.code}`);
      }
    });

    test(`of 10 MB are refused by ${path}, with their length said or not`, async (t) => {
      const { url } = await serve(t, { root: tempTree(t, TREE) });
      const body = Buffer.alloc(10_000_000, ' ');
      for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
        const answer = await post(url, body, headers);
        assert.equal(answer.status, 413);
        assert.match(json(answer).error.message, /exceeds 262144 bytes/);
      }
      assert.equal((await request(`${url}/healthz`)).status, 200);
    });

    test(`that are compressed cannot grow in ${path}`, async (t) => {
      const { url } = await serve(t, { root: tempTree(t, TREE) });
      const answer = await post(url, Buffer.alloc(100), { 'Content-Encoding': 'gzip' });
      assert.equal(answer.status, 415);
      assert.equal(typeof json(answer).error.code, 'number');
    });
  }

  test('that are too large are refused before they are sent', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    const { host } = new URL(url);
    const head = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9000000000\r\n\r\n`;
    const connection = connect(url, head);
    await until(() => connection.text.startsWith('HTTP/1.1 413'));
    connection.socket.destroy();
  });

  test('that together would fill the memory are refused as busy', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    const { host } = new URL(url);
    const bytes = MiB >> 2;
    const head =
      `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${bytes}\r\n\r\n`;
    // All but the last byte of each: an announced body alone blocks no other client.
    const held = Array.from({ length: 68 }, () => connect(url, head + ' '.repeat(bytes - 1)));
    const large = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: {} });
    let refused;
    await until(async () => {
      refused = await postMcp(url, large);
      return refused.status === 503;
    });
    assert.equal(refused.headers['retry-after'], '1');
    for (const { socket } of held) socket.destroy();
    await until(async () => (await postMcp(url, large)).status === 200);
  });
});

test('a wrong method is refused', { timeout: 120_000 }, async (t) => {
  const { url } = await serve(t, { root: tempTree(t, TREE) });
  for (const method of ['PUT', 'DELETE', 'PATCH']) {
    const answer = await request(`${url}/mcp`, { method });
    assert.equal(answer.status, 405, method);
    assert.equal(json(answer).jsonrpc, '2.0');
  }
});
