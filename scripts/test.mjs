// `npm test`: sets up, runs everything, and says at the end what failed and what was skipped.

import { main, runAndListen, say } from './lib/process.mjs';
import { setUp } from './lib/setup.mjs';
import { testSteps } from './lib/steps.mjs';

const SKIPPED = /SKIPPED: .*/;

await main(async () => {
  await setUp();
  const results = [];
  for (const step of testSteps()) {
    say(`\n=== ${step.name}`);
    if (step.skipped) say(step.skipped);
    results.push({ name: step.name, ...(await outcome(step)) });
  }
  summarise(results);
});

/** Every step runs, also after a failed one: one run shall tell all there is to tell. */
async function outcome(step) {
  if (step.skipped) return { ok: true, skipped: [step.skipped] };
  const { ok, lines } = await runAndListen(step.program, step.args);
  const skipped = lines.map((line) => SKIPPED.exec(line)?.[0]).filter(Boolean);
  return { ok, skipped };
}

function summarise(results) {
  say('\n=== Summary');
  for (const { name, ok } of results) say(`${ok ? 'passed' : 'FAILED'}  ${name}`);
  const skipped = new Set(results.flatMap((result) => result.skipped));
  for (const line of skipped) say(line);
  say(skipped.size === 0 ? 'Nothing was skipped.' : `${skipped.size} skipped.`);
  if (results.some((result) => !result.ok)) process.exitCode = 1;
}
