// The documents: every relative link resolves to a file and, if it has an anchor, to a heading.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, test } from 'node:test';
import { TOP } from './helpers.mjs';

const TOP_DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'DESIGN.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'bench/README.md',
  'fuzz/README.md',
  'server/README.md',
  'tests/README.md',
];

/** Returns every document whose links are checked, by its path from the top. */
function documents() {
  const pages = readdirSync(join(TOP, 'docs'), { recursive: true });
  const paths = pages.filter((path) => path.endsWith('.md')).map((path) => join('docs', path));
  return [...TOP_DOCUMENTS, ...paths.sort()];
}

const read = (path) => readFileSync(join(TOP, path), 'utf8');

/** Returns the text without code blocks and spans, in which brackets are not links. */
const prose = (text) => text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '`code`');

/** Returns the targets of links and images. */
const links = (text) => [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);

/** Returns the anchors of a document's headings, as GitHub generates them. */
function anchors(text) {
  const headings = text.replace(/^```[^]*?^```$/gm, '').matchAll(/^#+ +(.+?) *$/gm);
  const found = new Set();
  for (const [, heading] of headings) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    let [unique, n] = [anchor, 0];
    while (found.has(unique)) unique = `${anchor}-${(n += 1)}`;
    found.add(unique);
  }
  return found;
}

/** Returns the reason why a link is broken; undefined if it resolves. */
function broken(document, target, open = { exists: (path) => existsSync(join(TOP, path)), read }) {
  if (/^[a-z]+:/.test(target)) return undefined;
  const [path, anchor] = target.split('#');
  const file = path === '' ? document : normalize(join(dirname(document), path));
  if (file.startsWith('..')) return `${document}: ${target} leads out of the repository`;
  if (!open.exists(file)) return `${document}: ${target}: no such file: ${file}`;
  if (anchor === undefined) return undefined;
  if (anchors(open.read(file)).has(anchor)) return undefined;
  return `${document}: ${target}: ${file} has no such heading`;
}

/** Questions of a new reader, each with a sentence of its answer. */
const QUESTIONS = {
  'how do I install it': /^npm install /m,
  'is it thread-safe': /Any number of threads may use one workspace at the same time/,
  'how do I page': /The last line has a cursor/,
  'why is my file not found': /Most often because it is ignored or hidden/,
  'does it follow symlinks': /it follows those that lead to a place\s+inside the root/,
  'what about .gitignore': /obeyed from the root downwards with git's verdicts/,
  'how do I limit memory': /These options bound the rest/,
  'how do I cancel': /the call then fails with the code `cancelled`/,
  'how fresh is the index': /every write that ended before the call began/,
  'can it write': /No tool writes, with one exception/,
};

/** Returns the documents that at most two clicks reach from the README, by their paths. */
function withinTwoClicks() {
  const reached = new Set(['README.md']);
  for (let click = 1; click <= 2; click += 1) {
    for (const from of [...reached]) {
      for (const target of links(read(from))) {
        const path = normalize(join(dirname(from), target.split('#')[0]));
        if (path.endsWith('.md') && existsSync(join(TOP, path))) reached.add(path);
      }
    }
  }
  return [...reached];
}

describe('the documents', () => {
  test('link to files and headings that exist', () => {
    const all = documents().flatMap((path) => links(read(path)).map((target) => [path, target]));
    assert.ok(all.length > 100, 'the links are not found');
    assert.deepEqual(all.map(([path, target]) => broken(path, target)).filter(Boolean), []);
  });

  test('broken links are reported', () => {
    const text = '# One\n\n```sh\n# two\n```\n\n## `a` & b: [c](d)\n\n## One\n';
    const open = { exists: (path) => path === join('docs', 'a.md'), read: () => text };
    const of = (target) => broken(join('docs', 'b.md'), target, open);
    for (const good of ['a.md', 'a.md#one', 'a.md#one-1', 'a.md#a--b-c', '../docs/a.md', 'https://x/y']) {
      assert.equal(of(good), undefined, good);
    }
    for (const bad of ['b.md', 'a.md#two', 'a.md#three', '../../a.md']) {
      assert.ok(of(bad), bad);
    }
    assert.deepEqual(links('[a](b) ![c](d)\n`[e](f)`\n```js\n[g](h)\n```\n'), ['b', 'd']);
  });

  test('are all listed in the index of docs', () => {
    const listed = new Set(links(read(join('docs', 'README.md'))));
    const pages = readdirSync(join(TOP, 'docs')).filter((name) => name.endsWith('.md'));
    assert.deepEqual(pages.filter((name) => name !== 'README.md' && !listed.has(name)), []);
    const contracts = readdirSync(join(TOP, 'docs', 'contracts'));
    const cited = new Set(links(read(join('docs', 'contracts', 'README.md'))));
    assert.deepEqual(contracts.filter((name) => name !== 'README.md' && !cited.has(name)), []);
  });

  test('answer the first questions of a reader within two clicks', () => {
    const texts = withinTwoClicks().map(read);
    const open = Object.entries(QUESTIONS).filter(([, answer]) => !texts.some((text) => answer.test(text)));
    assert.deepEqual(open.map(([question]) => question), []);
  });

  test('start with a short README', () => {
    assert.ok(read('README.md').split('\n').length < 250);
  });
});
