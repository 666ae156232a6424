// Worker threads that are terminated hundreds of times.

import { testTerminations } from './terminations.mjs';

testTerminations(200);
