// The binding and the program in examples/python, and the program of docs/python.md. They need Python and the C
// library, which the Rust tests build.

import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { tools } from 'searchscope';
import { TOP, tempTree } from './helpers.mjs';

const { version } = createRequire(import.meta.url)('../../package.json');

const EXAMPLES = join(TOP, 'examples', 'python');
const PROJECT = join(TOP, 'examples', 'project');

/** Directories into which builds put the library. */
const BUILDS = ['target/tmp/c-plain', 'target/debug', 'target/release'];

/** Returns the libraries that were built here, newest first, or the one that the environment names. */
function libraries() {
  if (process.env.SEARCHSCOPE_LIBRARY) return [process.env.SEARCHSCOPE_LIBRARY];
  const files = BUILDS.map((folder) => join(TOP, folder, 'libsearchscope.so')).filter(existsSync);
  return files.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
}

/** Prints the version and the tools of a library, which the binding does not have. */
const DESCRIBE = `
import ctypes, json, sys
from ctypes import byref, c_char_p, c_size_t, c_void_p
library = ctypes.CDLL(sys.argv[1])
library.searchscope_version.restype = c_char_p
library.searchscope_report_bytes.restype, library.searchscope_report_len.restype = c_void_p, c_size_t
report = c_void_p()
assert library.searchscope_tools(byref(report)) == 0
text = ctypes.string_at(library.searchscope_report_bytes(report), library.searchscope_report_len(report))
print(json.dumps([library.searchscope_version().decode(), json.loads(text)]))
`;

/** Returns whether a library has the version and the tools of the addon: a build of another commit may not. */
function isCurrent(file) {
  try {
    const options = { maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'ignore'] };
    const described = JSON.parse(execFileSync('python3', ['-c', DESCRIBE, file], options));
    return isDeepStrictEqual(described, JSON.parse(JSON.stringify([version, tools()])));
  } catch {
    return false;
  }
}

function hasPython() {
  try {
    return execFileSync('python3', ['--version']).length > 0;
  } catch {
    return false;
  }
}

/** Returns the reason why the tests cannot run, if any. */
function missing() {
  if (!hasPython()) return 'python3 is not installed';
  const built = libraries();
  if (built.length === 0) return 'the C library is not built (cargo build -p searchscope-ffi)';
  const others = `${built.join(', ')}: another version or other tools than the addon (cargo build -p searchscope-ffi)`;
  return library === undefined ? others : undefined;
}

const library = hasPython() ? libraries().find(isCurrent) : undefined;
const env = { ...process.env, SEARCHSCOPE_LIBRARY: library, PYTHONPATH: EXAMPLES, PYTHONDONTWRITEBYTECODE: '1' };

/** Runs Python and returns the status and the outputs. */
function python(...words) {
  return new Promise((resolve) => {
    const done = (error, stdout, stderr) => resolve({ status: error ? error.code : 0, stdout, stderr });
    execFile('python3', words, { env, timeout: 60_000 }, done);
  });
}

const search = (...words) => python(join(EXAMPLES, 'search.py'), ...words);

/** Returns the Python programs of a document, each with the text block directly after it. */
function programs(text) {
  return [...text.matchAll(/^```python\n([^]*?)^```\n\n```text\n([^]*?)^```\n/gm)].map(([, code, output]) => [code, output]);
}

const reason = missing();
const skip = reason && `SKIPPED: examples/python: ${reason}`;
if (skip) console.log(skip);

describe('the example in Python', { timeout: 120_000, skip }, () => {
  test('prints matches and the report', async () => {
    const found = await search('class Cart', PROJECT);
    assert.deepEqual([found.status, found.stdout], [0, 'src/shop/cart.py:6:class Cart:\n']);
    assert.equal(JSON.parse(found.stderr).complete, true);
    const none = await search('no "such" \\w', PROJECT);
    assert.deepEqual([none.status, none.stdout], [1, '']);
  });

  test('reports errors by their codes', async () => {
    for (const [words, code] of [[['(', PROJECT], 'pattern_syntax'], [['x', join(PROJECT, 'gone')], 'not_found']]) {
      const { status, stdout, stderr } = await search(...words);
      assert.deepEqual([status, stdout, stderr.split(':')[0]], [2, '', code]);
    }
    assert.deepEqual([(await search()).status, (await search()).stderr], [2, 'usage: search.py REGEX [DIRECTORY]\n']);
  });

  test('ends when it is interrupted', async (t) => {
    const root = tempTree(t, { 'many.log': 'one of many\n'.repeat(400_000) });
    const child = spawn('python3', [join(EXAMPLES, 'search.py'), 'many', root], { env });
    t.after(() => child.kill('SIGKILL'));
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += chunk));
    // Matches fill the pipe, so the search waits for its reader when the signal comes.
    await new Promise((resolve) => child.stdout.once('readable', resolve));
    child.kill('SIGINT');
    child.stdout.resume();
    const status = await new Promise((resolve) => child.on('close', resolve));
    assert.equal(status, 2, stderr);
    assert.match(stderr, /^cancelled: /);
  });

  test('uses one workspace from many threads', async () => {
    const code = `
from concurrent.futures import ThreadPoolExecutor
from searchscope import Workspace
with Workspace(${JSON.stringify(PROJECT)}) as workspace, ThreadPoolExecutor(8) as executor:
    call = lambda n: workspace.call('search', patterns=['price'])['total']
    print(set(executor.map(call, range(200))))
`;
    assert.deepEqual(await python('-c', code), { status: 0, stdout: '{9}\n', stderr: '' });
  });

  test('raises what a callback raises, and refuses a closed workspace', async () => {
    const code = `
from searchscope import Error, Workspace
workspace = Workspace(${JSON.stringify(PROJECT)})
seen = []
def fail(path, line, text):
    seen.append(path)
    raise ValueError('mine')
try:
    workspace.search_each(fail, patterns=['price'])
except ValueError as error:
    print(error, len(seen))
workspace.close()
try:
    workspace.call('search', patterns=['price'])
except Error as error:
    print(error.code)
`;
    assert.deepEqual(await python('-c', code), { status: 0, stdout: 'mine 1\nnull_argument\n', stderr: '' });
  });

  test('of the documentation prints what it promises', async (t) => {
    const root = tempTree(t, {});
    cpSync(PROJECT, root, { recursive: true });
    const found = programs(readFileSync(join(TOP, 'docs', 'python.md'), 'utf8'));
    assert.equal(found.length, 1);
    for (const [code, output] of found) {
      const { status, stdout, stderr } = await python('-c', code.replaceAll('/path/to/project', root));
      assert.deepEqual([status, stderr, stdout], [0, '', output]);
    }
  });
});
