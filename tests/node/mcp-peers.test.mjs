// The official Inspector's command line and the official conformance suite against the service.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { tools } from 'searchscope';
import { TOP, runNode, tempTree } from './helpers.mjs';
import { serveHttp, stdioWords } from './mcp-clients.mjs';

const PACKAGES = join(TOP, 'node_modules', '@modelcontextprotocol');
const INSPECTOR = join(PACKAGES, 'inspector-cli', 'build', 'cli.js');
const CONFORMANCE = join(PACKAGES, 'conformance', 'dist', 'index.js');

const TREE = { 'a.txt': 'needle\n', 'sub/b.txt': 'needle\n' };

const TARGETS = [
  ['stdio', async (_t, root) => [process.execPath, ...stdioWords(root)]],
  ['HTTP', async (t, root) => [(await serveHttp(t, root)).href]],
];

for (const [name, target] of TARGETS) {
  describe(`the Inspector over ${name}`, { timeout: 60_000 }, () => {
    const inspect = async (t, words) => {
      const server = await target(t, tempTree(t, TREE));
      return runNode([INSPECTOR, '--cli', ...server, ...words]);
    };

    test('lists the tools', async (t) => {
      const done = await inspect(t, ['--method', 'tools/list']);
      assert.deepEqual([done.code, done.stderr], [0, '']);
      assert.deepEqual(
        JSON.parse(done.stdout).tools.map((tool) => tool.name),
        tools().map((tool) => tool.name),
      );
    });

    test('calls a tool', async (t) => {
      const call = ['--method', 'tools/call', '--tool-name', 'search_in_files'];
      const done = await inspect(t, [...call, '--tool-arg', 'query=needle', 'file_pattern=b.*']);
      assert.deepEqual([done.code, done.stderr], [0, '']);
      const reply = JSON.parse(JSON.parse(done.stdout).content[0].text);
      assert.deepEqual(
        reply.matches.map((match) => match.file_path),
        ['sub/b.txt'],
      );
    });
  });
}

describe('the conformance suite', { timeout: 60_000 }, () => {
  for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']) {
    test(scenario, async (t) => {
      const url = await serveHttp(t, tempTree(t, TREE));
      const output = mkdtempSync(join(tmpdir(), 'searchscope-conformance-'));
      t.after(() => rmSync(output, { recursive: true, force: true }));
      const words = ['server', '--url', url.href, '--scenario', scenario, '--output-dir', output];
      const done = await runNode([CONFORMANCE, ...words], { cwd: output });
      const told = `${done.stdout}\n${done.stderr}`;
      assert.equal(done.code, 0, told);
      const [, passed, of] = /Passed: (\d+)\/(\d+)/.exec(told) ?? assert.fail(told);
      assert.ok(Number(passed) > 0 && passed === of, told);
    });
  }
});
