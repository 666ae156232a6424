'use strict';

const { openDocuments } = require('./documents/open.js');
const { searchIn } = require('./documents/search.js');

/** Searches the Markdown documents of `config.docsRoot`; rejects, and never throws. */
async function searchDocuments(config, logger, query, options = {}) {
  // Only these two: a host's configuration may have keys that mean something else to us.
  const open = () => openDocuments({ docsRoot: config.docsRoot, excludes: config.excludes });
  const reply = await searchIn(open, logger, query, options);
  return reply.value;
}

module.exports = { searchDocuments };
