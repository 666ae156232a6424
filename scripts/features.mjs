// `node scripts/features.mjs`: type-checks the engine with each of its features alone, because features that
// only build together are useless to a program that takes one of them.

import { main, output, run, say } from './lib/process.mjs';

await main(async () => {
  const metadata = JSON.parse(output('cargo', ['metadata', '--no-deps', '--format-version', '1', '--locked']));
  const engine = metadata.packages.find(({ name }) => name === 'searchscope');
  // The build without any is that of `npm test`, which runs its tests.
  const features = Object.keys(engine.features).filter((name) => name !== 'default');
  for (const feature of features) {
    say(`searchscope: feature ${feature} …`);
    run('cargo', [
      ...['check', '--locked', '-p', 'searchscope', '--lib', '--no-default-features'],
      ...['--features', feature, '--config', 'build.rustflags=["-D","warnings"]'],
      ...['--target-dir', 'target/features'],
    ]);
  }
});
