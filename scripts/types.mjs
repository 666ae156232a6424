// `npm run types`: writes node/index.d.ts from the tool table of the built engine.
// With `--check` it only compares, and fails if the file is stale.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Advice, TOP, main, say } from './lib/process.mjs';
import { setUp } from './lib/setup.mjs';
import { declarations } from './lib/declarations.mjs';

const FILE = join(TOP, 'node', 'index.d.ts');

await main(async () => {
  await setUp();
  const { tools } = createRequire(import.meta.url)('../node/index.js');
  const text = declarations(tools());
  const current = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  if (text === current) return say('searchscope: node/index.d.ts is up to date.');
  if (process.argv.includes('--check')) {
    throw new Advice(
      'node/index.d.ts is not what the tool table says; run "npm run types" and commit it.',
    );
  }
  writeFileSync(FILE, text);
  say('searchscope: node/index.d.ts is written.');
});
