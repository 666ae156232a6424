// The official clients against the service: every tool, errors, structured results, cancelling.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Workspace, tools } from 'searchscope';
import { ENDLESS, endlessTree, later, rejection, suiteContext, tempTree } from './helpers.mjs';
import { COMBINATIONS, callTool } from './mcp-clients.mjs';
import { samples, timeless } from './samples.mjs';

const TREE = {
  'a.txt': 'one\ntwo needle\n',
  'guide.md': '---\nname: Guide\ndescription: A guide.\n---\nneedle\n',
  'sub/b.txt': 'zwölf 🦀 needle\n',
  'sub/job.rs': 'impl Job {\n    fn run() {}\n}\n',
};

const CALLS = samples({ text: 'needle', document: 'guide.md', symbol: 'run' });

/** Far longer than such a call takes, far shorter than the cancelled searches would. */
const LIVE_MS = 30_000;

const textOf = (result) => {
  assert.deepEqual(
    result.content.map((block) => block.type),
    ['text'],
  );
  return result.content[0].text;
};

for (const { name, modern, connect } of COMBINATIONS) {
  describe(name, { timeout: 120_000 }, () => {
    const suite = suiteContext();
    const connections = new Map();
    let root;

    before(() => {
      root = tempTree(suite, TREE);
    });

    /** Returns the client whose service has this form of results, which the tests of the suite share. */
    const connected = (result = 'json') => {
      if (!connections.has(result)) connections.set(result, connect(suite, root, result));
      return connections.get(result);
    };

    test('lists every tool as the table has it', async () => {
      const client = await connected();
      const listed = (await client.listTools()).tools;
      const table = tools().map(({ name, description, listSchema }) => ({
        name,
        description,
        inputSchema: listSchema,
        annotations: { readOnlyHint: true, openWorldHint: false },
      }));
      assert.deepEqual(listed, table);
      assert.equal(client.getServerVersion().name, 'searchscope');
      assert.match(client.getInstructions(), /^- search: /m);
      assert.deepEqual(client.getServerCapabilities(), { tools: { listChanged: false } });
    });

    test('calls every tool and gets the engine`s own text', async () => {
      const client = await connected();
      const workspace = Workspace.open(root);
      for (const tool of tools()) {
        const args = CALLS[tool.name];
        const result = await callTool(client, tool.name, args);
        assert.equal(result.isError, undefined, tool.name);
        assert.equal(result.structuredContent, undefined);
        const own = await workspace.callJson(tool.name, args);
        assert.deepEqual(timeless(textOf(result)), timeless(own), tool.name);
      }
      const own = await workspace.callJson('search_in_files', CALLS.search_in_files);
      const result = await callTool(client, 'search_in_files', CALLS.search_in_files);
      assert.equal(textOf(result), own);
    });

    test('gets plain text, and errors in it are errors', async () => {
      const client = await connected('text');
      const workspace = Workspace.open(root);
      for (const tool of tools()) {
        const args = CALLS[tool.name];
        const result = await callTool(client, tool.name, args);
        assert.equal(result.isError, undefined, tool.name);
        assert.equal(textOf(result), await workspace.callText(tool.name, args), tool.name);
      }
      const failed = await callTool(client, 'Grep', { pattern: '(' });
      assert.equal(failed.isError, true);
      assert.match(textOf(failed), /^# error: /);
    });

    test('gets structured results that fit the schemas', async () => {
      const client = await connected('structured');
      const workspace = Workspace.open(root);
      const listed = (await client.listTools()).tools;
      for (const tool of listed) {
        assert.ok(tool.outputSchema, tool.name);
        // Having listed the tools, the client validates each result against its schema.
        const result = await callTool(client, tool.name, CALLS[tool.name]);
        assert.deepEqual(result.content, []);
        const own = await workspace.callJson(tool.name, CALLS[tool.name]);
        // Only the newest revision allows results that are not objects.
        const wrapped = !modern && tool.name === 'find_and_grep';
        const { structuredContent } = result;
        const given = wrapped ? structuredContent.result : structuredContent;
        assert.deepEqual(timeless(JSON.stringify(given)), timeless(own), tool.name);
      }
      const total = await callTool(client, 'find_and_grep', {
        ...CALLS.find_and_grep,
        total_only: true,
      });
      assert.deepEqual(total.structuredContent, modern ? 3 : { result: 3 });
    });

    test('gets both when asked to give both', async () => {
      const client = await connected('both');
      await client.listTools();
      const result = await callTool(client, 'search_in_files', CALLS.search_in_files);
      assert.equal(result.structuredContent.total_matches, 3);
      assert.deepEqual(JSON.parse(textOf(result)), result.structuredContent);
    });

    test('receives errors as results with a hint', async () => {
      const client = await connected();
      const failed = async (tool, args) => {
        const result = await callTool(client, tool, args);
        assert.equal(result.isError, true);
        return textOf(result);
      };
      const missing = await failed('search', { patterns: ['x'], paths: ['gide.md'] });
      assert.match(missing, /^not_found: .*\n {2}parameter: paths\n {2}path: gide\.md\n/);
      assert.match(missing, /\n {2}did you mean: guide\.md\n {2}hint: .+$/);
      const unknown = await failed('search_in_files', { query: 'x', quer: 'y' });
      assert.match(unknown, /^invalid_param: .*'quer'; did you mean 'query'\?/);
      assert.match(unknown, /\n {2}hint: .*input schema\.$/);
      assert.doesNotMatch(unknown, /--root/);
      assert.match(
        await failed('search_in_files', { query: 'ü(b', use_regex: true }),
        /^pattern_syntax: [^]*\n {2}ü\(b\n {3}\^\n {2}hint: /,
      );
      assert.match(
        await failed('search_in_files', { query: 'x', path: '../..' }),
        /^access_denied: PATH_SECURITY_ERROR: [^]*\n {2}hint: (?!.*--root)/,
      );
      assert.equal(JSON.parse(await failed('Grep', { pattern: '(' })).status, 'error');
      const two = { roots: ['.'], query: 'x', size: 'big' };
      assert.equal(JSON.parse(await failed('find_and_grep', two)).success, false);
    });

    test('receives a protocol error for an unknown tool', async () => {
      const client = await connected();
      const error = await rejection(callTool(client, 'serch', {}));
      assert.equal(error.code, -32602);
      assert.match(error.message, /unknown tool 'serch'; known: search, find, /);
    });

    test('cancels long calls and gets its next answer', async (t) => {
      const client = await connect(t, endlessTree(t));
      // One more than may run at once: if one of them kept running, the next would be late.
      const controllers = Array.from({ length: 3 }, () => new AbortController());
      const calls = controllers.map(({ signal }) =>
        rejection(callTool(client, 'search_in_files', ENDLESS, { signal })),
      );
      await later(500);
      const started = performance.now();
      for (const controller of controllers) controller.abort();
      await Promise.all(calls);
      const next = await callTool(client, 'search_in_files', { query: 'zzz' });
      assert.equal(JSON.parse(textOf(next)).total_matches, 0);
      assert.ok(performance.now() - started < LIVE_MS);
    });
  });
}
