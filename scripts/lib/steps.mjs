// What `npm test`, `npm run test:long` and `npm run check` run, step by step.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { missingForFuzzing } from './fuzz.mjs';
import { TOP, output } from './process.mjs';

const NODE = process.execPath;

/** Comparisons and lints. A step whose tool is missing says so in `skipped`. */
export function checkSteps() {
  return [
    component('rustfmt', 'Rust formatting', ['fmt', '--all', '--check'], ['fmt', '--version']),
    component(
      'clippy',
      'Rust lints',
      ['clippy', ...WORKSPACE, '--', '-D', 'warnings'],
      ['clippy', '--version'],
    ),
    step('the C header', 'cargo', [
      'test',
      '--locked',
      '-p',
      'searchscope-tests',
      '--test',
      'c_face',
      'header',
    ]),
    documentation(),
    ...typeSteps(),
  ];
}

/** The crate's documentation: every link leads somewhere, and nothing is said of what is not there. */
function documentation() {
  return step('Rust documentation', 'cargo', [
    ...['doc', '--locked', '--no-deps', '-p', 'searchscope'],
    ...['--config', 'build.rustdocflags=["-D","warnings"]'],
  ]);
}

/**
 * Whatever says the same on a slow and busy machine: the Rust tests (which run the C ones), the Node
 * tests, the checks.
 */
export function testSteps() {
  const [format, lints] = checkSteps();
  const short = ['--', '--skip', LONG_RUN];
  return [
    step('Rust tests', 'cargo', [...RUST_TESTS, ...short]),
    step('Rust tests of the portable backend, without parsers', 'cargo', [...PORTABLE_TESTS, ...short]),
    step('Node tests', NODE, nodeTests('.test.mjs', 2)),
    ...typeSteps(),
    documentation(),
    format,
    lints,
    step('fuzz targets type-check', 'cargo', [
      ...['check', '--locked', '--manifest-path', join('fuzz', 'Cargo.toml')],
      ...['--target-dir', join('fuzz', 'target')],
    ]),
  ];
}

/**
 * The rest: what measures time, draws thousands of cases or races for minutes. One test at a time, for
 * what is timed must not share its processors.
 */
export function longTestSteps() {
  const long = ['--', '--test-threads=1', LONG_RUN];
  return [
    step('long Rust tests', 'cargo', [...RUST_TESTS, '--tests', ...long]),
    step('long Rust tests of the portable backend', 'cargo', [...PORTABLE_TESTS, ...long]),
    step('long Node tests', NODE, nodeTests('.long.mjs', 1)),
    fuzzing(),
  ];
}

/** A short run of each fuzz target, where that is possible. */
function fuzzing() {
  const missing = missingForFuzzing();
  const short = step('fuzz targets, for a short time each', NODE, [
    ...[join('scripts', 'fuzz.mjs'), '--seconds', FUZZ_SECONDS],
  ]);
  return { ...short, skipped: missing && `SKIPPED: fuzz targets: ${missing}` };
}

/** Long enough for all committed inputs and some that are new. */
const FUZZ_SECONDS = '10';

/** The names of all Rust tests of the long run have this in them, and no other names. */
const LONG_RUN = 'long_run';

const RUST_TESTS = ['test', '--workspace', '--locked', '--no-fail-fast'];

// The backend for other systems, on this one, and the build without optional features: both at once,
// because it is one more build of the engine. Its cfg wants a target directory of its own.
const PORTABLE_TESTS = [
  ...['test', '--locked', '-p', 'searchscope', '-p', 'searchscope-fuzz-targets', '--lib'],
  ...['--no-default-features', '--config', 'build.rustflags=["--cfg","searchscope_portable"]'],
  ...['--target-dir', join('target', 'portable')],
];

const WORKSPACE = ['--workspace', '--all-targets', '--locked'];

/** The ways in which the users of a package have its declarations found; they give the same types. */
const RESOLUTIONS = { nodenext: 'nodenext', node16: 'node16', bundler: 'esnext' };

function typeSteps() {
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
  const project = ['--project', join('tests', 'node', 'tsconfig.json')];
  const checks = Object.entries(RESOLUTIONS).map(([resolution, module]) =>
    step(`declarations type-check with ${resolution}`, NODE, [
      tsc,
      ...project,
      ...['--moduleResolution', resolution, '--module', module],
    ]),
  );
  return [step('declarations up to date', NODE, [join('scripts', 'types.mjs'), '--check']), ...checks];
}

function step(name, program, args) {
  return { name, program, args };
}

/** A part of the Rust toolchain that can be left out of an installation. */
function component(part, name, args, probe) {
  const skipped =
    output('cargo', probe) === null
      ? `SKIPPED: ${name}: "rustup component add ${part}" is needed`
      : undefined;
  return { ...step(name, 'cargo', args), skipped };
}

/**
 * Arguments that run the test files with this end, so many at a time. Files are given by name, because
 * what `node --test` finds in a directory differs between versions of Node.
 */
function nodeTests(end, concurrency) {
  const directory = join('tests', 'node');
  const files = readdirSync(join(TOP, directory)).filter((file) => file.endsWith(end));
  const options = ['--test', `--test-concurrency=${concurrency}`, '--test-reporter=spec'];
  return [...options, ...files.sort().map((file) => join(directory, file))];
}
