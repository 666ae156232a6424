// Parts of the page that need no browser: programs of scopes, replies of all tools as rows, names and titles.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { explainIndex } from '../../server/page/browser/explain.mjs';
import { readCall, titleOf, unquote } from '../../server/page/browser/places.mjs';
import { itemOf, itemsOf } from '../../server/page/browser/rows.mjs';
import { add, toProgram } from '../../server/page/browser/scope-program.mjs';
import { bytes, duration, sizeOf } from '../../server/page/browser/sizes.mjs';
import { tempTree } from './helpers.mjs';

const { Workspace } = createRequire(import.meta.url)('../../node/index.js');

const atom = (text) => ({ atom: { kind: 'PATTERN', patternText: text }, label: text });
const pieces = (text) => text.split(' ').map((word) => (/^[a-z]$/.test(word) ? atom(word) : { op: word }));

describe('a scope built from clicks', () => {
  test('becomes reverse Polish notation, NOT before AND before OR', () => {
    const table = [
      ['a', 'a'],
      ['a OR b AND c', 'a b c AND OR'],
      ['a AND b OR c', 'a b AND c OR'],
      ['( a OR b ) AND NOT c', 'a b OR c NOT AND'],
      ['NOT NOT a AND NOT ( b OR c )', 'a NOT NOT b c OR NOT AND'],
      ['a OR b OR c', 'a b OR c OR'],
    ];
    for (const [infix, expected] of table) {
      const { atoms, tokens } = toProgram(pieces(infix)).program;
      const named = Object.fromEntries(atoms.map(({ atomId, patternText }) => [atomId, patternText]));
      assert.equal(tokens.map(({ op, atomId }) => named[atomId] ?? op).join(' '), expected, infix);
    }
  });

  test('contains a repeated atom once', () => {
    assert.equal(toProgram(pieces('a AND NOT a')).program.atoms.length, 1);
  });

  test('reports the missing operand, operator or bracket', () => {
    const table = [
      ['AND', /before AND/],
      ['a AND', /after AND/],
      ['NOT', /after NOT/],
      ['a b', /operator is missing/],
      ['a NOT b', /operator is missing/],
      ['( a', /bracket is not closed/],
      ['a )', /no opening bracket/],
      ['( )', /before \)/],
    ];
    for (const [infix, expected] of table) assert.match(toProgram(pieces(infix)).problem, expected, infix);
    assert.match(toProgram([]).problem, /Choose atoms/);
  });

  test('inserts an OR between two operands', () => {
    const text = (list) => list.map(({ op, label }) => op ?? label).join(' ');
    const built = ['a', 'b', 'AND', '(', 'c', ')', 'NOT', 'd'].reduce((list, word) => add(list, pieces(word)[0]), []);
    assert.equal(text(built), 'a OR b AND ( c ) OR NOT d');
  });
});

