// The examples of README.md and docs: JavaScript, each in a process and a project of its own, and the
// curl requests, to a service.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { TOP, addonFile, runNode, tempTree } from './helpers.mjs';
import { serve } from './service.mjs';

const read = (path) => readFileSync(join(TOP, path), 'utf8');

const PAGES = readdirSync(join(TOP, 'docs')).filter((name) => name.endsWith('.md'));
const DOCUMENTS = ['README.md', ...PAGES.map((name) => `docs/${name}`)];

/** Returns the JavaScript blocks of a document, each with the text block directly after it, if any. */
function examples(text) {
  const blocks = [...text.matchAll(/^```js\n([^]*?)^```\n(?:\n```text\n([^]*?)^```\n)?/gm)];
  return blocks.map(([, code, output]) => ({ code, output }));
}

const PROJECT = {
  'app/Cargo.toml': '[package]\nname = "app"\n',
  'app/src/main.rs': 'fn main() {\n    let n = parse("7").unwrap();\n}\n',
  'app/src/parse.rs': 'pub fn parse(text: &str) -> Option<u8> {\n    text.bytes().next() // TODO\n}\n',
  'app/tests/all.rs': '#[test]\nfn t() { parse("1").unwrap(); }\n',
  'engine/notes.md': '----\nname: Notes\n----\nCall unwrap() only in tests.\n',
};

/** Makes a service listen on a free port and exit soon after; otherwise it would run for ever. */
function asProgram(code, root) {
  const body = code
    .replaceAll('/path/to/project', root)
    .replaceAll('/path/to/searchscope.node', addonFile())
    .replaceAll('.listen(3000,', '.listen(0,');
  const end = code.includes('.listen(') ? 'setTimeout(() => process.exit(0), 500);\n' : '';
  return `(async () => {\n${body}${end}})();\n`;
}

/** Runs an example as the body of an async function and returns the outcome of its process. */
function run(t, code) {
  const files = Object.entries(PROJECT).map(([path, text]) => [`project/${path}`, text]);
  const folder = tempTree(t, Object.fromEntries(files));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(TOP, join(folder, 'node_modules', 'searchscope'), 'dir');
  symlinkSync(join(TOP, 'server'), join(folder, 'node_modules', 'searchscope-server'), 'dir');
  symlinkSync(join(TOP, 'node_modules', 'express'), join(folder, 'node_modules', 'express'), 'dir');
  writeFileSync(join(folder, 'example.cjs'), asProgram(code, join(folder, 'project')));
  return runNode([join(folder, 'example.cjs')], { cwd: folder });
}

/** Returns the curl requests in the shell blocks of a document. */
function curlCommands(text) {
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block]) => block);
  const lines = blocks.join('').replaceAll('\\\n', ' ').split('\n');
  return lines.filter((line) => line.startsWith('curl '));
}

function hasCurl() {
  try {
    return execFileSync('curl', ['--version']).length > 0;
  } catch {
    return false;
  }
}

describe('the examples of the documents', { timeout: 120_000 }, () => {
  for (const document of DOCUMENTS) {
    for (const [n, { code, output }] of examples(read(document)).entries()) {
      test(`${document}, example ${n + 1}`, async (t) => {
        const { code: status, stdout, stderr } = await run(t, code);
        assert.deepEqual([status, stderr], [0, '']);
        if (output !== undefined) assert.equal(stdout, output);
      });
    }
  }

  test('are found', () => {
    assert.ok(DOCUMENTS.flatMap((document) => examples(read(document))).length > 8);
    const text = 'a\n```js\nf();\n```\n\n```text\n1\n```\n\n```js\ng();\n```\nb\n';
    assert.deepEqual(examples(text), [
      { code: 'f();\n', output: '1\n' },
      { code: 'g();\n', output: undefined },
    ]);
  });

  test('of curl are answered', async (t) => {
    if (!hasCurl()) return t.skip('SKIPPED: the curl examples of docs: curl is not installed');
    const commands = DOCUMENTS.flatMap((document) => curlCommands(read(document)));
    assert.ok(commands.length >= 5);
    const root = tempTree(t, {
      'guide/start.md': '---\nname: Start\n---\nThe API and its config.\n',
    });
    const { url } = await serve(t, { root });
    for (const command of commands) {
      const here = command.replace(/http:\/\/(?:localhost|127\.0\.0\.1):3000/g, url);
      const { stdout } = await promisify(execFile)('sh', ['-c', here]);
      assert.doesNotMatch(stdout, /"error"|"isError":true/, command);
      // MCP may reply as a stream of events.
      const reply = /^data: (.*)$/m.exec(stdout)?.[1] ?? stdout;
      assert.doesNotThrow(() => JSON.parse(reply), command);
    }
  });

  test('fail when they are wrong', async (t) => {
    assert.equal((await run(t, "require('searchscope').open();")).code, 1);
  });
});
