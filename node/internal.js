'use strict';

// Helpers that the package `searchscope-server` of the same version shares with this one. They are not an
// interface for others: any release may change them.

const { cancelled, internal, invalidParam, isSearchscopeError } = require('./errors.js');
const { nearest } = require('./nearest.js');
const { printable, printableJson, printableLine } = require('./printable.js');

module.exports = {
  cancelled,
  internal,
  invalidParam,
  isSearchscopeError,
  nearest,
  printable,
  printableJson,
  printableLine,
  /** Loaded on first use, because it loads the addon, which the help of a command does not need. */
  get documents() {
    const { checkSource, openDocuments } = require('./documents/open.js');
    const { Reply } = require('./documents/reply.js');
    const { searchIn } = require('./documents/search.js');
    const { logAsides, warnOfDirectory } = require('./documents/warnings.js');
    return { Reply, checkSource, logAsides, openDocuments, searchIn, warnOfDirectory };
  },
};
