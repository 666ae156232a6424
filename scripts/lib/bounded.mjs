// Runs programs until a deadline.

import { spawn } from 'node:child_process';
import { TOP, say } from './process.mjs';

/** Longest delay that a timer of Node accepts. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * Runs a program, forwards its output, and returns `text`, its standard output, `ok`, whether it succeeded,
 * and `isLate`, whether it was killed at the deadline (milliseconds since 1970), with all its children.
 */
export function runBounded(program, args, { input = '', ...options }, deadline) {
  return new Promise((resolve) => {
    // A process group of its own, so that the children of cargo end with it.
    const child = spawn(program, args, { cwd: TOP, detached: true, ...options });
    let text = '';
    let isLate = false;
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      process.stdout.write(chunk);
    });
    child.stderr.pipe(process.stderr, { end: false });
    child.stdin.on('error', () => {}).end(input);
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
    const end = (outcome) => {
      clearTimeout(timer);
      process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
      resolve({ text, isLate, ...outcome });
    };
    child.on('error', ({ message }) => {
      process.stderr.write(`${program} cannot be started: ${message}\n`);
      end({ ok: false });
    });
    child.on('close', (code) => end({ ok: code === 0 }));
  });
}

/**
 * Runs the commands of a step one after the other. Returns `state`: that of the step; "FAILED" if one fails, its
 * output does not match `proves`, or the `minutes` of the step are over; "not run" with the reason `why` if the
 * deadline has passed. `isLate` is whether a command was killed.
 */
export async function runCommands({ name, state, commands, minutes = Infinity }, options, deadline) {
  const end = Math.min(deadline, Date.now() + minutes * 60_000);
  for (const { program, args, input, cwd = TOP, proves } of commands) {
    const done = await runBounded(program, args, { ...options, input, cwd }, end);
    if (done.isLate && end === deadline) {
      return { state: 'not run', why: 'the time was over before its end', isLate: true };
    }
    if (done.isLate) say(`${name}: not finished after ${minutes} minutes`);
    if (!done.ok) return { state: 'FAILED', isLate: done.isLate };
    // A filter that matches no test succeeds.
    if (proves && !proves.test(done.text)) {
      say(`${name}: the output does not match ${proves}`);
      return { state: 'FAILED' };
    }
  }
  return { state };
}
