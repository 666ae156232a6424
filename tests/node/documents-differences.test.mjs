// Deliberate differences between the drop-in and the function that it replaces, with both outputs.

import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { describe, test } from 'node:test';
import { searchDocuments } from 'searchscope/documents';
import { makeOracle, outcome } from './documents/oracle.mjs';
import { testWithSeed } from './documents/seed.mjs';
import { writeTree } from './documents/trees.mjs';

describe('different on purpose', { timeout: 120_000 }, () => {
  const cases = [
    {
      name: 'a match after CRLF lines is marked at its position',
      files: { 'a.md': 'one\r\ntwo\r\nthree config\r\n' },
      theirs: ['/a.md: one two thre**e conf**ig '],
      ours: ['/a.md: one two three **config** '],
    },
    {
      name: 'a match after a letter that grows in lower case is marked at its position',
      files: { 'a.md': 'İİİ config' },
      theirs: ['/a.md: İİİ con**fig**'],
      ours: ['/a.md: İİİ **config**'],
    },
    {
      name: 'a query that grows in lower case marks all that it matches',
      files: { 'a.md': 'i\u0307x' },
      query: 'İ',
      theirs: ['/a.md: **i**\u0307x'],
      ours: ['/a.md: **i\u0307**x'],
    },
    {
      name: 'a cut goes around a surrogate pair, outward',
      files: { 'a.md': '🦀🦀🦀🦀🦀 config 🦀🦀🦀🦀🦀x' },
      options: { context_chars: 10 },
      theirs: ['/a.md: ...\udd80🦀🦀🦀🦀 **config** 🦀🦀🦀🦀\ud83e...'],
      ours: ['/a.md: 🦀🦀🦀🦀🦀 **config** 🦀🦀🦀🦀🦀...'],
    },
    {
      name: 'a byte order mark is not part of the text',
      files: { 'a.md': '\ufeffconfig' },
      theirs: ['/a.md: \ufeff**config**'],
      ours: ['/a.md: **config**'],
    },
    {
      name: 'UTF-16 with a byte order mark is read as that',
      files: { 'a.md': Buffer.from('\ufeffconfig', 'utf16le') },
      theirs: [],
      ours: ['/a.md: **config**'],
    },
    {
      name: 'a backslash in a name stays one',
      files: { 'a\\b.md': 'config' },
      theirs: ['/a/b.md: **config**'],
      ours: ['/a\\b.md: **config**'],
    },
    {
      name: 'a document of more than 16 MiB is skipped',
      files: { 'a.md': `config${' '.repeat(16 << 20)}`, 'b.md': 'config' },
      options: { context_chars: 10 },
      theirs: ['/a.md: **config**          ...', '/b.md: **config**'],
      ours: ['/b.md: **config**', "a.md: larger than 16 MiB, open '/docs/a.md'"],
    },
    {
      name: 'a pattern for directories brings them back',
      files: { 'guide/a.md': 'config', 'guide/b.md': 'config', 'c.md': 'config' },
      excludes: ['*', '!*/', '!a.md'],
      theirs: [],
      ours: ['/guide/a.md: **config**'],
    },
    {
      name: 'case counts in excludes for letters that are not ASCII, which are several characters',
      files: { 'é.md': 'config', 'a.md': 'config' },
      excludes: ['É.md', '?.md'],
      theirs: [],
      ours: ['/é.md: **config**'],
    },
    {
      name: 'an exclude that the engine cannot express is skipped and reported',
      files: { 'я.md': 'config', 'a.md': 'config', 'drafts/b.md': 'config' },
      excludes: ['drafts/', '[а-я].md'],
      theirs: ['/a.md: **config**'],
      ours: ['/a.md: **config**', '/я.md: **config**', '[а-я].md: the pattern is not supported'],
    },
    {
      name: 'an indented key of the front matter belongs to the key above',
      files: { 'a.md': '----\nmeta:\n  name: Inner\n----\nconfig' },
      digest: namesOf,
      theirs: ['/a.md: Inner'],
      ours: ['/a.md: a'],
    },
    {
      name: 'front matter must be within the first 64 KiB',
      files: { 'a.md': `----\n${'x: y\n'.repeat(20_000)}name: Late\n----\nconfig` },
      digest: namesOf,
      theirs: ['/a.md: Late'],
      ours: ['/a.md: a'],
    },
    {
      name: 'an excluded path that is not a directory is skipped silently',
      files: { 'drafts/a.md': 'config' },
      excludes: ['drafts/'],
      options: { path: '/drafts/a.md' },
      theirs: ["/docs/drafts/a.md: ENOTDIR: not a directory, scandir '/docs/drafts/a.md'"],
      ours: [],
    },
  ];
  for (const {
    name,
    files,
    query = 'config',
    excludes = [],
    options = {},
    theirs,
    ours,
    digest = digestOf,
  } of cases) {
    const told = async (t, search) => {
      const docsRoot = writeTree(t, files);
      const { result, heard } = await outcome(search, { docsRoot, excludes }, query, options);
      return digest(result, heard, docsRoot);
    };
    test(`documents: ${name}`, async (t) => assert.deepEqual(await told(t, searchDocuments), ours));
    testWithSeed(`documents: ${name}: not in the function replaced`, async (t) =>
      assert.deepEqual(await told(t, makeOracle()), theirs),
    );
  }
});

describe('different on purpose: paths', { timeout: 120_000 }, () => {
  const config = (t) => ({ docsRoot: writeTree(t, { 'guide/a.md': 'config' }), excludes: [] });
  const cases = [
    ['that climbs above and comes back', (docsRoot) => `/../${basename(docsRoot)}/guide`],
    ['with two slashes', () => '//guide'],
  ];
  for (const [name, pathIn] of cases) {
    test(`documents: one ${name} is refused`, async (t) => {
      const where = config(t);
      const { error } = await outcome(searchDocuments, where, 'config', {
        path: pathIn(where.docsRoot),
      });
      assert.match(error.message, /^PATH_TRAVERSAL: /);
    });
    testWithSeed(`documents: one ${name} is not, by the function replaced`, async (t) => {
      const where = config(t);
      const { result } = await outcome(makeOracle(), where, 'config', {
        path: pathIn(where.docsRoot),
      });
      assert.equal(result.total_matches, 1);
    });
  }
});

/** Formats a result as lines: each path with its excerpts, then each path with its warning. */
function digestOf({ results }, heard, docsRoot) {
  const found = results.map(({ path, matches }) => {
    return `${path}: ${matches.map(({ excerpt }) => excerpt).join(' | ')}`;
  });
  const warnings = heard.map((words) => JSON.parse(words)).filter(([level]) => level === 'warn');
  const told = warnings.map(([, , { path, line, error }]) => `${path ?? line}: ${error}`);
  return [...found, ...told].map((line) => line.replaceAll(docsRoot, '/docs'));
}

/** Returns each path with the name of the document. */
function namesOf({ results }) {
  return results.map(({ path, name }) => `${path}: ${name}`);
}
