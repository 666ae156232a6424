// The Linux source, from Debian's package.

import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Advice, run, say } from '../../scripts/lib/process.mjs';
import { spreadTimes, whole } from './cache.mjs';

const PACKAGE = 'linux-source-6.1';

/** Lines of Debian's .gitignore that keep the source out of its repository; they ignore everything. */
const IGNORES_ALL = ['/*', '!/debian/'];

/** Returns the root and the version of the Linux source, or the reason why it is missing. */
export async function linux(cache, env = process.env) {
  try {
    const root = env.SEARCHSCOPE_LINUX_TREE ?? (await whole(cache, PACKAGE, (to) => make(cache, to)));
    return { root: checked(root), version: versionOf(root) };
  } catch (error) {
    if (!(error instanceof Advice)) throw error;
    const help =
      `Put ${PACKAGE}_*.deb from Debian into ${join(cache, 'download')}, or set ` +
      'SEARCHSCOPE_LINUX_TREE to an unpacked source tree.';
    say(`searchscope: no Linux source: ${error.message}\n${help}`);
    return { root: null, version: `no Linux source: ${error.message}` };
  }
}

async function make(cache, directory) {
  say(`searchscope: the Linux source, 140 MB to download and 1.5 GB unpacked, into ${cache} …`);
  const archive = await whole(cache, 'download', (partial) => download(partial, cache));
  const deb = packageIn(archive);
  if (deb === undefined) throw new Advice(`no ${PACKAGE}_*.deb in ${archive}`);
  unpack(deb, directory);
  const file = join(directory, '.gitignore');
  writeFileSync(file, without(readFileSync(file, 'utf8')));
  spreadTimes(directory);
}

/**
 * Downloads the package. apt verifies it and renames it only when it is complete; an interrupted download is
 * resumed.
 */
function download(directory, cache) {
  const resumed = join(cache, 'apt');
  mkdirSync(resumed, { recursive: true });
  run('apt-get', ['download', PACKAGE], { cwd: resumed });
  const deb = packageIn(resumed);
  if (deb === undefined) throw new Advice(`apt-get downloaded no ${PACKAGE}_*.deb`);
  renameSync(deb, join(directory, deb.slice(resumed.length + 1)));
}

function packageIn(directory) {
  const isPackage = (name) => name.startsWith(`${PACKAGE}_`) && name.endsWith('.deb');
  const name = existsSync(directory) ? readdirSync(directory).find(isPackage) : undefined;
  return name && join(directory, name);
}

function unpack(deb, directory) {
  const inner = `./usr/src/${PACKAGE}.tar.xz`;
  const script =
    'set -o pipefail; dpkg-deb --fsys-tarfile "$1" | tar -xO "$2" | tar -xJ --strip-components=1 -C "$3"';
  const done = spawnSync('bash', ['-c', script, 'unpack', deb, inner, directory], {
    stdio: ['ignore', 2, 2],
  });
  if (done.status !== 0) throw new Advice(`${deb} cannot be unpacked`);
}

/** Returns the text of a .gitignore without the lines that ignore everything. */
export function without(text) {
  return text
    .split('\n')
    .filter((line) => !IGNORES_ALL.includes(line))
    .join('\n');
}

function checked(root) {
  const file = join(root, '.gitignore');
  if (!existsSync(file)) throw new Advice(`${root} is not a Linux source tree`);
  const text = readFileSync(file, 'utf8');
  if (without(text) === text) return root;
  throw new Advice(`remove the lines ${IGNORES_ALL.join(' and ')} from ${file}: they ignore everything`);
}

function versionOf(root) {
  const makefile = readFileSync(join(root, 'Makefile'), 'utf8');
  const part = (name) => new RegExp(`^${name} = (\\d+)$`, 'm').exec(makefile)?.[1] ?? '?';
  return ['VERSION', 'PATCHLEVEL', 'SUBLEVEL'].map(part).join('.');
}
