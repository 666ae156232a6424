// The tool sets of a service over MCP: the tools in each, the description of the others, and the number
// of bytes that an agent receives before its first call.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { tools } from 'searchscope';
import { rejection, tempTree } from './helpers.mjs';
import { callTool, connectInProcess } from './mcp-clients.mjs';
import { request, serve, serveCommand } from './service.mjs';

const require = createRequire(import.meta.url);
const { createMcpService } = require('../../server/mcp.js');
const { instructions } = require('../../server/mcp/instructions.js');

const TREE = { 'a.txt': 'needle\n', 'guide.md': 'A needle.\n' };
const TABLE = tools().map((tool) => tool.name);
const AGENT = ['look', 'read'];

const LIST_AND_GUIDE_BYTES_MAX = { agent: 4 << 10, all: 40 << 10 };
const LOOK_BYTES_MAX = 1536;

const bytesOf = (value) => Buffer.byteLength(JSON.stringify(value));

/** Connects a client to a service in this process and returns the first data that it received. */
async function first(t, options) {
  const client = await connectInProcess(t, tempTree(t, TREE), options);
  const list = await client.listTools();
  const names = list.tools.map((tool) => tool.name);
  return { client, list, names, guide: client.getInstructions() };
}

describe('the tools of a service', { timeout: 120_000 }, () => {
  const sets = [
    ['the default', undefined, AGENT],
    ['agent', 'agent', AGENT],
    ['all', 'all', TABLE],
    ['names in any order', 'read, look', AGENT],
    ['a name twice', ['look', 'look'], ['look']],
    ['a set and a name', 'agent,search', ['search', ...AGENT]],
    ['an array', ['Grep', 'look'], ['Grep', 'look']],
    ['all among names', ['look', 'all'], TABLE],
  ];
  for (const [name, wanted, expected] of sets) {
    test(`are those of ${name}, and the guide is about no other`, async (t) => {
      const { names, guide } = await first(t, { tools: wanted });
      assert.deepEqual(names, expected);
      const about = [...guide.matchAll(/^- (\w+): /gm)].map(([, tool]) => tool);
      assert.deepEqual(about.toSorted(), expected.toSorted());
      const others = TABLE.filter((tool) => !expected.includes(tool) && /_/.test(tool));
      for (const other of others) assert.ok(!guide.includes(other), other);
    });
  }

  test('are by default few and sufficient for a call', async (t) => {
    const { client } = await first(t, {});
    const found = await callTool(client, 'look', { q: 'needle' });
    assert.match(found.content[0].text, /^a\.txt\n/);
    assert.doesNotMatch(client.getInstructions(), /cursor|scope/);
  });

  test('each have a line in the guide, also a new one', () => {
    const added = { name: 'added', description: 'Counts v1.2 of it. Then more.' };
    const guide = instructions([...tools(), added]);
    assert.deepEqual(guide.match(/^- .*$/gm).at(-1), '- added: counts v1.2 of it.');
    assert.equal(guide.match(/^- /gm).length, TABLE.length + 1);
    assert.ok(!instructions(tools()).includes('added'));
  });

  test('that are not served are unknown, and the error names the remedy', async (t) => {
    const { client } = await first(t, {});
    for (const [name, message] of [
      ['search', /unknown tool 'search'.*without it; known: look, read;.*--tools look,read,search or --tools all/],
      ['serch', /unknown tool 'serch'; known: look, read;.*--tools look,read,NAME or --tools all/],
    ]) {
      const error = await rejection(callTool(client, name, {}));
      assert.equal(error.code, -32602);
      assert.match(error.message, message);
    }
  });

  test('are refused by name when there is no such tool', () => {
    for (const [wanted, message] of [
      ['serch', /^'tools' names an unknown tool 'serch'; did you mean 'search'\? known: agent, all, /],
      [['look', 'files_by_name'], /did you mean 'find_files_by_name'\?/],
      ['Look', /did you mean 'look'/],
      ['xyzzy'.repeat(50), /^'tools' names an unknown tool 'xyzzy[^?]*$/],
      ['', /^'tools' must not be empty: /],
      [[], /^'tools' must not be empty: /],
      ['look,', /^'tools' must not be empty: /],
      [2, /^'tools' must be a string or an array of strings: /],
      [[null], /^'tools' must be a string or an array of strings: /],
    ]) {
      assert.throws(() => createMcpService({ workspace: {}, tools: wanted }), {
        ...{ code: 'invalid_param', param: 'tools' },
        message,
      });
    }
  });

  test('limit only MCP: the documents stay available', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE), tools: undefined });
    const answer = await request(`${url}/context?action=search&query=needle`);
    assert.equal(answer.status, 200);
    assert.match(answer.text, /guide\.md/);
  });

  test('are chosen at the command line, and the printed configuration repeats them', async (t) => {
    const words = ['--port', '0', '--tools', 'look,Grep', '--root', tempTree(t, TREE)];
    const service = await serveCommand(t, words);
    assert.match(service.out.stderr, /"--tools=look,Grep"/);
  });
});

describe('the input of an agent before its first call', { timeout: 60_000 }, () => {
  for (const [set, bytesMax] of Object.entries(LIST_AND_GUIDE_BYTES_MAX)) {
    test(`in the set ${set} has at most ${bytesMax} bytes`, async (t) => {
      const { list, guide } = await first(t, { tools: set });
      const bytes = bytesOf(list) + bytesOf(guide);
      t.diagnostic(`${set}: list ${bytesOf(list)}, guide ${bytesOf(guide)}`);
      assert.ok(bytes <= bytesMax, `${bytes} bytes`);
    });
  }

  test(`of look has at most ${LOOK_BYTES_MAX} bytes`, async (t) => {
    const { list } = await first(t, {});
    const { description, inputSchema } = list.tools.find((tool) => tool.name === 'look');
    const bytes = bytesOf(description) + bytesOf(inputSchema);
    assert.ok(bytes <= LOOK_BYTES_MAX, `${bytes} bytes`);
  });

  test('has schemas of replies only where replies are structured', async (t) => {
    for (const result of ['text', 'json', 'structured', 'both']) {
      const { list } = await first(t, { tools: 'all', result });
      const isStructured = result === 'structured' || result === 'both';
      for (const tool of list.tools) assert.equal('outputSchema' in tool, isStructured, tool.name);
    }
  });
});
