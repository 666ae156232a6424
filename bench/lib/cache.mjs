// The directory of trees and peers, in which only complete ones count.

import { existsSync, lutimesSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns `SEARCHSCOPE_BENCH_CACHE`, or a directory in the user's cache directory. */
export function cacheDirectory(env = process.env) {
  if (env.SEARCHSCOPE_BENCH_CACHE) return env.SEARCHSCOPE_BENCH_CACHE;
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'searchscope-bench');
}

/**
 * Returns `cache/name`. If it is missing, `make` fills it under another name, which is renamed at the
 * end, so that an interrupted run never counts as complete. Other entries that begin with `family` are
 * older versions and are removed.
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

/** Returns a digest that identifies a version. */
export function digest(data) {
  return createHash('sha256').update(data).digest('hex').slice(0, 12);
}

/** Returns the regular files below a directory, sorted by path. */
export function listFiles(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  return paths.sort((a, b) => (a < b ? -1 : 1));
}

/** 1 January 2015, in seconds; the last file of the largest tree is nine years later. */
const TIMES_BEGIN = 1_420_070_400;
/** A prime, so that neighbours get times far from each other and all times differ. */
const STRIDE = 104_729;
const HOUR_S = 3_600;

/** Gives each file a different modification time: with equal times the order of a peer is undefined. */
export function spreadTimes(directory) {
  const files = listFiles(directory);
  for (const [n, file] of files.entries()) {
    const time = TIMES_BEGIN + ((n * STRIDE) % files.length) * HOUR_S;
    lutimesSync(file, time, time);
  }
}
