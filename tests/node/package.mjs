// Shared by the tests of the package: the published packages, and empty projects.

import { spawn, spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { TOP, addonFile, tempTree } from './helpers.mjs';
import { makeMainPackage, makePlatformPackage, makeServerPackage } from '../../scripts/lib/packages.mjs';

const { nativeCommand } = createRequire(import.meta.url)('../../node/cli/native.js');
export const { PLATFORMS, packageName, platformName } = createRequire(import.meta.url)(
  '../../node/platforms.js',
);
export const COMMAND = nativeCommand();
export const PLATFORM = platformName();
export const { version: VERSION } = createRequire(import.meta.url)('searchscope/package.json');

/** Longer than any installation takes. */
const CHILD_MS_MAX = 300_000;

/** Returns why no test can install packages here, or undefined. */
export function noInstallations() {
  if (process.platform === 'win32') return 'SKIPPED: installations: their tests need a POSIX shell';
  if (!Object.hasOwn(PLATFORMS, PLATFORM))
    return `SKIPPED: installations: ${PLATFORM} has no package`;
  if (spawnSync('tar', ['--version']).status !== 0)
    return 'SKIPPED: installations: tar is not installed';
  return undefined;
}

/** Makes the published packages, with a real library for this platform only. */
export function publishedPackages(t) {
  const out = tempTree(t, { 'no-library': 'of another platform' });
  const folders = {};
  for (const platform of Object.keys(PLATFORMS)) {
    const none = join(out, 'no-library');
    const built =
      platform === PLATFORM
        ? { library: addonFile(), command: COMMAND ?? none }
        : { library: none, command: none };
    folders[platform] = makePlatformPackage(platform, built, out);
    makePlatformPackage(platform, { library: none, command: none }, out, { withoutSymbols: true });
  }
  // Its parts are those of the whole package: its installation is what differs.
  const ours = { library: addonFile(), command: COMMAND ?? join(out, 'no-library') };
  const lite = makePlatformPackage(PLATFORM, ours, out, { withoutSymbols: true });
  return { main: makeMainPackage(out), server: makeServerPackage(out), platforms: folders, lite };
}

/**
 * Makes an empty project; `run` starts a program of its own `bin` in it, which finds Node, npm and the
 * programs of `tools` in `env`.
 */
export function emptyProject(t, registry, tools = {}) {
  const root = mkdtempSync(join(tmpdir(), 'searchscope-project-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const [folder, bin, home] = ['project', 'bin', 'home'].map((name) => join(root, name));
  for (const directory of [folder, bin, home]) mkdirSync(directory);
  writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "private": true }\n');
  for (const name of ['npm', 'npx', 'sh']) symlinkSync(onPath(name), join(bin, name));
  symlinkSync(process.execPath, join(bin, 'node'));
  for (const [name, script] of Object.entries(tools)) {
    writeFileSync(join(bin, name), script, { mode: 0o755 });
  }
  // Neither the user's settings nor those of an npm that started this test.
  const env = { PATH: bin, HOME: home, TMPDIR: root, npm_config_registry: registry };
  const run = (program, words) => runProgram(join(bin, program), words, { cwd: folder, env });
  const install = (...words) =>
    run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...words]);
  return { root, folder, env, run, install };
}

function onPath(name) {
  const files = process.env.PATH.split(delimiter).map((directory) => join(directory, name));
  const found = files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error(`${name} is not on the PATH`);
  return found;
}

/** Runs a program. Not with `spawnSync`: the registry is in this process and has to answer meanwhile. */
export function runProgram(program, words, options) {
  return new Promise((resolve, reject) => {
    const limits = { timeout: CHILD_MS_MAX, killSignal: 'SIGKILL' };
    const stdio = ['ignore', 'pipe', 'pipe'];
    const child = spawn(program, words, { ...limits, stdio, ...options });
    const out = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (chunk) => (out[name] += chunk));
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...out, code }));
  });
}
