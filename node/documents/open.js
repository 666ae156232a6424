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

/** Settings as JSON -> {root, workspace, ignored, dev, ino}, least recently used first. */
const kept = new Map();

/** Excludes as JSON -> {taken, ignored}, where some of the lines were refused by the engine. */
const judged = new Map();

/** How the engine names the line that it refuses, from 1, and why. */
const REFUSED_LINE = /^'excludes': line (\d+) (.+)$/s;

/** More wrong lines are a mistake of another kind, and each is found by compiling all. */
const IGNORED_MAX = 20;

/** What a warning shows of a line. */
const LINE_CHARS_MAX = 200;

/** Stands for a directory that is not there: the engine judges arguments, and finds nothing. */
let nothing;

/**
 * Opens the documents of a source, as `settingsOf` takes it: gives `{root, workspace, ignored,
 * missing}`. `ignored` has the lines of `excludes` that the engine refuses, `{line, error}` each;
 * `missing` is the code of the system's error where there is no directory to open.
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

/** Throws when the settings of a source are wrong; whether its directory is there is no matter. */
function checkSource(source) {
  const { root, options } = settingsOf(source);
  // Lines are judged when a workspace is opened, and this directory is always there.
  if (source.workspace === undefined) Workspace.open(path.parse(root).root, options);
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

/** Lets go of the workspaces, so that their handles can be collected. */
function forget(isMeant) {
  for (const [key, entry] of kept) if (isMeant(entry)) kept.delete(key);
}

/** Puts the entry last, and takes out the first when there are too many. */
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
      // So that they are not compiled again and again in vain.
      keep(judged, key, { taken, ignored });
    }
  }
}

/**
 * Checks a source, `{docsRoot, excludes?, deny?, docSuffixes?, hyphensMin?, workspace?}`; returns what a
 * workspace takes.
 */
function settingsOf({ docsRoot, excludes, deny, docSuffixes, hyphensMin }) {
  if (typeof docsRoot !== 'string' || docsRoot === '') {
    throw invalidParam('docsRoot', 'docsRoot must be the path of a directory, a string');
  }
  const options = {
    excludes: excludeLines(excludes),
    ...(deny === undefined ? {} : { deny }),
    ...(docSuffixes === undefined ? {} : { doc_suffixes: docSuffixes }),
    ...(hyphensMin === undefined ? {} : { front_matter_hyphens_min: hyphensMin }),
  };
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

module.exports = { checkSource, openDocuments };
