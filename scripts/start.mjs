// `npm start -- words`: sets up if needed, then runs the command in the user's directory.

import { createRequire } from 'node:module';
import { main, say } from './lib/process.mjs';
import { setUp } from './lib/setup.mjs';

const EXAMPLE = `npm start -- call search_in_files '{"query":"fn main"}'`;

await main(async () => {
  await setUp();
  // npm runs scripts in the package's directory; the search belongs to where npm was called.
  process.chdir(process.env.INIT_CWD ?? process.cwd());
  const words = process.argv.slice(2);
  const { runCommand } = createRequire(import.meta.url)('../node/cli.js');
  await runCommand(words.length > 0 ? words : ['--help']);
  if (words.length === 0) say(`\nTry it in this directory:\n  ${EXAMPLE}`);
});
