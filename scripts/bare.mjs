// `node scripts/bare.mjs`: runs `npm test` in a clean clone of the last commit, with an empty home directory and
// no programs but the required ones, so that nothing which earlier runs or other programs have left can help it.
// The caches of cargo and npm are shared. `node scripts/bare.mjs COMMAND …` runs a command of this directory with
// the same environment.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeBare } from './lib/bare.mjs';
import { TOP, endWithParent, main, run, runAndListen, say } from './lib/process.mjs';

await main(async () => {
  endWithParent();
  const { folder, env } = makeBare();
  const remove = () => rmSync(folder, { recursive: true, force: true });
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      remove();
      process.exit(1);
    });
  }
  try {
    const command = process.argv.slice(2);
    const clone = join(folder, 'clone');
    if (command.length === 0) run('git', ['clone', '--quiet', '--no-hardlinks', TOP, clone]);
    const [program, ...args] = command.length > 0 ? command : ['npm', 'test'];
    say(`searchscope: ${[program, ...args].join(' ')}, with an empty home directory and few programs …`);
    const { ok } = await runAndListen(program, args, { cwd: command.length > 0 ? TOP : clone, env });
    if (!ok) process.exitCode = 1;
  } finally {
    remove();
  }
});
