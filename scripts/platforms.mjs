// `npm run platforms [-- OPTIONS] [TARGET …]`: checks, builds and tests the engine for other platforms as far
// as this Linux machine can, and prints what was run, emulated, only checked, or not run and why.
//
// --quick      leaves out the tests for musl and arm64, and the Node tests
// --minutes N  starts no step after N minutes, and ends the one that runs then
// --strict     fails if a step was not run, too
//
// Exits with 1 if a step failed.

import { runCommands } from './lib/commands.mjs';
import { TARGETS, missingFor, prepared } from './lib/platforms.mjs';
import { Advice, argumentsOf, main, output, say } from './lib/process.mjs';

const USAGE = 'npm run platforms [-- --quick] [--minutes N] [--strict] [TARGET …]';

await main(async () => {
  const { targets, quick, strict, deadline } = asked();
  const rows = [];
  for (const target of targets) {
    for (const step of target.steps) {
      if (quick && step.isLong) continue;
      const started = Date.now();
      say(`\n=== ${target.triple}: ${step.name}`);
      const outcome = await outcomeOf(target, step, deadline);
      if (outcome.why) say(`SKIPPED: ${target.triple}: ${step.name}: ${outcome.why}`);
      rows.push({ target, step, ...outcome, seconds: Math.round((Date.now() - started) / 1000) });
    }
  }
  summarise(rows);
  const failing = strict ? ['FAILED', 'not run'] : ['FAILED'];
  if (rows.some(({ state }) => failing.includes(state))) process.exitCode = 1;
});

function asked() {
  const options = {
    quick: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    minutes: { type: 'string' },
  };
  const { values, positionals } = argumentsOf(USAGE, { options, allowPositionals: true });
  const { minutes = 'Infinity', ...flags } = values;
  if (minutes.trim() === '' || !(Number(minutes) >= 0)) {
    throw new Advice(`--minutes must be a number of at least 0, got "${minutes}"\n${USAGE}`);
  }
  const deadline = Date.now() + Number(minutes) * 60_000;
  const known = TARGETS.map((target) => target.triple);
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown) throw new Advice(`unknown target "${unknown}"; known: ${known.join(', ')}`);
  const isAsked = ({ triple }) => positionals.length === 0 || positionals.includes(triple);
  return { ...flags, targets: TARGETS.filter(isAsked), deadline };
}

/** Runs a step. Returns `state`: "run", "emulated", "checked", "FAILED", or "not run" with the reason `why`. */
async function outcomeOf(target, step, deadline) {
  const why = obstacle(target, step, deadline);
  if (why) return { state: 'not run', why };
  for (const [test, reason] of Object.entries(step.leftOut ?? {})) {
    say(`SKIPPED: ${target.triple}: ${test}: ${reason}`);
  }
  let options;
  try {
    options = prepared(target, step);
  } catch (error) {
    if (error instanceof Advice) return { state: 'not run', why: error.message };
    say(error.stack);
    return { state: 'FAILED' };
  }
  const outcome = await runCommands(step, options, deadline);
  if (outcome.isLate) target.end?.();
  return outcome;
}

/** Returns the reason why a step cannot run, or undefined. */
function obstacle(target, step, deadline) {
  if (Date.now() >= deadline) return 'the time is over';
  const missing = missingFor(target, step);
  if (missing) return missing;
  // A network that drops packets must not hang the run.
  const bound = { timeout: Math.max(deadline - Date.now(), 1), killSignal: 'SIGKILL' };
  if (!Number.isFinite(bound.timeout)) delete bound.timeout;
  const installed = output('rustup', ['target', 'list', '--installed']);
  if (installed === null) return 'rustup is not installed';
  const { triple } = target;
  if (!installed.split('\n').includes(triple) && output('rustup', ['target', 'add', triple], bound) === null) {
    return `"rustup target add ${triple}" failed`;
  }
  if (output('cargo', ['fetch', '--locked', '--target', triple], bound) === null) {
    return `"cargo fetch --target ${triple}" failed: its crates cannot be downloaded`;
  }
  return undefined;
}

function summarise(rows) {
  say('\n=== Summary');
  const width = Math.max(...rows.map(({ target }) => target.triple.length));
  for (const { target, step, state, why, seconds } of rows) {
    const outcome = why ? `${state}: ${why}` : state;
    say(`${target.triple.padEnd(width)}  ${String(seconds).padStart(4)} s  ${step.name}: ${outcome}`);
  }
}
