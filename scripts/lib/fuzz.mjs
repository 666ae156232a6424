// What fuzzing needs, and what there is to fuzz.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TOP, output } from './process.mjs';

/** The compiler: only this one has the instruments of a fuzzer. */
export const FUZZ_TOOLCHAIN = '+nightly';

/** The names of all targets, in order. */
export function fuzzTargets() {
  const files = readdirSync(join(TOP, 'fuzz', 'fuzz_targets'));
  return files.map((file) => file.replace(/\.rs$/, '')).sort();
}

/** What is not installed and how to get it, in one line; undefined when all is there. */
export function missingForFuzzing() {
  if (output('cargo', [FUZZ_TOOLCHAIN, '--version']) === null) {
    return 'fuzzing needs Rust\'s nightly toolchain: "rustup toolchain install nightly --profile minimal"';
  }
  if (output('cargo', ['fuzz', '--version']) === null) {
    return 'fuzzing needs cargo-fuzz: "cargo install --locked cargo-fuzz --version 0.13.2"';
  }
  return undefined;
}
