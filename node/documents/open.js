'use strict';

const { opendir, stat } = require('node:fs/promises');
const path = require('node:path');
const { Workspace } = require('../index.js');
const { invalidParam } = require('../errors.js');

/**
 * Number of open workspaces that are kept for reuse. Opening takes microseconds, but each workspace keeps a
 * file handle until it is garbage-collected, and hundreds can accumulate before that.
 */
const KEPT_MAX = 8;

/** Settings as JSON -> {root, workspace, ignored, dev, ino}, least recently used first. */
const kept = new Map();

/** Excludes as JSON -> {taken, ignored}, for lists with lines that the engine refused. */
const judged = new Map();

/** The engine's message for a refused line: its number, from 1, and the reason. */
const REFUSED_LINE = /^'excludes': line (\d+) (.+)$/s;

/** Maximum number of ignored lines. More are a mistake of another kind, and each costs compiling all. */
const IGNORED_MAX = 20;

/** Lines are cut to this length in a warning. */
const LINE_CHARS_MAX = 200;

/** Workspace without documents, used for a missing directory: the engine still checks the arguments. */
let nothing;

/**
 * Opens the documents of a source, as `settingsOf` takes it. Returns `{root, workspace, ignored,
 * missing}`: `ignored` lists the lines of `excludes` that the engine refuses, as `{line, error}`;
 * `missing` is the code of the system's error if the directory cannot be listed.
 */
async function openDocuments(source) {
  const { root, options } = settingsOf(source);
  if (source.workspace !== undefined) return { root, workspace: source.workspace, ignored: [] };
  try {
    return { root, ...(await keptWorkspace(root, options)) };
  } catch (error) {
    const missing = await whyNotListed(root);
    if (missing === undefined) throw error;
    nothing ??= Workspace.open(__dirname, { excludes: ['*'] });
    return { root, workspace: nothing, ignored: [], missing };
  }
}

/** Throws if the settings of a source are wrong; its directory need not exist. */
function checkSource(source) {
  const { root, options } = settingsOf(source);
  // The engine checks lines when it opens a workspace; the root of the file system always exists.
  if (source.workspace === undefined) Workspace.open(path.parse(root).root, options);
}

/** Returns the code of the system's error for listing a directory; undefined if it can be listed. */
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
 * Returns an open workspace for the root, a kept one if possible. A directory that has replaced another is
 * recognised by device and inode and opened anew. This is reliable because the kept handle prevents the
 * system from reusing the old inode number.
 */
async function keptWorkspace(root, options) {
  const { dev, ino } = await stat(root, { bigint: true }).catch((error) => {
    forget((entry) => entry.root === root);
    throw error;
  });
  const isOther = (entry) => entry.dev !== dev || entry.ino !== ino;
  forget((entry) => entry.root === root && isOther(entry));
  const key = JSON.stringify([root, options]);
  const entry = kept.get(key) ?? { root, dev, ino, ...openWithout(root, options) };
  keep(kept, key, entry);
  return { workspace: entry.workspace, ignored: entry.ignored };
}

/** Drops the workspaces that match, so that their handles can be collected. */
function forget(isMeant) {
  for (const [key, entry] of kept) if (isMeant(entry)) kept.delete(key);
}

/** Moves the entry to the end, and removes the first if there are too many. */
function keep(map, key, entry) {
  map.delete(key);
  map.set(key, entry);
  if (map.size > KEPT_MAX) map.delete(map.keys().next().value);
}

/** Opens a workspace without those lines of `excludes` that the engine refuses. */
function openWithout(root, { excludes, ...options }) {
  const key = JSON.stringify(excludes);
  let { taken, ignored } = judged.get(key) ?? { taken: excludes, ignored: [] };
  for (;;) {
    try {
      return { workspace: Workspace.open(root, { ...options, excludes: taken }), ignored };
    } catch (error) {
      const [, line, reason] = REFUSED_LINE.exec(error.message) ?? [];
      if (line === undefined || ignored.length >= IGNORED_MAX) throw error;
      const at = Number(line) - 1;
      ignored = [...ignored, { line: taken[at].slice(0, LINE_CHARS_MAX), error: reason }];
      taken = taken.toSpliced(at, 1);
      // Remembered, so that the next open does not compile the refused lines again.
      keep(judged, key, { taken, ignored });
    }
  }
}

/**
 * Checks a source, `{docsRoot, excludes?, deny?, docSuffixes?, hyphensMin?, workspace?}`; returns the root
 * and the options of a workspace.
 */
function settingsOf({ docsRoot, excludes, deny, docSuffixes, hyphensMin }) {
  if (typeof docsRoot !== 'string' || docsRoot === '') {
    throw invalidParam('docsRoot', 'docsRoot must be a non-empty string, the path of a directory');
  }
  const options = {
    excludes: excludeLines(excludes),
    ...(deny === undefined ? {} : { deny }),
    ...(docSuffixes === undefined ? {} : { doc_suffixes: docSuffixes }),
    ...(hyphensMin === undefined ? {} : { front_matter_hyphens_min: hyphensMin }),
  };
  return { root: path.resolve(docsRoot), options };
}

/** Returns gitignore lines from the forms that npm `ignore().add()` accepts: text, or a list of lines. */
function excludeLines(excludes) {
  if (excludes === undefined || excludes === null) return [];
  const lines = typeof excludes === 'string' ? excludes.split(/\r?\n/) : [excludes].flat();
  return lines.map((line, index) => {
    const text = typeof line === 'string' ? line : line?.pattern;
    if (typeof text !== 'string') {
      throw invalidParam('excludes', 'excludes must be gitignore lines: a string or an array of strings');
    }
    const withoutEnd = text.replace(/[\r\n]+$/, '');
    return (index === 0 ? withoutEnd.replace(/^\uFEFF/, '') : withoutEnd).toWellFormed();
  });
}

module.exports = { checkSource, openDocuments };
