'use strict';

const path = require('node:path');
const { version } = require('../package.json');
const { PLATFORMS, packageName, platformName } = require('./platforms.js');

const BUILT = path.join(__dirname, 'searchscope.node');
const INSTALL_SCRIPT = path.join(__dirname, '..', 'scripts', 'install.mjs');

/**
 * Loads the native addon: one that was built here, by setting up a clone or installing the package, else
 * that of this platform's package. If neither can be loaded, throws an error with both reasons.
 */
function load() {
  const failures = [];
  for (const attempt of [loadBuilt, loadPrebuilt]) {
    try {
      return attempt();
    } catch (failure) {
      failures.push(failure);
    }
  }
  throw nativeMissing(failures);
}

/**
 * Returns the error for a missing native addon. Its message says what to do. It has no stack, which would
 * only show this file; programs find the causes in `failures`, which is not printed.
 */
function nativeMissing(failures) {
  const error = new Error(explain(failures));
  error.stack = `${error.name}: ${error.message}`;
  Object.defineProperty(error, 'failures', { value: failures });
  return error;
}

function loadBuilt() {
  try {
    return require(BUILT);
  } catch (cause) {
    throw new Error(`${BUILT}: ${reasonOf(cause, BUILT)}`, { cause });
  }
}

function loadPrebuilt() {
  const name = packageName(platformName());
  try {
    const found = require(`${name}/package.json`).version;
    // Wrapper and addon must be of the same version; nothing else checks that.
    if (found !== version) throw new Error(`version ${found} does not match the required ${version}`);
    return require(name);
  } catch (cause) {
    throw new Error(`${name}: ${reasonOf(cause, name)}`, { cause });
  }
}

/** Returns the first line of the message: below it Node lists the requiring files. */
function reasonOf(error, wanted) {
  const [line] = error.message.split('\n');
  const isMissing = error.code === 'MODULE_NOT_FOUND' && line.includes(wanted);
  return isMissing ? 'not found' : line;
}

function explain(failures) {
  const platform = platformName();
  const isPrebuilt = Object.hasOwn(PLATFORMS, platform);
  const install = isPrebuilt
    ? `Install the prebuilt one:  npm install ${packageName(platform)}@${version}`
    : `Prebuilt addons exist only for ${Object.keys(PLATFORMS).join(', ')}.`;
  return [
    `searchscope: cannot load the native addon for ${platform}; tried:`,
    ...failures.map(({ message }) => `  ${message}`),
    install,
    `Or build it, which needs Rust (https://rustup.rs) and a C compiler:  node "${INSTALL_SCRIPT}"`,
  ].join('\n');
}

module.exports = { load };
