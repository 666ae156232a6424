// Runs other programs and reports failures in plain text.

import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

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

/** Runs a program, forwards its output, and returns its lines and whether it succeeded. */
export function runAndListen(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: TOP, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let text = '';
    const listen = (from, to) => {
      from.setEncoding('utf8');
      from.on('data', (chunk) => {
        text += chunk;
        to.write(chunk);
      });
    };
    listen(child.stdout, process.stdout);
    listen(child.stderr, process.stderr);
    child.on('error', (error) => resolve({ ok: false, lines: [`${program}: ${error.message}`] }));
    child.on('close', (code) => resolve({ ok: code === 0, lines: text.split('\n') }));
  });
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
