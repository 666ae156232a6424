'use strict';

// All verbs but `serve` are a program of its own, which starts in a fraction of the time of Node.

const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const path = require('node:path');
const { version } = require('../../package.json');
const { commandName, packageName, platformName } = require('../platforms.js');
const EXIT = require('./exit.js');

/** The verbs and their short names, as `cli/src/table/mod.rs` and `cli/src/command.rs` have them. */
const VERBS = Object.freeze([
  'search', 's', 'find', 'f', 'symbols', 'sym', 'docs', 'scope', 'outline', 'look',
  'call', 'tools', 'scopes', 'secrets', 'completions', 'man',
]);

const INSTALL_SCRIPT = path.join(__dirname, '..', '..', 'scripts', 'install.mjs');

/** Signals that are passed on to the program, because they may be sent to this process alone. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs the program with this process's streams, and exits with its status or signal. */
function runNative(words) {
  const program = nativeCommand();
  if (program === undefined) return fail(missing(words[0]));
  // On a terminal Ctrl-C reaches both processes; this one must survive to report how the program ended.
  const forward = (signal) => child?.kill(signal);
  // A signal before the handlers exist would end only this process; one that arrives during `spawn` is handled
  // after it.
  for (const signal of SIGNALS) process.on(signal, forward);
  const release = () => SIGNALS.forEach((signal) => process.off(signal, forward));
  const refused = (error) => {
    release();
    return fail(`${program} cannot be started: ${error.message}`);
  };
  let child;
  try {
    child = spawn(program, words, { stdio: 'inherit' });
  } catch (error) {
    return refused(error);
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(refused(error)));
    child.once('close', (code, signal) => {
      release();
      if (signal === null) process.exitCode = code;
      else process.kill(process.pid, signal);
      resolve();
    });
  });
}

/** Returns the path of the program: one that was built here, or else that of this platform's package. */
function nativeCommand() {
  const platform = platformName();
  const built = path.join(__dirname, '..', commandName(platform));
  if (existsSync(built)) return built;
  try {
    const manifest = require.resolve(`${packageName(platform)}/package.json`);
    const program = path.join(path.dirname(manifest), commandName(platform));
    return require(manifest).version === version && existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

function missing(verb) {
  const platform = platformName();
  return [
    `'${verb}' needs the native command of version ${version}, which is not installed for ${platform}.`,
    `Install the prebuilt one:  npm install ${packageName(platform)}@${version}`,
    `Or build it, which needs Rust (https://rustup.rs) and a C compiler:  node "${INSTALL_SCRIPT}"`,
  ].join('\n');
}

function fail(message) {
  process.stderr.write(`searchscope: ${message}\n`);
  process.exitCode = EXIT.usage;
}

module.exports = { VERBS, nativeCommand, runNative };
