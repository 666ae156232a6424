// Tests of the declarations, for `tsc` alone: correct code type-checks, and wrong code does not.
// This file is a CommonJS module; `types.test-d.mts` is the same for ESM.

import { SearchscopeError, Workspace, tools } from 'searchscope';
import { contextRouter } from 'searchscope-server/context';
import { searchDocuments } from 'searchscope/documents';
import { load } from 'searchscope/load';
import express from 'express';
import type { ContextConfig, ContextHandler } from 'searchscope-server/context';
import type { DocumentSearchResult, DocumentsConfig, DocumentsLogger } from 'searchscope/documents';
import type { ErrorCode, SearchInFilesArgs, SearchInFilesReply, Tool, ToolName, Tools } from 'searchscope';
import type { FindReport, FoundFile, MatchingFile, ResultStream, SearchMatch } from 'searchscope';
import type { IndexStatus, SearchArgs, SearchReport } from 'searchscope';

async function good(signal: AbortSignal) {
  const ws: Workspace = Workspace.open('.', { threads: 2, deny: ['*.key'], require_git: true });
  Workspace.open('.', { output_dir: 'results' });
  const args: SearchInFilesArgs = {
    query: 'fn main',
    file_pattern: '*.rs',
    use_regex: false,
    timeout: 5,
  };
  const reply: SearchInFilesReply = await ws.call('search_in_files', args, { signal });
  const lines: string[] = reply.matches.map(
    (match) => `${match.file_path}:${match.line_number}: ${match.line_content}`,
  );
  const numbers: number = reply.total_matches + reply.files_searched;
  const late: boolean = reply.timed_out;
  const found = await ws.call('find_files_by_name', { name_pattern: '*.rs' });
  const files: string[] = found.files;
  const json: string = await ws.callJson('search_in_files', '{"query":"x"}');
  await ws.callJson('any_tool', Buffer.from('{}'), { signal: undefined });
  const page = await ws.call('search', { patterns: ['x'], mode: 'content', types: ['f', 'x'] });
  const cursor: string | undefined = page.cursor;
  const changed: boolean | null | undefined = page.tree_changed;
  const spans: number[] = page.matches.flatMap((match) => match.spans.map((s) => s.start));
  await ws.call('search', { patterns: ['x'], cursor: cursor ?? null });
  const newest = await ws.call('Grep', { pattern: 'x', include: '*.ts' });
  const status: 'success' | 'partial' | 'error' = newest.status;
  const counted = await ws.call('search', { patterns: ['x'], mode: 'count' });
  const paths: string[] = counted.files.map((file) => file.path);
  const wide: SearchArgs = { patterns: ['x'] };
  const either = await ws.call('search', wide);
  const first: string | undefined = either.matches?.[0]?.text ?? either.files?.[0]?.path;
  const name: ToolName = tools()[0]?.name ?? 'look';
  const known = await ws.call(name, { q: 'x' });
  const asKey: Tools[typeof name]['reply'] = known;
  const two = await ws.call('find_and_grep', { roots: ['.'], query: 'x', sort: 'mtime' });
  const total: number = typeof two === 'number' ? two : 0;
  const all = [changed, spans, status, total, paths, first, asKey];
  const names: ToolName[] = tools().map((tool: Tool) => tool.name);
  return { lines, numbers, late, files, json, names, all };
}

async function index(signal: AbortSignal) {
  const ws = Workspace.open('.', { index: 'auto', memory_bytes_max: 1 << 20 });
  const status: IndexStatus = await ws.warm({ signal, onProgress: ({ files }) => files + 1 });
  const { state, files, not_watched }: IndexStatus = ws.indexStatus();
  const ready: boolean = state === 'ready' && not_watched === null;
  // @ts-expect-error: unknown state
  const open: boolean = status.state === 'open';
  // @ts-expect-error: unknown mode
  Workspace.open('.', { index: 'on' });
  // @ts-expect-error: the format belongs to calls
  await ws.warm({ format: 'text' });
  return { files, ready, open };
}

