// The results of calls, and the errors of wrong ones.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { SearchscopeError, Workspace } from 'searchscope';
import { hitTree, rejection, tempTree } from './helpers.mjs';

const TREE = {
  'a.txt': 'one\ntwo needle\n',
  'sub/b.txt': 'needle\nzwölf 🦀 needle\n',
  'c.md': 'nothing\n',
};

const REPLY = {
  matches: [
    { file_path: 'a.txt', line_number: 2, line_content: 'two needle' },
    { file_path: 'sub/b.txt', line_number: 1, line_content: 'needle' },
    { file_path: 'sub/b.txt', line_number: 2, line_content: 'zwölf 🦀 needle' },
  ],
  total_matches: 3,
  files_searched: 3,
  timed_out: false,
};

describe('a call', { timeout: 120_000 }, () => {
  test('continues from a cursor to the end', async (t) => {
    const files = Array.from({ length: 9 }, (_, n) => [`d${n % 3}/f${n}.txt`, 'hit\nhit\n']);
    const ws = Workspace.open(tempTree(t, Object.fromEntries(files)));
    const args = { patterns: ['hit'], matches_max: 4 };
    const given = [];
    let cursor;
    do {
      const page = await ws.call('search', { ...args, cursor });
      given.push(...page.matches.map((match) => `${match.path}:${match.line}`));
      assert.equal(page.tree_changed, cursor === undefined ? undefined : false);
      cursor = page.cursor;
    } while (cursor !== undefined);
    const whole = await ws.call('search', { patterns: ['hit'] });
    assert.deepEqual(
      given,
      whole.matches.map((match) => `${match.path}:${match.line}`),
    );
    await rejection(ws.call('search', { patterns: ['other'], cursor: 'AAAA' }), {
      code: 'invalid_param',
      param: 'cursor',
    });
  });

  test('returns the reply of the contract as an object', async (t) => {
    const ws = Workspace.open(tempTree(t, TREE));
    assert.deepEqual(await ws.call('search_in_files', { query: 'needle' }), REPLY);
  });

  test('returns the engine`s JSON for objects, text and bytes', async (t) => {
    const ws = Workspace.open(tempTree(t, TREE), { threads: 2 });
    const args = { query: 'needle' };
    const fromObject = await ws.callJson('search_in_files', args);
    const fromText = await ws.callJson('search_in_files', ` ${JSON.stringify(args)}`);
    const fromBytes = await ws.callJson('search_in_files', Buffer.from(JSON.stringify(args)));
    assert.deepEqual(JSON.parse(fromObject), REPLY);
    assert.equal(fromText, fromObject);
    assert.equal(fromBytes, fromObject);
  });

  test('returns plain text on request', async (t) => {
    const ws = Workspace.open(tempTree(t, { 'a.txt': '  needle\n' }));
    const text = await ws.callText('search_in_files', { query: 'needle' });
    const last = '[complete: true; total_matches: 1; files_searched: 1; timed_out: false]';
    assert.equal(text, `a.txt\n 1: needle\n${last}\n`);
    assert.equal(await ws.callText('search_in_files', '{"query":"needle"}'), text);
    await rejection(ws.call('search_in_files', { query: 'x' }, { format: 'text' }), {
      code: 'invalid_param',
      param: 'format',
    });
  });

  test('copies its arguments when it is created', async (t) => {
    const ws = Workspace.open(tempTree(t, TREE));
    const bytes = Buffer.from('{"query":"needle"}');
    const calls = Array.from({ length: 8 }, () => ws.call('search_in_files', { query: 'one' }));
    const last = ws.callJson('search_in_files', bytes);
    bytes.fill(0);
    assert.deepEqual(JSON.parse(await last), REPLY);
    await Promise.all(calls);
  });

  test('settles with many others at once', async (t) => {
    const ws = Workspace.open(tempTree(t, TREE));
    const calls = Array.from({ length: 200 }, () =>
      ws.call('search_in_files', { query: 'needle' }),
    );
    for (const reply of await Promise.all(calls)) assert.deepEqual(reply, REPLY);
  });
});

