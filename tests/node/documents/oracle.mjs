// The seed's `searchDocuments` as the oracle for ours; the helpers that it assumes are written from the
// contract.

import * as fs from 'node:fs/promises';
import path from 'node:path';
import ignore from 'ignore';
import { evaluate, seedPart } from './seed.mjs';

/** Makes the oracle. It lists directories in byte order of the names, whatever the file system. */
export function makeOracle() {
  const code = seedPart('async function searchDocuments(', 'module.exports');
  return evaluate(`${code}\nreturn searchDocuments;`, {
    fs: { readFile: fs.readFile, readdir },
    path,
    ignore,
    validatePath,
    parseFrontmatter,
  });
}

async function readdir(directory, options) {
  const entries = await fs.readdir(directory, options);
  return entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}

function validatePath(docsRoot, given) {
  const absolute = path.resolve(docsRoot, `./${given}`);
  if (path.relative(docsRoot, absolute).split('/')[0] === '..') {
    throw new Error(`PATH_TRAVERSAL: ${given}`);
  }
  return absolute;
}

function parseFrontmatter(text) {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const isFence = (line) => /^-{4,}\s*$/.test(line);
  const end = isFence(lines[0]) ? lines.findIndex((line, n) => n > 0 && isFence(line)) : -1;
  if (end === -1) return { content: text };
  const fields = {};
  for (const line of lines.slice(1, end)) {
    const colon = line.indexOf(':');
    if (colon === -1) continue;
    const value = line.slice(colon + 1).trim();
    const [, , inner] = /^(["'])([^]*)\1$/.exec(value) ?? [];
    fields[line.slice(0, colon).trim().toLowerCase()] = inner ?? value;
  }
  return { ...fields, content: lines.slice(end + 1).join('\n') };
}

/** Makes a logger that records its calls as JSON, so that the order of keys counts too. */
export function listener() {
  const heard = [];
  const listen =
    (level) =>
    (...words) =>
      heard.push(JSON.stringify([level, ...words]));
  return { heard, info: listen('info'), warn: listen('warn') };
}

/** Returns the outcome of a call of either function: its result or error, and the log. */
export async function outcome(searchDocuments, config, query, options) {
  const logger = listener();
  try {
    const result = await searchDocuments(config, logger, query, options);
    return { result, heard: logger.heard };
  } catch (error) {
    return { error, heard: logger.heard };
  }
}

/** Returns the result in the seed's form, without `file_line`, which the seed does not have. */
export function withoutFileLines(result) {
  return JSON.parse(JSON.stringify(result), (key, value) =>
    key === 'file_line' ? undefined : value,
  );
}
