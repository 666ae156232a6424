// The published packages: one for each platform with its native part, the main one, and the server.

import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { Advice, NPM, TOP, output } from './process.mjs';

const { PLATFORMS, commandName, packageName } = createRequire(import.meta.url)('../../node/platforms.js');

/** The folder of the package `searchscope-server`. */
export const SERVER = join(TOP, 'server');

/** The licences of searchscope, and of the packages that the native part contains. */
const LICENCES = ['LICENSE-APACHE', 'LICENSE-MIT', 'THIRD_PARTY_NOTICES'];

/** Manifest fields that only a clone uses; the packages of a clone depend on each other by links. */
const OF_CLONES = ['workspaces', 'devDependencies'];

/** Manifest fields that the package of a platform copies from the main one. */
const SHARED = ['version', 'license', 'engines', 'repository'];

/**
 * Makes the package of a platform from the library and command built for it, in a folder of its name
 * below `out`, and returns that folder. Its layout is that of packages made by napi's own tooling. The name
 * of a package without symbols ends in `-lite`; npm installs it in the place of the other.
 */
export function makePlatformPackage(platform, { library, command }, out, { withoutSymbols = false } = {}) {
  const { target, os, cpu, libc } = platformOf(platform);
  const addon = `searchscope.${platform}.node`;
  const program = commandName(platform);
  const manifest = {
    name: nameOf(platform, { withoutSymbols }),
    ...pick(mainManifest(), SHARED),
    description: `The native binaries of searchscope for ${target}${withoutSymbols ? ', without symbols' : ''}`,
    os: [os],
    cpu: [cpu],
    ...(libc && { libc: [libc] }),
    main: addon,
    files: [addon, program, ...LICENCES],
  };
  const folder = join(out, manifest.name);
  mkdirSync(folder, { recursive: true });
  copyFileSync(library, join(folder, addon));
  copyFileSync(command, join(folder, program));
  chmodSync(join(folder, program), 0o755);
  for (const name of LICENCES) copyFileSync(join(TOP, name), join(folder, name));
  writeFileSync(join(folder, 'README.md'), `# ${manifest.name}\n\n${manifest.description}.\n`);
  writeJson(join(folder, 'package.json'), manifest);
  return folder;
}

function nameOf(platform, { withoutSymbols = false }) {
  return `${packageName(platform)}${withoutSymbols ? '-lite' : ''}`;
}

/**
 * Makes the main package as it is published, in the folder `searchscope` below `out`, and returns that
 * folder: the files that npm packs, and every platform's package as an optional dependency. The manifest
 * of the repository does not list these dependencies, because npm would look for them before they exist.
 */
export function makeMainPackage(out) {
  const manifest = mainManifest();
  for (const platform of Object.keys(PLATFORMS)) {
    requirePlatformPackage(platform, manifest, out, {});
    requirePlatformPackage(platform, manifest, out, { withoutSymbols: true });
  }
  const names = Object.keys(PLATFORMS).map(packageName);
  manifest.optionalDependencies = Object.fromEntries(names.map((name) => [name, manifest.version]));
  return makePackage(TOP, manifest, out);
}

/**
 * Makes the package of the service as it is published, in the folder `searchscope-server` below `out`, and
 * returns that folder.
 */
export function makeServerPackage(out) {
  const manifest = readJson(join(SERVER, 'package.json'));
  const { version } = mainManifest();
  for (const found of [manifest.version, manifest.dependencies.searchscope]) {
    if (found !== version) throw new Advice(`server/package.json has version ${found}, not ${version}.`);
  }
  const folder = makePackage(SERVER, manifest, out);
  for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) copyFileSync(join(TOP, name), join(folder, name));
  return folder;
}

/** Copies the packed files of the package in `source`, with the manifest and absolute links. */
function makePackage(source, manifest, out) {
  const folder = join(out, manifest.name);
  for (const path of packedFiles(source)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(source, path), join(folder, path));
  }
  const readme = readFileSync(join(source, 'README.md'), 'utf8');
  writeFileSync(join(folder, 'README.md'), withAbsoluteLinks(readme, manifest));
  const kept = Object.keys(manifest).filter((key) => !OF_CLONES.includes(key));
  writeJson(join(folder, 'package.json'), pick(manifest, kept));
  return folder;
}

/**
 * Returns the README with links to the repository at the version of the manifest. The package has no
 * other documents, so relative links would be broken in an installed copy. They are relative to the
 * package's directory in the repository.
 */
export function withAbsoluteLinks(readme, { repository, version }) {
  const top = repository.url.replace(/^git\+|\.git$/g, '');
  const directory = repository.directory ?? '';
  return readme.replace(/(!?)(\[[^\]\n]*\])\((?!https?:|#)([^)\s]+)\)/g, (_, image, text, path) => {
    const target = posix.join(directory, path);
    return `${image}${text}(${top}/${image ? 'raw' : 'blob'}/v${version}/${target})`;
  });
}

export function platformOf(name) {
  if (Object.hasOwn(PLATFORMS, name)) return PLATFORMS[name];
  throw new Advice(`unknown platform "${name}"; known: ${Object.keys(PLATFORMS).join(', ')}.`);
}

/**
 * Requires the package of the platform, with or without symbols, in the same version; without it the main
 * package is useless there.
 */
function requirePlatformPackage(platform, { version }, out, options) {
  const name = nameOf(platform, options);
  const folder = join(out, name);
  const file = join(folder, 'package.json');
  if (!existsSync(file)) throw new Advice(`the package ${name} is not in ${out}.`);
  const found = readJson(file);
  if (found.version !== version) {
    throw new Advice(`the package ${name} is version ${found.version}, not ${version}.`);
  }
  for (const name of [found.main, commandName(platform)]) {
    if (!existsSync(join(folder, name))) throw new Advice(`${name} is not in ${folder}.`);
  }
  // Workflow artifacts lose the executable bit.
  chmodSync(join(folder, commandName(platform)), 0o755);
}

/** Returns the paths that `npm pack` includes of the package in the folder, as npm itself reports them. */
export function packedFiles(folder = TOP) {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
  const json = output(NPM, args, { cwd: folder, shell: process.platform === 'win32' });
  if (json === null) throw new Advice('"npm pack --dry-run" failed.');
  return JSON.parse(json)[0].files.map(({ path }) => path);
}

function mainManifest() {
  return readJson(join(TOP, 'package.json'));
}

function pick(object, keys) {
  return Object.fromEntries(keys.map((key) => [key, object[key]]));
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
