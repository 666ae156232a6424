// `npm run c-package -- [PLATFORM] OUT`: builds the C library and makes the tarball of a platform, by default
// this one, in the directory OUT. Prints the path of the tarball, then the system libraries that a program
// with the static library links. The Rust target of the platform must be installed.

import { createRequire } from 'node:module';
import { makeCPackage } from './lib/c-package.mjs';
import { Advice, argumentsOf, main } from './lib/process.mjs';

const { PLATFORMS } = createRequire(import.meta.url)('../node/platforms.js');

const USAGE = 'usage: npm run c-package -- [--profile NAME] [PLATFORM] OUT';

await main(async () => {
  const { platform, out, profile } = parsed();
  const { file, systemLibraries } = makeCPackage(platform, out, { profile });
  process.stdout.write(`${file}\n${systemLibraries}\n`);
});

function parsed() {
  const options = { profile: { type: 'string' } };
  const { positionals, values } = argumentsOf(USAGE, { options, allowPositionals: true });
  const isOut = positionals.length > 0 && !Object.hasOwn(PLATFORMS, positionals.at(-1));
  if (!isOut || positionals.length > 2) throw new Advice(USAGE);
  return { out: positionals.at(-1), platform: positionals.at(-2), profile: values.profile };
}
