// The trees to search.

import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname, join, relative, sep } from 'node:path';
import { Advice, NPM, TOP, run, say } from '../../scripts/lib/process.mjs';
import { Random } from '../../tests/node/documents/trees.mjs';
import { digest, listFiles, spreadTimes, whole } from './cache.mjs';
import { linux } from './linux.mjs';

/** Makes the trees with these names. Returns the root and the version of each. */
export async function makeCorpora(cache, names) {
  const corpora = {};
  for (const name of [...names].sort()) corpora[name] = await make(cache, name);
  return corpora;
}

async function make(cache, name) {
  const [kind, size, extra] = name.split('-');
  if (kind === 'linux') return linux(cache);
  if (kind === 'npm') return npm(cache);
  if (kind === 'crates') return crates(cache);
  if (kind === 'documents') return documents(cache);
  if (kind === 'tree') return tree(cache, Number(size));
  if (kind === 'git') return repository(cache, Number(size), extra === 'worktree');
  throw new Error(`unknown corpus ${name}`);
}

/** Copies the crates that this project is built from, for this platform: cargo has them unpacked already. */
async function crates(cache) {
  const version = digest(readFileSync(join(TOP, 'Cargo.lock')));
  const root = await whole(cache, `crates-${version}`, copyCrates, 'crates-');
  return { root, version };
}

function copyCrates(directory) {
  say(`searchscope: copying the crates of this project, about 300 MB, into ${directory} …`);
  const host = /^host: (.*)$/m.exec(cargo(['-vV']))[1];
  const metadata = JSON.parse(
    cargo(['metadata', '--format-version=1', '--locked', '--filter-platform', host]),
  );
  for (const { name, version, source, manifest_path: manifest } of metadata.packages) {
    if (source === null) continue;
    cpSync(dirname(manifest), join(directory, `${name}-${version}`), { recursive: true });
  }
  spreadTimes(directory);
}

function cargo(args) {
  const done = spawnSync('cargo', args, {
    cwd: TOP,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
    maxBuffer: 1 << 28,
  });
  if (done.status !== 0) throw new Advice(`"cargo ${args[0]}" failed.`);
  return done.stdout;
}

/** Installs the packages of `corpora/npm`. */
async function npm(cache) {
  const from = join(TOP, 'bench', 'corpora', 'npm');
  const version = digest(readFileSync(join(from, 'package.json')));
  const root = await whole(
    cache,
    `npm-${version}`,
    (directory) => {
      say(`searchscope: npm packages, 20 MB to download and 100 MB unpacked, into ${directory} …`);
      installPackages(from, directory);
      spreadTimes(directory);
    },
    'npm-',
  );
  return { root, version };
}

/** Installs the packages that the package.json of a directory names, in exact versions, into another directory. */
export function installPackages(from, directory) {
  copyFileSync(join(from, 'package.json'), join(directory, 'package.json'));
  // No lock file: it would have to name the packages of every platform, which not every registry has.
  const flags = ['--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'];
  run(NPM, ['install', ...flags], { cwd: directory });
}

/** Larger files are left out, because one would be most of a small tree. */
const SMALL_BYTES_MAX = 64 * 1024;

/** Makes a tree of `size` files: crates in the order of a digest of their names, the last one cut. */
async function tree(cache, size) {
  const from = await crates(cache);
  const name = `tree-${size}-${from.version}-2`;
  const root = await whole(cache, name, (to) => copyTree(from.root, to, size), `tree-${size}-`);
  return { root, version: from.version };
}

function copyTree(from, directory, size) {
  const isSmall = (file) => statSync(file).size <= SMALL_BYTES_MAX;
  const isPlain = (file) => !/\/\.|\/(target|Cargo\.lock)/.test(file.slice(from.length));
  const crateOf = (file) => relative(from, file).split(sep)[0];
  const drawn = listFiles(from)
    .filter((file) => /\.(rs|c|h|md|toml)$/.test(file) && isPlain(file) && isSmall(file))
    .map((file) => [`${digest(crateOf(file))} ${file}`, file])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  if (drawn.length < size) throw new Error(`only ${drawn.length} files to draw from, ${size} required`);
  for (const [, file] of drawn.slice(0, size)) {
    const to = join(directory, relative(from, file));
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(file, to);
  }
  spreadTimes(directory);
}

