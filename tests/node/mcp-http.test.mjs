// The protocol over HTTP at the level of messages: requests of any revision, cancellations, refusals, hang-ups.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import express from 'express';
import { SearchscopeError, Workspace } from 'searchscope';
import { ENDLESS, endlessTree, later, tempTree } from './helpers.mjs';
import { call, initialize, stateless } from './mcp-messages.mjs';

const require = createRequire(import.meta.url);
const { createMcpService } = require('../../server/mcp.js');
const { Gate } = require('../../server/gate.js');
const { Cancellations } = require('../../server/mcp/cancellations.js');

const TREE = { 'a.txt': 'needle\n' };

const INITIALIZE = initialize('2025-11-25');

/** Serves the root in this process and returns the service, its gate, and `post`. */
async function serve(t, root, { mount = (handle) => handle, ...options } = {}) {
  const gate = new Gate(8);
  const workspace = options.workspace ?? Workspace.open(root);
  const service = createMcpService({
    ...{ workspace, gate, tools: 'all', result: 'json' },
    ...options,
  });
  const server = createServer(mount((req, res) => service.handle(req, res)));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    await service.close();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${server.address().port}/mcp`;
  const post = (body, headers = {}, options = {}) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', ...body }),
      ...options,
    });
  const openSession = async () => {
    const opened = await post({ id: 0, ...INITIALIZE });
    assert.equal((await messages(opened)).at(-1).result.serverInfo.name, 'searchscope');
    return { 'mcp-session-id': opened.headers.get('mcp-session-id') };
  };
  return { service, gate, url, post, openSession };
}

/** Returns the messages of an answer, either JSON or a stream of events. */
async function messages(response) {
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    return [JSON.parse(text)];
  }
  return [...text.matchAll(/^data: (.+)$/gm)].map((match) => JSON.parse(match[1]));
}

const matchesOf = (answer) => JSON.parse(answer.result.content[0].text).total_matches;

/** Waits until no call is running; the searches would take far longer by themselves. */
async function emptied(gate) {
  const started = performance.now();
  while (gate.inFlight > 0) {
    assert.ok(performance.now() - started < 30_000, 'the call still runs');
    await later(10);
  }
}

async function begun(gate) {
  while (gate.inFlight === 0) await later(10);
}

describe('a request without a session id', { timeout: 60_000 }, () => {
  test('needs no initialize', async (t) => {
    const { post } = await serve(t, tempTree(t, TREE));
    const response = await post({ id: 1, ...call({ query: 'needle' }) });
    assert.equal(response.headers.get('mcp-session-id'), null);
    assert.equal(matchesOf((await messages(response)).at(-1)), 1);
  });

  test('gets no details of an internal error; the log has its cause', async (t) => {
    const defects = [
      new TypeError('secret place'),
      new SearchscopeError(
        { code: 'internal', message: 'a defect' },
        { cause: new TypeError('secret place') },
      ),
    ];
    for (const defect of defects) {
      const errors = [];
      const quiet = () => {};
      const error = (message, fields) => errors.push({ message, ...fields });
      const logger = { debug: quiet, info: quiet, warn: quiet, error };
      const workspace = { callJson: () => Promise.reject(defect) };
      const { post } = await serve(t, tempTree(t, {}), { workspace, logger });
      const { result } = (await messages(await post({ id: 1, ...call({ query: 'x' }) }))).at(-1);
      assert.match(result.content[0].text, /^internal: /);
      assert.doesNotMatch(result.content[0].text, /secret/);
      assert.deepEqual([errors.length, errors[0].tool], [1, 'search_in_files']);
      assert.match(JSON.stringify(errors[0]), /secret place/);
    }
  });

  test('gets structured results only if its revision supports them', async (t) => {
    const { post } = await serve(t, tempTree(t, TREE), { result: 'structured' });
    const answer = async (headers) =>
      (await messages(await post({ id: 1, ...call({ query: 'needle' }) }, headers))).at(-1).result;
    const old = await answer({});
    assert.equal(old.structuredContent, undefined);
    assert.equal(JSON.parse(old.content[0].text).total_matches, 1);
    const newer = await answer({ 'mcp-protocol-version': '2025-06-18' });
    assert.equal(newer.structuredContent.total_matches, 1);
    assert.deepEqual(newer.content, []);
  });

  test('is cancelled when its client hangs up', async (t) => {
    const { post, gate } = await serve(t, endlessTree(t));
    const newest = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'search_in_files',
    };
    for (const [message, headers] of [[call(ENDLESS), {}], [stateless(call(ENDLESS)), newest]]) {
      const controller = new AbortController();
      const gone = post({ id: 1, ...message }, headers, { signal: controller.signal });
      await begun(gate);
      controller.abort();
      await assert.rejects(async () => (await gone).text(), { name: 'AbortError' });
      await emptied(gate);
    }
  });
});

describe('a session id', { timeout: 60_000 }, () => {
  test('comes from initialize and cannot be ended', async (t) => {
    const { post, url, openSession } = await serve(t, tempTree(t, TREE));
    const session = await openSession();
    assert.match(session['mcp-session-id'], /^[0-9a-f-]{36}$/);
    const ended = await fetch(url, { method: 'DELETE', headers: session });
    assert.equal(ended.status, 405);
    const answered = await post({ id: 1, ...call({ query: 'needle' }) }, session);
    assert.equal(matchesOf((await messages(answered)).at(-1)), 1);
    assert.equal(answered.headers.get('mcp-session-id'), null);
  });

  test('is not sent with an error', async (t) => {
    const { post } = await serve(t, tempTree(t, TREE));
    const response = await post({ id: 0, ...INITIALIZE, params: {} });
    assert.equal(response.headers.get('mcp-session-id'), null);
    assert.equal(response.status, 400);
  });

  test('is not remembered after its calls', () => {
    const cancellations = new Cancellations();
    const [first, second] = [new EventEmitter(), new EventEmitter()];
    const watch = (response) =>
      cancellations.watch('client', [1, '1'], { signal: new AbortController().signal, response });
    const calls = [watch(first), watch(second)];
    const aborted = (id) => calls.map((each) => each.signalOf(id).aborted);
    assert.equal(cancellations.size, 2);
    first.emit('close');
    // The ids are those of a later request by then.
    assert.equal(cancellations.size, 2);
    cancellations.cancel('other', 1);
    assert.deepEqual(aborted(1), [false, false]);
    cancellations.cancel('client', 1);
    assert.deepEqual([aborted(1), aborted('1')], [[false, true], [false, false]]);
    assert.equal(calls[1].signal.aborted, false);
    cancellations.cancel('client', '1');
    assert.deepEqual([aborted('1'), calls[1].signal.aborted], [[false, true], true]);
    second.emit('close');
    assert.equal(cancellations.size, 0);
  });

  test('has its own numbers of requests, which cancellations name', async (t) => {
    const { post, gate, openSession } = await serve(t, endlessTree(t));
    const [mine, other] = [await openSession(), await openSession()];
    const running = post({ id: 5, ...call(ENDLESS) }, mine).then(messages);
    await begun(gate);
    const cancel = { method: 'notifications/cancelled', params: { requestId: 5 } };
    assert.equal((await post(cancel, other)).status, 202);
    await later(300);
    assert.equal(gate.inFlight, 1);
    assert.equal((await post(cancel, mine)).status, 202);
    // No message can follow, so the waiting answer ends, without a message.
    assert.deepEqual(await running, []);
    await emptied(gate);
  });

  test('outlives a call whose client has hung up', async (t) => {
    const { post, gate, openSession } = await serve(t, endlessTree(t));
    const session = await openSession();
    const controller = new AbortController();
    const gone = post({ id: 1, ...call(ENDLESS) }, session, { signal: controller.signal });
    await begun(gate);
    controller.abort();
    await assert.rejects(async () => (await gone).text(), { name: 'AbortError' });
    await emptied(gate);
    const next = await post({ id: 1, ...call({ query: 'zzz' }) }, session);
    assert.equal(matchesOf((await messages(next)).at(-1)), 0);
  });

  test('cancels one call of a batch, and the others are answered', async (t) => {
    let finish;
    const finished = new Promise((resolve) => (finish = resolve));
    const callJson = async (name, { query }, { signal }) => {
      if (query === 'short') return finished;
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const { post, gate, openSession } = await serve(t, undefined, { workspace: { callJson } });
    const session = await openSession();
    const calls = [{ id: 5, ...call({ query: 'long' }) }, { id: 6, ...call({ query: 'short' }) }];
    const batch = [...calls, { id: 7, method: 'ping' }];
    const body = JSON.stringify(batch.map((message) => ({ jsonrpc: '2.0', ...message })));
    const running = post(body, session).then(messages);
    while (gate.inFlight < 2) await later(10);
    await post({ method: 'notifications/cancelled', params: { requestId: 5 } }, session);
    while (gate.inFlight > 1) await later(10);
    finish('{"total_matches":3}');
    const answers = await running;
    assert.deepEqual(answers.map(({ id }) => id), [7, 6]);
    assert.equal(matchesOf(answers[1]), 3);
    await emptied(gate);
  });

  test('cancels the last call of a batch, or all', async (t) => {
    const { post, gate, openSession } = await serve(t, endlessTree(t));
    const session = await openSession();
    const cancel = (requestId) => post({ method: 'notifications/cancelled', params: { requestId } }, session);
    for (const [second, answered] of [[{ method: 'ping' }, [6]], [call(ENDLESS), []]]) {
      const batch = [{ id: 5, ...call(ENDLESS) }, { id: 6, ...second }];
      const body = JSON.stringify(batch.map((message) => ({ jsonrpc: '2.0', ...message })));
      const running = post(body, session).then(messages);
      while (gate.inFlight < 2 - answered.length) await later(10);
      await cancel(5);
      if (answered.length === 0) await cancel(6);
      assert.deepEqual((await running).map(({ id }) => id), answered);
      await emptied(gate);
    }
  });

  test('is served by a process that has not given it', async (t) => {
    const tree = tempTree(t, TREE);
    const session = await (await serve(t, tree)).openSession();
    const { post } = await serve(t, tree);
    const answered = await post({ id: 7, ...call({ query: 'needle' }) }, session);
    const [answer] = await messages(answered);
    assert.deepEqual([answered.status, answer.id, matchesOf(answer)], [200, 7, 1]);
    assert.equal((await post({ method: 'notifications/initialized' }, session)).status, 202);
  });
});

describe('a refusal', { timeout: 60_000 }, () => {
  test('of what is not JSON, parsed by us or not', async (t) => {
    const { post } = await serve(t, tempTree(t, TREE));
    for (const body of ['{"jsonrpc":', '', 'hello']) {
      for (const headers of [{}, { accept: '*/*' }]) {
        const response = await post(body, headers);
        const [{ error, id }] = await messages(response);
        assert.deepEqual([response.status, error.code, id], [400, -32700, null]);
      }
    }
  });

  test('of JSON that is not a message', async (t) => {
    const { post } = await serve(t, tempTree(t, TREE));
    for (const body of ['42', '"x"', '{"id":1}']) {
      const response = await post(body);
      assert.equal(response.status, 400, body);
      assert.ok((await messages(response))[0].error.code <= -32600, body);
    }
  });

  test('of a body that is too large, without reading it', async (t) => {
    const { post } = await serve(t, tempTree(t, TREE));
    const response = await post(`{"x":"${'x'.repeat(10_000_000)}"}`);
    assert.equal(response.status, 413);
    assert.match((await messages(response))[0].error.message, /4194304 bytes/);
  });

  test('of a client that names no revision', async (t) => {
    const { post } = await serve(t, tempTree(t, TREE));
    const response = await post({ id: 7, method: 'initialize', params: {} });
    const [{ id, error }] = await messages(response);
    assert.deepEqual([response.status, id, error.code], [400, 7, -32602]);
    assert.match(error.message, /params\.protocolVersion/);
  });

  test('of another method or type', async (t) => {
    const { url, post } = await serve(t, tempTree(t, TREE));
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await fetch(url, { method, headers: { accept: 'text/event-stream' } });
      await response.text();
      assert.equal(response.status, 405, method);
    }
    const typed = await post({ id: 1, method: 'ping' }, { 'content-type': 'text/plain' });
    assert.equal(typed.status, 415);
  });

  test('of a call beyond the limit, as the result of its tool', async (t) => {
    const gate = new Gate(1);
    const { post } = await serve(t, endlessTree(t), { gate });
    const controller = new AbortController();
    const running = post({ id: 1, ...call(ENDLESS) }, {}, { signal: controller.signal });
    await begun(gate);
    const { result } = (await messages(await post({ id: 2, ...call({ query: 'zzz' }) }))).at(-1);
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /^busy: .*\n {2}hint: .*try again/);
    controller.abort();
    await assert.rejects(async () => (await running).text());
  });
});

test('a client that accepts everything is served', { timeout: 120_000 }, async (t) => {
  const { post } = await serve(t, tempTree(t, TREE));
  const response = await post({ id: 1, ...call({ query: 'needle' }) }, { accept: '*/*' });
  assert.equal(response.status, 200);
  assert.equal(matchesOf((await messages(response)).at(-1)), 1);
});

test('a batch that cancels its own call ends', { timeout: 120_000 }, async (t) => {
  const { post } = await serve(t, endlessTree(t));
  const cancelled = { method: 'notifications/cancelled', params: { requestId: 1 } };
  const batch = [{ id: 1, ...call(ENDLESS) }, cancelled];
  const body = (list) => JSON.stringify(list.map((message) => ({ jsonrpc: '2.0', ...message })));
  const alone = await post(body(batch));
  assert.deepEqual([alone.status, await alone.text()], [202, '']);
  const response = await post(body([...batch, { id: 2, method: 'ping' }]));
  assert.deepEqual((await messages(response)).flat().map(({ id }) => id), [2]);
});

test('a body parsed by Express is accepted', { timeout: 120_000 }, async (t) => {
  const mount = (handle) => express().use(express.json()).use('/mcp', handle);
  const { post, openSession } = await serve(t, tempTree(t, TREE), { mount });
  const session = await openSession();
  for (const headers of [{}, session]) {
    const response = await post({ id: 1, ...call({ query: 'needle' }) }, headers);
    assert.equal(matchesOf((await messages(response)).at(-1)), 1);
  }
});

test('closing answers the calls that run', { timeout: 120_000 }, async (t) => {
  const { service, post, gate, openSession } = await serve(t, endlessTree(t));
  const session = await openSession();
  const running = [{}, session].map((headers) =>
    post({ id: 1, ...call(ENDLESS) }, headers).then(messages),
  );
  while (gate.inFlight < 2) await later(10);
  await service.close();
  for (const answer of running) {
    const { result } = (await answer).at(-1);
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /^cancelled: the service is shutting down\n/);
  }
});

test('an unknown form of results is refused', { timeout: 120_000 }, () => {
  assert.throws(() => createMcpService({ workspace: {}, result: 'xml' }), {
    code: 'invalid_param',
    param: 'result',
  });
});
