// What `npm test` and `npm run check` run, step by step.

import { existsSync, readdirSync } from 'node:fs';
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

/** Everything: the Rust tests (which run the C ones), the Node tests, the checks. */
export function testSteps() {
  const [format, lints] = checkSteps();
  return [
    step('Rust tests', 'cargo', ['test', '--workspace', '--locked', '--no-fail-fast']),
    step('Rust tests of the portable backend, without parsers', 'cargo', PORTABLE_TESTS),
    step('Node tests', NODE, ['--test', ...TEST_OPTIONS, ...nodeTests()]),
    ...typeSteps(),
    documentation(),
    format,
    lints,
    ...fuzzSteps(),
  ];
}

/** The fuzz targets: that they build, on every machine, and a short run of each where that is possible. */
function fuzzSteps() {
  const missing = missingForFuzzing();
  const short = step('fuzz targets, for a short time each', NODE, [
    ...[join('scripts', 'fuzz.mjs'), '--seconds', FUZZ_SECONDS],
  ]);
  return [
    step('fuzz targets type-check', 'cargo', [
      ...['check', '--locked', '--manifest-path', join('fuzz', 'Cargo.toml')],
      ...['--target-dir', join('fuzz', 'target')],
    ]),
    { ...short, skipped: missing && `SKIPPED: fuzz targets: ${missing}` },
  ];
}

/** Long enough for all committed inputs and some that are new. */
const FUZZ_SECONDS = '10';

// The backend for other systems, on this one, and the build without optional features: both at once,
// because it is one more build of the engine. Its cfg wants a target directory of its own.
const PORTABLE_TESTS = [
  ...['test', '--locked', '-p', 'searchscope', '--lib', '--no-default-features'],
  ...['--config', 'build.rustflags=["--cfg","searchscope_portable"]'],
  ...['--target-dir', join('target', 'portable')],
];

// One file at a time: several of them measure how soon something happens.
const TEST_OPTIONS = ['--test-concurrency=1', '--test-reporter=spec'];

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

/** By name, because what `node --test` finds in a directory differs between versions of Node. */
function nodeTests() {
  const directory = join('tests', 'node');
  if (!existsSync(join(TOP, directory))) return [];
  const files = readdirSync(join(TOP, directory)).filter((file) => file.endsWith('.test.mjs'));
  return files.sort().map((file) => join(directory, file));
}
