// The counting of tokens.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Advice } from '../../scripts/lib/process.mjs';

/** Returns a function that counts the tokens of a text. The vocabulary comes with a package of the peers. */
export async function tokenizer(peers) {
  const entry = join(peers, 'node_modules', 'gpt-tokenizer', 'esm', 'encoding', 'o200k_base.js');
  if (!existsSync(entry)) throw new Advice('gpt-tokenizer, one of the npm peers, is not installed.');
  const { countTokens } = await import(pathToFileURL(entry));
  // Text that looks like a control token counts as text.
  return (text) => countTokens(text, { disallowedSpecial: new Set() });
}
