// `node scripts/main-package.mjs OUT`: makes the packages `searchscope` and `searchscope-server` as they are
// published, below OUT, which must already contain the packages of all platforms.

import { Advice, main, say } from './lib/process.mjs';
import { makeMainPackage, makeServerPackage } from './lib/packages.mjs';

await main(async () => {
  const [out] = process.argv.slice(2);
  if (!out) throw new Advice('usage: node scripts/main-package.mjs OUT');
  for (const make of [makeMainPackage, makeServerPackage]) say(`searchscope: ${make(out)} created.`);
});
