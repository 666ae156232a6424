// npm's install script: makes sure that there is a native part.
//
// A clone builds it. An installed package uses the one from the package of its platform; if npm has not
// installed that, this script builds it. Without Rust it builds nothing and the installation still succeeds:
// a package with types and sources may be installed where it never runs, and a project must not fail to
// install because of one package. `require` then throws an error that names the remedy. A build that started
// and failed does fail the installation, because otherwise npm hides the output of cargo.

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
