// The drop-in compared with the function that it replaces: the same calls on the same trees return the
// same bytes. Then the deliberate differences, with both outputs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import ignore from 'ignore';
import { searchDocuments } from 'searchscope/documents';
import { TOP } from './helpers.mjs';
import { makeOracle, outcome, withoutFileLines } from './documents/oracle.mjs';
import { testWithSeed } from './documents/seed.mjs';
import { Link, QUERIES, Random, addFiles, drawExcludes, drawTree, writeTree } from './documents/trees.mjs';

/** Calls both and compares result, error and log. */
async function assertSame(oracle, config, query, options) {
  const expected = await outcome(oracle, config, query, options);
  const ours = await outcome(searchDocuments, config, query, options);
  const call = () => `${JSON.stringify(query)} ${inspect(options)} ${inspect(config.excludes)}`;
  if (expected.error !== undefined) {
    assert.ok(ours.error instanceof Error, `${call()}: must be refused`);
    assert.equal(kindOf(ours.error), kindOf(expected.error), call());
  } else {
    assert.equal(ours.error, undefined, call());
    assertSameResult(ours.result, expected.result, call);
  }
  assert.deepEqual(ours.heard, expected.heard, call());
  return expected;
}

/** Formats the options, including values that `JSON.stringify` drops. */
function inspect(options) {
  return JSON.stringify(options, (key, value) =>
    ['object', 'string', 'boolean'].includes(typeof value) ? value : String(value),
  );
}

function assertSameResult(ours, expected, call) {
  const [left, right] = [ours, expected].map((result) => withoutFileLines(result));
  for (const [n, file] of right.results.entries()) {
    for (const [m, match] of file.matches.entries()) {
      if (match.excerpt.isWellFormed()) continue;
      // The oracle cuts through surrogate pairs; ours moves the cut outward.
      const excerpt = left.results[n]?.matches[m]?.excerpt ?? '';
      assert.match(excerpt, withWholePairs(match.excerpt), call());
      match.excerpt = excerpt;
    }
  }
  assert.equal(JSON.stringify(left), JSON.stringify(right), call());
}

/** Returns a pattern for an excerpt with its cuts moved outward, after which no more text may follow. */
function withWholePairs(excerpt) {
  const [, before, text, after] =
    /^((?:\.\.\.)?[\udc00-\udfff]|)([^]*?)([\ud800-\udbff](?:\.\.\.)?|)$/.exec(excerpt);
  const start = before === '' ? '' : `(?:\\.\\.\\.)?[\\ud800-\\udbff]${before.at(-1)}`;
  const end = after === '' ? '' : `${after[0]}[\\udc00-\\udfff](?:\\.\\.\\.)?`;
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(`^${start}${escaped}${end}$`);
}

/** Reduces a path error to its first word: the path check of the oracle is our own code. */
function kindOf({ message }) {
  return message.startsWith('PATH_TRAVERSAL: ') ? 'PATH_TRAVERSAL' : message;
}

const ODD_VALUES = [
  ...[undefined, null, 0, -0, -1, 1, 5, 9, 10, 11, 49.9, 99],
  ...[100, 101, 499, 500, 501, 1e9, 1e21, 1e-7],
  ...[NaN, Infinity, -Infinity, true, false, 20n, -20n, () => 1, [], [70, 80], {}, new Date(0)],
  ...['', ' ', '100px', '0x20', ' 30 ', 'abc', '1e2', '-5'],
  ...['７０', '\u00a012', '٣٠', '1_000', '+12', '.5'],
  ...[{ toString: () => '77' }, { valueOf: () => 60 }],
  ...[new Number(33), new String('44'), Symbol.iterator.description],
];

