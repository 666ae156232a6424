// The tarball of the C library: what the installer writes, with a README, under one directory.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Advice, TOP, run } from './process.mjs';
import { tarball } from './tar.mjs';

const { PLATFORMS, platformName } = createRequire(import.meta.url)('../../node/platforms.js');

/** Rust's targets by the names of the npm packages; that of Windows is another one, with MinGW's formats. */
const TARGETS = {
  ...Object.fromEntries(
    Object.entries(PLATFORMS)
      .filter(([, { os }]) => os !== 'win32')
      .map(([name, { target }]) => [name, target]),
  ),
  'win32-x64-gnu': 'x86_64-pc-windows-gnu',
};

/**
 * Makes `searchscope-c-VERSION-PLATFORM.tar.gz` in `out`, for the named platform or for this machine. Returns
 * its path and the linker flags of the static library's system libraries. Equal builds make equal bytes.
 */
export function makeCPackage(named, out, { profile = 'release' } = {}) {
  const platform = named ?? platformName();
  if (!Object.hasOwn(TARGETS, platform)) {
    throw new Advice(`unknown platform "${platform}"; known: ${Object.keys(TARGETS).join(', ')}.`);
  }
  const { version } = JSON.parse(readFileSync(join(TOP, 'package.json'), 'utf8'));
  const name = `searchscope-c-${version}-${platform}`;
  const stage = mkdtempSync(join(tmpdir(), 'searchscope-c-'));
  try {
    // Without `--target` cargo shares its results with other builds for this machine.
    const target = named === undefined ? [] : ['--target', TARGETS[platform]];
    const options = ['--prefix', `/${name}`, '--destdir', stage, '--profile', profile, ...target];
    run('cargo', ['run', '--locked', '--quiet', '-p', 'searchscope-install', '--', ...options], {
      // The list of written files names a temporary directory.
      stdio: ['ignore', 'ignore', 2],
    });
    const folder = join(stage, name);
    const systemLibraries = systemLibrariesIn(folder);
    writeFileSync(join(folder, 'README.md'), readme(name, systemLibraries), { mode: 0o644 });
    const file = resolve(out, `${name}.tar.gz`);
    mkdirSync(out, { recursive: true });
    writeFileSync(file, tarball(stage, name));
    return { file, systemLibraries };
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Returns the flags that the pkg-config file lists for static links, as rustc has reported them. */
function systemLibrariesIn(folder) {
  const text = readFileSync(join(folder, 'lib', 'pkgconfig', 'searchscope.pc'), 'utf8');
  const flags = /^Libs\.private: *(.+)$/m.exec(text)?.[1];
  if (flags === undefined) throw new Advice('searchscope.pc lists no system libraries.');
  return flags;
}

function readme(name, systemLibraries) {
  return `# ${name}

The C library of searchscope. Unpack it anywhere and name the place to pkg-config:

    export PKG_CONFIG_PATH=/path/to/${name}/lib/pkgconfig
    cc search.c $(pkg-config --cflags --libs searchscope)
    cc search.c $(pkg-config --cflags --libs searchscope-static)

The first links the shared library, which the program finds through \`LD_LIBRARY_PATH\` (on macOS
\`DYLD_LIBRARY_PATH\`) or an rpath with the directory \`lib\`; the second the static one with these system libraries:

    ${systemLibraries}

\`include/searchscope.h\` is the manual. The licences are in \`share/licenses/searchscope\`.
`;
}
