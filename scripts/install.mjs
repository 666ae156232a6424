// npm's install script: builds the native part where the package was installed.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TOP, main } from './lib/process.mjs';
import { addonLoads, buildAddon, buildAddonOnce, requireNode } from './lib/setup.mjs';

await main(async () => {
  requireNode();
  if (existsSync(join(TOP, '.git'))) await buildAddon();
  else if (!addonLoads()) await buildAddonOnce();
});