/** The text of the edits in a repository: one line in each edited and each new file. */
const EDIT = '// searchscope_bench_edit\n';
const EDITED_FILES = 20;
const NEW_FILES = 5;

/** Makes a git repository of a tree, with edited and new files, and perhaps a linked worktree inside it. */
async function repository(cache, size, hasWorktree) {
  const from = await tree(cache, size);
  const family = `repository-${size}-${hasWorktree ? 'worktree' : 'plain'}-`;
  const fill = (to) => {
    cpSync(from.root, to, { recursive: true, preserveTimestamps: true });
    fillRepository(to, hasWorktree);
  };
  const root = await whole(cache, `${family}${from.version}-1`, fill, family);
  return { root, version: from.version };
}

/** Makes a repository of the files in a directory. */
export function fillRepository(root, hasWorktree) {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args) =>
    run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'gc.auto=0', ...args], { cwd: root, env });
  const files = listFiles(root);
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
  if (hasWorktree) addWorktree(root, git);
  const step = Math.floor(files.length / EDITED_FILES);
  for (let n = 0; n < EDITED_FILES; n += 1) appendFileSync(files[n * step], `\n${EDIT}`);
  for (let n = 0; n < NEW_FILES; n += 1) writeFileSync(join(root, `new_${n}.rs`), EDIT);
}

/** Adds the worktree `copy`. Its paths are made relative, because the tree is renamed when it is whole. */
function addWorktree(root, git) {
  git('worktree', 'add', '--quiet', '--detach', 'copy');
  writeFileSync(join(root, 'copy', '.git'), 'gitdir: ../.git/worktrees/copy\n');
  writeFileSync(join(root, '.git', 'worktrees', 'copy', 'gitdir'), '../../../copy/.git\n');
}

const DOCUMENTS = 1_000;
const DOCUMENT_CHARS = 8_000;
const WORDS =
  'the config server agent token 문서 검색 context search file project results value module a of and ' +
  'with for option Über example text line Markdown authentication';

/** Generates Markdown documents. Some words are in one, in 10 or in 100 of 1,000. */
async function documents(cache) {
  const version = `generated ${DOCUMENTS}`;
  const root = await whole(cache, `documents-${DOCUMENTS}-2`, makeDocuments, 'documents-');
  return { root, version };
}

function makeDocuments(root) {
  const random = new Random(1);
  const words = WORDS.split(' ');
  for (let n = 0; n < DOCUMENTS; n += 1) {
    const directory = join(root, `section-${n % 25}`, `part-${n % 3}`);
    let text = `---\nname: Document ${n}\ndescription: The document ${n}\n---\n`;
    while (text.length < DOCUMENT_CHARS) {
      text += `${Array.from({ length: 12 }, () => random.of(words)).join(' ')}\n`;
      if (random.chance(10)) text += '\n## Heading\n\n';
    }
    if (n === 500) text += 'needleword 하나뿐인단어\n';
    if (n % 100 === 3) text += 'seldom ILIK ılık\n';
    if (n % 10 === 3) text += 'a zebra\n';
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `document-${n}.md`), text);
  }
}

/** Adds the files of a tree to a git index in a separate directory; no content is stored. */
export async function gitIndex(cache, root) {
  const make = (directory) => {
    const git = (...args) =>
      run('git', [`--git-dir=${directory}`, '--work-tree=.', ...args], { cwd: root });
    git('init', '--quiet');
    git('add', '--intent-to-add', '.');
  };
  return whole(cache, `git-${digest(root)}`, make, 'git-');
}