describe('rows', () => {
  test('mark byte spans in lines with letters of several bytes', () => {
    const text = 'äö🦀 needle';
    const start = Buffer.byteLength('äö🦀 ');
    const { marks } = itemOf({ path: 'a', line: 1, text, spans: [{ start, end: start + 6 }] });
    assert.equal(text.slice(...marks[0]), 'needle');
  });

  test('name the use of a match', async (t) => {
    const root = tempTree(t, { 'a.rs': 'fn run() {}\nfn main() {\n    run();\n}\n' });
    const workspace = Workspace.open(root);
    const args = { patterns: ['run'], uses: ['any'] };
    const found = itemsOf(await workspace.call('search', args), {}, root);
    const rows = found.map(({ line, text, note }) => [line, text, note]);
    assert.deepEqual(rows, [
      [1, 'fn run() {}', 'definition'],
      [3, '    run();', 'call'],
    ]);
  });

  test('name the declared encoding of their file', async (t) => {
    const root = tempTree(t, { 'a.txt': Buffer.from('caf\xe9\n', 'latin1'), 'b.txt': 'caf\u00e9\n' });
    const workspace = Workspace.open(root, { encodings: ['utf-8', 'windows-1252'] });
    const items = itemsOf(await workspace.call('search', { patterns: ['caf\u00e9'] }), {}, root);
    const named = items.map(({ path, encoding }) => [path, encoding]);
    assert.deepEqual(named, [
      ['a.txt', 'windows-1252'],
      ['b.txt', undefined],
    ]);
  });

  test('are built from the replies of every tool', async (t) => {
    const root = tempTree(t, { 'src/a.js': '// needle\nclass Needle {}\n', 'd.md': '---\nname: d\ndescription: x\n---\nneedle\n' });
    const workspace = Workspace.open(root);
    const rows = async (tool, args) => {
      const items = itemsOf(await workspace.call(tool, args), args, root);
      return items.filter(({ remark }) => remark === undefined).map(({ path, line, text }) => [path, line, text]);
    };
    const line = ['src/a.js', 1, '// needle'];
    const path = 'src';
    const table = [
      ['search', { patterns: ['needle'], paths: [path] }, [line]],
      ['search', { patterns: ['needle'], paths: [path], mode: 'files' }, [['src/a.js', undefined, undefined]]],
      ['find', { paths: [path] }, [['src/a.js', undefined, undefined]]],
      ['search_in_files', { query: 'needle', path }, [line]],
      ['find_files_by_name', { name_pattern: '*.js' }, [['src/a.js', undefined, undefined]]],
      ['find_and_grep', { roots: [path], query: '// needle' }, [line]],
      ['find_and_grep', { roots: [path], query: '// needle', group_by_file: true }, [line]],
      ['find_and_grep', { roots: [path], query: '// needle', optimize_paths: true }, [line]],
      ['Grep', { pattern: '// needle', path }, [line]],
      ['search_documents', { query: 'needle' }, [['/d.md', 5, '**needle** ']]],
      ['read_document', { path: 'd.md', start_line: 5 }, [['/d.md', 5, 'needle']]],
      ['scope_search_text', { scope: 'directory:src', query: 'needle' }, [line]],
      ['scope_search_files', { scope: 'directory:src' }, [['src/a.js', undefined, undefined]]],
      ['scope_search_symbols', { query: 'Needle' }, [['src/a.js', 2, 'Needle']]],
      ['read', { what: ['src/a.js:1'] }, [['src/a.js', undefined, undefined], line]],
    ];
    for (const [tool, args, expected] of table) {
      const found = await rows(tool, args);
      assert.deepEqual(found.slice(0, expected.length), expected, tool);
    }
    const [first] = await rows('list_documents', {});
    assert.equal(first[0], '/d.md');
    const [place] = await rows('scope_list_catalog', {});
    assert.deepEqual(place, [undefined, undefined, 'All Places']);
  });

  test('are built from cut lines, quoted names and names of files in a text', async (t) => {
    const files = { 'new\nline': `needle ${'x'.repeat(500)}\n`, 'needle.txt': 'needle\n', 'needle.rs': 'fn a() {}\n' };
    const reply = await Workspace.open(tempTree(t, files)).call('look', { q: 'needle' });
    const items = itemsOf(reply, { q: 'needle' }).map(({ path, line, note, remark }) => remark ?? [path, line, note]);
    assert.deepEqual(items.slice(0, 7), [
      ['needle.txt', undefined, undefined],
      ['needle.txt', 1, undefined],
      ['new\nline', undefined, undefined],
      ['new\nline', 1, 'bytes 0–300 of 507'],
      'files named like it:',
      ['needle.rs', undefined, undefined],
      ['needle.txt', undefined, undefined],
    ]);
  });

  test('mark a name in a question', async (t) => {
    const workspace = Workspace.open(tempTree(t, { 'a.js': 'loadToken();\nfunction loadToken() {}\n' }));
    const args = { q: 'who calls loadToken' };
    const items = itemsOf(await workspace.call('look', args), args).filter(({ line }) => line !== undefined);
    assert.deepEqual(items.map(({ text, marks }) => text.slice(...marks[0])), ['loadToken', 'loadToken']);
  });

  test('mark the match of an occurrence between its bars', async (t) => {
    const workspace = Workspace.open(tempTree(t, { 'a.txt': 'x || y || needle\n' }));
    const reply = await workspace.call('scope_search_text', { scope: 'file:*.txt', query: 'needle' });
    const [{ text, marks }] = itemsOf(reply, { query: 'needle' });
    assert.deepEqual([text, text.slice(...marks[0])], ['x || y || needle', 'needle']);
  });
});

test('names of files in a text are read as they are', () => {
  const table = [
    ['"a\\nb"', 'a\nb'],
    ['"\\u{202e}x\\"\\\\"', '\u202ex"\\'],
    ['a"b', 'a"b'],
    ['"', '"'],
  ];
  for (const [line, expected] of table) assert.equal(unquote(line), expected, line);
});

test('a file is read at a line only where its name cannot be taken for a place', () => {
  assert.deepEqual(readCall('a.rs', 3), ['read', { what: ['a.rs:3'] }]);
  for (const name of ['a:10', 'a#b', '# c']) assert.deepEqual(readCall(name, 3), ['read', { what: [name] }]);
  assert.deepEqual(readCall('/d.md', 8), ['read_document', { path: '/d.md', start_line: 3, lines_max: 100 }]);
});

test('titles are one line of at most 60 characters of the query', () => {
  assert.equal(titleOf('look', ' a\n  b '), 'a b · look · searchscope');
  assert.equal(titleOf('look', '\u{1F980}'.repeat(70)), `${'\u{1F980}'.repeat(59)}… · look · searchscope`);
  assert.equal(titleOf(), 'searchscope');
});

test('formats numbers for people', () => {
  assert.deepEqual([bytes(999), bytes(1700), bytes(19_400), bytes(2_500_000)], ['999 B', '1.7 kB', '19 kB', '2.5 MB']);
  const times = [1.25, 120, 1500, 90_000, 7_260_000];
  assert.deepEqual(times.map(duration), ['1.3 ms', '120 ms', '1.5 s', '1 min 30 s', '2 h 1 min']);
  assert.equal(sizeOf('ä'.repeat(50)), '100 B ≈ 30 tokens');
});

test('describes the state of the index, with problems only if there are any', () => {
  const ready = { state: 'ready', directories: 1, files: 1234, memory_bytes: 2_500_000, left_out: 0, not_watched: null };
  const expected = [['State', 'ready'], ['Contents', '1,234 files in 1 directory'], ['Memory', '2.5 MB']];
  assert.deepEqual(explainIndex(ready), expected);
  const [, , , left, why] = explainIndex({ ...ready, left_out: 2, not_watched: 'no more watches' });
  assert.deepEqual(left, ['Not indexed', '2 directories: memory limit reached']);
  assert.deepEqual(why, ['Not watched', 'no more watches; each call checks every file']);
  assert.deepEqual(explainIndex({ ...ready, state: 'off' }), [['State', 'off; each call reads the tree']]);
  assert.deepEqual(explainIndex({ ...ready, state: 'cold' })[0], ['State', 'cold; the first calls build it']);
});