describe('equal to the function it replaces', { timeout: 600_000 }, () => {
  testWithSeed('documents: over generated trees', async (t) => {
    const oracle = makeOracle();
    let matches = 0;
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = new Random(seed);
      const docsRoot = writeTree(t, drawTree(random));
      const entries = readdirSync(docsRoot, { recursive: true });
      for (let n = 0; n < 12; n += 1) {
        const config = { docsRoot, excludes: drawExcludes(random) };
        const expected = await assertSame(oracle, config, random.of(QUERIES), {
          context_chars: random.of([undefined, 10, 11, 12, 50, 500]),
          max_results: random.of([undefined, 1, 2, 10, 100]),
          case_sensitive: random.of([true, false, undefined]),
          path: drawPath(random, entries, config.excludes),
        });
        matches += expected.result?.total_matches ?? 0;
      }
      rmSync(docsRoot, { recursive: true });
    }
    // Trees without matches would compare nothing.
    assert.ok(matches > 2000, `${matches} matches`);
  });

  /** Draws the root or an entry in it. Never an excluded one, because we do not warn about it. */
  function drawPath(random, entries, excludes) {
    const entry = random.of(entries);
    const isExcluded = ignore().add(excludes).ignores(`${entry}/`);
    if (random.chance(70) || isExcluded) return '/';
    return random.of(['/', './', '']) + entry;
  }

  testWithSeed('documents: with every odd value of an option', async (t) => {
    const oracle = makeOracle();
    const line = 'config 0123456789'.repeat(40);
    const docsRoot = writeTree(t, { 'a.md': `${line}\n`.repeat(3), 'b.md': 'Config\n' });
    const config = { docsRoot, excludes: [] };
    for (const value of ODD_VALUES) {
      await assertSame(oracle, config, 'config', { context_chars: value, max_results: 2 });
      await assertSame(oracle, config, 'config', { max_results: value });
    }
    for (const case_sensitive of [true, false, undefined, null, 1, 'true', 'false', {}, []]) {
      await assertSame(oracle, config, 'Config', { case_sensitive });
    }
    for (const path of [undefined, null, '', 0, false, NaN, '/']) {
      await assertSame(oracle, config, 'config', { path });
    }
    await assertSame(oracle, config, 'config', undefined);
  });

  testWithSeed('documents: with every odd path', async (t) => {
    const oracle = makeOracle();
    const docsRoot = writeTree(t, {
      'a.md': 'config',
      'guide/a.md': 'config',
      'guide/deep/b.md': 'config config',
      'api/x.md/c.md': 'config',
      '.hidden/d.md': 'config',
      'drafts/e.md': 'config',
      '설정/f.md': 'config',
      'empty/': '',
      linked: new Link('guide'),
      'linked.md': new Link('a.md'),
      'dangling.md': new Link('nowhere'),
    });
    const excludes = ['drafts/'];
    const paths = [
      ...['/', '.', './', '/.', '/./.', 'guide', '/guide', '/guide/', './guide', 'guide//deep'],
      ...['/guide/../api', 'guide/../..', '..', '/..', '../'],
      ...['/../x', 'guide/../../guide', 'x/../guide', '...'],
      ...['/a.md', 'a.md/', 'a.md/x', 'gone', '/gone/'],
      ...['gone/deeper', 'api/x.md', '.hidden', 'drafts', 'empty'],
      ...['linked', '/linked/deep', 'linked.md', 'dangling.md', '설정', 'guide\\deep'],
      ...['guide/deep/..', 'GUIDE', ' guide', 'guide ', '~', '$HOME', '%2e%2e'],
    ];
    for (const path of paths) {
      await assertSame(oracle, { docsRoot, excludes }, 'config', { path });
      await assertSame(oracle, { docsRoot: `${docsRoot}/`, excludes }, 'config', { path });
    }
    for (const gone of [join(docsRoot, 'gone'), join(docsRoot, 'a.md'), join(docsRoot, 'a.md/x')]) {
      for (const path of ['/', 'guide', '/guide/', '..', '/../y']) {
        await assertSame(oracle, { docsRoot: gone, excludes }, 'config', { path });
      }
    }
  });

  testWithSeed('documents: with every odd query', async (t) => {
    const oracle = makeOracle();
    const config = {
      docsRoot: writeTree(t, { 'a.md': '\u0085x\u0085 x \ufeffx a\nX' }),
      excludes: [],
    };
    const queries = [
      ...['', ' ', '\n\t\u00a0\ufeff\u2028', undefined, null, 0],
      ...[false, NaN, 'x', ' x ', '\ufeffx', '\u0085x'],
      ...['x\u0085', 'x'.repeat(200), 'x'.repeat(201), ` ${'x'.repeat(200)} `, '🦀'.repeat(100)],
      ...[
        '🦀'.repeat(100) + 'x',
        '설'.repeat(200),
        '설'.repeat(201),
        '-x',
        '--pre=x',
        'x\ny',
        'x\0',
      ],
    ];
    for (const query of queries) await assertSame(oracle, config, query, {});
  });

  testWithSeed('documents: at the limits', async (t) => {
    const oracle = makeOracle();
    for (const [max_results, files, tails = [{}]] of limitTrees()) {
      const docsRoot = writeTree(t, files);
      for (const tail of tails) {
        addFiles(docsRoot, tail);
        await assertSame(oracle, { docsRoot, excludes: ['excluded*'] }, 'hit', { max_results });
        for (const path of Object.keys(tail)) {
          rmSync(join(docsRoot, path.split('/')[0]), { recursive: true });
        }
      }
      rmSync(docsRoot, { recursive: true });
    }
  });

  testWithSeed('documents: where not everything may be read', async (t) => {
    const files = ['a.md', 'b.md', 'open/c.md', 'shut/d.md', 'blind/e.md', 'z.md'];
    const above = writeTree(t, Object.fromEntries(files.map((path) => [path, 'config'])));
    // The superuser can read everything, so another user has to search.
    const somebody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const script = join(TOP, 'tests', 'node', 'documents', 'told.mjs');
    if (spawnSync('test', ['-r', script], somebody).status !== 0) {
      console.error('SKIPPED: documents that may not be read: others cannot see this checkout');
      return t.skip('others cannot see this checkout');
    }
    const modes = { '.': 0o755, open: 0o755, 'b.md': 0, shut: 0, blind: 0o444 };
    for (const [path, mode] of Object.entries(modes)) chmodSync(join(above, path), mode);
    try {
      const calls = [
        ...['/', 'shut', 'shut/deeper', 'blind', 'b.md'].map((path) => [above, path]),
        ...['shut', 'shut/deeper'].map((root) => [join(above, root), '/']),
      ];
      for (const words of calls) {
        const options = { encoding: 'utf8', ...somebody };
        const { stdout, stderr } = spawnSync(process.execPath, [script, ...words], options);
        assert.equal(stderr, '');
        const [ours, theirs] = JSON.parse(stdout);
        assert.deepEqual(ours, theirs, words.join());
        assert.match(ours.heard[0], /EACCES: permission denied|ENOTDIR/);
      }
    } finally {
      for (const path of ['shut', 'blind']) chmodSync(join(above, path), 0o755);
    }
  });

  testWithSeed('documents: with every form of excludes', async (t) => {
    const oracle = makeOracle();
    const files = [
      'a.md',
      'B.md',
      'sub/a.md',
      'sub/b.md',
      'sub/deep/c.md',
      ' #x.md',
      '!x.md',
      '#x.md',
      '설정.md',
    ];
    const docsRoot = writeTree(t, Object.fromEntries(files.map((path) => [path, 'hit'])));
    const forms = [
      ...['', '\n\n', 'a.md', 'a.md\r\nb.md', '\ufeffa.md'],
      ...['# a.md', '\\#x.md', '\\!x.md', '!a.md', '*\n!*.md'],
      ...['a.md  ', 'a.md\\ ', 'sub', 'sub/', '/sub/*', 'sub/**'],
      ...['**/c.md', '**', '*', '*/', '!sub', '설정.md'],
      ...['[ab].md', '[a-z].md', 'sub/[!a].md', 'sub/[^a].md'],
      ...['sub/?.md', '*.[mM][dD]', 'sub/*/c.md', '/a.md', './a.md'],
      ...['sub/deep/', 'deep/c.md', 'A.MD', 'a.md/'],
      ...['*\n!sub\n!sub/b.md', 'sub/*\n!sub/deep', '{a,b}.md'],
      ...['\\a.md'],
      ...[[], [''], ['a.md'], ['a.md\n'], ['a.md\r']],
      ...[['a.md\nb.md'], ['*', '!b.md'], [{ pattern: 'sub' }]],
      ...[['\ufeffa.md'], ['b.md', '\ufeffa.md']],
      ...[{ pattern: 'a.md' }, ['sub', '!sub/a.md']],
      ...[['!*', 'a.md']],
    ];
    for (const excludes of forms) await assertSame(oracle, { docsRoot, excludes }, 'hit', {});
  });
});

