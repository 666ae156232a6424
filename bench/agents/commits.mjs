// The commits of an edit replay, and the tree before each of them.

import { mkdtempSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Advice } from '../../scripts/lib/process.mjs';

/** A commit with more changed code files is a sweep, which its subject does not locate. */
const FILES_MAX = 10;
/** Commits that are read for each one that is wanted: many change no code. */
const READ_PER_COMMIT = 10;
const OUTPUT_BYTES_MAX = 1 << 28;
const ENTRY = '\x01';
const FIELD = '\x02';

const CODE = new RegExp(
  String.raw`\.(?:${[
    'bash|c|cc|clj|cpp|cs|css|cts|cxx|dart|erl|ex|exs|go|h|hh|hpp|hs|java|jl|js|jsx|kt|kts|less|lua|m|mjs|ml|mm',
    'mts|php|pl|pm|py|pyi|pyx|r|rb|rs|scala|scss|sh|sql|svelte|swift|ts|tsx|vue|zig',
  ].join('|')})$`,
  'i',
);

/** A repository whose work tree moves from commit to commit. The original is read only. */
export class History {
  #root;

  /** Copies the repository in `directory` without its objects. `close` removes the copy. */
  constructor(directory) {
    this.#root = mkdtempSync(join(tmpdir(), 'searchscope-replay-'));
    try {
      const top = output(directory, ['rev-parse', '--show-toplevel'])?.replace(/\n$/, '');
      if (top === undefined) throw new Advice(`${directory} is not a git repository, or git is not installed.`);
      const clone = ['clone', '--quiet', '--shared', '--no-checkout', '--', top, this.#root];
      if (output(tmpdir(), clone) === null) throw new Advice(`${directory} cannot be copied by "git clone --shared".`);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get root() {
    return this.#root;
  }

  /** Returns the last `count` commits to replay, the newest first; fewer if the history has fewer. */
  commits(count) {
    const log = output(this.#root, [
      'log',
      '--no-merges',
      '--no-renames',
      '--name-status',
      '-z',
      `--max-count=${count * READ_PER_COMMIT}`,
      `--format=${ENTRY}%H${FIELD}%P${FIELD}%s${FIELD}`,
    ]);
    if (log === null) throw new Advice('the repository has no commits.');
    return commitsIn(log).slice(0, count);
  }

  /** Makes the work tree that of a commit. */
  checkOut(hash) {
    // The caller's hooks are for the caller's own check-outs.
    const options = ['-c', 'core.hooksPath=/dev/null', '-c', 'advice.detachedHead=false'];
    if (output(this.#root, [...options, 'checkout', '--quiet', '--force', '--detach', hash]) === null) {
      throw new Advice(`git cannot check out ${hash}.`);
    }
  }

  close() {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

function output(directory, args) {
  const env = { ...process.env, GIT_LFS_SKIP_SMUDGE: '1' };
  const done = spawnSync('git', args, {
    cwd: directory,
    encoding: 'utf8',
    env,
    maxBuffer: OUTPUT_BYTES_MAX,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return done.status === 0 ? done.stdout : null;
}

/**
 * Returns the commits of a log to replay: those that change 1 to 10 code files, of which at least one
 * existed before. `files` are the latter. The number of a pull request at the end is removed from the
 * subject: it is unknown before the change.
 */
export function commitsIn(log) {
  const commits = [];
  for (const entry of log.split(ENTRY).slice(1)) {
    const [hash, parents, subject, changes] = entry.split(FIELD);
    const changed = [];
    for (const [, status, path] of changes.matchAll(/(?<=^|[\n\0])([ADMT])\0([^\0]+)\0/g)) {
      if (CODE.test(path)) changed.push({ status, path });
    }
    const files = changed.filter(({ status }) => status !== 'A').map(({ path }) => path);
    const [parent] = parents.split(' ');
    if (parent === '' || files.length === 0 || changed.length > FILES_MAX) continue;
    commits.push({ hash, parent, subject: subject.replace(/\s*\(#\d+\)$/, ''), files });
  }
  return commits;
}
