'use strict';

// The service is the package `searchscope-server`, because its protocols need packages that the engine does
// not.

const { dirname } = require('node:path');
const EXIT = require('./exit.js');

const MISSING = `searchscope: 'serve' needs the npm package searchscope-server, which is not installed.
Install it:  npm install searchscope-server
`;

/** Runs the service with the arguments after the verb. */
function runServe(words) {
  const command = serverCommand();
  if (command !== undefined) return require(command).runCommand(words, 'searchscope serve');
  process.stderr.write(MISSING);
  process.exitCode = EXIT.usage;
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

module.exports = { runServe };
