// `npm test`, and `npm run test:long` with `--long`: sets up, runs every step, and ends with a summary
// of failed and skipped parts.

import { main, runAndListen, say } from './lib/process.mjs';
import { setUp } from './lib/setup.mjs';
import { longTestSteps, testSteps } from './lib/steps.mjs';

const SKIPPED = /SKIPPED: .*/;

/** The start of a line about a failure, from the tests of both languages and the compiler. */
const FAILED = /^\s*(✖ |test .* FAILED$|error(\[|:)|AssertionError|thread '.*' .*panicked at)/;
/** Maximum number of such lines that the summary repeats for a failed step. */
const FAILED_LINES_MAX = 20;

await main(async () => {
  await setUp();
  const results = [];
  const steps = process.argv.includes('--long') ? longTestSteps() : testSteps();
  for (const step of steps) {
    say(`\n=== ${step.name}`);
    if (step.skipped) say(step.skipped);
    results.push({ name: step.name, ...(await outcome(step)) });
  }
  summarise(results);
});

/**
 * Runs a step and returns its outcome. A failed step does not stop the others: one run shows all failures.
 */
async function outcome(step) {
  if (step.skipped) return { ok: true, skipped: [step.skipped] };
  const started = Date.now();
  const { ok, lines } = await runAndListen(step.program, step.args);
  const seconds = Math.round((Date.now() - started) / 1000);
  const skipped = lines.map((line) => SKIPPED.exec(line)?.[0]).filter(Boolean);
  const failed = ok ? [] : lines.filter((line) => FAILED.test(line)).slice(0, FAILED_LINES_MAX);
  return { ok, skipped, seconds, failed };
}

function summarise(results) {
  say('\n=== Summary');
  for (const { name, ok, seconds = 0, failed = [] } of results) {
    say(`${ok ? 'passed' : 'FAILED'}  ${String(seconds).padStart(4)} s  ${name}`);
    for (const line of failed) say(`        ${line.trim()}`);
  }
  const skipped = new Set(results.flatMap((result) => result.skipped));
  for (const line of skipped) say(line);
  say(skipped.size === 0 ? 'Nothing was skipped.' : `${skipped.size} skipped.`);
  if (results.some((result) => !result.ok)) process.exitCode = 1;
}
