// The official Inspector's command line against the service.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { tools } from 'searchscope';
import { TOP, runNode, suiteContext, tempTree } from './helpers.mjs';
import { serveHttp, stdioWords } from './mcp-clients.mjs';

const PACKAGES = join(TOP, 'node_modules', '@modelcontextprotocol');
const INSPECTOR = join(PACKAGES, 'inspector-cli', 'build', 'cli.js');

const TREE = { 'a.txt': 'needle\n', 'sub/b.txt': 'needle\n' };

const suite = suiteContext();
let root, url;

before(async () => {
  root = tempTree(suite, TREE);
  url = await serveHttp(suite, root);
});

const TARGETS = [
  ['stdio', () => [process.execPath, ...stdioWords(root)]],
  ['HTTP', () => [url.href]],
];

for (const [name, target] of TARGETS) {
  describe(`the Inspector over ${name}`, { timeout: 60_000 }, () => {
    const inspect = (words) => runNode([INSPECTOR, '--cli', ...target(), ...words]);

    test('lists the tools', async () => {
      const done = await inspect(['--method', 'tools/list']);
      assert.deepEqual([done.code, done.stderr], [0, '']);
      assert.deepEqual(
        JSON.parse(done.stdout).tools.map((tool) => tool.name),
        tools().map((tool) => tool.name),
      );
    });

    test('calls a tool', async () => {
      const call = ['--method', 'tools/call', '--tool-name', 'search_in_files'];
      const done = await inspect([...call, '--tool-arg', 'query=needle', 'file_pattern=b.*']);
      assert.deepEqual([done.code, done.stderr], [0, '']);
      const reply = JSON.parse(JSON.parse(done.stdout).content[0].text);
      assert.deepEqual(
        reply.matches.map((match) => match.file_path),
        ['sub/b.txt'],
      );
    });
  });
}
