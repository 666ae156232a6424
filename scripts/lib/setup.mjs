// The requirements of every command: a recent Node, the npm packages, the native part.

import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { copyFile, rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants, tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { Advice, NPM, TOP, output, run, say } from './process.mjs';

const NODE_MAJOR_MIN = 20;
const ADDON = join(TOP, 'node', 'searchscope.node');
const { commandName, platformName } = createRequire(import.meta.url)('../../node/platforms.js');
const COMMAND = join(TOP, 'node', commandName(platformName()));
const LOADER = join(TOP, 'node', 'addon.js');

/** Prepares a clone; does nothing if it is ready. */
export async function setUp() {
  requireNode();
  installPackages();
  await buildAddon();
}

export function requireNode(version = process.versions.node) {
  if (Number.parseInt(version, 10) < NODE_MAJOR_MIN) {
    throw new Advice(
      `Node ${NODE_MAJOR_MIN} or newer is required; this is Node ${version}. See https://nodejs.org`,
    );
  }
}

/** Installs the npm packages if they are missing or older than the lock file. */
export function installPackages() {
  const installed = modified('node_modules/.package-lock.json');
  if (installed >= modified('package-lock.json')) return;
  say('searchscope: installing the npm packages …');
  // Our own install script would only repeat the next step.
  run(NPM, ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    shell: process.platform === 'win32',
  });
}

function modified(file) {
  return statSync(join(TOP, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Builds the native part and copies it to the path that `addon.js` loads. In a clone this always runs
 * cargo, because only cargo knows whether the last build is current; that takes a moment.
 */
export async function buildAddon({ targetDir } = {}) {
  if (!hasCargo()) {
    throw new Advice(
      'Building the native addon requires Rust, but "cargo" was not found. Install it from ' +
        'https://rustup.rs, and a C compiler such as gcc; then run this again.',
    );
  }
  if (!existsSync(ADDON)) say('searchscope: building the native addon and command; the first time takes some minutes …');
  const { library, command } = buildNative({ targetDir });
  if (!sameFile(library, ADDON)) await place(library, ADDON, loadFailure);
  if (!sameFile(command, COMMAND)) await place(command, COMMAND, startFailure);
}

/**
 * Builds into a temporary directory: an installed package is built once, so the hundreds of megabytes
 * that speed up a second build are useless. A target directory that the user has chosen stays.
 */
export async function buildAddonOnce() {
  if (process.env.CARGO_TARGET_DIR) return buildAddon();
  removeStaleBuilds();
  const targetDir = mkdtempSync(join(tmpdir(), `${BUILD_PREFIX}${process.pid}-`));
  // With a listener a signal does not end this process at once: cargo, which receives it too, ends
  // first, and then the finally block removes the build.
  const interrupted = (signal) => {
    process.exitCode = 128 + constants.signals[signal];
  };
  for (const signal of SIGNALS) process.on(signal, interrupted);
  try {
    await buildAddon({ targetDir });
  } finally {
    rmSync(targetDir, { recursive: true, force: true });
    for (const signal of SIGNALS) process.removeListener(signal, interrupted);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const BUILD_PREFIX = 'searchscope-build-';

/** Removes the directories of builds whose process was killed. */
export function removeStaleBuilds(directory = tmpdir()) {
  for (const name of readdirSync(directory)) {
    const pid = new RegExp(`^${BUILD_PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(directory, name);
    const { uid } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (uid === process.getuid?.()) rmSync(path, { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/**
 * Returns why the package cannot be used, or null if it can: with a native part built here, or with the
 * one of the platform's package.
 */
export function packageFailure() {
  return failureOf('require(process.argv[1]).loadAddon().tools()', LOADER);
}

export function hasCargo() {
  return output('cargo', ['--version']) !== null;
}

/**
 * Variable that makes commands build the native part as the Rust tests are built: with their engine, which need
 * not be compiled again, but slower to run than a release.
 */
export const TEST_BUILD = 'SEARCHSCOPE_TEST_BUILD';

/**
 * Builds the native part and the native command, and returns the paths of both. Only cargo knows them:
 * its target directory can be configured. `target` is Rust's name of another platform to build for;
 * `withoutSymbols` leaves out the grammars.
 */
export function buildNative({ targetDir, target, withoutSymbols = false } = {}) {
  const isTest = process.env[TEST_BUILD] !== undefined;
  const args = ['build', ...(isTest ? [] : ['--release']), '--locked', '-p', 'searchscope-node', '-p', 'searchscope-launcher'];
  args.push('--message-format=json-render-diagnostics');
  // The features of all packages of one build are the same.
  if (isTest) args.push('-p', 'searchscope-tests', '--lib', '--bins');
  if (target) args.push('--target', target);
  if (withoutSymbols) args.push('--no-default-features', '--features', WITHOUT_SYMBOLS);
  const env = targetDir ? { ...process.env, CARGO_TARGET_DIR: targetDir } : process.env;
  const stdio = ['ignore', 'pipe', 2];
  const done = spawnSync('cargo', args, {
    cwd: TOP,
    env,
    stdio,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (done.status !== 0)
    throw new Advice('the native addon could not be built; cargo reports why above.');
  return { library: libraryOf(done.stdout), command: commandOf(done.stdout) };
}

/** The default features except for the grammars. */
const WITHOUT_SYMBOLS = 'searchscope-node/git,searchscope-node/vectors';

/** Finds the addon's library in the messages of cargo. */
export function libraryOf(messages) {
  const isLibrary = (file) => /\.(so|dylib|dll)$/.test(file);
  const libraries = artifacts(messages, 'searchscope_node').flatMap(({ filenames }) => filenames);
  const [library, ...others] = libraries.filter(isLibrary);
  if (library === undefined || others.length > 0)
    throw new Advice('cargo built no library for the native addon.');
  return library;
}

/** Finds the native command in the messages of cargo. */
export function commandOf(messages) {
  const [command] = artifacts(messages, 'searchscope-launcher').flatMap(({ executable }) => executable ?? []);
  if (command === undefined) throw new Advice('cargo built no command.');
  return command;
}

function artifacts(messages, name) {
  return messages
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter(({ reason, target }) => reason === 'compiler-artifact' && target.name === name);
}

/** Compares contents: times prove nothing if there is more than one target directory. */
function sameFile(built, placed) {
  return existsSync(placed) && readFileSync(built).equals(readFileSync(placed));
}

/**
 * Replaces the file by a rename, because a running process may have the old file mapped and must keep it
 * whole.
 */
async function place(built, file, failureOf) {
  const temporary = join(dirname(file), `.searchscope-${process.pid}${extname(file)}`);
  try {
    await copyFile(built, temporary);
    const failure = failureOf(temporary);
    if (failure !== null) throw new Advice(`the new build cannot be used: ${failure}`);
    await rename(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Returns why the file cannot be run as the command, or null if it can. */
export function startFailure(file) {
  return output(file, ['--version']) === null ? `${file} cannot be started` : null;
}

/** Returns why Node cannot load the file as the native part, or null if it can. */
export function loadFailure(file) {
  return failureOf('require(process.argv[1]).tools()', file);
}

/** Runs the script in another Node process, so that a bad library cannot crash this one. */
function failureOf(script, file) {
  const reporting = `try { ${script} } catch (error) { console.log(error.message); process.exit(1) }`;
  const done = spawnSync(process.execPath, ['-e', reporting, file], { encoding: 'utf8' });
  if (done.status === 0) return null;
  return done.stdout.trim() || `exit ${done.status ?? done.signal}`;
}
