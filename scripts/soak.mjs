// `npm run soak -- --minutes N` (or `--seconds N`): runs calls of every kind from eight threads through
// C and eight loops through Node at once, on a tree that keeps changing. Fails if a process exits,
// returns a wrong result, or keeps taking more memory, handles or threads.
//
// With `--index` a second process writes instead, and a search follows each change at once: it must find
// the change in every state of the index. `--peer DIRECTORY` also counts what `fff` misses, whose npm package
// is in that directory, as `npm run bench` installs it. With `--random N` the random tests of the long run draw up to N
// cases each.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Advice, TOP, argumentsOf, main, output, run, say } from './lib/process.mjs';
import { setUp } from './lib/setup.mjs';
import { sampleOf, trendOf } from './lib/soak.mjs';

const USAGE =
  'npm run soak [-- ([--minutes N | --seconds N] [--index [--peer DIRECTORY]] | --random N)]';

/** The sample call of each tool. */
const SAMPLES = join(TOP, 'tools', 'src', 'tests', 'samples.txt');
/** Interval between changes to the tree. */
const CHANGE_MS = 20;

await main(async () => {
  const { seconds, index, peer, random } = asked();
  await setUp();
  if (index) return soakIndex(seconds, peer);
  if (random) return soakRandom(random);
  const place = mkdtempSync(join(tmpdir(), 'searchscope-soak-'));
  try {
    const programs = [cProgram(place), nodeProgram()];
    const root = join(place, 'root');
    plant(root);
    const changes = setInterval(changer(root), CHANGE_MS);
    say(`searchscope: soaking for ${seconds} s …`);
    const outcomes = await Promise.all(programs.map((program) => watch(program, root, seconds)));
    clearInterval(changes);
    tell(outcomes);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});

function asked() {
  const text = { type: 'string' };
  const index = { type: 'boolean' };
  const options = { minutes: text, seconds: text, random: text, peer: text, index };
  const { values } = argumentsOf(USAGE, { options });
  if (values.index && values.random !== undefined) {
    throw new Advice('--index and --random exclude each other.');
  }
  if (values.peer !== undefined && !values.index) throw new Advice('--peer needs --index.');
  if (values.random !== undefined && !/^[1-9]\d{0,8}$/.test(values.random)) {
    throw new Advice('--random must be a number of cases.');
  }
  const seconds = Number(values.seconds ?? Number(values.minutes ?? 10) * 60);
  if (!(seconds >= 3 && seconds <= 86_400)) {
    throw new Advice('--minutes or --seconds must be a number, from 3 seconds to one day.');
  }
  return { ...values, seconds: Math.round(seconds) };
}

/** Runs the long form of a test, which reports the rounds and misses of each kind of change. */
function soakIndex(seconds, peer) {
  const states = peer === undefined ? 2 : 3;
  say(`searchscope: searching for the writes of another process as they happen, for ${seconds} s …`);
  const test = ['test', '--locked', '-p', 'searchscope-tests', '--test', 'index_writer'];
  const env = { ...process.env, SEARCHSCOPE_SOAK_SECONDS: `${Math.ceil(seconds / states)}` };
  if (peer !== undefined) {
    const engine = join(TOP, 'bench', 'engines', 'fff.mjs');
    env.SEARCHSCOPE_SOAK_PEER = JSON.stringify([process.execPath, engine, resolve(peer)]);
  }
  const args = [...test, '--', '--nocapture', 'long_run'];
  run('cargo', args, { env, stdio: 'inherit' });
}

/** Runs the random tests of the long run with at most this number of cases each. */
function soakRandom(cases) {
  const tests = ['-p', 'searchscope', '-p', 'searchscope-tests', '--lib', '--test', 'git_changed'];
  const env = { ...process.env, PROPTEST_CASES: cases };
  const args = ['test', '--locked', '--no-fail-fast', ...tests, '--', '--nocapture', 'long_run_random'];
  run('cargo', args, { env, stdio: 'inherit' });
}

/** Builds the library as the tests do, with its assertions, and the program that calls it. */
function cProgram(place) {
  const messages = output('cargo', [
    ...['build', '--locked', '-p', 'searchscope-ffi'],
    '--message-format=json-render-diagnostics',
  ]);
  const library = /"([^"]*libsearchscope\.so)"/.exec(messages ?? '')?.[1];
  if (!library) throw new Advice('the C library could not be built: run "cargo build -p searchscope-ffi".');
  // Programs look it up by its soname. A copy, so that a later build does not replace it under them.
  run('cp', [library, join(place, 'libsearchscope.so')]);
  symlinkSync('libsearchscope.so', join(place, 'libsearchscope.so.1'));
  const program = join(place, 'soak');
  run('cc', [
    ...['-std=c11', '-O1', '-pthread', '-D_POSIX_C_SOURCE=200809L', '-I', 'include'],
    ...[join('tests', 'c', 'soak.c'), '-o', program],
    ...['-L', place, '-lsearchscope', `-Wl,-rpath,${place}`],
  ]);
  return { name: 'C', program, args: [SAMPLES] };
}

