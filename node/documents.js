'use strict';

const path = require('node:path');
const { openDocuments } = require('./documents/open.js');
const { searchIn } = require('./documents/search.js');

/** The function that this one replaces takes a line of three hyphens for text. */
const HYPHENS_MIN = 4;

/** Searches the Markdown documents of `config.docsRoot`; rejects, and never throws. */
async function searchDocuments(config, logger, query, options = {}) {
  // Only these: a host's configuration may have keys that mean something else to us.
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
 * Gives an error the `code` that the replaced function gives it, by which hosts choose a status: one
 * for each kind of wrong path, and none for other wrong arguments.
 */
function withOriginalCode(error, options) {
  if (error?.code === 'invalid_param') delete error.code;
  if (error?.code === 'access_denied') {
    error.code = isAbsolute(options.path) ? 'PATH_TRAVERSAL' : 'PATH_VIOLATION';
  }
  return error;
}

/** Whether a path is absolute, where one slash at its beginning stands for the documents' root. */
function isAbsolute(given) {
  return path.isAbsolute(given.replace(/^\//, ''));
}

module.exports = { searchDocuments };
