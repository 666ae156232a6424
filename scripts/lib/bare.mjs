// A bare environment: the programs that CONTRIBUTING.md requires and nothing else, with an empty home directory.

import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { Advice, output } from './process.mjs';

/** A C compiler with its binutils, git, npm, a shell, and the programs of POSIX that npm, cargo and make scripts call. */
const PROGRAMS = [
  ...['cc', 'gcc', 'as', 'ld', 'ar', 'nm', 'ranlib', 'readelf', 'strip', 'git', 'npm', 'npx', 'sh', 'bash', 'env'],
  ...['basename', 'cat', 'chmod', 'cp', 'cut', 'date', 'dirname', 'echo', 'expr', 'false', 'find', 'grep', 'head'],
  ...['id', 'kill', 'ln', 'ls', 'mkdir', 'mkfifo', 'mktemp', 'mv', 'printf', 'pwd', 'readlink', 'rm', 'rmdir', 'sed'],
  ...['seq', 'sleep', 'sort', 'stat', 'tail', 'tar', 'test', 'touch', 'tr', 'true', 'uname', 'uniq', 'wc', 'which', 'xargs'],
  ...['gzip', 'ps', 'tee'],
];

/** Programs of the Rust toolchain: those of a minimal installation, and the formatter and the lints. */
const RUST_PROGRAMS = [
  ...['cargo', 'rustc', 'rustdoc'],
  ...['rustfmt', 'cargo-fmt', 'cargo-clippy', 'clippy-driver'],
];

/**
 * Variables that describe the machine or the run rather than what earlier runs have left. Without `CI`: there a test
 * fails if a program is missing, while a bare machine has none.
 */
const VARIABLES =
  /^(LANG|LC_\w+|TERM|CARGO_INCREMENTAL|NODE_EXTRA_CA_CERTS|PROPTEST_\w+|SSL_CERT_(FILE|DIR)|GIT_SSL_CAINFO|(https?|no|all)_proxy)$/i;

/** Makes the environment below a directory for temporary files. Returns `folder` and the variables as `env`. */
export function makeBare() {
  const folder = mkdtempSync(join(tmpdir(), 'searchscope-bare-'));
  const [bin, home, temporary, cargoHome] = ['bin', 'home', 'tmp', 'cargo'].map((name) => join(folder, name));
  for (const directory of [bin, home, temporary, cargoHome]) mkdirSync(directory);
  for (const name of PROGRAMS) linkProgram(name, bin);
  symlinkSync(process.execPath, join(bin, 'node'));
  linkRust(bin);
  shareCrates(cargoHome);
  const kept = Object.entries(process.env).filter(([name]) => VARIABLES.test(name));
  const env = {
    ...Object.fromEntries(kept),
    ...{ PATH: bin, HOME: home, TMPDIR: temporary, CARGO_HOME: cargoHome },
    npm_config_cache: output('npm', ['config', 'get', 'cache'])?.trim() ?? join(homedir(), '.npm'),
  };
  // The user's settings of npm name the registry, without which nothing can be installed.
  const settings = join(homedir(), '.npmrc');
  if (existsSync(settings)) env.npm_config_userconfig = settings;
  return { folder, env };
}

/** Links a program of this machine; a program that is absent here stays absent. */
function linkProgram(name, bin) {
  const file = onPath(name);
  if (file) symlinkSync(file, join(bin, name));
}

/** Returns the place of a program on the PATH, or undefined. */
function onPath(name) {
  const files = (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory, name));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Links the toolchain itself, because the commands of rustup read its home directory. */
function linkRust(bin) {
  const root = output('rustc', ['--print', 'sysroot'])?.trim();
  if (!root) throw new Advice('the bare run requires Rust, but "rustc" was not found');
  for (const name of RUST_PROGRAMS) {
    const file = join(root, 'bin', name);
    if (existsSync(file)) symlinkSync(file, join(bin, name));
  }
}

/** Shares the downloaded crates, and the settings of cargo that say where they come from. */
function shareCrates(cargoHome) {
  const shared = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  for (const name of ['registry', 'git', 'config.toml']) {
    const path = join(shared, name);
    if (existsSync(path)) symlinkSync(path, join(cargoHome, basename(path)));
  }
}
