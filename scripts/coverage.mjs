// `npm run coverage`: reports the lines of the engine that the Rust tests run, as a table, and as pages
// in target/coverage. Fails below the promised share.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Advice, main, output, run, say } from './lib/process.mjs';

/** Minimum line coverage of the engine, in per cent. */
const LINES_MIN = 95;

/** Not part of the engine: tests and the entry points for fuzz targets within core, and all other members. */
const LEFT_OUT = String.raw`(/tests?/|_tests?\.rs|/tests\.rs|/faults\.rs|/differential\.rs|core/src/(fuzzing|testing)\.rs|/(ffi|node|bench|examples|fuzz)/)`;

await main(async () => {
  if (output('cargo', ['llvm-cov', '--version']) === null) {
    throw new Advice('cargo-llvm-cov is required: cargo install --locked cargo-llvm-cov');
  }
  const env = { ...process.env, ...llvmTools() };
  const cargo = (...args) => run('cargo', ['llvm-cov', ...args], { env, stdio: 'inherit' });
  cargo('clean', '--workspace');
  say('searchscope: building and running the tests with counters, some ten minutes …');
  cargo('--no-report', '--locked', '-p', 'searchscope', '-p', 'searchscope-tools', '--lib');
  // Every contract, once through the engine alone, and the comparisons with other programs.
  for (const target of ['conformance', 'differential', 'findings', 'output_file']) {
    cargo('--no-report', '--locked', '-p', 'searchscope-tests', '--test', target);
  }
  const report = ['report', '--ignore-filename-regex', LEFT_OUT];
  cargo(...report, '--html', '--output-dir', join('target', 'coverage'));
  cargo(...report, '--summary-only', '--fail-under-lines', String(LINES_MIN));
});

/** Returns the tools that match the compiler's LLVM, so that cargo-llvm-cov does not fetch them. */
function llvmTools() {
  const { LLVM_COV, LLVM_PROFDATA } = process.env;
  if (LLVM_COV && LLVM_PROFDATA) return { CARGO_LLVM_COV_SETUP: 'no' };
  const version = output('rustc', ['-vV']);
  const major = /LLVM version: (\d+)/.exec(version ?? '')?.[1];
  const host = /host: (\S+)/.exec(version ?? '')?.[1];
  const sysroot = output('rustc', ['--print', 'sysroot'])?.trim() ?? '';
  const places = [
    join(sysroot, 'lib', 'rustlib', host ?? '', 'bin'),
    join('/usr', 'lib', `llvm-${major}`, 'bin'),
  ];
  const found = places.find((place) => existsSync(place) && readdirSync(place).includes('llvm-cov'));
  if (!found) {
    throw new Advice(
      `llvm-cov ${major} is required: "rustup component add llvm-tools", or the package llvm-${major}.`,
    );
  }
  return {
    CARGO_LLVM_COV_SETUP: 'no',
    LLVM_COV: join(found, 'llvm-cov'),
    LLVM_PROFDATA: join(found, 'llvm-profdata'),
  };
}
