// Trees of documents, drawn by a generator that repeats them in every run.

import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeTree } from '../helpers.mjs';

/** Marsaglia's xorshift: small, and random enough to draw words. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = Math.imul(seed, 2654435761) >>> 0 || 1;
  }

  below(limit) {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state % limit;
  }

  of(list) {
    return list[this.below(list.length)];
  }

  chance(percent) {
    return this.below(100) < percent;
  }

  times(max, make) {
    return Array.from({ length: this.below(max + 1) }, make);
  }
}

const WORDS = [
  ...['config', 'Config', 'CONFIG', 'API', 'api', 'a', 'aa', 'aaaa', 'x', '**', '**config**'],
  ...[
    '설정',
    '문서 검색',
    '인증',
    '가나다',
    'ışık',
    'IŞIK',
    'Straße',
    'STRASSE',
    'ΟΔΟΣ',
    'οδος',
    'Σ',
  ],
  ...['🦀', '👩‍👩‍👧', '𝒳', 'e\u0301', '\u2028', '\u0085'],
  ...['\u00a0', '\t', '\r x', '...', '(a|b)*'],
];

/** Queries with and without matches. */
export const QUERIES = [
  ...['config', 'Config', 'API', 'a', 'aa', 'A', '**', '*', '설정', '문서 검색', 'ışık', 'straße'],
  ...['ΟΔΟΣ', 'σ', 'Σ', '🦀', '𝒳', 'e\u0301', '...'],
  ...[' config ', '\ufeffapi\u2028', '(a|b)*', 'no such'],
  ...['name', '---', ': ', 'x config', 'ss', 'K', '\u0085x'],
];

const FILE_NAMES = [
  ...['a.md', 'b.md', 'README.md', 'A.md', 'upper.MD'],
  ...['x.Md', 'a.txt', 'notes.markdown', '.hidden.md'],
  ...[
    '설정.md',
    'ü.md',
    '.md',
    'a b.md',
    'a-b.md',
    'a.md.md',
    'z.md',
    '🦀.md',
    'draft.md',
    'a.b.md',
  ],
];
const DIRECTORY_NAMES = [
  ...['a', 'a.md', 'b', 'guide', 'api', 'deep', '.git'],
  ...['.hidden', '..dots', 'drafts', 'Drafts', 'x.md', '설정'],
];

/** Variants with lines of three hyphens, which are text here, and of four, which are not. */
const FRONT_MATTERS = [
  ...['', '', '', '---\nname: Plain\n---\n'],
  ...['---\nNAME: "Quoted: yes"\n---\n'],
  ...["---\nname: 'x'\n---\n"],
  ...['-----\nname:   spaces  \ndescription: config api\n----\n'],
  ...['---\nname:\n---\n', '---\n---\n'],
  ...['---\r\nname: CRLF\r\n---\r\n', '\ufeff---\nname: BOM\n---\n', '---\nname: never closed\n'],
  ...['---\nno colon\nname: a:b:c\n---\n'],
  ...['\n---\nname: not at the start\n---\n'],
  ...['--\nname: two\n--\n'],
  ...['---\ndescription: no name\n---\n', '---\nname: 이름\n---\n', '---\nname: ends here\n---'],
].flatMap((text) => {
  const longer = text.replaceAll(/^(\ufeff?)-{3,}/gm, '$1----');
  // Text variants must have neither CRLF, as below, nor a byte order mark, which is not part of a text here.
  return /[\r\ufeff]/.test(text) ? [longer] : [text, longer];
});

/** Draws the text of one document; with LF only, because with CRLF the two differ on purpose. */
export function drawText(random) {
  const line = () => random.times(12, () => random.of(WORDS)).join(random.of([' ', '', ' ']));
  const body = random.times(random.of([0, 1, 5, 40]), line).join('\n');
  return random.of(FRONT_MATTERS) + body + random.of(['', '\n', '\n\n']);
}

const EXCLUDES = [
  ...[[], '', ['drafts/'], ['Drafts'], ['*.md', '!a.md']],
  ...[['/a.md', '# comment', ''], 'drafts\n*.txt'],
  ...['a/\r\n!a/a.md\r\n', ['**/deep/**']],
  ...[['guide/*', '!guide/deep'], ['A.MD'], ['/api', 'b.md ']],
  ...[['설정*']],
  ...[['a.md/'], ['*', '!/guide', '!b.md'], ['[ab].md']],
  ...[['\\!x', 'x.*'], ['a?b.md', 'deep/a.md'], ['/**/api/']],
];

export function drawExcludes(random) {
  return random.of(EXCLUDES);
}

/** Draws a tree (path -> text) that may contain directories. */
export function drawTree(random) {
  const files = {};
  const directories = [''];
  for (let n = random.below(9); n > 0; n -= 1) {
    directories.push(join(random.of(directories), random.of(DIRECTORY_NAMES)));
  }
  for (let n = 3 + random.below(25); n > 0; n -= 1) {
    const path = join(random.of(directories), random.of(FILE_NAMES));
    if (!directories.includes(path)) files[path] = drawText(random);
  }
  return files;
}

/** Writes a tree below a new directory, which is removed after the test. */
export function writeTree(t, files) {
  const root = mkdtempSync(join(tmpdir(), 'searchscope-documents-'));
  t.after(() => removeTree(root));
  addFiles(root, files);
  return root;
}

/** Writes files below a directory. A path that ends with a slash is a directory, and a `Link` a symlink. */
export function addFiles(root, files) {
  for (const [path, content] of Object.entries(files)) {
    const absolute = join(root, path);
    if (path.endsWith('/')) mkdirSync(absolute, { recursive: true });
    else {
      mkdirSync(dirname(absolute), { recursive: true });
      if (content instanceof Link) symlinkSync(content.target, absolute);
      else writeFileSync(absolute, content);
    }
  }
}

export class Link {
  constructor(target) {
    this.target = target;
  }
}
