// The end of the service: it answers or cancels the calls in flight, and exits.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDLESS, endlessTree, later, tempTree } from './helpers.mjs';
import {
  SOON_MS,
  callTool,
  connect,
  mcpMessage,
  postMcp,
  request,
  runCommand,
  serve,
  serveCommand,
  toolCall,
  until,
} from './service.mjs';

const TREE = { 'a.txt': 'needle\n', 'guide.md': 'A needle.\n' };

const ALL = ['--tools', 'all'];

/** Arguments of a search that takes as long as its timeout, in seconds, and is then answered. */
const lasting = (timeout) => ({ ...ENDLESS, timeout });

const inFlight = async (url) => JSON.parse((await request(`${url}/healthz`)).text).in_flight;

describe('a signal', { timeout: 120_000 }, () => {
  for (const signal of ['SIGTERM', 'SIGINT']) {
    test(`${signal} ends a service that has nothing to do, with 0`, async (t) => {
      const words = ['--port', '0', '--grace', '60', '--root', tempTree(t, TREE)];
      const service = await serveCommand(t, words);
      const { host } = new URL(service.url);
      const idle = connect(service.url, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      await until(() => idle.text.includes('"ok"'));
      const silent = connect(service.url, '');
      const started = performance.now();
      const { code, signal: killed, stdout } = await service.stop(signal);
      assert.deepEqual([code, killed, stdout], [0, null, '']);
      assert.ok(performance.now() - started < 30_000, 'it waits for a client');
      await Promise.all([idle.closed, silent.closed]);
    });
  }

  test('waits for calls in flight', async (t) => {
    const service = await serveCommand(t, ['--port', '0', ...ALL, '--root', endlessTree(t)]);
    const calls = [2, 2].map((s) => callTool(service.url, 'search_in_files', lasting(s)));
    await until(async () => (await inFlight(service.url)) === 2);
    const ended = service.stop('SIGTERM');
    for (const { content } of await Promise.all(calls)) {
      assert.match(content[0].text, /timed_out: true/);
    }
    assert.equal((await ended).code, 0);
  });

  test('cancels calls after the grace period, and ends the process', async (t) => {
    const service = await serveCommand(t, ['--port', '0', ...ALL, '--root', endlessTree(t)]);
    const call = postMcp(service.url, toolCall('search_in_files', ENDLESS)).catch((error) => error);
    await until(async () => (await inFlight(service.url)) === 1);
    const started = performance.now();
    const { code } = await service.stop('SIGTERM');
    const ms = performance.now() - started;
    assert.equal(code, 0);
    assert.ok(ms > 4000 && ms < 35_000, `${ms} ms`);
    await call;
  });

  test('given again ends it at once', async (t) => {
    const words = ['--port', '0', ...ALL, '--grace', '60', '--root', endlessTree(t)];
    const service = await serveCommand(t, words);
    postMcp(service.url, toolCall('search_in_files', ENDLESS)).catch(() => {});
    await until(async () => (await inFlight(service.url)) === 1);
    service.stop('SIGINT');
    await until(() => service.out.stderr.includes('"stopping"'));
    // As the terminal and npm do it: the same signal twice.
    service.stop('SIGINT');
    await later(700);
    assert.equal(service.ending.done, false);
    const started = performance.now();
    const { signal } = await service.stop('SIGTERM');
    assert.equal(signal, 'SIGTERM');
    assert.ok(performance.now() - started < 30_000);
  });

  test('ends a service over stdio, with 0', async (t) => {
    const words = ['serve', '--stdio', '--log-level', 'info', '--root', tempTree(t, TREE)];
    const service = runCommand(t, words);
    await until(() => service.out.stderr.includes('serving'));
    const { code, stdout } = await service.stop('SIGTERM');
    assert.deepEqual([code, stdout], [0, '']);
  });
});

describe('a service that stops', { timeout: 120_000 }, () => {
  test('refuses further calls on open connections', async (t) => {
    const { url, close } = await serve(t, { root: endlessTree(t), graceMs: 3000 });
    const { host } = new URL(url);
    const head = (path) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n`;
    const health = connect(url, head('/healthz'));
    const search = connect(url, head('/context?action=list'));
    const call = callTool(url, 'search_in_files', lasting(2));
    await until(() => search.socket.readyState === 'open');
    await until(async () => (await inFlight(url)) === 1);
    const closed = close();
    health.socket.write('\r\n');
    search.socket.write('\r\n');
    await until(() => health.text.endsWith('}') && search.text.endsWith('}'));
    assert.match(health.text, /^HTTP\/1\.1 503 [^]*"status":"stopping"/);
    assert.match(search.text, /^HTTP\/1\.1 503 [^]*\nRetry-After: 1\r/);
    assert.match(search.text, /\nConnection: close\r/);
    await assert.rejects(request(`${url}/healthz`), { code: 'ECONNREFUSED' });
    assert.match((await call).content[0].text, /timed_out: true/);
    await closed;
  });

  test('cancels the remaining calls and informs their clients', async (t) => {
    const { url, gate, close } = await serve(t, { root: endlessTree(t), graceMs: 100 });
    const calls = [1, 2, 3].map((id) => postMcp(url, toolCall('search_in_files', ENDLESS, id)));
    const over = Promise.allSettled(calls);
    await until(() => gate.inFlight === 3);
    await close();
    assert.equal(gate.inFlight, 0);
    for (const { value } of await over) {
      assert.match(mcpMessage(value.text).result.content[0].text, /^cancelled: .*shutting down/);
    }
  });

  test('does not wait for half a request', { timeout: SOON_MS }, async (t) => {
    const { url, close } = await serve(t, { root: tempTree(t, TREE) });
    const { host } = new URL(url);
    const half = connect(url, `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9\r\n\r\n{`);
    await until(() => half.socket.readyState === 'open');
    await later(100);
    const started = performance.now();
    await close();
    // A whole request has 30 seconds to arrive.
    assert.ok(performance.now() - started < 20_000);
    await half.closed;
  });

  test('can be closed twice', async (t) => {
    const { close } = await serve(t, { root: tempTree(t, TREE) });
    await Promise.all([close(), close()]);
    await close();
  });
});
