// The process exits soon when its owner wants it to. A busy machine may delay some exits, but not one in
// each row.

import { testExits } from './exits.mjs';

testExits({ ms: 100, exits: 5, rows: 3 });
