// Targets other than the one of this machine: how each is checked and tested without a machine of its kind.

import { existsSync, mkdirSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOP, output, run } from './process.mjs';

/** Build output and emulated systems; nothing outside of it is changed. */
const FOLDER = join('target', 'platforms');
const WINE_PREFIX = join(TOP, FOLDER, 'wine');
/** Where Debian puts wine's program for 64 bits. */
const WINE = ['/usr/lib/wine/wine64', '/usr/bin/wine64'].find(existsSync);

/** The engine and its three faces. */
const ALL = ['searchscope', 'searchscope-ffi', 'searchscope-node'];
/** Without the C library, which contains a part in assembler, for targets without an assembler here. */
const WITHOUT_ASSEMBLER = ['searchscope', 'searchscope-node'];

/** Type-checks the packages with their unit tests, without C code. */
const check = (triple, packages = ALL) => ({
  name: 'type check',
  state: 'checked',
  args: [
    ...['check', '--locked', '--target', triple, '--target-dir', FOLDER, '--no-default-features'],
    ...[...packages.flatMap((name) => ['-p', name]), '--tests'],
  ],
});

/** Tests of a few seconds that take minutes where each change of threads goes through wine's server. */
const SLOW = ['no_task_is_left_undone_while_results_wait_for_the_consumer'];

/** Runs the unit tests of the engine. */
const unitTests = (triple, state) => ({
  name: 'unit tests',
  state,
  args: [
    ...['test', '--locked', '--target', triple, '--target-dir', FOLDER, '--no-default-features'],
    ...['-p', 'searchscope', '--lib', '--', '--skip', 'long_run', '--test-threads=4'],
    ...(state === 'emulated' ? SLOW.flatMap((name) => ['--skip', name]) : []),
  ],
});

/** Runs the contract corpus through the Rust face. */
const corpus = (triple, state) => ({
  name: 'contract corpus',
  state,
  args: [
    ...['test', '--locked', '--target', triple, '--target-dir', FOLDER, '--no-default-features'],
    ...['-p', 'searchscope-tests', '--test', 'conformance', '--', 'rust'],
  ],
});

const long = (step) => ({ ...step, isLong: true });

const WINDOWS_GNU = 'x86_64-pc-windows-gnu';
const ARM64 = 'aarch64-unknown-linux-gnu';
const MUSL = 'x86_64-unknown-linux-musl';

/** A step that is not `long` is one of `--quick`. */
export const TARGETS = [
  {
    triple: WINDOWS_GNU,
    linker: 'x86_64-w64-mingw32-gcc',
    programs: [['x86_64-w64-mingw32-gcc', 'gcc-mingw-w64-x86-64-win32'], [WINE ?? 'wine64', 'wine64']],
    runner: WINE,
    prepare: prepareWine,
    steps: [
      check(WINDOWS_GNU),
      long(unitTests(WINDOWS_GNU, 'emulated')),
      long(corpus(WINDOWS_GNU, 'emulated')),
    ],
  },
  { triple: 'x86_64-pc-windows-msvc', steps: [check('x86_64-pc-windows-msvc')] },
  { triple: 'aarch64-pc-windows-msvc', steps: [check('aarch64-pc-windows-msvc', WITHOUT_ASSEMBLER)] },
  { triple: 'x86_64-apple-darwin', steps: [check('x86_64-apple-darwin')] },
  { triple: 'aarch64-apple-darwin', steps: [check('aarch64-apple-darwin')] },
  { triple: 'x86_64-unknown-freebsd', steps: [check('x86_64-unknown-freebsd')] },
  {
    triple: MUSL,
    linker: 'musl-gcc',
    programs: [['musl-gcc', 'musl-tools']],
    steps: [check(MUSL), long(unitTests(MUSL, 'passed'))],
  },
  { triple: 'aarch64-unknown-linux-musl', steps: [check('aarch64-unknown-linux-musl', WITHOUT_ASSEMBLER)] },
  {
    triple: ARM64,
    linker: 'aarch64-linux-gnu-gcc',
    programs: [
      ['aarch64-linux-gnu-gcc', 'gcc-aarch64-linux-gnu'],
      ['qemu-aarch64', 'qemu-user'],
    ],
    runner: 'qemu-aarch64 -L /usr/aarch64-linux-gnu',
    steps: [check(ARM64), long(unitTests(ARM64, 'emulated'))],
  },
];

/** Returns what a step needs and this machine lacks, with the Debian package; undefined if nothing is. */
export function missingFor(target, step) {
  if (step.state === 'checked') return undefined;
  const isMissing = ([program]) => output('which', [program]) === null;
  const missing = (target.programs ?? []).filter(isMissing).map((names) => names[1]);
  return missing.length > 0 ? `install ${missing.join(' and ')}` : undefined;
}

/** Prepares what a step runs in, and returns the options with which cargo is started. */
export function prepared(target, step) {
  if (step.state === 'checked') return {};
  target.prepare?.();
  const name = target.triple.toUpperCase().replaceAll('-', '_');
  const env = {
    ...process.env,
    [`CARGO_TARGET_${name}_LINKER`]: target.linker,
    [`CC_${target.triple.replaceAll('-', '_')}`]: target.linker,
    // Random tests are for the machines that are fast; an emulated one runs a few cases of each.
    PROPTEST_CASES: target.runner ? '8' : (process.env.PROPTEST_CASES ?? '64'),
    // Debug information doubles the time that a linker takes.
    CARGO_PROFILE_TEST_DEBUG: '0',
    CARGO_PROFILE_DEV_DEBUG: '0',
  };
  if (target.runner) env[`CARGO_TARGET_${name}_RUNNER`] = target.runner;
  return { env: { ...env, ...(target.prepare ? WINE_ENVIRONMENT : {}) } };
}

const WINE_ENVIRONMENT = {
  WINEPREFIX: WINE_PREFIX,
  WINEDEBUG: '-all',
  WINEDLLOVERRIDES: 'mscoree,mshtml,winemenubuilder.exe=',
};

/**
 * Random numbers for wine 8: Rust's standard library takes them from a library that this version lacks.
 */
const RANDOM_NUMBERS = `#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T n) {
  return SystemFunction036(bytes, (ULONG)n);
}
`;

/** Makes a Windows of wine below the build folder. */
function prepareWine() {
  if (existsSync(join(WINE_PREFIX, 'ready'))) return;
  mkdirSync(WINE_PREFIX, { recursive: true });
  const options = { env: { ...process.env, ...WINE_ENVIRONMENT } };
  run(WINE, ['wineboot', '-i'], options);
  run(WINE, ['winecfg', '-v', 'win10'], options);
  const system = join(WINE_PREFIX, 'drive_c', 'windows', 'system32');
  const source = join(WINE_PREFIX, 'random.c');
  writeFileSync(source, RANDOM_NUMBERS);
  const library = join(system, 'bcryptprimitives.dll');
  run('x86_64-w64-mingw32-gcc', ['-shared', '-O2', '-o', library, source, '-ladvapi32']);
  const zlib = '/usr/x86_64-w64-mingw32/lib/zlib1.dll';
  if (existsSync(zlib)) copyFileSync(zlib, join(system, 'zlib1.dll'));
  writeFileSync(join(WINE_PREFIX, 'ready'), '');
}
