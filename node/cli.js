#!/usr/bin/env node
'use strict';

const { isNative, runNative } = require('./cli/native.js');

/** Runs the command with its arguments; sets the exit status of the process and never throws. */
async function runCommand(words) {
  // The modules of the service are loaded for it alone, because that takes longer than a search.
  if (isNative(words[0])) return runNative(words);
  return require('./cli/command.js').runCommand(words);
}

module.exports = { runCommand };

if (require.main === module) runCommand(process.argv.slice(2));
