// The systems of an edit replay. Each one answers a question with files of a tree, the best first, and with
// the reply as an agent reads it.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lookReply } from './replies.mjs';

/** Number of files that the ranking of `rg` shows, as `look` does. */
const FILES_MAX = 10;
/** Number of pieces to request from systems that rank pieces of files. */
const PIECES = 30;
const OUTPUT_BYTES_MAX = 1 << 26;

/**
 * Returns each system: `{ rank(root, question) }` resolves to `{ files, text }`; `{ missing }` says why a
 * system cannot run. `Workspace` is the class of the Node API.
 */
export function rankersOf(Workspace, peers) {
  const rg = programOf('rg', [join(peers, 'node_modules', '@vscode', `ripgrep-${process.platform}-${process.arch}`, 'bin', 'rg')]);
  const program = (command, ranker) => (runs(command) ? ranker(command) : { missing: `${command} is not installed` });
  return {
    look: { rank: (root, question) => look(Workspace, root, question) },
    'rg, the three longest words': rg ? { rank: (root, question) => byWords(rg, root, question) } : { missing: 'rg is not installed' },
    'sifs, BM25': program('sifs', sifs),
    semble: program('semble', semble),
  };
}

function programOf(name, others) {
  return runs(name) ? name : others.find((file) => existsSync(file));
}

function runs(command) {
  return spawnSync(command, ['--version']).status === 0;
}

/** `look` with nothing kept between calls. */
async function look(Workspace, root, question) {
  const workspace = Workspace.open(root);
  try {
    const text = await workspace.callText('look', { q: question });
    return { text, files: unique(lookReply(text).rows.map(({ path }) => path)) };
  } finally {
    workspace.close();
  }
}

/** Files with the largest number of the question's three longest words; among equals those with more lines. */
async function byWords(rg, root, question) {
  const found = new Map();
  for (const word of longestWords(question)) {
    const { stdout } = start(rg, ['--no-config', '--count', '--ignore-case', '--fixed-strings', '--', word, '.'], root);
    for (const [, path, lines] of stdout.matchAll(/^(?:\.\/)?(.*):(\d+)$/gm)) {
      const file = found.get(path) ?? { path, words: 0, lines: 0 };
      found.set(path, { path, words: file.words + 1, lines: file.lines + Number(lines) });
    }
  }
  const order = (one, other) => other.words - one.words || other.lines - one.lines || (one.path < other.path ? -1 : 1);
  const best = [...found.values()].sort(order).slice(0, FILES_MAX);
  return { files: best.map(({ path }) => path), text: best.map(({ path, words }) => `${words} ${path}\n`).join('') };
}

/** Returns the three longest words of a text, the first of equals. */
export function longestWords(text) {
  const words = unique(text.match(/\w+/g) ?? []);
  return words.sort((one, other) => other.length - one.length).slice(0, 3);
}

function sifs(command) {
  const rank = async (root, question) => {
    const options = ['--source', '.', '--mode', 'bm25', '--offline', '--no-cache', '--limit', `${PIECES}`, '--json'];
    return pieces(start(command, ['search', question, ...options], root), root);
  };
  return { rank };
}

function semble(command) {
  const rank = async (root, question) => {
    const options = ['--top-k', `${PIECES}`, '--max-snippet-lines', '0', '--format', 'json'];
    return pieces(start(command, ['search', ...options, question, '.'], root), root);
  };
  return { rank };
}

/** Reads a list of pieces of files in JSON: the first field with a path names the file of a piece. */
function pieces({ stdout, stderr, status }, root) {
  if (status !== 0) throw new Error(stderr.trim().split('\n').at(-1) || `exit status ${status}`);
  const paths = [...stdout.matchAll(/"(?:file_path|path|file)": ?"((?:[^"\\]|\\.)*)"/g)].map(([, path]) => JSON.parse(`"${path}"`));
  const below = (path) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path.replace(/^\.\//, ''));
  return { text: stdout, files: unique(paths.map(below)) };
}

function start(command, args, cwd) {
  return spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX, stdio: ['ignore', 'pipe', 'pipe'] });
}

function unique(list) {
  return [...new Set(list)];
}