async function bad(ws: Workspace) {
  // @ts-expect-error: unknown tool
  await ws.call('search_files', { query: 'x' });
  // @ts-expect-error: the query is missing
  await ws.call('search_in_files', {});
  // @ts-expect-error: unknown order
  await ws.call('search', { patterns: ['x'], order: 'size' });
  // @ts-expect-error: one pattern, not a list of them
  await ws.call('search', { patterns: 'x' });
  // @ts-expect-error: unknown kind of entry
  await ws.call('find', { types: ['file'] });
  // @ts-expect-error: the arguments are missing
  await ws.call('search_in_files');
  // @ts-expect-error: unknown argument
  await ws.call('search_in_files', { query: 'x', quer: 'y' });
  await ws.call('search', {
    patterns: ['x'],
    // @ts-expect-error: unknown argument, and the error is at its place
    globz: ['*.rs'],
  });
  // @ts-expect-error: in this mode the reply has files
  (await ws.call('search', { patterns: ['x'], mode: 'files' })).matches.length;
  // @ts-expect-error: text is another method
  await ws.call('look', { q: 'x' }, { format: 'text' });
  // @ts-expect-error: a number, not a query
  await ws.call('search_in_files', { query: 1 });
  // @ts-expect-error: these are the arguments of another tool
  await ws.call('find_files_by_name', { query: 'x' });
  // @ts-expect-error: an object, not a signal
  await ws.call('search_in_files', { query: 'x' }, { signal: {} });
  // @ts-expect-error: unknown option
  await ws.call('search_in_files', { query: 'x' }, { timeout: 1 });
  // @ts-expect-error: unknown key
  (await ws.call('search_in_files', { query: 'x' })).files;
  // @ts-expect-error: unknown option
  Workspace.open('.', { thread: 2 });
  // @ts-expect-error: the root is missing
  Workspace.open();
  // @ts-expect-error: workspaces are opened
  new Workspace('.');
}

async function streams(ws: Workspace, signal: AbortSignal, args: SearchArgs) {
  const onProgress = ({ files }: { files: number }) => console.log(files);
  const matches: ResultStream<SearchMatch, SearchReport> = ws.search(
    { patterns: ['x'] },
    { signal, onProgress },
  );
  const places: string[] = [];
  for await (const match of matches) {
    places.push(`${match.path}:${match.line}:${match.spans[0]?.start} ${match.text}`);
  }
  const report: SearchReport | undefined = matches.report;
  const cursor: string | undefined = report?.cursor;
  for await (const match of ws.search({ patterns: ['x'], mode: 'content', cursor: cursor ?? null })) {
    places.push(match.text);
  }
  const constant = { patterns: ['x'], mode: 'files', paths: ['a', 'b'] } as const;
  for await (const file of ws.search(constant)) {
    const path: string = file.path;
    void path;
  }
  for await (const file of ws.search({ patterns: ['x'], mode: 'count' })) {
    const count: number | undefined = file.matches;
    places.push(`${file.path} ${count}`);
    // @ts-expect-error: in this mode the results are files
    file.line;
  }
  const either: ResultStream<SearchMatch | MatchingFile, SearchReport> = ws.search(args);
  for await (const result of either) {
    const line = 'line' in result ? result.line : result.matches;
    places.push(`${result.path} ${line}`);
  }
  const found: ResultStream<FoundFile, FindReport> = ws.find();
  const first: IteratorResult<FoundFile, undefined> = await found.next();
  if (!first.done) places.push(first.value.path, `${first.value.size}`);
  await found.return();
  await found[Symbol.asyncDispose]();
  const iterable: AsyncIterable<FoundFile> = ws.find({ types: ['d'] }, { signal });
  return { iterable, places };
}

async function methods(ws: Workspace, signal: AbortSignal) {
  const reply: SearchInFilesReply = await ws.search_in_files({ query: 'x' }, { signal });
  const status: 'success' | 'partial' | 'error' = (await ws.Grep({ pattern: 'x' })).status;
  const catalog = await ws.scope_list_catalog();
  ws.close();
  ws[Symbol.dispose]();
  return [reply.matches, status, catalog];
}

