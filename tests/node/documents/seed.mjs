// Extracts the JavaScript that this package replaces from its own description: the project contains no
// copy of it. Tests that need it report a skip if the description is absent.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { TOP } from '../helpers.mjs';

const NO_SKIPS = 'SEARCHSCOPE_TESTS_NO_SKIPS';

/** The description of document search, or undefined. */
export const SEED = seedText();

/** Declares a test that compares with the description; skips it if that is absent. */
export function testWithSeed(name, run) {
  if (SEED !== undefined) return test(name, { timeout: 120_000 }, run);
  const reason = `SKIPPED: ${name}: shared/seeds is missing beside the checkout`;
  if (process.env[NO_SKIPS] !== undefined) throw new Error(reason);
  console.error(reason);
  return test(name, { skip: reason });
}

function seedText() {
  const seeds = join(sharedDirectory(), 'seeds');
  if (!existsSync(seeds)) return undefined;
  const name = readdirSync(seeds).find((name) => name.startsWith('002_'));
  return name === undefined ? undefined : readFileSync(join(seeds, name), 'utf8');
}

/** Returns `SEARCHSCOPE_SHARED`, or the nearest directory `shared` beside the checkout or above it. */
function sharedDirectory() {
  const given = process.env.SEARCHSCOPE_SHARED;
  if (given !== undefined) return given;
  let above = dirname(join(TOP, '.'));
  while (!existsSync(join(above, 'shared', 'seeds')) && above !== dirname(above)) {
    above = dirname(above);
  }
  return join(above, 'shared');
}

/** Returns the part of the description between two texts, which must both exist. */
export function seedPart(from, to) {
  const start = SEED.indexOf(from);
  const end = SEED.indexOf(to, start + from.length);
  if (start === -1 || end === -1) throw new Error(`the description has no ${from} … ${to}`);
  return SEED.slice(start, end);
}

/** Runs JavaScript of the description in a function with the given names; returns its result. */
export function evaluate(code, names = {}) {
  return new Function(...Object.keys(names), code)(...Object.values(names));
}
