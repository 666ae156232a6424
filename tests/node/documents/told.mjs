// Prints what both functions find in a directory and tell their loggers: for a test that runs this
// as somebody who may not read everything.

import { searchDocuments } from 'searchscope/documents';
import { makeOracle, outcome, withoutFileLines } from './oracle.mjs';

const [docsRoot, path] = process.argv.slice(2);
const told = [];
for (const search of [searchDocuments, makeOracle()]) {
  const { result, heard } = await outcome(search, { docsRoot, excludes: [] }, 'config', { path });
  told.push({ result: withoutFileLines(result), heard });
}
process.stdout.write(JSON.stringify(told));
