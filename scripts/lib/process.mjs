// Runs other programs and reports failures in plain text.

import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** The directory of the package. */
export const TOP = fileURLToPath(new URL('../../', import.meta.url));

/** The npm command, which on Windows only a shell can start. */
export const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** An error that the user has to fix; it is printed without a stack trace. */
export class Advice extends Error {}

/**
 * Reports progress. On standard error, since standard output belongs to the command that runs after the
 * set-up.
 */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Runs a program in the package's directory with its output on our stderr; throws if it fails. */
export function run(program, args, options = {}) {
  const stdio = ['inherit', 2, 2];
  const done = spawnSync(program, args, { cwd: TOP, stdio, ...options });
  if (done.error) throw new Advice(`${program} cannot be started: ${done.error.message}`);
  if (done.status !== 0) {
    throw new Advice(
      `"${[program, ...args].join(' ')}" failed${done.signal ? ` (${done.signal})` : ''}.`,
    );
  }
}

/** Runs a program and returns its standard output, or null if it is missing or fails. */
export function output(program, args, options = {}) {
  const done = spawnSync(program, args, { cwd: TOP, encoding: 'utf8', ...options });
  return done.status === 0 ? done.stdout : null;
}

/** Longest delay that a timer of Node accepts. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * Runs a program and forwards its output, unless `isQuiet`. Returns `ok`, whether it succeeded; `end`, its exit
 * status or signal; `stdout`; `lines`, those of both outputs; and `isLate`, whether it was killed at the
 * deadline (milliseconds since 1970), with all its children.
 */
export function runAndListen(program, args, { input, deadline = Infinity, isQuiet = false, ...options } = {}) {
  const isBounded = deadline !== Infinity;
  // With a deadline in a process group of its own, so that the children of cargo end with it.
  const stdio = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'];
  const child = spawn(program, args, { cwd: TOP, stdio, detached: isBounded, ...options });
  child.stdin?.on('error', () => {}).end(input);
  const heard = { stdout: '', both: '' };
  const listen = (name) => {
    child[name].setEncoding('utf8').on('data', (chunk) => {
      if (name === 'stdout') heard.stdout += chunk;
      heard.both += chunk;
      if (!isQuiet) process[name].write(chunk);
    });
  };
  listen('stdout');
  listen('stderr');
  return new Promise((resolve) => {
    const bound = isBounded ? endAt(child, deadline) : undefined;
    const ended = (end) => {
      const isLate = bound?.release() ?? false;
      resolve({ ok: end === 0, end, isLate, stdout: heard.stdout, lines: heard.both.split('\n') });
    };
    child.on('error', ({ message }) => {
      const line = `${program} cannot be started: ${message}`;
      if (!isQuiet) say(line);
      heard.both += line;
      ended(message);
    });
    child.on('close', (code, signal) => ended(signal ?? code));
  });
}

/**
 * Kills a process group at the deadline, and ends it if this process is interrupted. `release` ends the watch
 * and returns whether the group was killed.
 */
function endAt(child, deadline) {
  let isLate = false;
  const signalled = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // The group has ended; a process that left it may still hold the output.
    }
  };
  const kill = () => {
    isLate = true;
    signalled('SIGKILL');
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const timer = setTimeout(kill, Math.min(deadline - Date.now(), TIMER_MS_MAX));
  const interrupted = (signal) => {
    signalled(signal);
    process.exit(1);
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  const release = () => {
    clearTimeout(timer);
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    return isLate;
  };
  return { release };
}

/** Interval at which the parent process is checked. */
const PARENT_MS = 500;

/**
 * Ends this process, as a signal does, once its parent is gone. npm runs scripts in a shell and passes
 * signals on to that shell alone, which dies and leaves its child running.
 */
export function endWithParent() {
  const parent = process.ppid;
  const look = () => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  };
  const timer = setInterval(look, PARENT_MS).unref();
}

/** Parses the arguments of a script; a mistake is an `Advice` with the usage. */
export function argumentsOf(usage, options) {
  try {
    return parseArgs(options);
  } catch (error) {
    throw new Advice(`${error.message}\n${usage}`);
  }
}

/** Runs a script's body; an `Advice` prints its message alone and ends the script. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof Advice)) throw error;
    say(`searchscope: ${error.message}`);
    process.exitCode = 1;
  }
}
