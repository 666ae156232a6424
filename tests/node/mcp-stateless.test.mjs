// Revisions without sessions: requests that describe themselves, in any order and at any process; unknown and
// malformed revisions; and a client that two processes serve in turns.

import assert from 'node:assert/strict';
import { createServer, request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import { before, describe, test } from 'node:test';
import * as v2 from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Workspace, tools as table } from 'searchscope';
import { ENDLESS, endlessTree, suiteContext, tempTree } from './helpers.mjs';
import { CLIENTS, Lines, callTool, serveHttp, stdioWords } from './mcp-clients.mjs';
import { CAPABILITIES_KEY, VERSION_KEY, call, initialize, stateless } from './mcp-messages.mjs';
import { postMcp } from './service.mjs';

const require = createRequire(import.meta.url);
const { SUPPORTED_PROTOCOL_VERSIONS } = require('@modelcontextprotocol/server');
const { createMcpService } = require('../../server/mcp.js');
const { warmUp } = require('../../server/mcp/warm.js');
const { STATELESS, WITH_HANDSHAKE } = require('../../server/mcp/revisions.js');

const TREE = { 'a.txt': 'needle\n' };
const SERVER = 'io.modelcontextprotocol/serverInfo';
const HOUR_MS = 3_600_000;
const TOOLS = table();
const PINNED = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

const list = { method: 'tools/list', params: {} };
const needle = call({ query: 'needle' });
const matchesOf = ({ content }) => JSON.parse(content[0].text).total_matches;

