// The JavaScript function that `searchDocuments` replaces, extracted from its description.

import { makeOracle } from '../../tests/node/documents/oracle.mjs';
import { options, root, serve } from './serve.mjs';

const SILENT = { info() {}, warn() {} };
const searchDocuments = makeOracle();
const config = { excludes: [], ...options, docsRoot: root };

await serve(async (mode, calls) => {
  const answers = [];
  for (const [, { query, ...rest }] of calls) {
    answers.push(await searchDocuments(config, SILENT, query, rest));
  }
  return answers;
});
