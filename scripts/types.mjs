// `npm run types`: writes node/index.d.ts and node/wire.d.ts from the tool table of the built engine.
// With `--check` it only compares, and fails if one of them is stale.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Advice, TOP, main, say } from './lib/process.mjs';
import { setUp } from './lib/setup.mjs';
import { declarations } from './lib/declarations.mjs';

await main(async () => {
  await setUp();
  const { tools } = createRequire(import.meta.url)('../node/index.js');
  for (const [name, text] of Object.entries(declarations(tools()))) update(`node/${name}`, text);
});

function update(name, text) {
  const file = join(TOP, name);
  const current = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (text === current) return say(`searchscope: ${name} is up to date.`);
  if (process.argv.includes('--check')) {
    throw new Advice(`${name} differs from the tool table; run "npm run types" and commit it.`);
  }
  writeFileSync(file, text);
  say(`searchscope: wrote ${name}.`);
}
