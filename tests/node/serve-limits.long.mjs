// The service under load, and with clients that are slow, disconnect, or never finish.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { ENDLESS, endlessTree, later, tempTree } from './helpers.mjs';
import {
  callTool,
  connect,
  postMcp,
  request,
  serve,
  serveCommand,
  toolCall,
  until,
} from './service.mjs';

/** Timeout of a test that might hang. */
const LIVE = { timeout: 120_000 };

const { createServer, listen } = createRequire(import.meta.url)('../../server/http/listen.js');

const TREE = { 'a.txt': 'needle\n', 'guide.md': 'A needle.\n' };
const SEARCH = '/context?action=search&query=needle';

/** Sends `count` requests without waiting for answers. */
const atOnce = (count, send) => Promise.all(Array.from({ length: count }, (_, n) => send(n)));

describe('a thousand requests at once', { timeout: 120_000 }, () => {
  for (const keepAlive of [false, true]) {
    const name = keepAlive ? 'over connections that are kept' : 'each over its own connection';

    test(`to the documents, ${name}`, async (t) => {
      const { url, gate } = await serve(t, { root: tempTree(t, TREE), level: 'error' });
      const agent = new http.Agent({ keepAlive });
      t.after(() => agent.destroy());
      for (let round = 0; round < 2; round += 1) {
        const answers = await atOnce(1000, () => request(url + SEARCH, { agent }));
        const found = answers.filter(({ status }) => status === 200);
        for (const { text } of found) assert.equal(JSON.parse(text).total_matches, 1);
        for (const { status, headers, text } of answers) {
          if (status === 200) continue;
          assert.deepEqual([status, headers['retry-after']], [503, '1']);
          assert.equal(JSON.parse(text).error.code, 'BUSY');
        }
        assert.ok(found.length >= 64, `${found.length} were answered`);
      }
      assert.equal(gate.inFlight, 0);
    });

    test(`to the tools, ${name}`, async (t) => {
      const { url, gate } = await serve(t, { root: tempTree(t, TREE), level: 'error' });
      const agent = new http.Agent({ keepAlive });
      t.after(() => agent.destroy());
      const call = () => callTool(url, 'search_in_files', { query: 'needle' }, { agent });
      const results = await atOnce(1000, call);
      const found = results.filter(({ isError }) => !isError);
      for (const { content } of found) assert.match(content[0].text, /; total_matches: 2;/);
      for (const { isError, content } of results) {
        if (isError) assert.match(content[0].text, /^busy: /);
      }
      assert.ok(found.length >= 64, `${found.length} were answered`);
      assert.equal(gate.inFlight, 0);
    });
  }

  test('are refused past the limit that an option sets', async (t) => {
    const { url } = await serve(t, { root: endlessTree(t), callsMax: 2, level: 'error' });
    const call = JSON.stringify(toolCall('search_in_files', ENDLESS));
    const { host } = new URL(url);
    const running = [1, 2].map(() =>
      connect(
        url,
        `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
          'Accept: application/json, text/event-stream\r\n' +
          `Content-Length: ${call.length}\r\n\r\n${call}`,
      ),
    );
    await until(async () => JSON.parse((await request(`${url}/healthz`)).text).in_flight === 2);
    const refused = await callTool(url, 'find_files_by_name', { name_pattern: '*' });
    assert.equal(refused.isError, true);
    assert.equal((await request(url + SEARCH)).status, 503);
    for (const { socket } of running) socket.destroy();
    await until(async () => (await request(url + SEARCH)).status === 200);
  });
});

describe('clients that announce bodies and do not send them', { timeout: 120_000 }, () => {
  test('do not block other clients', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE), level: 'error' });
    const { host } = new URL(url);
    const bytes = 256 << 10;
    const head = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n{`;
    const halves = Array.from({ length: 80 }, () => connect(url, head));
    await until(() => halves.every(({ socket }) => socket.readyState === 'open'));
    await later(100);
    const found = await callTool(url, 'search_in_files', { query: 'needle' });
    assert.equal(found.isError, undefined);
    for (const { socket } of halves) socket.destroy();
  });
});

describe('a client that hangs up', { timeout: 120_000 }, () => {
  test('during a search cancels it', async (t) => {
    const { url, gate, lines } = await serve(t, { root: endlessTree(t) });
    const agent = new http.Agent();
    const calls = [1, 2, 3].map((id) =>
      postMcp(url, toolCall('search_in_files', ENDLESS, id), { agent }).catch(() => 'hung up'),
    );
    await until(() => gate.inFlight === 3);
    await later(200);
    assert.equal(gate.inFlight, 3);
    agent.destroy();
    assert.deepEqual(await Promise.all(calls), Array(3).fill('hung up'));
    await until(() => gate.inFlight === 0, 2000);
    const found = await callTool(url, 'find_files_by_name', { name_pattern: '*' });
    assert.match(found.content[0].text, /total_found: 1\]/);
    const left = lines.filter((line) => line.unfinished);
    assert.equal(left.length, 3);
  });

  test('while its request is queued frees its place', async (t) => {
    const { url, gate } = await serve(t, { root: tempTree(t, TREE), level: 'error' });
    const agent = new http.Agent();
    const sent = Array.from({ length: 500 }, () => request(url + SEARCH, { agent }));
    setTimeout(() => agent.destroy(), 50);
    await Promise.allSettled(sent);
    await until(() => gate.inFlight === 0);
    assert.equal((await request(url + SEARCH)).status, 200);
  });
});

describe('a client that is slow', { timeout: 120_000 }, () => {
  const times = { headersMs: 300, requestMs: 600, idleMs: 300, checkMs: 50 };

  /** Starts a server with short timeouts, because the real ones are too long for a test. */
  async function shortServer(t) {
    const server = createServer((req, res) => req.resume().on('end', () => res.end('done')), times);
    const port = await listen(server, '127.0.0.1', 0);
    t.after(() => server.close());
    return `http://127.0.0.1:${port}`;
  }

  test('to send its head is disconnected', async (t) => {
    const url = await shortServer(t);
    for (const head of ['', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ']) {
      const connection = connect(url, head);
      const drip = setInterval(() => head && connection.socket.write('x'), 20);
      await connection.closed;
      clearInterval(drip);
      assert.match(connection.text, /^HTTP\/1\.1 408 /);
    }
  });

  test('to send its body is disconnected', async (t) => {
    const url = await shortServer(t);
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n';
    const connection = connect(url, head);
    const drip = setInterval(() => connection.socket.write('x'), 20);
    await connection.closed;
    clearInterval(drip);
    assert.match(connection.text, /^HTTP\/1\.1 408 /);
  });

  test('to send another request is disconnected', async (t) => {
    const url = await shortServer(t);
    const connection = connect(url, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(() => connection.text.includes('done'));
    await connection.closed;
  });

  test('does not block other clients', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE), level: 'error' });
    const slow = Array.from({ length: 300 }, () => connect(url, 'GET /context HTTP/1.1\r\nHost: '));
    assert.equal((await request(url + SEARCH)).status, 200);
    for (const { socket } of slow) socket.destroy();
  });

  test('is bounded by the limits of the service', () => {
    const server = createServer(() => {});
    const { headersTimeout, requestTimeout, keepAliveTimeout, maxConnections } = server;
    const limits = [headersTimeout, requestTimeout, keepAliveTimeout, maxConnections];
    assert.deepEqual(limits, [10_000, 30_000, 75_000, 2048]);
  });
});

