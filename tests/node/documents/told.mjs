// Prints the results and logs of both functions in a directory, for a test that runs this as a user
// without permission to read everything.

import { searchDocuments } from 'searchscope/documents';
import { makeOracle, outcome, withoutFileLines } from './oracle.mjs';

const [docsRoot, path] = process.argv.slice(2);
const told = [];
for (const search of [searchDocuments, makeOracle()]) {
  const { result, heard } = await outcome(search, { docsRoot, excludes: [] }, 'config', { path });
  told.push({ result: withoutFileLines(result), heard });
}
process.stdout.write(JSON.stringify(told));
