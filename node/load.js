'use strict';

const path = require('node:path');
const { version } = require('../package.json');
const { PLATFORMS, packageName, platformName } = require('./platforms.js');

const BUILT = path.join(__dirname, 'searchscope.node');
const INSTALL_SCRIPT = path.join(__dirname, '..', 'scripts', 'install.mjs');

/**
 * Loads the native part: what was built here, by setting up a clone or installing the package, else
 * what the package of this platform brings. When neither can be had it throws, and says why.
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
 * The error for an absent native part. What to do is all that its reader needs: it has no stack, which
 * would only show this file, and the causes are there for programs but not printed.
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
    // The two sides of the border are made for each other; nothing else checks that they fit.
    if (found !== version) throw new Error(`is version ${found}, and ${version} is needed`);
    return require(name);
  } catch (cause) {
    throw new Error(`${name}: ${reasonOf(cause, name)}`, { cause });
  }
}

/** The first line alone: below it Node lists the files that it came from. */
function reasonOf(error, wanted) {
  const [line] = error.message.split('\n');
  const isMissing = error.code === 'MODULE_NOT_FOUND' && line.includes(wanted);
  return isMissing ? 'is not there' : line;
}

function explain(failures) {
  const platform = platformName();
  const isPrebuilt = Object.hasOwn(PLATFORMS, platform);
  const install = isPrebuilt
    ? `Install the prebuilt one:  npm install ${packageName(platform)}@${version}`
    : `There are prebuilt ones for ${Object.keys(PLATFORMS).join(', ')} only.`;
  return [
    `searchscope: there is no native part for ${platform} that can be loaded. Tried:`,
    ...failures.map(({ message }) => `  ${message}`),
    install,
    `Or build it, which needs Rust (https://rustup.rs) and a C compiler:  node "${INSTALL_SCRIPT}"`,
  ].join('\n');
}

module.exports = { load };
