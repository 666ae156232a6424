'use strict';

// The forms of a tool's result over the protocol. They are separate from the code that makes structured ones,
// because the command's help names the forms and `/context` makes results without loading the protocol's library.

/** Plain text, JSON as text, a structured result, or the last two together. */
const RESULTS = Object.freeze(['text', 'json', 'structured', 'both']);

/** Returns whether a form has a structured result. */
const isStructured = (result) => result === 'structured' || result === 'both';

function textContent(text) {
  return { type: 'text', text };
}

/** Returns the result of a failed call, for the model to read. */
function failedResult(message) {
  return { content: [textContent(message)], isError: true };
}

/** The beginning of a text reply that is an error; no other text begins so. */
const ERROR_TEXT = '# error:';

/**
 * The beginnings of replies that are errors in the shape of their tool's contract. The engine writes
 * keys in the order of the contract, so a large reply need not be parsed to recognise an error.
 */
const ERROR_REPLIES = Object.freeze({
  Grep: '{"status":"error"',
  find_and_grep: '{"success":false',
});

/** Returns whether a tool's reply, as text or as JSON, is an error. */
function isErrorReply(tool, reply) {
  const beginning = ERROR_REPLIES[tool];
  return reply.startsWith(ERROR_TEXT) || (beginning !== undefined && reply.startsWith(beginning));
}

module.exports = { RESULTS, failedResult, isErrorReply, isStructured, textContent };