/** Requests that are refused, by name: the request, the code, and what the message names. */
const REFUSED = [
  ['an unknown revision', stateless(list, '2027-01-01'), -32022, /2027-01-01; supported: 2026-07-28,/],
  ['a revision with a handshake', stateless(list, '2025-11-25'), -32022, /initialize 2025-11-25/],
  ['a long revision', stateless(list, '9'.repeat(5_000)), -32022, /: 9{40}; supported: 2026-07-28/],
  ['an empty revision', stateless(list, ''), -32022, /supported: 2026-07-28/],
  ['a number as revision', stateless(list, 20260728), -32602, /protocolVersion": "2026-07-28"/],
  ['null as revision', stateless(list, null), -32602, /protocolVersion/],
  ['no revision', stateless(list, '', { [VERSION_KEY]: undefined }), -32602, /protocolVersion/],
  ['no capabilities', stateless(list, '2026-07-28', { [CAPABILITIES_KEY]: undefined }), -32602, /clientCapabilities/],
  ['a list of capabilities', stateless(list, '2026-07-28', { [CAPABILITIES_KEY]: [] }), -32602, /clientCapabilities/],
  ['null as _meta', { ...list, params: { _meta: null } }, -32602, /_meta must be an object/],
  ['a list as _meta', { ...list, params: { _meta: [] } }, -32602, /_meta must be an object/],
  ['a discovery without _meta', { method: 'server/discover' }, -32602, /protocolVersion/],
  ['initialize of an unknown revision in _meta', stateless(initialize('2025-11-25'), '2027-01-01'), -32022, /2027/],
];

/** Methods of earlier revisions, which the stateless one lacks or deprecates. */
const ABSENT = ['initialize', 'ping', 'logging/setLevel', 'resources/list', 'prompts/list', 'roots/list'];

test('the known revisions are those of the library, and one more is not published', () => {
  assert.deepEqual(WITH_HANDSHAKE, SUPPORTED_PROTOCOL_VERSIONS.filter((name) => name !== '2024-10-07'));
  assert.deepEqual(STATELESS, ['2026-07-28']);
});

const TRANSPORTS = [
  [
    'stdio',
    (t, root) => {
      const lines = new Lines(t, root);
      return (message) => lines.ask(message);
    },
  ],
  [
    'HTTP',
    async (t, root) => {
      const { origin } = await serveHttp(t, root);
      return async (message, headers = headersOf(message)) => {
        const { status, text } = await postMcp(origin, { jsonrpc: '2.0', id: 1, ...message }, { headers });
        const data = /^data: (.+)$/m.exec(text)?.[1] ?? text;
        return { status, ...JSON.parse(data) };
      };
    },
  ],
];

/** Returns the headers that a client sends with a message of a stateless revision. */
function headersOf({ method, params }) {
  const version = params?._meta?.[VERSION_KEY];
  if (typeof version !== 'string') return {};
  const name = params.name === undefined ? {} : { 'Mcp-Name': params.name };
  return { 'MCP-Protocol-Version': version, 'Mcp-Method': method, ...name };
}

for (const [name, open] of TRANSPORTS) {
  describe(`stateless requests over ${name}`, { timeout: 120_000 }, () => {
    const suite = suiteContext();
    let ask;

    before(async () => {
      ask = await open(suite, tempTree(suite, TREE));
    });

    test('discover the revisions, and may be kept for an hour by anybody', async () => {
      const { result } = await ask(stateless({ method: 'server/discover', params: {} }));
      assert.deepEqual(result.supportedVersions, STATELESS);
      assert.deepEqual(result.capabilities, { tools: { listChanged: false } });
      assert.match(result.instructions, /^- search: /m);
      const listed = (await ask(stateless(list))).result;
      assert.ok(listed.tools.length > 10);
      for (const each of [result, listed]) {
        assert.deepEqual([each.resultType, each.ttlMs, each.cacheScope], ['complete', HOUR_MS, 'public']);
        assert.equal(each._meta[SERVER].name, 'searchscope');
      }
    });

    test('are served before and after those of a client with a handshake', async () => {
      for (let turn = 0; turn < 2; turn += 1) {
        const { result } = await ask(stateless(needle));
        assert.deepEqual([matchesOf(result), result.resultType], [1, 'complete']);
        const begun = (await ask(initialize('2025-06-18'))).result;
        assert.deepEqual([begun.protocolVersion, begun.resultType], ['2025-06-18', undefined]);
        const old = (await ask(needle)).result;
        assert.deepEqual([matchesOf(old), old.resultType, old._meta], [1, undefined, undefined]);
        const { ttlMs, cacheScope } = (await ask(list)).result;
        assert.deepEqual([ttlMs, cacheScope], [undefined, undefined]);
      }
    });

    test('are refused when they are malformed or of an unknown revision', async () => {
      const refusals = async () => {
        for (const [why, message, code, text] of REFUSED) {
          const { status, error } = await ask(message);
          assert.equal(error?.code, code, why);
          assert.match(error.message, text, why);
          if (code === -32022) {
            const requested = message.params._meta[VERSION_KEY].slice(0, 40);
            assert.deepEqual(error.data, { supported: STATELESS, requested });
          }
          if (name === 'HTTP') assert.equal(status, 400, why);
        }
      };
      await refusals();
      // The requests before them say nothing about these.
      await ask(stateless(needle));
      await ask(initialize('2025-11-25'));
      await refusals();
    });

    test('have no roots, sampling, logging and other methods', async () => {
      for (const method of ABSENT) {
        const { status, error } = await ask(stateless({ method, params: {} }));
        assert.equal(error.code, -32601, method);
        if (name === 'HTTP') assert.equal(status, 404, method);
      }
      const verbose = { 'io.modelcontextprotocol/logLevel': 'debug' };
      const { result } = await ask(stateless(needle, '2026-07-28', verbose));
      assert.equal(matchesOf(result), 1);
    });

    test('ask clients with a handshake for nothing', async () => {
      const able = initialize('2025-11-25');
      able.params.capabilities = { roots: { listChanged: true }, sampling: {}, elicitation: {} };
      const { result } = await ask(able);
      assert.deepEqual(result.capabilities, { tools: { listChanged: false } });
      assert.equal((await ask({ method: 'logging/setLevel', params: { level: 'debug' } })).error.code, -32601);
    });
  });
}

describe('a request over HTTP names its revision twice', { timeout: 120_000 }, () => {
  const suite = suiteContext();
  let ask;

  before(async () => {
    ask = await TRANSPORTS[1][1](suite, tempTree(suite, TREE));
  });

  const good = headersOf(stateless(needle));
  const without = (name) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
  const other = (name, value) => ({ ...good, [name]: value });
  const named = (headers) => ({ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', ...headers });
  const unknown = stateless(needle, '2027-01-01');
  const table = [
    ['headers of an unknown revision', stateless(needle), other('MCP-Protocol-Version', '2027-01-01'), -32020],
    ['headers of an old revision', stateless(needle), other('MCP-Protocol-Version', '2025-11-25'), -32020],
    ['a body of an unknown revision', unknown, good, -32020],
    ['both of an unknown revision', unknown, headersOf(unknown), -32022],
    ['an unknown revision and no headers', unknown, {}, -32022],
    ['no revision in the body', needle, good, -32602],
    ['an unknown revision in the headers alone', needle, other('MCP-Protocol-Version', '2027-01-01'), -32022],
    ['a word in the headers alone', needle, { 'MCP-Protocol-Version': 'newest' }, -32022],
    ['an old unknown revision in the headers alone', needle, { 'MCP-Protocol-Version': '2024-01-01' }, -32022],
    ['no version header', stateless(needle), without('MCP-Protocol-Version'), -32020],
    ['no method header', stateless(needle), without('Mcp-Method'), -32020],
    ['another method', stateless(needle), other('Mcp-Method', 'tools/list'), -32020],
    ['no name header', stateless(needle), without('Mcp-Name'), -32020],
    ['another name', stateless(needle), named({ 'Mcp-Name': 'look' }), -32020],
    ['a name that is not Base64', stateless(needle), named({ 'Mcp-Name': '=?base64?!?=' }), -32020],
  ];
  for (const [name, message, headers, code] of table) {
    test(`and is refused with ${name}`, async () => {
      const { status, id, error } = await ask(message, headers);
      assert.deepEqual([status, id, error?.code], [400, 1, code]);
      if (code === -32022) assert.deepEqual(error.data.supported, STATELESS);
    });
  }

  test('and is served with a name in Base64, and without a session', async () => {
    const encoded = `=?base64?${Buffer.from('search_in_files').toString('base64')}?=`;
    for (const headers of [named({ 'Mcp-Name': encoded }), other('Mcp-Session-Id', 'of another process')]) {
      const { status, result } = await ask(stateless(needle), headers);
      assert.deepEqual([status, matchesOf(result)], [200, 1]);
    }
  });
});

test('a batch with a stateless request is refused', { timeout: 120_000 }, async (t) => {
  const root = tempTree(t, TREE);
  const batch = [{ jsonrpc: '2.0', id: 1, ...stateless(list) }];
  const lines = new Lines(t, root);
  await lines.ask(initialize('2025-03-26'));
  assert.equal((await lines.ask(batch)).error.code, -32600);
  const { origin } = await serveHttp(t, root);
  const refused = async (messages, headers) => {
    const { status, text } = await postMcp(origin, messages, { headers });
    return [status, JSON.parse(text).error.code];
  };
  assert.deepEqual(await refused(batch), [400, -32600]);
  const old = [{ jsonrpc: '2.0', id: 1, ...list }];
  assert.deepEqual(await refused(old, { 'MCP-Protocol-Version': '2026-07-28' }), [400, -32600]);
  assert.deepEqual(await refused(old, { 'MCP-Protocol-Version': '2027-01-01' }), [400, -32022]);
});

test('a stateless call over stdio is cancelled by its id', { timeout: 120_000 }, async (t) => {
  const lines = new Lines(t, endlessTree(t));
  await lines.ask(initialize('2025-11-25'));
  lines.send({ id: 'long', ...stateless(call(ENDLESS)) });
  lines.send({ method: 'notifications/cancelled', params: { requestId: 'long' } });
  // The next message answers the next request: a cancelled call has none.
  assert.equal(matchesOf((await lines.ask(stateless(call({ query: 'zzz' })))).result), 0);
});

/** Serves at a port of its own by passing each request to the next of the addresses in turn. */
async function balance(t, targets) {
  const counts = targets.map(() => 0);
  let turn = 0;
  const server = createServer((req, res) => {
    const next = turn++ % targets.length;
    counts[next] += 1;
    const { hostname, port } = targets[next];
    const headers = { ...req.headers, host: `${hostname}:${port}` };
    const passed = httpRequest({ hostname, port, path: req.url, method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode, answer.headers);
      answer.pipe(res);
    });
    passed.on('error', () => res.destroy());
    res.on('close', () => passed.destroy());
    req.pipe(passed);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${server.address().port}/mcp`), counts };
}

describe('two processes that take turns', { timeout: 120_000 }, () => {
  for (const { name, make, Http } of CLIENTS) {
    test(`serve one client: ${name}`, async (t) => {
      const root = tempTree(t, TREE);
      const { url, counts } = await balance(t, [await serveHttp(t, root), await serveHttp(t, root)]);
      const client = make();
      t.after(() => client.close());
      await client.connect(new Http(url));
      for (let turn = 0; turn < 10; turn += 1) {
        const { tools } = await client.listTools();
        assert.ok(tools.some((tool) => tool.name === 'search_in_files'));
        assert.equal(matchesOf(await callTool(client, 'search_in_files', { query: 'needle' })), 1);
      }
      assert.ok(Math.min(...counts) >= 5, JSON.stringify(counts));
    });

    test(`and cancel its calls, or outlive them: ${name}`, async (t) => {
      const root = endlessTree(t);
      const { url } = await balance(t, [await serveHttp(t, root), await serveHttp(t, root)]);
      const client = make();
      t.after(() => client.close());
      await client.connect(new Http(url));
      const controller = new AbortController();
      const { signal } = controller;
      const running = callTool(client, 'search_in_files', ENDLESS, { signal }).catch((error) => error);
      setTimeout(() => controller.abort(), 300);
      assert.ok((await running) instanceof Error);
      for (let turn = 0; turn < 3; turn += 1) {
        assert.equal(matchesOf(await callTool(client, 'search_in_files', { query: 'zzz' })), 0);
      }
    });
  }
});

test('clients with a common store of lists get those of their server', { timeout: 120_000 }, async (t) => {
  const root = tempTree(t, { ...TREE, 'guide.md': 'A needle.\n' });
  const workspace = Workspace.open(root);
  const responseCacheStore = new v2.InMemoryResponseCacheStore();
  const names = [];
  const services = ['agent', 'all', 'agent'].map((tools) => createMcpService({ workspace, tools }));
  for (const service of services) {
    const server = createServer((req, res) => service.handle(req, res));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close() && server.closeAllConnections());
    const client = new v2.Client({ name: 'test', version: '1' }, { ...PINNED, responseCacheStore });
    t.after(() => client.close());
    const url = new URL(`http://127.0.0.1:${server.address().port}/mcp`);
    await client.connect(new v2.StreamableHTTPClientTransport(url));
    names.push((await client.listTools()).tools.length);
  }
  assert.deepEqual(names, [2, TOOLS.length, 2]);
});

for (const [mode, expected] of [['auto', '2026-07-28'], [{ pin: '2026-07-28' }, '2026-07-28'], ['legacy', '2025-11-25']]) {
  test(`a client that negotiates by ${JSON.stringify(mode)} gets ${expected}`, { timeout: 120_000 }, async (t) => {
    const root = tempTree(t, TREE);
    const transports = [
      new StdioClientTransport({ command: process.execPath, args: stdioWords(root) }),
      new v2.StreamableHTTPClientTransport(await serveHttp(t, root)),
    ];
    for (const transport of transports) {
      const client = new v2.Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      t.after(() => client.close());
      await client.connect(transport);
      assert.equal(client.getNegotiatedProtocolVersion(), expected);
      assert.equal(matchesOf(await callTool(client, 'search_in_files', { query: 'needle' })), 1);
    }
  });
}

test('the service serves a request of each kind before it listens', { timeout: 120_000 }, async (t) => {
  const asked = [];
  const service = createMcpService({ workspace: {} });
  const server = createServer(async (req, res) => {
    res.on('finish', () => asked.push([req.headers['mcp-method'], res.statusCode]));
    await service.handle(req, res);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  await warmUp(`http://127.0.0.1:${server.address().port}`);
  assert.deepEqual(asked, [
    [undefined, 200],
    ['server/discover', 200],
  ]);
});

test('a client asks once for the list within the hour', { timeout: 120_000 }, async (t) => {
  const { url, counts } = await balance(t, [await serveHttp(t, tempTree(t, TREE))]);
  const { make, Http } = CLIENTS.find(({ modern }) => modern);
  const client = make();
  t.after(() => client.close());
  await client.connect(new Http(url));
  await client.listTools();
  const [before] = counts;
  for (let turn = 0; turn < 5; turn += 1) await client.listTools();
  assert.equal(counts[0], before);
});
