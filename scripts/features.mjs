// `node scripts/features.mjs`: type-checks the engine and its unit tests with each of its features alone,
// because features that only build together are useless to a program that takes one of them. The build without
// any also runs the tests, which check what it refuses.

import { main, output, run, say } from './lib/process.mjs';

const ENGINE = ['--locked', '-p', 'searchscope', '--lib', '--no-default-features'];
const STRICT = ['--config', 'build.rustflags=["-D","warnings"]', '--target-dir', 'target/features'];

await main(async () => {
  const metadata = JSON.parse(output('cargo', ['metadata', '--no-deps', '--format-version', '1', '--locked']));
  const engine = metadata.packages.find(({ name }) => name === 'searchscope');
  const features = Object.keys(engine.features).filter((name) => name !== 'default');
  for (const feature of features) {
    say(`searchscope: feature ${feature} …`);
    run('cargo', ['check', ...ENGINE, '--features', feature, ...STRICT]);
    // The tests of one language stand for all.
    if (feature.startsWith('symbols-') && feature !== 'symbols-rust') continue;
    run('cargo', ['check', '--profile', 'test', ...ENGINE, '--features', feature, ...STRICT]);
  }
  say('searchscope: no features …');
  run('cargo', ['check', ...ENGINE, ...STRICT]);
  run('cargo', ['test', ...ENGINE, ...STRICT, '--', '--skip', 'long_run']);
});
