// `npm run notices`: writes THIRD_PARTY_NOTICES, the licences of the packages that the published
// binaries contain. Requires cargo-about.

import { Advice, main, output, run, say } from './lib/process.mjs';

await main(async () => {
  if (output('cargo', ['about', '--version']) === null) {
    throw new Advice(
      'cargo-about is missing; "cargo install cargo-about --locked --features cli" installs it.',
    );
  }
  run('cargo', ['fetch', '--locked']);
  // The members that are not published add a few packages, which is harmless. Offline, so that the texts
  // come from the crates and do not change with a service.
  const from = ['--workspace', '--config', 'about.toml'];
  const to = ['--output-file', 'THIRD_PARTY_NOTICES', 'about.hbs'];
  run('cargo', ['about', 'generate', '--locked', '--offline', '--fail', ...from, ...to]);
  say('searchscope: wrote THIRD_PARTY_NOTICES.');
});
