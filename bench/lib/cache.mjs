// Where trees and peers are kept, and that only whole ones count.

import { existsSync, lutimesSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** `SEARCHSCOPE_BENCH_CACHE`, or a directory in the user's cache directory. */
export function cacheDirectory(env = process.env) {
  if (env.SEARCHSCOPE_BENCH_CACHE) return env.SEARCHSCOPE_BENCH_CACHE;
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'searchscope-bench');
}

/**
 * Gives `cache/name`, which `make` fills under another name, so that what was cut off is never taken
 * for whole: it is removed and made anew. What else begins with `family` is of an older version.
 */
export async function whole(cache, name, make, family) {
  const directory = join(cache, name);
  if (existsSync(directory)) return directory;
  const partial = `${directory}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  await make(partial);
  renameSync(partial, directory);
  for (const other of readdirSync(cache)) {
    const isOlder = family !== undefined && other.startsWith(family) && other !== name;
    if (isOlder) rmSync(join(cache, other), { recursive: true, force: true });
  }
  return directory;
}

/** What tells one version of something from another. */
export function digest(data) {
  return createHash('sha256').update(data).digest('hex').slice(0, 12);
}

/** The regular files below a directory, by the order of their paths. */
export function listFiles(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  return paths.sort((a, b) => (a < b ? -1 : 1));
}

/** The first of January 2015, in seconds; the last file of the largest tree comes nine years later. */
const TIMES_BEGIN = 1_420_070_400;
/** A prime, so that neighbours get times that are far from each other and no two the same. */
const STRIDE = 104_729;
const HOUR_S = 3_600;

/** Gives each file a modification time of its own: with equal ones a peer's order is open. */
export function spreadTimes(directory) {
  const files = listFiles(directory);
  for (const [n, file] of files.entries()) {
    const time = TIMES_BEGIN + ((n * STRIDE) % files.length) * HOUR_S;
    lutimesSync(file, time, time);
  }
}
