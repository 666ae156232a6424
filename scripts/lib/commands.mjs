// Runs the commands of one step of `npm run platforms`.

import { TOP, runAndListen, say } from './process.mjs';

/**
 * Runs the commands of a step one after the other. Returns `state`: that of the step; "FAILED" if one fails, its
 * output does not match `proves`, or the `minutes` of the step are over; "not run" with the reason `why` if the
 * deadline has passed. `isLate` is whether a command was killed.
 */
export async function runCommands({ name, state, commands, minutes = Infinity }, options, deadline) {
  const end = Math.min(deadline, Date.now() + minutes * 60_000);
  for (const { program, args, input, cwd = TOP, proves } of commands) {
    const done = await runAndListen(program, args, { ...options, input, cwd, deadline: end });
    if (done.isLate && end === deadline) {
      return { state: 'not run', why: 'the time was over before its end', isLate: true };
    }
    if (done.isLate) say(`${name}: not finished after ${minutes} minutes`);
    if (!done.ok) return { state: 'FAILED', isLate: done.isLate };
    // A filter that matches no test succeeds.
    if (proves && !proves.test(done.stdout)) {
      say(`${name}: the output does not match ${proves}`);
      return { state: 'FAILED' };
    }
  }
  return { state };
}
