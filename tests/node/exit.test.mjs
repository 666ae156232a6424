// The process exits when its owner wants it to, on a machine of any speed.

import { testExits } from './exits.mjs';

testExits({ ms: 20_000, exits: 1, rows: 1 });
