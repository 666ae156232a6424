// `npm run platforms [-- --quick] [TARGET …]`: checks, builds and tests the engine for other platforms as
// far as this Linux machine can, and prints what was run, what was emulated and what was only checked.
// `--quick` leaves out the tests that take minutes. Exits with 1 if something failed.

import { parseArgs } from 'node:util';
import { Advice, main, output, runAndListen, say } from './lib/process.mjs';
import { TARGETS, missingFor, prepared } from './lib/platforms.mjs';

const USAGE = 'npm run platforms [-- --quick] [TARGET …]';

await main(async () => {
  const { targets, quick } = asked();
  const rows = [];
  for (const target of targets) {
    for (const step of target.steps) {
      if (quick && step.isLong) continue;
      rows.push({ target: target.triple, step: step.name, ...(await outcome(target, step)) });
    }
  }
  summarise(rows);
});

function asked() {
  let parsed;
  try {
    parsed = parseArgs({ options: { quick: { type: 'boolean' } }, allowPositionals: true });
  } catch (error) {
    throw new Advice(`${error.message}\n${USAGE}`);
  }
  const known = TARGETS.map((target) => target.triple);
  const unknown = parsed.positionals.find((name) => !known.includes(name));
  if (unknown) throw new Advice(`unknown target "${unknown}"; known: ${known.join(', ')}`);
  const isAsked = ({ triple }) => parsed.positionals.length === 0 || parsed.positionals.includes(triple);
  return { targets: TARGETS.filter(isAsked), quick: parsed.values.quick === true };
}

/** Runs a step. Returns `state`: "passed", "emulated", "checked", "FAILED", or the reason why it did not run. */
async function outcome(target, step) {
  say(`\n=== ${target.triple}: ${step.name}`);
  const missing = missingFor(target, step);
  if (missing) {
    say(`SKIPPED: ${target.triple}: ${step.name}: ${missing}`);
    return { state: `not run: ${missing}`, seconds: 0 };
  }
  if (output('rustup', ['target', 'add', target.triple]) === null) {
    say(`SKIPPED: ${target.triple}: ${step.name}: "rustup target add ${target.triple}" failed`);
    return { state: 'not run: the target cannot be installed', seconds: 0 };
  }
  const started = Date.now();
  const options = prepared(target, step);
  const { ok } = await runAndListen('cargo', step.args, options);
  return { state: ok ? step.state : 'FAILED', seconds: Math.round((Date.now() - started) / 1000) };
}

function summarise(rows) {
  say('\n=== Summary');
  const width = Math.max(...rows.map((row) => row.target.length));
  for (const { target, step, state, seconds } of rows) {
    say(`${target.padEnd(width)}  ${String(seconds).padStart(4)} s  ${step}: ${state}`);
  }
  if (rows.some((row) => row.state === 'FAILED')) process.exitCode = 1;
}
