// Targets other than the one of this machine: how each is checked and tested without a machine of its kind.

import { existsSync, mkdirSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOP, output, run } from './process.mjs';

/** Build output and emulated systems; nothing outside of it is changed. */
const FOLDER = join('target', 'platforms');
const WINE_PREFIX = join(TOP, FOLDER, 'wine');
const MANY_FILES = "it opens thousands of files, each with several requests to wine's server";

/**
 * Unit tests of a few seconds that take up to three minutes under wine, where each file operation and each
 * change of threads is a request to its server: part of their path, and the reason.
 */
const SLOW_UNDER_WINE = {
  no_task_is_left_undone_while_results_wait_for_the_consumer: 'it changes threads for each of its tasks',
  a_deadline_leaves_a_cursor_that_makes_progress: MANY_FILES,
  a_deadline_makes_progress_through_unwanted_entries: MANY_FILES,
  a_deadline_returns_the_results_so_far_and_reports_it: MANY_FILES,
  a_deadline_with_nothing_found_is_an_error_of_find_and_grep: MANY_FILES,
  a_stopped_listing_returns_no_newest_files: MANY_FILES,
  a_stream_has_the_results_of_the_reply: MANY_FILES,
  a_summary_of_many_files_counts_them_all: MANY_FILES,
  pages_return_unchanged_files_once_while_others_change: MANY_FILES,
  the_number_of_threads_changes_nothing_and_limits_cut_prefixes: MANY_FILES,
  'document::tests::threads_do_not_change_the_reply': MANY_FILES,
  unchanged_files_are_returned_once_while_others_change: MANY_FILES,
};

/** Where Debian puts wine's program for 64 bits. */
const WINE = ['/usr/lib/wine/wine64', '/usr/bin/wine64'].find(existsSync);

/** The engine, its faces and the command. */
const ALL = ['searchscope', 'searchscope-ffi', 'searchscope-node', 'searchscope-cli'];
/** Without the C library, which contains a part in assembler, for targets whose C compiler is not here. */
const WITHOUT_ASSEMBLER = ALL.filter((name) => name !== 'searchscope-ffi');

const cargo = (command, triple, args) => ({
  program: 'cargo',
  args: [command, '--locked', '--target', triple, '--target-dir', FOLDER, '--no-default-features', ...args],
});

/** Type-checks the packages with their tests: all of them if the target's C compiler is here. */
const check = (triple, compiler) => {
  const packages = compiler && output('which', [compiler]) ? ALL : WITHOUT_ASSEMBLER;
  const names = packages.flatMap((name) => ['-p', name]);
  return { name: 'type check', state: 'checked', commands: [cargo('check', triple, [...names, '--tests'])] };
};

/** Proves that a test run had tests. */
const SOME_PASSED = /test result: ok\. [1-9]/;

/** Runs the unit tests of the engine, without those in `skipped` (part of their path: reason). */
const unitTests = (triple, state, skipped = {}) => ({
  name: 'unit tests',
  state,
  leftOut: skipped,
  commands: [
    {
      ...cargo('test', triple, [
        ...['-p', 'searchscope', '--lib', '--features', 'modules,tools'],
        ...['--', '--skip', 'long_run', '--test-threads=4'],
        ...Object.keys(skipped).flatMap((name) => ['--skip', name]),
      ]),
      proves: SOME_PASSED,
    },
  ],
});

/** Runs the contract corpus through the Rust face. */
const corpus = (triple, state) => ({
  name: 'contract corpus',
  state,
  commands: [
    {
      ...cargo('test', triple, ['-p', 'searchscope-tests', '--test', 'conformance', '--', ANY_THREADS]),
      proves: SOME_PASSED,
    },
  ],
});

/** The test that runs the corpus in-process. The others repeat it with an index and unsaved texts. */
const ANY_THREADS = 'core_answers_every_case_with_any_number_of_threads';

