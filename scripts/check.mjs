// `npm run check`: checks formatting and lints, and that the committed generated files are current.

import { Advice, main, run, say } from './lib/process.mjs';
import { checkSteps } from './lib/steps.mjs';
import { setUp } from './lib/setup.mjs';

await main(async () => {
  await setUp();
  for (const step of checkSteps()) {
    say(`searchscope: ${step.name} …`);
    if (step.skipped) throw new Advice(step.skipped);
    run(step.program, step.args);
  }
  say('searchscope: all checks passed.');
});