describe('an error of the engine', { timeout: 120_000 }, () => {
  const cases = [
    ['an unknown tool', 'no_such_tool', {}, { code: 'invalid_param' }],
    ['no arguments', 'search_in_files', undefined, { code: 'invalid_param' }],
    ['an unknown field', 'search_in_files', { query: 'x', quer: 'y' }, { code: 'invalid_param' }],
    ['a wrong type', 'search_in_files', { query: 1 }, { code: 'invalid_param' }],
    [
      'a missing path',
      'search_in_files',
      { query: 'x', path: 'gone' },
      { code: 'not_found', message: 'PATH_NOT_FOUND: gone' },
    ],
    [
      'a path outside',
      'search_in_files',
      { query: 'x', path: '../..' },
      {
        code: 'access_denied',
        message: "PATH_SECURITY_ERROR: Path '../..' is outside project root",
      },
    ],
    [
      'a bad regex',
      'search_in_files',
      { query: 'a(b', use_regex: true },
      { code: 'pattern_syntax' },
    ],
  ];
  for (const [name, tool, args, expected] of cases) {
    test(name, async (t) => {
      const ws = Workspace.open(tempTree(t, TREE));
      const error = await rejection(ws.call(tool, args));
      assert.ok(error instanceof SearchscopeError && error instanceof Error);
      assert.equal(error.name, 'SearchscopeError');
      for (const [key, value] of Object.entries(expected)) assert.equal(error[key], value);
      const { code, message, param, path, span, near } = error;
      assert.deepEqual(
        { param, path, span, near, ...error.detail },
        { code, message, param, path, span, near },
      );
      // The workspace stays usable.
      assert.equal((await ws.call('search_in_files', { query: 'needle' })).total_matches, 3);
    });
  }

  test('has the span of the mistake', async (t) => {
    const ws = Workspace.open(tempTree(t, TREE));
    const error = await rejection(ws.call('search_in_files', { query: 'a(b', use_regex: true }));
    assert.equal(error.param, 'query');
    assert.equal(typeof error.span.start, 'number');
    assert.ok(error.span.end >= error.span.start && error.span.end <= 3);
  });

  test('arguments may be bytes of another realm', async (t) => {
    const ws = Workspace.open(tempTree(t, TREE));
    const json = JSON.stringify({ patterns: ['zzz'] });
    const bytes = runInNewContext(`new Uint8Array(${JSON.stringify([...Buffer.from(json)])})`);
    assert.ok(!(bytes instanceof Uint8Array));
    assert.equal(JSON.parse(await ws.callJson('search', bytes)).total, 0);
    const found = [];
    for await (const match of ws.search(bytes)) found.push(match);
    assert.deepEqual(found, []);
  });

  test('the engine refuses text that is not JSON', async (t) => {
    const ws = Workspace.open(tempTree(t, TREE));
    for (const args of ['', '{', '[]', 'null', Buffer.from([0xff, 0xfe])]) {
      assert.equal((await rejection(ws.callJson('search_in_files', args))).code, 'invalid_param');
    }
  });
});

describe('the wrapper refuses', { timeout: 120_000 }, () => {
  const cyclic = {};
  cyclic.self = cyclic;
  const cases = [
    ['a tool that is not a string', (ws) => ws.call(7, {}), 'tool'],
    ['arguments that are text, for `call`', (ws) => ws.call('search_in_files', '{}'), 'args'],
    ['arguments that are a list', (ws) => ws.call('search_in_files', []), 'args'],
    ['arguments that are a view', (ws) => ws.callJson('Grep', new DataView(new ArrayBuffer(2))), 'args'],
    ['arguments that are a buffer', (ws) => ws.call('Grep', new ArrayBuffer(2)), 'args'],
    ['arguments that are null', (ws) => ws.callJson('search_in_files', null), 'args'],
    ['arguments that cannot be JSON', (ws) => ws.call('search_in_files', cyclic), 'args'],
    ['a big integer', (ws) => ws.call('search_in_files', { query: 1n }), 'args'],
    ['options that are not an object', (ws) => ws.call('search_in_files', {}, 'fast'), 'options'],
    ['an unknown option', (ws) => ws.call('search_in_files', {}, { signl: 1 }), 'signl'],
  ];
  for (const [name, call, param] of cases) {
    test(name, async (t) => {
      const ws = Workspace.open(tempTree(t, TREE));
      const error = await rejection(call(ws));
      assert.ok(error instanceof SearchscopeError);
      assert.deepEqual([error.code, error.param], ['invalid_param', param]);
    });
  }
});

describe('opening', { timeout: 120_000 }, () => {
  const refused = (code, ...args) =>
    assert.throws(
      () => Workspace.open(...args),
      (error) => error instanceof SearchscopeError && error.code === code,
    );

  test('needs a root', () => {
    for (const root of [undefined, null, '', 1, {}]) refused('invalid_param', root);
    // Half of a surrogate pair would become another name on the disk.
    for (const root of ['/tmp/\ud800', '\udc00x']) refused('invalid_param', root);
    assert.throws(() => new Workspace(), { code: 'invalid_param' });
  });

  test('needs a directory', (t) => {
    const root = tempTree(t, { 'a.txt': '' });
    refused('not_found', `${root}/gone`);
    refused('invalid_param', `${root}/a.txt`);
  });

  test('refuses unknown and wrong options', (t) => {
    const root = tempTree(t, {});
    refused('invalid_param', root, { thread: 2 });
    refused('invalid_param', root, { threads: 'two' });
    refused('invalid_param', root, { output_dir: 'missing' });
    refused('invalid_param', root, 'threads');
    refused('invalid_param', root, null);
  });

  test('takes its options', async (t) => {
    const ws = Workspace.open(tempTree(t, TREE), { threads: 1, deny: ['sub/'], require_git: true });
    assert.equal((await ws.call('search_in_files', { query: 'needle' })).total_matches, 1);
  });
});
