'use strict';

/**
 * The beginnings of replies that are errors in the shape of their tool's contract. The engine writes
 * keys in the order of the contract, so a large reply need not be parsed to recognise an error.
 */
const ERROR_REPLIES = Object.freeze({
  Grep: '{"status":"error"',
  find_and_grep: '{"success":false',
});

/** Returns whether the JSON text of a tool's reply is an error in the shape of its contract. */
function isErrorReply(tool, reply) {
  const beginning = ERROR_REPLIES[tool];
  return beginning !== undefined && reply.startsWith(beginning);
}

module.exports = { isErrorReply };
