// `node scripts/features.mjs`: type-checks the engine, the tools and their unit tests with each feature alone,
// because features that only build together are useless to a program that takes one of them. The build without
// any also runs the tests, which check what it refuses.

import { main, output, run, say } from './lib/process.mjs';

const LIBRARIES = ['searchscope', 'searchscope-tools'];
const STRICT = ['--config', 'build.rustflags=["-D","warnings"]', '--target-dir', 'target/features'];

await main(async () => {
  const metadata = JSON.parse(output('cargo', ['metadata', '--no-deps', '--format-version', '1', '--locked']));
  for (const name of LIBRARIES) {
    const library = ['--locked', '-p', name, '--lib', '--no-default-features'];
    const { features } = metadata.packages.find((each) => each.name === name);
    for (const feature of Object.keys(features).filter((each) => each !== 'default')) {
      say(`${name}: feature ${feature} …`);
      run('cargo', ['check', ...library, '--features', feature, ...STRICT]);
      // The tests of one language stand for all.
      if (feature.startsWith('symbols-') && feature !== 'symbols-rust') continue;
      run('cargo', ['check', '--profile', 'test', ...library, '--features', feature, ...STRICT]);
    }
    say(`${name}: no features …`);
    run('cargo', ['check', ...library, ...STRICT]);
    run('cargo', ['test', ...library, ...STRICT, '--', '--skip', 'long_run']);
  }
});
