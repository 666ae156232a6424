// `node scripts/platform-package.mjs [--without-symbols] PLATFORM OUT`: builds the native part for the platform,
// whose Rust target must be installed, and makes the package of the platform below OUT.

import { Advice, argumentsOf, main, say } from './lib/process.mjs';
import { makePlatformPackage, platformOf } from './lib/packages.mjs';
import { buildNative } from './lib/setup.mjs';

const USAGE = 'usage: node scripts/platform-package.mjs [--without-symbols] PLATFORM OUT';

await main(async () => {
  const { platform, out, withoutSymbols } = parsed();
  const built = buildNative({ target: platformOf(platform).target, withoutSymbols });
  say(`searchscope: ${makePlatformPackage(platform, built, out, { withoutSymbols })} created.`);
});

function parsed() {
  const options = { 'without-symbols': { type: 'boolean' } };
  const { positionals, values } = argumentsOf(USAGE, { options, allowPositionals: true });
  if (positionals.length !== 2) throw new Advice(USAGE);
  const [platform, out] = positionals;
  return { platform, out, withoutSymbols: values['without-symbols'] === true };
}