function nodeProgram() {
  const worker = join(TOP, 'tests', 'node', 'soak-worker.mjs');
  return { name: 'Node', program: process.execPath, args: ['--expose-gc', worker] };
}

function plant(root) {
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (let n = 0; n < 60; n += 1) {
    write(`docs/${n}.md`, `---\ntitle: ${n}\n---\n# Heading\na needle in ${n}\n`);
    write(`src/${n % 7}/${n}.rs`, `/// A needle.\nfn needle_${n}() {\n    call("needle");\n}\n`);
    write(`data/${n % 3}/${n}.txt`, `hay\n${'needle and hay\n'.repeat(n * 5)}`);
  }
  write('.gitignore', 'ignored\n*.log\n');
  write('Cargo.toml', '[package]\nname = "soak"\nversion = "0.1.0"\n');
  symlinkSync('../docs', join(root, 'src', 'link'));
  symlinkSync('..', join(root, 'data', 'circle'));
}

/** Writes, lengthens, truncates and removes files and directories, in turn. */
function changer(root) {
  let turn = 0;
  return () => {
    turn += 1;
    const dir = join(root, 'changing', String(turn % 5));
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, `${turn % 11}.txt`), 'needle\n'.repeat(turn % 400));
    if (turn % 13 === 0) rmSync(dir, { recursive: true, force: true });
    if (turn % 29 === 0) writeFileSync(join(root, '.gitignore'), turn % 2 ? 'ignored\n' : '*.log\n');
  };
}

function watch({ name, program, args }, root, seconds) {
  return new Promise((resolve) => {
    const stdio = ['ignore', 'pipe', 'inherit'];
    const child = spawn(program, [...args, root, String(seconds)], { cwd: TOP, stdio });
    const samples = [];
    let text = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk) => {
      const lines = (text + chunk).split('\n');
      text = lines.pop();
      samples.push(...lines.map(sampleOf).filter(Boolean));
    });
    child.on('error', (error) => resolve({ name, samples, end: error.message }));
    child.on('close', (code, signal) => resolve({ name, samples, end: signal ?? code }));
  });
}

function tell(outcomes) {
  for (const { name, samples, end } of outcomes) {
    const { memory, handles, threads, calls, isJudged, problems } = trendOf(samples);
    const change = ([before, after]) => `${before} -> ${after}`;
    if (memory) {
      console.log(
        `${name}: ${calls} calls; memory ${change(memory)} KB, handles ${change(handles)}, ` +
          `threads ${change(threads)} (second and last third of the run: median memory, minimum of the others)`,
      );
      if (!isJudged) console.log(`${name}: too short to judge leaks`);
    }
    if (end !== 0) problems.push(`exited with ${end}`);
    for (const problem of problems) console.log(`${name}: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
}
