// `npm start`: sets up if needed, then serves the user's directory; `npm start -- arguments` runs the
// command with these arguments there instead.

import { createRequire } from 'node:module';
import { endWithParent, main } from './lib/process.mjs';
import { setUp } from './lib/setup.mjs';

await main(async () => {
  endWithParent();
  await setUp();
  // npm runs scripts in the package's directory; the search belongs in the directory that npm was called
  // from.
  process.chdir(process.env.INIT_CWD ?? process.cwd());
  const words = process.argv.slice(2);
  const { runCommand } = createRequire(import.meta.url)('../node/cli.js');
  await runCommand(words.length > 0 ? words : ['serve']);
});
