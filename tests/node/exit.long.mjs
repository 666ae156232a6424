// The process ends soon when its owner wants it to. A busy machine may be late by itself, but not once in
// each row.

import { testExits } from './exits.mjs';

testExits({ ms: 100, exits: 5, rows: 3 });
