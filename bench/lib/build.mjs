// Builds our engine in all its forms, and installs the peers from npm.

import { existsSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Advice, TOP, run, say } from '../../scripts/lib/process.mjs';
import { setUp } from '../../scripts/lib/setup.mjs';
import { SEED } from '../../tests/node/documents/seed.mjs';
import { digest, whole } from './cache.mjs';
import { installPackages } from './corpora.mjs';

const BENCH = join(TOP, 'bench');

/** System libraries that a static library of Rust code needs. */
const SYSTEM_LIBRARIES = ['-lgcc_s', '-lutil', '-lrt', '-lpthread', '-lm', '-ldl', '-lc'];

/** Builds our Node addon, and installs the peers from npm if downloads are allowed. */
export async function buildForAgents(cache, mayDownload) {
  await setUp();
  return { peers: await npmPeers(cache, mayDownload) };
}

/** Builds everything in release mode: the driver and each resident program. */
export async function build(cache, mayDownload) {
  await setUp();
  const { driver, library } = buildRust();
  const peers = await npmPeers(cache, mayDownload);
  const engine = (name) => join(BENCH, 'engines', name);
  const node = (name, ...args) => ({ command: [process.execPath, engine(name), ...args] });
  const residents = {
    rust: { command: [driver, 'engine'] },
    off: { command: [driver, 'engine'] },
    spawn: { command: [driver, 'spawn'] },
    c: engineInC(cache, library),
    node: node('ours.mjs'),
    'node-spawn': node('spawn.mjs'),
    fff: existsSync(join(peers, 'node_modules', '@ff-labs', 'fff-node'))
      ? { ...node('fff.mjs', peers), version: versionOf(peers, '@ff-labs/fff-node') }
      : { version: 'not installed' },
    seed:
      SEED === undefined
        ? { version: 'shared/seeds is missing beside the checkout' }
        : { ...node('seed.mjs'), version: `Node ${process.versions.node}` },
  };
  return { driver, peers, residents, programs: await programsOf(peers) };
}

function buildRust() {
  say('searchscope: building the benchmarks …');
  const args = ['build', '--release', '--locked', '-p', 'searchscope-bench', '-p', 'searchscope-ffi'];
  const done = spawnSync('cargo', [...args, '--message-format=json-render-diagnostics'], {
    cwd: TOP,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
    maxBuffer: 1 << 28,
  });
  if (done.status !== 0) throw new Advice('the benchmarks could not be built; cargo reports why above.');
  const messages = done.stdout.split('\n').filter((line) => line.startsWith('{'));
  const artifacts = messages.map((line) => JSON.parse(line));
  const named = (name, kind) =>
    artifacts.find(({ target }) => target?.name === name && target.kind.includes(kind));
  const driver = named('searchscope-bench', 'bin')?.executable;
  const library = named('searchscope', 'staticlib')?.filenames.find((file) => file.endsWith('.a'));
  if (!driver || !library) throw new Advice('cargo did not build the driver or the C library.');
  return { driver, library };
}

/** Compiles our engine with its C ABI, linked statically. */
function engineInC(cache, library) {
  const program = join(cache, 'engine-c');
  const flags = ['-std=c11', '-O2', '-pthread', '-I', join(TOP, 'include')];
  const source = join(BENCH, 'engines', 'engine.c');
  const done = spawnSync('cc', [...flags, source, '-o', program, library, ...SYSTEM_LIBRARIES], {
    stdio: ['ignore', 2, 2],
  });
  return done.status === 0 ? { command: [program] } : { version: 'no C compiler found' };
}

/**
 * Returns the directory of the peers from npm, and installs them if downloads are allowed; rows of missing
 * peers say so.
 */
async function npmPeers(cache, mayDownload) {
  const versions = digest(readFileSync(join(BENCH, 'peers', 'package.json')));
  const name = `peers-${process.platform}-${process.arch}-${versions}`;
  if (!mayDownload) return join(cache, name);
  try {
    return await whole(cache, name, (directory) => {
      say(`searchscope: npm peers, 20 MB to download and 50 MB unpacked, into ${directory} …`);
      installPackages(join(BENCH, 'peers'), directory);
    });
  } catch (error) {
    if (!(error instanceof Advice)) throw error;
    say(`searchscope: cannot install the npm peers: ${error.message}`);
    return join(cache, name);
  }
}

function versionOf(peers, name) {
  const { version } = JSON.parse(readFileSync(join(peers, 'node_modules', name, 'package.json')));
  return version;
}

/** Returns the paths of programs that are not started by their name. */
async function programsOf(peers) {
  const ours = { searchscope: join(TOP, 'node', process.platform === 'win32' ? 'searchscope.exe' : 'searchscope') };
  const entry = join(peers, 'node_modules', '@vscode', 'ripgrep', 'lib', 'index.js');
  if (!existsSync(entry)) return ours;
  const { rgPath } = await import(pathToFileURL(entry));
  return { ...ours, 'vscode-rg': rgPath };
}
