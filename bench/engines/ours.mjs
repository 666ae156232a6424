// Our engine through its Node addon. Replies are parsed into objects, as a host would receive them.

import { Workspace } from 'searchscope';
import { searchDocuments } from 'searchscope/documents';
import { options, root, serve } from './serve.mjs';

const SILENT = { info() {}, warn() {} };
let kept;

await serve(async (mode, calls) => {
  const answers = [];
  let session;
  for (const [name, args] of calls) {
    if (name === 'searchDocuments') {
      const { query, ...rest } = args;
      answers.push(await searchDocuments({ ...options, docsRoot: root }, SILENT, query, rest));
      continue;
    }
    if (mode === 'cold') session?.close();
    if (mode === 'warm') session = kept ??= Workspace.open(root, options);
    else if (mode === 'cold' || session === undefined) session = Workspace.open(root, options);
    answers.push(await session.call(name, args));
  }
  if (mode !== 'warm') session?.close();
  return answers;
});
