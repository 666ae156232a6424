'use strict';

// Finds and loads the native addon.
//
// Bundlers embed only modules that a literal `require` names, and report a missing one as an error unless
// the `require` is inside a `try` of the same function. Hence one literal for each platform.

const { createRequire } = require('node:module');
const path = require('node:path');
const { version } = require('../package.json');
const { PLATFORMS, packageName, platformName } = require('./platforms.js');

/** This file; a bundle as an ES module has no name of its own. */
const HERE = typeof __filename === 'string' ? __filename : process.execPath;
/** Loads files where `require` does not: in a single executable application it loads only Node's modules. */
const requireFile = createRequire(HERE);

const BUILT = path.join(path.dirname(HERE), 'searchscope.node');
const INSTALL_SCRIPT = path.join(path.dirname(HERE), '..', 'scripts', 'install.mjs');

/** The addon in use, with its file if `useAddon` has loaded it. */
let current;

/**
 * Returns the native addon: the one that `useAddon` has loaded, else one that was built here, by setting up
 * a clone or installing the package, else that of this platform's package. If none can be loaded, throws
 * an error with all reasons.
 */
function loadAddon() {
  current ??= { addon: findAddon() };
  return current.addon;
}

/** Loads the addon from a file, whatever its name; throws if another one is in use. */
function useAddon(file) {
  const wanted = path.resolve(file);
  if (current?.file === wanted) return;
  if (current !== undefined) {
    throw new Error(`searchscope: cannot load ${wanted}: a native addon is already in use; load it first`);
  }
  const module = { exports: {} };
  try {
    process.dlopen(module, libraryName(wanted));
  } catch (cause) {
    throw new Error(`searchscope: cannot load ${wanted}: ${firstLine(cause)}`, { cause });
  }
  current = { addon: module.exports, file: wanted };
}

/** Returns a path as the system's loader needs it: Windows appends `.dll` to a name without a dot. */
function libraryName(file) {
  return process.platform === 'win32' && !path.basename(file).includes('.') ? `${file}.` : file;
}

function findAddon() {
  const failures = [];
  for (const attempt of [loadBuilt, loadPrebuilt]) {
    try {
      return attempt();
    } catch (failure) {
      failures.push(failure);
    }
  }
  throw addonMissing(failures);
}

/**
 * Returns the error for a missing native addon. Its message says what to do. It has no stack, which would
 * only show this file; programs find the causes in `failures`, which is not printed.
 */
function addonMissing(failures) {
  const error = new Error(explain(failures));
  error.stack = `${error.name}: ${error.message}`;
  Object.defineProperty(error, 'failures', { value: failures });
  return error;
}

function loadBuilt() {
  try {
    return requireBuilt();
  } catch (cause) {
    throw new Error(`${BUILT}: ${reasonOf(cause, 'searchscope.node')}`, { cause });
  }
}

function requireBuilt() {
  try {
    return require('./searchscope.node');
  } catch (failure) {
    if (!isForNodeOnly(failure)) throw failure;
    return requireFile(BUILT);
  }
}

function loadPrebuilt() {
  const platform = platformName();
  const name = packageName(platform);
  try {
    return requirePackage(platform, name);
  } catch (cause) {
    throw new Error(`${name}: ${reasonOf(cause, name)}`, { cause });
  }
}

function requirePackage(platform, name) {
  try {
    switch (platform) {
      case 'linux-x64-gnu':
        requireSameVersion(require('@searchscope/linux-x64-gnu/package.json'));
        return require('@searchscope/linux-x64-gnu');
      case 'linux-arm64-gnu':
        requireSameVersion(require('@searchscope/linux-arm64-gnu/package.json'));
        return require('@searchscope/linux-arm64-gnu');
      case 'linux-x64-musl':
        requireSameVersion(require('@searchscope/linux-x64-musl/package.json'));
        return require('@searchscope/linux-x64-musl');
      case 'linux-arm64-musl':
        requireSameVersion(require('@searchscope/linux-arm64-musl/package.json'));
        return require('@searchscope/linux-arm64-musl');
      case 'darwin-x64':
        requireSameVersion(require('@searchscope/darwin-x64/package.json'));
        return require('@searchscope/darwin-x64');
      case 'darwin-arm64':
        requireSameVersion(require('@searchscope/darwin-arm64/package.json'));
        return require('@searchscope/darwin-arm64');
      case 'win32-x64-msvc':
        requireSameVersion(require('@searchscope/win32-x64-msvc/package.json'));
        return require('@searchscope/win32-x64-msvc');
      case 'win32-arm64-msvc':
        requireSameVersion(require('@searchscope/win32-arm64-msvc/package.json'));
        return require('@searchscope/win32-arm64-msvc');
    }
  } catch (failure) {
    if (!isForNodeOnly(failure)) throw failure;
  }
  requireSameVersion(requireFile(`${name}/package.json`));
  return requireFile(name);
}

/** Refuses a package of another version than the library; nothing else checks that. */
function requireSameVersion({ version: found }) {
  if (found !== version) throw new Error(`version ${found} does not match the required ${version}`);
}

/** Returns whether `require` failed because it loads only Node's own modules. */
function isForNodeOnly(failure) {
  return failure.code === 'ERR_UNKNOWN_BUILTIN_MODULE';
}

function reasonOf(error, wanted) {
  const line = firstLine(error);
  const isMissing = error.code === 'MODULE_NOT_FOUND' && line.includes(wanted);
  return isMissing ? 'not found' : line;
}

/** Returns the first line of the message: below it Node lists the requiring files. */
function firstLine({ message }) {
  return message.split('\n')[0];
}

function explain(failures) {
  const platform = platformName();
  const tried = [
    `searchscope: cannot load the native addon for ${platform}; tried:`,
    ...failures.map(({ message }) => `  ${message}`),
  ];
  // Deno's own words for a permission that is missing.
  if (failures.some(({ message }) => message.includes('--allow-ffi'))) {
    return [...tried, 'Allow Deno to load it:  deno run --allow-ffi …'].join('\n');
  }
  const isPrebuilt = Object.hasOwn(PLATFORMS, platform);
  const install = isPrebuilt
    ? `Install the prebuilt one:  npm install ${packageName(platform)}@${version}`
    : `Prebuilt addons exist only for ${Object.keys(PLATFORMS).join(', ')}.`;
  return [
    ...tried,
    install,
    `Or build it, which needs Rust (https://rustup.rs) and a C compiler:  node "${INSTALL_SCRIPT}"`,
  ].join('\n');
}

module.exports = { loadAddon, useAddon };
