// The log: one line of JSON for each request, on standard error, without search texts.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tempTree } from './helpers.mjs';
import { callTool, postMcp, request, serve, serveCommand, toolCall, until } from './service.mjs';

const TREE = { 'a.txt': 'secret-word\n', 'guide.md': 'A secret-word.\n' };

const requestsIn = (lines) => lines.filter(({ msg }) => msg === 'request');

/** Requests every URL, and returns the number of requests. */
async function askAround(url) {
  await callTool(url, 'search_in_files', { query: 'secret-word' });
  await request(`${url}/context?action=search&query=secret-word`);
  const body = JSON.stringify(toolCall('search_documents', { query: 'secret-word' }));
  await request(`${url}/context`, { method: 'POST', body });
  await request(`${url}/nowhere?token=secret-word`);
  await postMcp(url, '{"wrong": "secret-word"');
  return 5;
}

describe('each request', { timeout: 120_000 }, () => {
  test('has one line, without the text of the query', async (t) => {
    const { url, lines } = await serve(t, { root: tempTree(t, TREE), level: 'info' });
    const count = await askAround(url);
    await until(() => requestsIn(lines).length >= count);
    const told = requestsIn(lines);
    assert.equal(told.length, count);
    const brief = told.map(({ method, path, status, rpc, tool, action }) =>
      Object.entries({ method, path, status, rpc, tool, action })
        .filter(([, value]) => value !== undefined)
        .map(([, value]) => value)
        .join(' '),
    );
    assert.deepEqual(brief, [
      'POST /mcp 200 tools/call search_in_files',
      'GET /context 200 search',
      'POST /context 200 tools/call search_documents',
      'GET /nowhere 404',
      'POST /mcp 400',
    ]);
    for (const { ms, bytes, id, time } of told) {
      assert.ok(ms >= 0 && bytes > 0 && id > 0 && !Number.isNaN(Date.parse(time)));
    }
    assert.doesNotMatch(JSON.stringify(lines), /secret-word/);
  });

  test('is logged with its URL at level debug', async (t) => {
    const { url, lines } = await serve(t, { root: tempTree(t, TREE), level: 'debug' });
    await request(`${url}/context?action=search&query=secret-word`);
    await until(() => lines.some((line) => line.url?.includes('query=secret-word')));
  });

  test('is logged at a level by its outcome', async (t) => {
    const options = { root: tempTree(t, TREE), level: 'debug', callsMax: 1 };
    const { url, lines, gate } = await serve(t, options);
    await request(`${url}/nowhere`);
    await request(`${url}/healthz`);
    await gate.run(() => request(`${url}/context?action=list`));
    await until(() => requestsIn(lines).length >= 3);
    const levels = Object.fromEntries(requestsIn(lines).map((line) => [line.path, line.level]));
    assert.deepEqual(
      [levels['/nowhere'], levels['/healthz'], levels['/context']],
      ['info', 'debug', 'warn'],
    );
  });
});

describe('the levels', { timeout: 120_000 }, () => {
  for (const [level, logged] of [
    ['silent', []],
    ['warn', []],
    ['info', ['listening', 'request', 'stopping', 'stopped']],
  ]) {
    test(`--log-level ${level} logs ${logged.join(', ') || 'nothing'}`, async (t) => {
      const words = ['--port', '0', '--log-level', level, '--root', tempTree(t, TREE)];
      const service = await serveCommand(t, words);
      await request(`${service.url}/nowhere`);
      const { stderr, stdout } = await service.stop();
      const lines = stderr.split('\n').filter((line) => line.startsWith('{"level"'));
      assert.deepEqual(
        lines.map((line) => JSON.parse(line).msg),
        logged,
      );
      assert.equal(stdout, '');
    });
  }
});

describe('standard error', { timeout: 120_000 }, () => {
  test('that is not read blocks neither the service nor its end', async (t) => {
    const words = ['--port', '0', '--log-level', 'debug', '--grace', '60'];
    words.push('--root', tempTree(t, TREE));
    const service = await serveCommand(t, words);
    service.child.stderr.pause();
    const long = 'x'.repeat(8000);
    for (let n = 0; n < 300; n += 1) {
      const answer = await request(`${service.url}/context?action=list&path=${long}`);
      assert.ok(answer.status < 500);
    }
    const started = performance.now();
    service.child.kill('SIGTERM');
    await new Promise((resolve) => service.child.once('exit', resolve));
    assert.ok(performance.now() - started < 30_000);
    service.child.stderr.resume();
  });

  test('may close early', async (t) => {
    const words = ['--port', '0', '--log-level', 'debug', '--grace', '60'];
    words.push('--root', tempTree(t, TREE));
    const service = await serveCommand(t, words);
    service.child.stderr.destroy();
    for (let n = 0; n < 20; n += 1) {
      assert.equal((await request(`${service.url}/healthz`)).status, 200);
    }
    assert.equal((await service.stop()).code, 0);
  });
});
