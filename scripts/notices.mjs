// `npm run notices`: writes THIRD_PARTY_NOTICES, the licences of the packages that the published
// binaries contain. Requires cargo-about.

import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Advice, TOP, main, output, run, say } from './lib/process.mjs';

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
  appendFileSync(join(TOP, 'THIRD_PARTY_NOTICES'), ofVectors());
  say('searchscope: wrote THIRD_PARTY_NOTICES.');
});

/** Returns the part about the packages from whose comments and names the vectors of stems were trained. */
function ofVectors() {
  const list = readFileSync(join(TOP, 'bench', 'vectors', 'packages.txt'), 'utf8').trimEnd().split('\n');
  const packages = list.map((line) => line.split('\t')).map(([registry, name, version, licence]) => `- ${registry}: ${name} ${version} (${licence})`);
  return `
${'-'.repeat(80)}
Vectors of stems

The native parts contain numbers that were computed from the public code of the following packages, and nothing of its
text. Each has the licence in parentheses.

${packages.join('\n')}
`;
}