/** An entry after the last file, of each kind. */
const TAILS = [
  {},
  { '~/': '' },
  { '~.txt': 'hit' },
  { '~.md': 'hit' },
  { '~empty.md': '' },
  { '~/in.md': 'no' },
  { '~deep/er/': '' },
  { 'excluded.md': 'hit' },
  { '.hidden.md': 'hit' },
];

/** Trees at and around 500 matches and 1,000 files, and what is to be added to them in turn. */
function* limitTrees() {
  yield [10, numbered(50, 'd/f', '.md', 'hit '.repeat(10)), TAILS];
  yield [10, numbered(1000, 'd/f', '.md', 'miss', { 500: 'hit' }), TAILS];
  yield [100, numbered(6, 'f', '.md', 'hit\n'.repeat(100))];
  yield [100, numbered(70, 'f', '.md', 'hit hit\n'.repeat(20))];
  const nearly = { ...numbered(49, 'f', '.md', 'hit '.repeat(10)), 'g.md': 'hit '.repeat(9) };
  yield [10, { ...nearly, 'h.md': 'hit hit' }];
  yield [10, { ...nearly, 'h.md': 'hit' }];
  yield [10, numbered(999, 'd', '/a.md', 'miss', { 998: 'hit' })];
  yield [10, numbered(1001, 'd', '/a.md', 'miss', { 0: 'hit', 999: 'hit', 1000: 'hit' })];
  yield [10, { ...numbered(600, 'a/f', '.md', ''), ...numbered(600, 'b/f', '.md', 'hit') }];
  yield [10, { 'a.md': 'hit', ...numbered(1200, 'x', '.txt', 'hit'), 'z.md': 'hit' }];
  // Ties, and an order by count that differs from the order of paths.
  const some = { 3: 'hit', 7: 'hit hit', 9: 'hit', 11: 'hit hit', 30: 'hit' };
  yield [10, numbered(40, 'f', '.md', 'miss', some)];
}

function numbered(count, before, after, text, others = {}) {
  const path = (n) => `${before}${String(n).padStart(4, '0')}${after}`;
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [path(n), others[n] ?? text]));
}
