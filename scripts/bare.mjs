// `node scripts/bare.mjs`: runs `npm test` in a clean clone of the last commit, with an empty home directory and
// no programs but the required ones, so that nothing which earlier runs or other programs have left can help it.
// The caches of cargo and npm are shared. `node scripts/bare.mjs COMMAND …` runs a command of this directory with
// the same environment.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeBare } from './lib/bare.mjs';
import { TOP, endWithParent, main, run, runAndListen, say } from './lib/process.mjs';

/** Longer than a run from nothing takes on a slow machine. */
const RUN_MS_MAX = 3 * 60 * 60_000;

await main(async () => {
  endWithParent();
  const { folder, env } = makeBare();
  // An interrupted run ends its children, which are one group because they have a deadline, and then exits.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const command = process.argv.slice(2);
  const clone = join(folder, 'clone');
  if (command.length === 0) run('git', ['clone', '--quiet', '--no-hardlinks', TOP, clone]);
  const [program, ...args] = command.length > 0 ? command : ['npm', 'test'];
  say(`searchscope: ${[program, ...args].join(' ')}, with an empty home directory and few programs …`);
  const options = { cwd: command.length > 0 ? TOP : clone, env, deadline: Date.now() + RUN_MS_MAX };
  const { ok } = await runAndListen(program, args, options);
  if (!ok) process.exitCode = 1;
});
