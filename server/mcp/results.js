'use strict';

/**
 * The forms of a tool's result over the protocol: plain text, JSON as text, a structured result, or the last
 * two together. Apart from the code that makes them, because the command's help names them without loading
 * the protocol's library.
 */
const RESULTS = Object.freeze(['text', 'json', 'structured', 'both']);

/** Returns whether a form has a structured result. */
const isStructured = (result) => result === 'structured' || result === 'both';

module.exports = { RESULTS, isStructured };
