'use strict';

const { internal, isSearchscopeError } = require('searchscope/internal');

/** Returns the log fields of a defect: the error, and the original exception as its cause. */
function defectFields(error) {
  const cause = error?.cause?.message;
  return { error: error?.stack ?? String(error), ...(cause === undefined ? {} : { cause }) };
}

/** Returns whether an error refuses a call for lack of room. By its code: a host may have its own gate. */
function isBusy(error) {
  return error?.code === 'busy';
}

/**
 * Returns the error of a failed tool call as its caller may see it. A defect is logged under `message`, and
 * the caller learns only that there was one.
 */
function callError(error, logger, { message, tool }) {
  const isKnown = isSearchscopeError(error) || isBusy(error);
  if (!isKnown || error.code === 'internal') logger.error(message, { tool, ...defectFields(error) });
  return isKnown ? error : internal(error);
}

module.exports = { callError, defectFields, isBusy };
