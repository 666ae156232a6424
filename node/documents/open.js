'use strict';

const { opendir, stat } = require('node:fs/promises');
const path = require('node:path');
const { Workspace } = require('../index.js');
const { invalidParam } = require('../errors.js');

/**
 * Opening takes microseconds, but an open workspace holds a file handle until it is collected as
 * garbage, and hundreds of them gather before that. So those used last are kept and used again.
 */
const KEPT_MAX = 8;

/** Settings as JSON -> {workspace, dev, ino}, least recently used first. */
const kept = new Map();

/**
 * Opens the documents of a source, as `settingsOf` takes it. Gives `{root, workspace}`, or
 * `{root, missing}` where there is no directory to open: the code of the system's error.
 */
async function openDocuments(source) {
  const { root, options } = settingsOf(source);
  if (source.workspace !== undefined) return { root, workspace: source.workspace };
  try {
    return { root, workspace: await keptWorkspace(root, options) };
  } catch (error) {
    const missing = await whyNotListed(root);
    if (missing === undefined) throw error;
    return { root, missing };
  }
}

/** The code of the system's error for listing a directory, if there is one. */
async function whyNotListed(directory) {
  try {
    const handle = await opendir(directory);
    await handle.close();
    return undefined;
  } catch (error) {
    return error.code;
  }
}

/**
 * A directory that was replaced is another one and opened anew. The handle that is kept open keeps
 * the number of the old one from being given to the new one.
 */
async function keptWorkspace(root, options) {
  const { dev, ino } = await stat(root, { bigint: true });
  const key = JSON.stringify([root, options]);
  let entry = kept.get(key);
  kept.delete(key);
  if (entry?.dev !== dev || entry.ino !== ino) {
    entry = { workspace: Workspace.open(root, options), dev, ino };
  }
  kept.set(key, entry);
  if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value);
  return entry.workspace;
}

/** Checks a source, `{docsRoot, excludes?, deny?, workspace?}`; gives what a workspace takes. */
function settingsOf({ docsRoot, excludes, deny }) {
  if (typeof docsRoot !== 'string' || docsRoot === '') {
    throw invalidParam('docsRoot', 'docsRoot must be the path of a directory, a string');
  }
  const options = { excludes: excludeLines(excludes), ...(deny === undefined ? {} : { deny }) };
  return { root: path.resolve(docsRoot), options };
}

/** The gitignore lines of what npm `ignore().add()` takes: text, or a list of lines. */
function excludeLines(excludes) {
  if (excludes === undefined || excludes === null) return [];
  const lines = typeof excludes === 'string' ? excludes.split(/\r?\n/) : [excludes].flat();
  return lines.map((line, index) => {
    const text = typeof line === 'string' ? line : line?.pattern;
    if (typeof text !== 'string') {
      throw invalidParam('excludes', 'excludes must be gitignore lines: text, or a list of texts');
    }
    const withoutEnd = text.replace(/[\r\n]+$/, '');
    return (index === 0 ? withoutEnd.replace(/^\uFEFF/, '') : withoutEnd).toWellFormed();
  });
}

module.exports = { openDocuments, settingsOf };
