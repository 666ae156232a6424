// npm's install script: sees to it that there is a native part.
//
// A clone builds it. An installed package uses the one of its platform's package; where npm has not
// installed that, it is built here. Without Rust nothing is built and the installation succeeds all
// the same: a package with types and sources may be installed where it never runs, and a project
// must not fail to install because of one package. Then `require` throws, with what to do. A build
// that was begun and failed does fail the installation, because only then npm shows what cargo said.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TOP, main, say } from './lib/process.mjs';
import { buildAddon, buildAddonOnce, hasCargo, packageFailure, requireNode } from './lib/setup.mjs';

await main(async () => {
  requireNode();
  if (existsSync(join(TOP, '.git'))) return buildAddon();
  const failure = packageFailure();
  if (failure === null) return;
  if (hasCargo()) await buildAddonOnce();
  else say(failure);
});
