// `node scripts/main-package.mjs OUT`: makes the package `searchscope` as it is published, below OUT,
// which must already contain the packages of all platforms.

import { Advice, main, say } from './lib/process.mjs';
import { makeMainPackage } from './lib/packages.mjs';

await main(async () => {
  const [out] = process.argv.slice(2);
  if (!out) throw new Advice('usage: node scripts/main-package.mjs OUT');
  say(`searchscope: ${makeMainPackage(out)} created.`);
});