/** Builds the C library, and two C programs that call it. */
const cPrograms = (triple, state) => {
  const library = join(FOLDER, triple, 'debug');
  const compiled = (name) => ({
    program: 'x86_64-w64-mingw32-gcc',
    args: [
      ...['-std=c11', '-Wall', '-Wextra', '-Werror', '-Iinclude', join('tests', 'c', `${name}.c`)],
      ...[join(library, 'searchscope.dll'), '-o', join(library, `${name}.exe`)],
    ],
  });
  const started = (name, ...args) => ({
    program: WINE,
    args: [join(library, `${name}.exe`), join('tests', 'c'), ...args],
  });
  const args = '{"name_pattern":"smallest.*"}';
  return {
    name: 'C programs',
    state,
    commands: [
      cargo('build', triple, ['-p', 'searchscope-ffi']),
      compiled('smallest'),
      { ...started('smallest'), proves: /"matches":\[\{/ },
      compiled('call'),
      {
        ...started('call', '{}'),
        input: `find_files_by_name\n${args.length}\n${args}\n`,
        proves: /^0 \d+\s+.*smallest\.c/,
      },
    ],
  };
};

const long = (step) => ({ ...step, isLong: true });

const WINDOWS_GNU = 'x86_64-pc-windows-gnu';
const ARM64 = 'aarch64-unknown-linux-gnu';
const MUSL = 'x86_64-unknown-linux-musl';

/** A step that is not `long` is one of `--quick`. */
export const TARGETS = [
  {
    triple: WINDOWS_GNU,
    compiler: 'x86_64-w64-mingw32-gcc',
    linker: 'x86_64-w64-mingw32-gcc',
    programs: [['x86_64-w64-mingw32-gcc', 'gcc-mingw-w64-x86-64-win32'], [WINE ?? 'wine64', 'wine64']],
    runner: WINE,
    prepare: prepareWine,
    steps: [
      check(WINDOWS_GNU, 'x86_64-w64-mingw32-gcc'),
      unitTests(WINDOWS_GNU, 'emulated', SLOW_UNDER_WINE),
      corpus(WINDOWS_GNU, 'emulated'),
      cPrograms(WINDOWS_GNU, 'emulated'),
    ],
  },
  { triple: 'x86_64-pc-windows-msvc', steps: [check('x86_64-pc-windows-msvc')] },
  { triple: 'aarch64-pc-windows-msvc', steps: [check('aarch64-pc-windows-msvc')] },
  { triple: 'x86_64-apple-darwin', steps: [check('x86_64-apple-darwin')] },
  { triple: 'aarch64-apple-darwin', steps: [check('aarch64-apple-darwin')] },
  { triple: 'x86_64-unknown-freebsd', steps: [check('x86_64-unknown-freebsd')] },
  {
    triple: MUSL,
    // Not the linker: with its start files besides those of Rust a program crashes at once.
    compiler: 'musl-gcc',
    programs: [['musl-gcc', 'musl-tools']],
    steps: [check(MUSL, 'musl-gcc'), long(unitTests(MUSL, 'run'))],
  },
  { triple: 'aarch64-unknown-linux-musl', steps: [check('aarch64-unknown-linux-musl')] },
  {
    triple: ARM64,
    compiler: 'aarch64-linux-gnu-gcc',
    linker: 'aarch64-linux-gnu-gcc',
    programs: [
      ['aarch64-linux-gnu-gcc', 'gcc-aarch64-linux-gnu'],
      ['qemu-aarch64', 'qemu-user'],
    ],
    runner: 'qemu-aarch64 -L /usr/aarch64-linux-gnu',
    steps: [check(ARM64, 'aarch64-linux-gnu-gcc'), long(unitTests(ARM64, 'emulated'))],
  },
];

/** Returns what a step needs and this machine lacks, with the Debian package; undefined if nothing is. */
export function missingFor(target, step) {
  if (step.state === 'checked') return undefined;
  const isMissing = ([program]) => output('which', [program]) === null;
  const missing = (target.programs ?? []).filter(isMissing).map((names) => names[1]);
  return missing.length > 0 ? `install ${missing.join(' and ')}` : undefined;
}

/** Returns the environment with the C compiler of a target, if it has one. */
function withCompiler({ triple, compiler }) {
  return compiler ? { ...process.env, [`CC_${triple.replaceAll('-', '_')}`]: compiler } : process.env;
}

/** Prepares what a step runs in, and returns the options with which cargo is started. */
export function prepared(target, step) {
  if (step.state === 'checked') return { env: withCompiler(target) };
  target.prepare?.();
  const name = target.triple.toUpperCase().replaceAll('-', '_');
  const env = {
    ...withCompiler(target),
    // Random tests are for the machines that are fast; an emulated one runs a few cases of each.
    PROPTEST_CASES: target.runner ? '8' : (process.env.PROPTEST_CASES ?? '64'),
    // Debug information doubles the time that a linker takes.
    CARGO_PROFILE_TEST_DEBUG: '0',
    CARGO_PROFILE_DEV_DEBUG: '0',
  };
  if (target.linker) env[`CARGO_TARGET_${name}_LINKER`] = target.linker;
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

/** Time after which a program that prepares wine hangs. */
const PREPARATION_MS_MAX = 180_000;

/** Makes a Windows of wine below the build folder. */
function prepareWine() {
  if (existsSync(join(WINE_PREFIX, 'ready'))) return;
  mkdirSync(WINE_PREFIX, { recursive: true });
  const bound = { timeout: PREPARATION_MS_MAX, killSignal: 'SIGKILL' };
  const options = { env: { ...process.env, ...WINE_ENVIRONMENT }, ...bound };
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
