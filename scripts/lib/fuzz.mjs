// Requirements of fuzzing, and the list of targets.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TOP, output } from './process.mjs';

/** The compiler: only nightly has the instrumentation for fuzzing. */
export const FUZZ_TOOLCHAIN = '+nightly';

/** Returns the names of all targets, sorted. */
export function fuzzTargets() {
  const files = readdirSync(join(TOP, 'fuzz', 'fuzz_targets'));
  return files.map((file) => file.replace(/\.rs$/, '')).sort();
}

/** Returns in one line what is not installed and how to get it; undefined if everything is. */
export function missingForFuzzing() {
  if (output('cargo', [FUZZ_TOOLCHAIN, '--version']) === null) {
    return 'fuzzing requires Rust\'s nightly toolchain: "rustup toolchain install nightly --profile minimal"';
  }
  if (output('cargo', ['fuzz', '--version']) === null) {
    return 'fuzzing requires cargo-fuzz: "cargo install --locked cargo-fuzz --version 0.13.2"';
  }
  return undefined;
}
