'use strict';

const path = require('node:path');
const { openDocuments } = require('./documents/open.js');
const { searchIn } = require('./documents/search.js');

/** The function that this one replaces treats a line of three hyphens as text. */
const HYPHENS_MIN = 4;

/** Searches the Markdown documents of `config.docsRoot`; rejects on failure and never throws. */
async function searchDocuments(config, logger, query, options = {}) {
  // Only these keys: others of a host's configuration may mean something else to us.
  const { docsRoot, excludes, doc_suffixes: docSuffixes } = config;
  const { front_matter_hyphens_min: hyphensMin = HYPHENS_MIN } = config;
  const open = () => openDocuments({ docsRoot, excludes, docSuffixes, hyphensMin });
  try {
    const reply = await searchIn(open, logger, query, options);
    return reply.value;
  } catch (error) {
    throw withOriginalCode(error, options);
  }
}

/**
 * Sets the `code` of an error to that of the replaced function, by which hosts choose a status: one for
 * each kind of wrong path, and none for other wrong arguments.
 */
function withOriginalCode(error, options) {
  if (error?.code === 'invalid_param') delete error.code;
  if (error?.code === 'access_denied') {
    error.code = isAbsolute(options.path) ? 'PATH_TRAVERSAL' : 'PATH_VIOLATION';
  }
  return error;
}

/** Returns whether a path is absolute; a single leading slash denotes the documents' root. */
function isAbsolute(given) {
  return path.isAbsolute(given.replace(/^\//, ''));
}

module.exports = { searchDocuments };
