'use strict';

// The service is the package `searchscope-server`, because its protocols need packages that the engine does
// not.

const { dirname } = require('node:path');
const EXIT = require('./exit.js');

/** The verbs of the package. */
const SERVER_VERBS = Object.freeze(['serve', 'mcp']);

/** Runs a verb of the package with the arguments after it. */
function runServer(verb, words) {
  const command = serverCommand();
  if (command === undefined) {
    process.stderr.write(missing(verb));
    process.exitCode = EXIT.usage;
    return undefined;
  }
  const { runCommand } = require(command);
  return verb === 'serve' ? runCommand(words, 'searchscope serve') : runCommand([verb, ...words], 'searchscope');
}

function missing(verb) {
  return `searchscope: '${verb}' needs the npm package searchscope-server, which is not installed.
Install it:  npm install searchscope-server
`;
}

/**
 * Returns the path of the service's command, in the package beside this one. pnpm links packages, so the
 * place by which this command was started counts too. The working directory never does: it may be a tree that
 * is only to be searched, whose code must not run.
 */
function serverCommand() {
  for (const place of [__dirname, dirname(process.argv[1])]) {
    try {
      return require.resolve('searchscope-server/command', { paths: [place] });
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return undefined;
}

module.exports = { SERVER_VERBS, runServer };
