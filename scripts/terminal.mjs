// Takes the picture of a terminal in docs/images: `node scripts/terminal.mjs`. Needs the native command. A test
// compares the picture with the replies of the build.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOP, main, say } from './lib/process.mjs';
import { terminalPicture } from './lib/terminal.mjs';

await main(async () => {
  const file = join('docs', 'images', 'terminal.svg');
  writeFileSync(join(TOP, file), await terminalPicture());
  say(file);
});
