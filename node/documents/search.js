'use strict';

const path = require('node:path');
const { invalidParam, isSearchscopeError } = require('../errors.js');
const { Reply } = require('./reply.js');
const { logAsides, warnOfDirectory } = require('./warnings.js');

const QUERY_LENGTH_MAX = 200;

/**
 * Searches the documents that `open` returns, in the form of `openDocuments`; returns a `Reply`.
 * `options.signal` ends the search; the other options are unchecked values from JavaScript callers.
 */
async function searchIn(open, logger, query, options) {
  try {
    const args = argsOf(query, options);
    const reply = await replyTo(await open(), args, logger, options.signal);
    const { total_matches, total_files, truncated } = reply.before('results');
    logger.info('Document search completed', {
      query: args.query,
      total_matches,
      total_files,
      truncated,
    });
    return reply;
  } catch (error) {
    throw plainError(error);
  }
}

async function replyTo({ root, workspace, ignored, missing }, args, logger, signal) {
  const reply = new Reply(await workspace.callJson('search_documents', args, { signal }));
  for (const line of ignored) logger.warn('Exclude line ignored', line);
  if (missing !== undefined) {
    warnOfDirectory(logger, pathBelow(root, args.path), missing);
    return reply;
  }
  const { query, path: below } = args;
  const words = { timedOut: 'Document search timed out', fields: { query, path: below } };
  logAsides(logger, root, reply.asides, words);
  return reply;
}

/** Returns the absolute path of the given one, which the engine has checked. */
function pathBelow(root, given) {
  const below = path.join(root, given);
  // `join` keeps a trailing slash.
  return below.length > 1 ? below.replace(/\/$/, '') : below;
}

/** Returns the engine's arguments; converts values that JSON cannot represent as JavaScript would. */
function argsOf(query, options) {
  return {
    query: checkedQuery(query),
    context_chars: clampedInteger(options.context_chars, 50, 10, 500),
    max_results: clampedInteger(options.max_results, 10, 1, 100),
    case_sensitive: options.case_sensitive === true,
    path: checkedPath(options.path),
  };
}

function checkedQuery(query) {
  const given = query || '';
  if (typeof given !== 'string') throw invalidParam('query', 'query must be a string');
  const text = given.trim();
  if (text.length === 0) throw invalidParam('query', 'query is required and must not be empty');
  if (text.length > QUERY_LENGTH_MAX) {
    throw invalidParam('query', `query must be ${QUERY_LENGTH_MAX} characters or less`);
  }
  if (!text.isWellFormed()) {
    throw invalidParam('query', 'query must not contain a lone surrogate');
  }
  return text;
}

/** Parses and clamps a number. `parseInt` gets no radix, because callers may rely on `0x20`. */
function clampedInteger(value, fallback, min, max) {
  return Math.min(Math.max(parsedInteger(value) || fallback, min), max);
}

function parsedInteger(value) {
  try {
    return Number.parseInt(value);
  } catch (error) {
    // Converting deeply nested lists to text has overflowed the stack.
    if (error instanceof RangeError) return NaN;
    throw error;
  }
}

function checkedPath(given) {
  const text = given || '/';
  if (typeof text !== 'string') throw invalidParam('path', 'path must be a string');
  // As `fs` treats a lone surrogate.
  return text.toWellFormed();
}

/** Returns a plain `Error`, as callers of a JavaScript function expect, with our code. */
function plainError(error) {
  if (!isSearchscopeError(error)) return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: error.code });
}

module.exports = { searchIn };
