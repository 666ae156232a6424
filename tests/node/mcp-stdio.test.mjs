// The protocol over standard streams: invalid messages, messages that are too long, and its end.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, test } from 'node:test';
import { ENDLESS, endlessTree, later, runNode, tempTree } from './helpers.mjs';
import { stdioWords } from './mcp-clients.mjs';
import { call, initialize } from './mcp-messages.mjs';

const INITIALIZE = initialize('2025-06-18');

/** A process that serves the root, with its lines of output as they come. */
class Served {
  #lines = [];
  #waiting = [];
  #rest = '';
  stderr = '';

  constructor(t, root, { result, grace } = {}) {
    this.child = spawn(process.execPath, stdioWords(root, result, grace));
    this.ended = new Promise((resolve) =>
      this.child.on('close', (code, signal) => resolve({ code, signal, stderr: this.stderr })),
    );
    this.child.stdin.on('error', () => {});
    this.child.stdout.setEncoding('utf8').on('data', (text) => this.#onText(text));
    this.child.stderr.setEncoding('utf8').on('data', (text) => (this.stderr += text));
    t.after(() => {
      this.child.kill('SIGKILL');
      return this.ended;
    });
  }

  write(text) {
    return new Promise((resolve) => this.child.stdin.write(text, resolve));
  }

  send(message) {
    return this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Returns the next message; every line on standard output must be one. */
  async next() {
    const line = this.#lines.shift();
    return JSON.parse(line ?? (await new Promise((resolve) => this.#waiting.push(resolve))));
  }

  async initialized() {
    await this.send({ id: 0, ...INITIALIZE });
    const { result } = await this.next();
    await this.send({ method: 'notifications/initialized' });
    return result;
  }

  #onText(text) {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop();
    for (const line of lines) {
      const resolve = this.#waiting.shift();
      if (resolve) resolve(line);
      else this.#lines.push(line);
    }
  }
}

describe('over standard streams', { timeout: 300_000 }, () => {
  test('a batch is answered in one line where the revision has batches', async (t) => {
    const served = new Served(t, tempTree(t, { 'a.txt': 'needle\n' }));
    await served.send({ id: 0, ...initialize('2025-03-26') });
    await served.next();
    const message = (fields) => ({ jsonrpc: '2.0', ...fields });
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 3 } };
    await served.write(
      `${JSON.stringify([
        message({ id: 1, method: 'ping' }),
        message({ id: 2, ...call({ query: 'needle' }) }),
        message({ id: 3, ...call({ query: 'needle' }) }),
        message(cancelled),
      ])}\n`,
    );
    const answers = await served.next();
    assert.deepEqual(answers.map(({ id }) => id).sort(), [1, 2]);
  });

  test('a batch is answered although one of its calls is cancelled later', async (t) => {
    const served = new Served(t, endlessTree(t));
    await served.send({ id: 0, ...initialize('2025-03-26') });
    await served.next();
    const message = (fields) => ({ jsonrpc: '2.0', ...fields });
    const batch = [message({ id: 1, method: 'ping' }), message({ id: 2, ...call(ENDLESS) })];
    await served.write(`${JSON.stringify(batch)}\n`);
    await served.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    assert.deepEqual((await served.next()).map(({ id }) => id), [1]);
  });

  test('a batch is refused where the revision has none', async (t) => {
    const served = new Served(t, tempTree(t, { 'a.txt': 'needle\n' }));
    await served.initialized();
    await served.write('[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n');
    assert.equal((await served.next()).error.code, -32600);
  });

  test('a client that names no revision is told so', async (t) => {
    const served = new Served(t, tempTree(t, { 'a.txt': 'needle\n' }));
    await served.send({ id: 7, method: 'initialize', params: {} });
    const { id, error } = await served.next();
    assert.deepEqual([id, error.code], [7, -32602]);
    assert.match(error.message, /params\.protocolVersion, a revision of the protocol such as "20/);
  });

  test('every revision of the protocol is served on request', async (t) => {
    const root = tempTree(t, { 'a.txt': 'needle\n' });
    for (const protocolVersion of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const served = new Served(t, root, { result: 'structured' });
      await served.send({ id: 0, ...initialize(protocolVersion) });
      assert.equal((await served.next()).result.protocolVersion, protocolVersion);
      await served.send({ id: 1, ...call({ query: 'needle' }) });
      const { result } = await served.next();
      const { content, structuredContent } = result;
      // The first two revisions have no structured results, so their clients would see nothing.
      if (protocolVersion < '2025-06-18') {
        assert.equal(structuredContent, undefined);
        assert.equal(JSON.parse(content[0].text).total_matches, 1);
      } else {
        assert.deepEqual(content, []);
        assert.equal(structuredContent.total_matches, 1);
      }
    }
  });

  const refused = [
    ['text that is not JSON', 'hello\n', -32700, null],
    ['JSON that is cut off', '{"jsonrpc":"2.0",\n', -32700, null],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x0a]), -32700, null],
    ['JSON that is not a message', '{"id":7}\n', -32600, 7],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', -32600, null],
    ['a number', '42\n', -32600, null],
    ['null', 'null\n', -32600, null],
    ['a line of 10 MB', `{"a":"${'x'.repeat(10_000_000)}"}\n`, -32700, null],
  ];
  test('each message that is refused gets an error, before and after initialize', async (t) => {
    const served = new Served(t, tempTree(t, { 'a.txt': 'needle\n' }));
    const refusal = async ([name, text, code, id]) => {
      await served.write(text);
      const answer = await served.next();
      assert.deepEqual([answer.jsonrpc, answer.error?.code, answer.id], ['2.0', code, id], name);
    };
    for (const each of refused) await refusal(each);
    await served.initialized();
    for (const [n, each] of refused.entries()) {
      await refusal(each);
      await served.send({ id: n + 1, ...call({ query: 'needle' }) });
      const answer = await served.next();
      assert.deepEqual([answer.id, answer.result.isError], [n + 1, undefined], each[0]);
    }
    assert.equal(served.stderr, '');
  });

  test('a line may come in pieces, several in one, with CR or with nothing in it', async (t) => {
    const served = new Served(t, tempTree(t, {}));
    await served.initialized();
    const ping = (id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
    for (const byte of ping(1)) await served.write(byte);
    await served.write(`\r\n\n  \n${ping(2)}\n${ping(3)}\n${ping(4).slice(0, 9)}`);
    await later(50);
    await served.write(`${ping(4).slice(9)}\n`);
    for (const id of [1, 2, 3, 4]) {
      assert.deepEqual(await served.next(), { jsonrpc: '2.0', id, result: {} });
    }
  });

  test('a letter may be cut in two', async (t) => {
    const served = new Served(t, tempTree(t, { 'a.txt': 'zwölf\n' }));
    await served.initialized();
    const message = { jsonrpc: '2.0', id: 1, ...call({ query: 'ö' }) };
    const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
    const half = bytes.indexOf(0xc3) + 1;
    await served.write(bytes.subarray(0, half));
    await later(50);
    await served.write(bytes.subarray(half));
    const { result } = await served.next();
    assert.equal(JSON.parse(result.content[0].text).total_matches, 1);
  });

  test('a cancelled call is not answered, the next one is', async (t) => {
    const served = new Served(t, endlessTree(t));
    await served.initialized();
    await served.send({ id: 1, ...call(ENDLESS) });
    await later(300);
    await served.send({
      method: 'notifications/cancelled',
      params: { requestId: 1, reason: 'enough' },
    });
    await served.send({ id: 2, ...call({ query: 'zzz' }) });
    assert.equal((await served.next()).id, 2);
  });

  test('the end of standard input ends it and cancels a running search', async (t) => {
    const served = new Served(t, endlessTree(t), { grace: 0.5 });
    await served.initialized();
    await served.send({ id: 1, ...call(ENDLESS) });
    await later(300);
    const started = performance.now();
    served.child.stdin.end();
    const { result } = await served.next();
    assert.match(result.content[0].text, /^cancelled: .*shutting down/);
    assert.deepEqual(await served.ended, { code: 0, signal: null, stderr: '' });
    assert.ok(performance.now() - started > 400);
  });

  test('a search that ends in time is answered after the end of standard input', async (t) => {
    const served = new Served(t, endlessTree(t), { grace: 60 });
    await served.initialized();
    // Longer than the default grace period.
    await served.send({ id: 1, ...call({ ...ENDLESS, timeout: 7 }) });
    served.child.stdin.end();
    const { result } = await served.next();
    assert.equal(JSON.parse(result.content[0].text).timed_out, true);
    assert.deepEqual(await served.ended, { code: 0, signal: null, stderr: '' });
  });

  test('requests that are piped in are answered, though nothing follows', async (t) => {
    const root = tempTree(t, { 'a.txt': 'needle\n' });
    const messages = [
      { id: 0, ...INITIALIZE },
      { method: 'notifications/initialized' },
      { id: 1, ...call({ query: 'needle' }) },
      { id: 2, method: 'tools/list' },
      { id: 3, ...call({ query: 'needle' }) },
    ];
    const lines = messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
    // The last line may lack its end.
    for (const input of [`${lines.join('\n')}\n`, lines.join('\n')]) {
      const { code, stdout, stderr } = await runNode(stdioWords(root), { input });
      assert.deepEqual([code, stderr], [0, '']);
      const answers = stdout.trim().split('\n').map((line) => JSON.parse(line));
      assert.deepEqual(answers.map(({ id }) => id).sort(), [0, 1, 2, 3]);
      for (const { id, result } of answers) {
        if (id % 2 === 1) assert.equal(JSON.parse(result.content[0].text).total_matches, 1);
      }
    }
  });

  test('a client that has closed standard output ends it at the next answer', async (t) => {
    const served = new Served(t, tempTree(t, { 'a.txt': 'needle\n' }));
    await served.initialized();
    served.child.stdout.destroy();
    for (let id = 1; id <= 3; id += 1) await served.send({ id, ...call({ query: 'needle' }) });
    assert.deepEqual(await served.ended, { code: 0, signal: null, stderr: '' });
  });

  test('input that ends at once is not an error', async (t) => {
    const done = await runNode(stdioWords(tempTree(t, {})));
    assert.deepEqual([done.code, done.stdout, done.stderr], [0, '', '']);
  });
});
