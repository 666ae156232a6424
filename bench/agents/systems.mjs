// The systems that an agent may have, each as one function. It receives a query in the terms of
// policy.mjs and returns the reply as the agent reads it, with its rows; undefined where the system
// cannot express the query or an earlier reply covers it.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TOP } from '../../scripts/lib/process.mjs';
import { McpClient } from './mcp-client.mjs';
import { longestWords } from './rankers.mjs';
import { lookReply } from './replies.mjs';

const CLI = join(TOP, 'node', 'cli.js');
/** Maximum output that shells for agents show. */
const SHELL_BYTES_MAX = 30_000;
const PAGE = 50;
/** Number of files that a shell's ranking shows, as `look` does. */
const FILES_MAX = 10;
const INDEX_MS = 120_000;

const KEYWORDS = 'fn|struct|enum|trait|class|function|interface|type|const|static|let|var|def|define';

/**
 * Returns each system: `open(root)` returns `{ fixed, ask, close }`. `peers` is the directory where those
 * from npm are installed.
 */
export function systemsOf(peers) {
  const files = join(peers, 'node_modules', '@modelcontextprotocol', 'server-filesystem', 'dist', 'index.js');
  const fff = join(peers, 'node_modules', '@ff-labs', 'fff-node', 'dist', 'src', 'index.js');
  return {
    look: { open: look },
    'search as JSON': { open: json },
    'rg and fd in a shell': hasPrograms() ? { open: shell } : { missing: 'rg or fd is not installed' },
    'fff (its library)': existsSync(fff) ? { open: (root) => finder(fff, root) } : { missing: 'not installed' },
    'reference filesystem server': existsSync(files)
      ? { open: (root) => fileServer(files, root) }
      : { missing: 'not installed' },
  };
}

async function service(root, args) {
  const words = [CLI, 'serve', '--stdio', '--root', root, '--log-level', 'silent', ...args];
  const client = new McpClient(process.execPath, words);
  return { client, fixed: await client.open() };
}

/** `look`, as the service offers it to agents. */
async function look(root) {
  const { client, fixed } = await service(root, []);
  const ask = async (asked) => {
    const args = lookArgs(asked);
    if (!args) return undefined;
    const text = await client.call('look', asked.next ? { ...args, page: asked.next } : args);
    return lookReply(text, args.only);
  };
  return { fixed, ask, close: () => client.close() };
}

function lookArgs({ find, text, words, dir, anyCase }) {
  // The first call has already tried other cases, namings and spellings.
  if (anyCase) return undefined;
  switch (find) {
    case 'definition':
      return { q: text, only: 'definitions' };
    case 'text':
      return { q: text };
    case 'file':
      return { q: text, only: 'names' };
    case 'count':
      return { q: text, only: 'count' };
    case 'files':
      return { q: text, only: 'files', in: dir };
    case 'words':
      return { q: words.join(' ') };
    case 'question':
      return { q: text };
    default:
      return undefined;
  }
}

/** The tools of the contracts, with replies as JSON. */
async function json(root) {
  const tools = ['--tools', 'search,find,scope_search_symbols', '--result', 'json'];
  const { client, fixed } = await service(root, tools);
  const ask = async (asked) => {
    const call = jsonCall(asked);
    if (!call) return undefined;
    const [tool, args] = call;
    const text = await client.call(tool, asked.next ? { ...args, cursor: asked.next } : args);
    return jsonReply(text);
  };
  return { fixed, ask, close: () => client.close() };
}

function jsonCall({ find, text, words, dir, anyCase, pattern }) {
  const literal = { patterns: [text], literal: true };
  switch (find) {
    case 'definition':
      return ['scope_search_symbols', { query: text }];
    case 'text':
      return ['search', anyCase ? { ...literal, case: 'insensitive' } : literal];
    case 'pattern':
      return ['search', { patterns: [pattern], case: 'insensitive' }];
    case 'file':
      return ['find', { globs: [`*${text}*`] }];
    case 'count':
      return ['search', { ...literal, mode: 'count' }];
    case 'files':
      return ['search', { ...literal, mode: 'files', paths: [dir] }];
    case 'words':
      return ['search', { patterns: words, literal: true, case: 'insensitive', order: 'relevance' }];
    case 'question':
      return ['search', { patterns: longestWords(text), literal: true, case: 'insensitive', order: 'relevance' }];
    default:
      return undefined;
  }
}

function jsonReply(text) {
  let reply;
  try {
    reply = JSON.parse(text);
  } catch {
    return { text, rows: [], isExact: true };
  }
  const symbols = (reply.items ?? []).map((item) => ({
    path: item.filePath,
    line: item.line,
    text: `${item.kind} ${item.name}`,
    isDefinition: true,
  }));
  const rows = [...symbols, ...(reply.matches ?? []), ...(reply.files ?? [])];
  return { text, rows, isExact: true, total: reply.total, next: reply.cursor };
}

