// `node scripts/platform-package.mjs PLATFORM OUT`: builds the native part for the platform, whose Rust
// target must be installed, and makes the package of the platform below OUT.

import { Advice, main, say } from './lib/process.mjs';
import { makePlatformPackage, platformOf } from './lib/packages.mjs';
import { buildNative } from './lib/setup.mjs';

await main(async () => {
  const [platform, out] = process.argv.slice(2);
  if (!platform || !out) throw new Advice('usage: node scripts/platform-package.mjs PLATFORM OUT');
  const built = buildNative({ target: platformOf(platform).target });
  say(`searchscope: ${makePlatformPackage(platform, built, out)} created.`);
});