test('heads that are too large or not HTTP are refused', { timeout: 120_000 }, async (t) => {
  const { url } = await serve(t, { root: tempTree(t, TREE), level: 'error' });
  const long = 'x'.repeat(20_000);
  const large = connect(url, `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${long}\r\n\r\n`);
  await large.closed;
  assert.match(large.text, /^HTTP\/1\.1 431 /);
  const noise = connect(url, '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n');
  await noise.closed;
  assert.match(noise.text, /^HTTP\/1\.1 400 /);
  assert.equal((await request(`${url}/healthz`)).status, 200);
});

test('a client that sends too much receives an error, not a reset', LIVE, async (t) => {
  // In a process of its own, because only then do both sides run at the same time.
  const service = await serveCommand(t, ['--port', '0', '--root', tempTree(t, TREE)]);
  const body = ' '.repeat(10_000_000);
  for (let round = 0; round < 20; round += 1) {
    const answers = await atOnce(5, () => postMcp(service.url, body));
    for (const { status } of answers) assert.equal(status, 413);
  }
});

test('memory does not grow between rounds', { timeout: 300_000 }, async (t) => {
  if (!existsSync('/proc/self/status')) {
    console.log('SKIPPED: the memory of a process is read from /proc, which this system lacks');
    return t.skip();
  }
  const files = { ...TREE, 'large.txt': 'needle in a line\n'.repeat(500) };
  const words = ['--port', '0', '--tools', 'all', '--log-level', 'error'];
  words.push('--root', tempTree(t, files));
  const { url, child } = await serveCommand(t, words);
  const memory = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
  };
  // The first rounds fill permanent caches of the runtime.
  for (let n = 0; n < 20; n += 1) await everyKind(url);
  const before = await memory();
  for (let n = 0; n < 20; n += 1) await everyKind(url);
  const after = await memory();
  t.diagnostic(`${before.toFixed(0)} MiB, then ${after.toFixed(0)} MiB`);
  assert.ok(after - before < 64, `${before} MiB became ${after} MiB`);
});

/** Sends some requests of every kind, including invalid and abandoned ones. */
async function everyKind(url) {
  await atOnce(100, () => callTool(url, 'search_in_files', { query: 'needle' }));
  await atOnce(100, () => request(url + SEARCH));
  await atOnce(20, () => postMcp(url, '{"jsonrpc":'));
  await atOnce(5, () => postMcp(url, ' '.repeat(2_000_000)));
  const agent = new http.Agent();
  const left = atOnce(20, () => postMcp(url, toolCall('find', {}), { agent }));
  agent.destroy();
  await left.catch(() => {});
}
