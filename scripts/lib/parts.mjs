// The parts of `npm run test:long`: tests that measure time, draw thousands of cases or race for minutes, builds of
// the engine in other ways, other platforms, and a machine with nothing but the requirements.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { missingForFuzzing } from './fuzz.mjs';
import { Advice, TOP, output } from './process.mjs';
import { LONG_RUN, NODE, RUST_TESTS, SHORT, nodeTests, step } from './steps.mjs';

/** Long tests run one at a time, because a timed test must not share its processors. */
const LONG = ['--', '--test-threads=1', LONG_RUN];

/** Runs the long tests of the engine and its faces beside their code. */
const UNIT_TESTS = ['--lib', '--bins'];

/** Test programs whose long tests are parts of their own; the part "programs" runs those of all others. */
const HOSTILE = ['deadlines', 'hostile'];
const INSTALLED = ['installed'];

/**
 * Peers of `npm test`: the program, where it comes from, and its package with its version if it is one of cargo.
 */
export const TEST_PEERS = [
  ['rg', 'cargo', 'ripgrep', '15.2.0'],
  ['fd', 'cargo', 'fd-find', '10.5.0'],
  ['ctags', 'apt', 'universal-ctags'],
  ['lowntfs-3g', 'apt', 'ntfs-3g'],
  ['strace', 'apt', 'strace'],
  ['chromium-headless-shell', 'apt', 'chromium-headless-shell'],
];

const VALGRIND = ['valgrind', 'apt', 'valgrind'];

/**
 * All parts, in the order in which they take turns. Each has a `name`; `steps`, a function that returns them;
 * `peers`, as above, which it needs besides those of `npm test`; and `addon`: the native part that it needs, "test"
 * for the one of `npm test`, "release" for the published one, undefined for none.
 */
export const PARTS = [
  {
    name: 'engine',
    steps: () => [step('long tests of the engine', 'cargo', [...RUST_TESTS, ...UNIT_TESTS, ...LONG])],
  },
  { name: 'platforms', steps: () => [platforms()], peers: platformPeers() },
  {
    name: 'hostile',
    addon: 'test',
    steps: () => [longPrograms('long tests of hostile trees and deadlines', HOSTILE)],
  },
  {
    name: 'node',
    addon: 'release',
    steps: () => [step('long Node tests', NODE, nodeTests('.long.mjs', 1))],
  },
  { name: 'bare', steps: () => [step('npm test on a bare machine', NODE, [join('scripts', 'bare.mjs')])] },
  {
    name: 'programs',
    addon: 'test',
    steps: () => [longPrograms('other long test programs', testPrograms().filter(isRest))],
    peers: [VALGRIND],
  },
  {
    name: 'unix',
    steps: () => [
      step('Rust tests as on other Unixes, without parsers', 'cargo', [...UNIX_TESTS, ...SHORT]),
      step('long Rust tests as on other Unixes', 'cargo', [...UNIX_TESTS, ...LONG]),
    ],
  },
  { name: 'fuzz', steps: () => [fuzzTypes(), fuzzing()], peers: [['cargo-fuzz', 'cargo', 'cargo-fuzz', '0.13.2']] },
  {
    name: 'installed',
    steps: () => [longPrograms('the installed library', INSTALLED)],
    peers: [
      VALGRIND,
      ['go', 'apt', 'golang'],
      ['cmake', 'apt', 'cmake'],
      ['pkg-config', 'apt', 'pkg-config'],
    ],
  },
  {
    name: 'features',
    steps: () => [step('each feature of the engine builds alone', NODE, [join('scripts', 'features.mjs')])],
  },
];

/** Returns the part of a name. */
export function partOf(name) {
  const part = PARTS.find((each) => each.name === name);
  if (part) return part;
  throw new Advice(`unknown part "${name}"; known: ${PARTS.map((each) => each.name).join(', ')}`);
}

/**
 * Returns the part whose turn it is at a commit: its number in the history decides, so that parts follow one
 * another. A shallow clone does not know that number; the name of the commit decides there.
 */
export function partInTurn(directory = TOP) {
  const git = (...args) => output('git', args, { cwd: directory })?.trim();
  const isShallow = git('rev-parse', '--is-shallow-repository') !== 'false';
  const number = isShallow ? git('rev-parse', '--short=8', 'HEAD') : git('rev-list', '--count', 'HEAD');
  if (!number) throw new Advice('the part in turn depends on the commit, and this is not a clone: name a part');
  return PARTS[Number.parseInt(number, isShallow ? 16 : 10) % PARTS.length];
}

/** Returns the names of all test programs of cargo besides unit tests, sorted. */
function testPrograms() {
  const folders = [join('tests', 'tests'), join('cli', 'tests')];
  const names = folders.flatMap((folder) => readdirSync(join(TOP, folder)));
  return names.map((name) => name.replace(/\.rs$/, '')).sort();
}

function isRest(name) {
  return ![...HOSTILE, ...INSTALLED].includes(name);
}

function longPrograms(name, programs) {
  return step(name, 'cargo', [...RUST_TESTS, ...programs.flatMap((each) => ['--test', each]), ...LONG]);
}

// The system calls of other Unixes, on this system, and the build without parsers. Tested together to save one
// build of the engine. The cfg needs its own target directory.
const UNIX_TESTS = [
  ...['test', '--locked', '-p', 'searchscope', '-p', 'searchscope-tools', '-p', 'searchscope-fuzz-targets', '--lib'],
  ...['--no-default-features', '--config', 'build.rustflags=["--cfg","searchscope_unix"]'],
  ...['--target-dir', join('target', 'unix')],
];

function fuzzTypes() {
  return step('fuzz targets type-check', 'cargo', [
    ...['check', '--locked', '--manifest-path', join('fuzz', 'Cargo.toml')],
    ...['--target-dir', join('fuzz', 'target')],
  ]);
}

/** Time for all committed inputs and some new ones. */
const FUZZ_SECONDS = '10';

/** Returns a short run of each fuzz target, if the tools are installed. */
function fuzzing() {
  const missing = missingForFuzzing();
  const short = step('fuzz targets, a short run of each', NODE, [
    ...[join('scripts', 'fuzz.mjs'), '--seconds', FUZZ_SECONDS],
  ]);
  return { ...short, skipped: missing && `SKIPPED: fuzz targets: ${missing}` };
}

/** Minutes after which no other platform is begun. */
const PLATFORM_MINUTES = '12';

/** Tests other platforms as far as the time suffices. The summary of the step lists what was not run. */
function platforms() {
  return step('other platforms', NODE, [
    ...[join('scripts', 'platforms.mjs'), '--quick', '--minutes', PLATFORM_MINUTES],
  ]);
}

function platformPeers() {
  return [
    ['x86_64-w64-mingw32-gcc', 'apt', 'gcc-mingw-w64-x86-64-win32'],
    ['wine', 'apt', 'wine'],
    ['wine', 'apt', 'wine64'],
    ['wine', 'apt', 'libz-mingw-w64'],
  ];
}