async function badStreams(ws: Workspace) {
  // @ts-expect-error: the patterns are missing
  ws.search({});
  // @ts-expect-error: the arguments are missing
  ws.search();
  // @ts-expect-error: unknown argument
  ws.search({ patterns: ['x'], patrn: 1 });
  // @ts-expect-error: unknown mode
  ws.search({ patterns: ['x'], mode: 'lines' });
  // @ts-expect-error: a stream, not a promise of a reply
  (await ws.search({ patterns: ['x'] })).matches;
  // @ts-expect-error: these are the arguments of another tool
  ws.find({ patterns: ['x'] });
  // @ts-expect-error: unknown option
  ws.find({}, { timeout: 1 });
  // @ts-expect-error: an async iterable, not a synchronous one
  for (const file of ws.find()) console.log(file);
  // @ts-expect-error: the query is missing
  await ws.search_in_files({});
  // @ts-expect-error: unknown tool
  await ws.grep({ pattern: 'x' });
}

function errors(error: unknown) {
  if (!(error instanceof SearchscopeError)) return;
  const code: ErrorCode = error.code;
  const start: number | undefined = error.span?.start;
  const nearest: string | undefined = error.near?.[0];
  // @ts-expect-error: unknown code
  if (error.code === 'not_there') return;
  return [code, start, nearest, error.detail.message];
}

async function documents(
  signal: AbortSignal,
  winston: (message: string, ...meta: any[]) => object,
) {
  const config: DocumentsConfig = { docsRoot: 'docs', excludes: 'drafts/\n!drafts/final.md' };
  const logger: DocumentsLogger = {
    info: (message, fields) => console.info(message, fields.total_matches),
    warn: (...warning) => {
      const [message, fields] = warning;
      if (message === 'Exclude line ignored') console.warn(message, fields.line, fields.error);
      else if (message === 'Further warnings left out') console.warn(message, fields.count);
      else console.warn(message, fields.path);
    },
  };
  const result: DocumentSearchResult = await searchDocuments(config, logger, 'config');
  const frozen = ['*.tmp'] as const;
  await searchDocuments({ docsRoot: 'docs', excludes: frozen }, console, 'config', {
    context_chars: '100',
    max_results: 5,
    case_sensitive: true,
    path: '/guide',
    signal,
  });
  await searchDocuments({ docsRoot: 'docs' }, { info: winston, warn: winston }, 'config', {});
  const application = { docsRoot: 'docs', port: 3000 };
  await searchDocuments(application, logger, 'config', { path: undefined, signal: undefined });
  return result.results.map(({ path, name, match_count, matches }) => {
    const [first] = matches;
    const place: string = `${path} ${name} ${first?.line} ${first?.file_line} ${first?.excerpt}`;
    return [place, match_count + result.total_matches + result.total_files, result.truncated];
  });
}

async function badDocuments(config: DocumentsConfig, logger: DocumentsLogger) {
  // @ts-expect-error: the query is missing
  await searchDocuments(config, logger);
  // @ts-expect-error: a number, not a query
  await searchDocuments(config, logger, 5);
  // @ts-expect-error: the directory is missing
  await searchDocuments({ excludes: [] }, logger, 'x');
  // @ts-expect-error: a logger also needs warn
  await searchDocuments(config, { info() {} }, 'x');
  // @ts-expect-error: unknown option
  await searchDocuments(config, logger, 'x', { context: 5 });
  // @ts-expect-error: unknown key
  (await searchDocuments(config, logger, 'x')).warnings;
}

function routers(logger: Console, workspace: Workspace) {
  const config: ContextConfig = { docsRoot: 'docs', callsMax: 5, deny: ['*.key'] };
  const router: ContextHandler = contextRouter(config, logger);
  express().use('/context', router);
  const gate = { run: <T>(call: () => Promise<T>) => call() };
  express().use(contextRouter({ docsRoot: 'docs', gate, workspace }, logger));
  // @ts-expect-error: a number, not a gate
  contextRouter({ docsRoot: 'docs', gate: 5 }, logger);
  // @ts-expect-error: a path, not a workspace
  contextRouter({ docsRoot: 'docs', workspace: 'docs' }, logger);
  // @ts-expect-error: the directory is missing
  contextRouter({ callsMax: 5 }, logger);
  // @ts-expect-error: a logger also needs error
  contextRouter({ docsRoot: 'docs' }, { info() {}, warn() {} });
  return router;
}

function addon(): Workspace {
  // @ts-expect-error: the file is missing
  load();
  return load('searchscope.node').Workspace.open('.');
}

export { good, bad, index, streams, methods, badStreams, errors, documents, badDocuments, routers, addon };
