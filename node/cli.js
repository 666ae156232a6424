#!/usr/bin/env node
'use strict';

const { isForPeople, runNative } = require('./cli/native.js');

/** Runs the command with its arguments; sets the exit status of the process and never throws. */
async function runCommand(words) {
  // Loaded only for the other verbs, because loading it takes longer than a search.
  if (isForPeople(words[0])) return runNative(words);
  return require('./cli/command.js').runCommand(words);
}

module.exports = { runCommand };

if (require.main === module) runCommand(process.argv.slice(2));
