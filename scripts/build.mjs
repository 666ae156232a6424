// `npm run build`: builds the npm packages and the native part.

import { main, say } from './lib/process.mjs';
import { setUp } from './lib/setup.mjs';

await main(async () => {
  await setUp();
  say('searchscope: ready.');
});
