// The steps of `npm test` and `npm run check`, and those that parts of the long run share with them.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TOP, output } from './process.mjs';

export const NODE = process.execPath;

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
    ...['doc', '--locked', '--no-deps', '-p', 'searchscope', '-p', 'searchscope-tools'],
    ...['--config', 'build.rustdocflags=["-D","warnings"]'],
  ]);
}

/**
 * Returns the steps whose outcome does not depend on the speed or load of the machine: the build of the Rust tests,
 * the Rust tests (which run the C ones), the checks, the Node tests.
 *
 * The Node tests build the native part once more, with hooks, to the same file as the Rust tests. So the first step
 * builds all Rust tests, and the Node tests come after the checks, when the Rust tests have begun to run. Those of
 * whole programs take half of the time; the unit tests come last.
 */
export function testSteps() {
  const [format, lints] = checkSteps();
  return [
    step('build of the Rust tests', 'cargo', [...RUST_TESTS, '--no-run']),
    step('Rust tests of whole programs', 'cargo', [...RUST_TESTS, '--test', '*', ...SHORT]),
    format,
    ...typeSteps(),
    documentation(),
    lints,
    step('Node tests', NODE, nodeTests('.test.mjs', FILES_AT_ONCE)),
    step('Rust unit tests', 'cargo', [...RUST_TESTS, '--lib', '--bins', ...SHORT]),
    step('Rust examples of the documentation', 'cargo', [...RUST_TESTS, '--doc', ...SHORT]),
  ];
}

/** Number of files of Node tests that run at once: more than processors, because most wait for other programs. */
const FILES_AT_ONCE = 4;

/** Part of the names of all Rust tests of the long run, and of no others. */
export const LONG_RUN = 'long_run';

export const SHORT = ['--', '--skip', LONG_RUN];

export const RUST_TESTS = ['test', '--workspace', '--locked', '--no-fail-fast'];

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

export function step(name, program, args) {
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
export function nodeTests(end, concurrency) {
  const directory = join('tests', 'node');
  const files = readdirSync(join(TOP, directory)).filter((file) => file.endsWith(end));
  const options = ['--test', `--test-concurrency=${concurrency}`, '--test-reporter=spec'];
  return [...options, ...files.sort().map((file) => join(directory, file))];
}
