// Access control: the Host and Origin headers, and the names that options add.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { networkInterfaces } from 'node:os';
import { tempTree } from './helpers.mjs';
import { connect, postMcp, request, serve, until } from './service.mjs';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

const root = (t) => tempTree(t, { 'a.md': 'needle\n' });

describe('the Host header', { timeout: 120_000 }, () => {
  const statusFor = async (url, host) =>
    (await request(`${url}/healthz`, { headers: { Host: host } })).status;

  test('must be a name of this machine', async (t) => {
    const { url } = await serve(t, { root: root(t) });
    for (const host of ['localhost', 'LocalHost:1', '127.0.0.1', '127.0.0.1:3000', '[::1]:3000']) {
      assert.equal(await statusFor(url, host), 200, host);
    }
    const wrong = [
      'evil.example',
      'evil.example:3000',
      'localhost.evil.example',
      'localhost@evil.example',
      'evil.example#localhost',
      'localhost:3000:80',
      '127.0.0.1.nip.example',
      '[::1',
      '0.0.0.0',
      ' ',
    ];
    for (const host of wrong) assert.equal(await statusFor(url, host), 403, host);
  });

  test('is refused in the shape of the address', async (t) => {
    const { url } = await serve(t, { root: root(t) });
    const headers = { Host: 'evil.example' };
    const rpc = JSON.parse((await postMcp(url, PING, { headers })).text);
    assert.deepEqual([rpc.jsonrpc, rpc.id, rpc.error.data.code], ['2.0', null, 'host_not_allowed']);
    const get = await request(`${url}/context?action=list`, { headers });
    assert.deepEqual([get.status, JSON.parse(get.text).error.code], [403, 'host_not_allowed']);
    const post = await request(`${url}/context`, { method: 'POST', headers, body: '{}' });
    assert.deepEqual([post.status, JSON.parse(post.text).jsonrpc], [403, '2.0']);
  });

  test('is required', async (t) => {
    const { url } = await serve(t, { root: root(t) });
    const connection = connect(url, 'GET /healthz HTTP/1.0\r\n\r\n');
    await until(() => connection.text.includes('host_not_allowed'));
  });

  test('may be a name allowed by an option', async (t) => {
    const { url } = await serve(t, { root: root(t), allowHosts: ['My.Machine', '::2'] });
    for (const host of ['my.machine:80', '[::2]', 'localhost']) {
      assert.equal(await statusFor(url, host), 200, host);
    }
    assert.equal(await statusFor(url, 'other.machine'), 403);
  });

  test('may be an address of this machine when the service listens at all of them', async (t) => {
    const service = await serve(t, { root: root(t), host: '0.0.0.0' });
    const { url, lines } = service;
    const addresses = Object.values(networkInterfaces()).flat();
    for (const { address, family } of addresses) {
      assert.equal(await statusFor(url, family === 'IPv6' ? `[${address}]` : address), 200);
    }
    assert.equal(await statusFor(url, 'evil.example'), 403);
    assert.ok(lines.some(({ level, msg }) => level === 'warn' && /without authentication/.test(msg)));
  });

  test('needs no warning on a service that only this machine can reach', async (t) => {
    const { lines } = await serve(t, { root: root(t) });
    assert.deepEqual(
      lines.filter(({ level }) => level === 'warn'),
      [],
    );
  });
});

describe('the Origin header', { timeout: 120_000 }, () => {
  const from = (url, origin) => postMcp(url, PING, { headers: { Origin: origin } });

  test('must be a page of this machine', async (t) => {
    const { url } = await serve(t, { root: root(t) });
    const { port } = new URL(url);
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      assert.equal((await from(url, `http://${host}:${port}`)).status, 200, host);
    }
    const wrong = [
      // Another service of this machine.
      'http://localhost:1',
      'https://127.0.0.1',
      'http://evil.example',
      'http://localhost.evil.example',
      'file://localhost',
      'null',
      'localhost',
      '',
    ];
    for (const origin of wrong) {
      const answer = await from(url, origin);
      assert.equal(answer.status, 403, origin);
      assert.equal(JSON.parse(answer.text).error.data.code, 'origin_not_allowed');
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
    }
  });

  test('may be one allowed by an option, whose pages may then read the replies', async (t) => {
    const origin = 'https://app.example';
    const { url } = await serve(t, { root: root(t), allowOrigins: [origin] });
    const answer = await from(url, origin);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['access-control-allow-origin'], origin);
    const headers = { Origin: origin, 'Access-Control-Request-Method': 'POST' };
    const asked = await request(`${url}/mcp`, { method: 'OPTIONS', headers });
    assert.equal(asked.status, 204);
    assert.match(asked.headers['access-control-allow-methods'], /POST/);
    assert.match(asked.headers['access-control-allow-headers'], /Content-Type/);
    assert.equal((await from(url, 'https://app.example:444')).status, 403);
  });

  test('of this machine does not let pages read what was not granted', async (t) => {
    const { url } = await serve(t, { root: root(t) });
    const answer = await from(url, new URL(url).origin);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
  });

  test('is not needed to detect a page of another site', async (t) => {
    const { url } = await serve(t, { root: root(t) });
    const get = (headers) => request(`${url}/context?action=list`, { headers });
    for (const site of ['cross-site', 'same-site']) {
      const answer = await get({ 'Sec-Fetch-Site': site });
      assert.equal(answer.status, 403, site);
      const sent = await postMcp(url, PING, { headers: { 'Sec-Fetch-Site': site } });
      assert.equal(sent.status, 403, site);
    }
    for (const headers of [{}, { 'Sec-Fetch-Site': 'none' }, { 'Sec-Fetch-Site': 'same-origin' }]) {
      const answer = await get(headers);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin');
    }
  });
});