/** ripgrep and fd as an agent starts them in a shell. */
async function shell(root) {
  const description =
    'Runs a command in a shell in the directory of the project and returns its output, cut after 30000 characters.';
  const fixed = JSON.stringify([
    {
      name: 'shell',
      description,
      inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
    },
  ]);
  const ask = async (asked) => {
    const command = shellCommand(asked);
    if (!command) return undefined;
    const { stdout } = spawnSync('sh', ['-c', command], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
    const text = stdout.slice(0, SHELL_BYTES_MAX);
    return { ...shellReply(text, asked.find), text };
  };
  return { fixed, ask, close: () => {} };
}

function shellCommand({ find, text, words, dir, anyCase, pattern }) {
  const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;
  switch (find) {
    case 'definition':
      return `rg -n ${quoted(`\\b(${KEYWORDS})\\b.*\\b${text}\\b`)}`;
    case 'text':
      return `rg -nF ${anyCase ? '-i ' : ''}${quoted(text)}`;
    case 'pattern':
      return `rg -ni ${quoted(pattern)}`;
    case 'file':
      return `fd -F ${quoted(text)}`;
    case 'count':
      return `rg -F ${quoted(text)} | wc -l`;
    case 'files':
      return `rg -lF ${quoted(text)} ${quoted(dir)}`;
    case 'words': {
      const [first, ...rest] = words.map(quoted);
      return [`rg -liF ${first}`, ...rest.map((word) => `xargs -r rg -liF ${word}`)].join(' | ');
    }
    // Files with the largest number of the longest words first.
    case 'question': {
      const each = longestWords(text).map((word) => `rg -liF ${quoted(word)};`);
      return `{ ${each.join(' ')} } | sort | uniq -c | sort -k1,1nr -k2 | head -${FILES_MAX} | sed 's/^ *[0-9]* //'`;
    }
    default:
      return undefined;
  }
}

function shellReply(text, find) {
  const lines = text.split('\n').filter((line) => line !== '');
  if (find === 'count') return { rows: [], isExact: true, total: Number(text.trim()) };
  const rows = lines.map((line) => {
    const row = /^(.*?):(\d+):(.*)$/.exec(line);
    return row ? { path: row[1], line: Number(row[2]), text: row[3] } : { path: line.replace(/^\.\//, '') };
  });
  return { rows, isExact: true };
}

function hasPrograms() {
  return ['rg', 'fd'].every((program) => spawnSync(program, ['--version']).status === 0);
}

/** The library of fff, with its replies as plain text, which is close to the output of its server. */
async function finder(entry, root) {
  const { FileFinder } = await import(pathToFileURL(entry));
  const own = value(FileFinder.create({ basePath: root, disableWatch: true }));
  if (!value(await own.waitForIndexReady(INDEX_MS))) throw new Error('fff has no index');
  const properties = { query: { type: 'string' }, cursor: { type: 'string' } };
  const tool = (name, description) => ({ name, description, inputSchema: { type: 'object', properties } });
  const fixed = JSON.stringify([
    tool('grep', 'Searches file contents for a text; smart case; falls back to fuzzy matching.'),
    tool('find_files', 'Finds files by a fuzzy name, best first.'),
  ]);
  const ask = async (asked) => finderReply(own, asked);
  return { fixed, ask, close: () => own.destroy() };
}

function finderReply(own, { find, text, words, pattern, next }) {
  if (find === 'file') {
    const { items } = value(own.fileSearch(text, { pageSize: PAGE }));
    const rows = items.map(({ relativePath }) => ({ path: relativePath }));
    return { text: rows.map(({ path }) => path).join('\n'), rows, isExact: true };
  }
  const query = find === 'words' ? words.join(' ') : (pattern ?? text);
  const grep = (mode) => value(own.grep(query, { mode, smartCase: find !== 'count', classifyDefinitions: true, pageSize: PAGE, cursor: next ?? null }));
  let page = grep(pattern ? 'regex' : 'plain');
  let isExact = true;
  if (page.items.length === 0 && !next && find !== 'count') {
    page = grep('fuzzy');
    isExact = false;
  }
  const rows = page.items.map(({ relativePath, lineNumber, lineContent, isDefinition }) => ({
    path: relativePath,
    line: lineNumber,
    text: lineContent,
    isDefinition,
  }));
  // The server of fff sorts in the same way.
  rows.sort((one, other) => Number(other.isDefinition ?? false) - Number(one.isDefinition ?? false));
  let shown = '';
  for (const [n, row] of rows.entries()) {
    if (row.path !== rows[n - 1]?.path) shown += `${row.path}\n`;
    shown += ` ${row.line}: ${row.text}\n`;
  }
  const more = page.nextCursor ?? undefined;
  const total = find === 'count' && !more ? rows.length : undefined;
  return { text: more ? `${shown}cursor: more\n` : shown, rows, isExact, total, next: more };
}

function value(result) {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

/** The reference server of the protocol, which finds file names and returns whole files. */
async function fileServer(entry, root) {
  const client = new McpClient(process.execPath, [entry, root]);
  const fixed = await client.open();
  const relative = (path) => path.replace(`${root}/`, '');
  const ask = async ({ find, text, words, pattern, anyCase }) => {
    if (pattern || anyCase || find === 'count' || find === 'files') return undefined;
    const wanted = text ?? words[0];
    const names = await client.call('search_files', { path: root, pattern: `**/*${wanted}*` });
    const paths = names.split('\n').filter((path) => path.startsWith(root));
    if (find === 'file' || paths.length === 0) {
      return { text: names, rows: paths.map((path) => ({ path: relative(path) })), isExact: true };
    }
    const read = await client.call('read_text_file', { path: paths[0] });
    const lines = read.split('\n').map((line, n) => ({ path: relative(paths[0]), line: n + 1, text: line }));
    const rows = lines.filter((line) => line.text.toLowerCase().includes(wanted.toLowerCase()));
    return { text: `${names}\n${read}`, rows, isExact: true };
  };
  return { fixed, ask, close: () => client.close() };
}
