// The declarations as ESM sees them; `types.test-d.ts` has the details.

import { SearchscopeError, Workspace, tools } from 'searchscope';
import { searchDocuments } from 'searchscope/documents';
import { load } from 'searchscope/load';
import type { DocumentsLogger } from 'searchscope/documents';
import type { CallOptions, SearchInFilesReply, SearchReport, WorkspaceOptions } from 'searchscope';

const open: WorkspaceOptions = {};
const options: CallOptions = { signal: AbortSignal.timeout(1000) };

export async function good(): Promise<SearchInFilesReply> {
  return Workspace.open('.', open).call('search_in_files', { query: 'x' }, options);
}

export async function streamed(): Promise<[SearchReport | undefined, string[]]> {
  using workspace = Workspace.open('.', open);
  const paths: string[] = [];
  await using stream = workspace.search({ patterns: ['x'], mode: 'files' }, options);
  for await (const file of stream) paths.push(file.path);
  for await (const file of workspace.find()) paths.push(file.path);
  await workspace.search_in_files({ query: 'x' }, options);
  return [stream.report, paths];
}

export const names: string[] = load('searchscope.node').tools().map((tool) => tool.name);

export function count(error: unknown): number {
  return error instanceof SearchscopeError ? tools().length : 0;
}

export async function total(logger: DocumentsLogger): Promise<number> {
  return (await searchDocuments({ docsRoot: '.' }, logger, 'x')).total_matches;
}

export { default } from 'searchscope';
export { default as documents } from 'searchscope/documents';
