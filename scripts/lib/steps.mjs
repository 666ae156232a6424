// The steps of `npm test`, `npm run test:long` and `npm run check`.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { missingForFuzzing } from './fuzz.mjs';
import { TOP, output } from './process.mjs';

const NODE = process.execPath;

/** Returns the comparisons and lints. A step whose tool is missing explains that in `skipped`. */
export function checkSteps() {
  return [
    component('rustfmt', 'Rust formatting', ['fmt', '--all', '--check'], ['fmt', '--version']),
    component(
      'clippy',
      'Rust lints',
      ['clippy', ...WORKSPACE, '--', '-D', 'warnings'],
      ['clippy', '--version'],
    ),
    step('C header', 'cargo', [
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

/** Builds the documentation of the crate, with broken links as errors. */
function documentation() {
  return step('Rust documentation', 'cargo', [
    ...['doc', '--locked', '--no-deps', '-p', 'searchscope'],
    ...['--config', 'build.rustdocflags=["-D","warnings"]'],
  ]);
}

/**
 * Returns the steps whose outcome does not depend on the speed or load of the machine: the Rust tests
 * (which run the C ones), the Node tests, the checks.
 */
export function testSteps() {
  const [format, lints] = checkSteps();
  return [
    step('Rust tests', 'cargo', [...RUST_TESTS, ...SHORT]),
    step('Node tests', NODE, nodeTests('.test.mjs', FILES_AT_ONCE)),
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
 * Returns the other steps: those that measure time, draw thousands of cases or race for minutes, and
 * those that build the engine in other ways. Long tests run one at a time, because a timed test must not
 * share its processors.
 */
export function longTestSteps() {
  const long = ['--', '--test-threads=1', LONG_RUN];
  return [
    step('long Rust tests', 'cargo', [...RUST_TESTS, '--tests', ...long]),
    step('Rust tests as on other Unixes, without parsers', 'cargo', [...UNIX_TESTS, ...SHORT]),
    step('long Rust tests as on other Unixes', 'cargo', [...UNIX_TESTS, ...long]),
    step('long Node tests', NODE, nodeTests('.long.mjs', 1)),
    step('each feature of the engine builds alone', NODE, [join('scripts', 'features.mjs')]),
    fuzzing(),
  ];
}

/** Returns a short run of each fuzz target, if the tools are installed. */
function fuzzing() {
  const missing = missingForFuzzing();
  const short = step('fuzz targets, a short run of each', NODE, [
    ...[join('scripts', 'fuzz.mjs'), '--seconds', FUZZ_SECONDS],
  ]);
  return { ...short, skipped: missing && `SKIPPED: fuzz targets: ${missing}` };
}

/** Time for all committed inputs and some new ones. */
const FUZZ_SECONDS = '10';

/** Number of files of Node tests that run at once: more than processors, because most wait for other programs. */
const FILES_AT_ONCE = 4;

/** Part of the names of all Rust tests of the long run, and of no others. */
const LONG_RUN = 'long_run';

const SHORT = ['--', '--skip', LONG_RUN];

const RUST_TESTS = ['test', '--workspace', '--locked', '--no-fail-fast'];

// The system calls of other Unixes, on this system, and the build without parsers. Tested together to save one
// build of the engine. The cfg needs its own target directory.
const UNIX_TESTS = [
  ...['test', '--locked', '-p', 'searchscope', '-p', 'searchscope-fuzz-targets', '--lib'],
  ...['--no-default-features', '--config', 'build.rustflags=["--cfg","searchscope_unix"]'],
  ...['--target-dir', join('target', 'unix')],
];

const WORKSPACE = ['--workspace', '--all-targets', '--locked'];

/** The module resolutions that users of a package may have; all must find the same declarations. */
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

/** Returns a step that needs an optional component of the Rust toolchain; skipped without it. */
function component(part, name, args, probe) {
  const skipped =
    output('cargo', probe) === null
      ? `SKIPPED: ${name}: install it with "rustup component add ${part}"`
      : undefined;
  return { ...step(name, 'cargo', args), skipped };
}

/**
 * Returns arguments that run the test files with this suffix, with the given concurrency. Files are
 * listed by name, because the discovery of `node --test` differs between versions of Node.
 */
function nodeTests(end, concurrency) {
  const directory = join('tests', 'node');
  const files = readdirSync(join(TOP, directory)).filter((file) => file.endsWith(end));
  const options = ['--test', `--test-concurrency=${concurrency}`, '--test-reporter=spec'];
  return [...options, ...files.sort().map((file) => join(directory, file))];
}
