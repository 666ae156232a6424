// Generates the texts of node/index.d.ts, a handwritten frame with a method for each tool, and of
// node/wire.d.ts, the types of arguments and replies.

import { Declarations, comment, pascalCase } from './schema.mjs';

/** The stable error codes; a test compares them with the engine's table. */
export const ERROR_CODES = [
  'invalid_param',
  'pattern_syntax',
  'not_found',
  'access_denied',
  'timeout',
  'cancelled',
  'result_too_large',
  'io',
  'unsupported',
  'internal',
];

const FRAME_NAMES = [
  'CallOptions',
  'ErrorCode',
  'ErrorDetail',
  'FindReport',
  'Overlay',
  'ResultStream',
  'SearchReport',
  'SearchscopeError',
  'Tool',
  'ToolName',
  'Workspace',
  'WorkspaceOptions',
];

/** Codes that only the Node API has: they concern the event loop. */
const OWN_CODES = ['busy'];

/** Fields shared by several tools, as interfaces that their types extend. */
const BASES = [
  {
    name: 'FileSelection',
    role: 'args',
    description: 'Selection of files.',
    tools: ['search', 'find'],
  },
  {
    name: 'PageReport',
    role: 'reply',
    description: 'Totals and state of a page of results.',
    tools: ['search', 'find'],
  },
  {
    name: 'ScopeSelection',
    role: 'args',
    description: 'Selection of files by a scope.',
    tools: ['scope_search_files', 'scope_search_text', 'scope_search_symbols'],
  },
];

/** Returns the declarations for the tools, as `tools()` lists them, keyed by file name. */
export function declarations(tools) {
  const schemas = schemasOf(tools);
  const imported = [...new Set(tools.flatMap(typesOf))];
  const parts = [head(imported), STREAMS, errors(), toolTypes(tools), workspace(tools)];
  return { 'index.d.ts': parts.join('\n'), 'wire.d.ts': `${GENERATED}\n${schemas}` };
}

/** Returns the types of arguments and replies of the tools, with the types that they use. */
function schemasOf(tools) {
  const schemas = new Declarations(FRAME_NAMES);
  for (const { name, role, description, tools: names } of BASES) {
    const key = role === 'args' ? 'inputSchema' : 'outputSchema';
    const all = tools.filter((tool) => names.includes(tool.name)).map((tool) => tool[key]);
    if (all.length > 1) schemas.addBase(name, role, description, all);
  }
  for (const tool of tools) {
    const name = pascalCase(tool.name);
    schemas.addArgs(`${name}Args`, tool.inputSchema);
    schemas.addReply(`${name}Reply`, tool.outputSchema);
  }
  return schemas;
}

/** Returns the method named after the tool: a stream for two tools, a call for the others. */
function methodOf(tool) {
  const stream = STREAM_METHODS[tool.name];
  if (stream !== undefined) return stream;
  const doc = comment(tool.description, '  ');
  return `${doc}  ${tool.name}(${parametersOf(tool)}): Promise<${pascalCase(tool.name)}Reply>;\n`;
}

/** Returns the entry of a tool in the interface `Tools`. */
function entryOf(tool) {
  const name = pascalCase(tool.name);
  return `  ${tool.name}: { args: ${name}Args; reply: ${name}Reply };\n`;
}

/** Returns the names of the types that the methods of a tool use. */
function typesOf(tool) {
  const name = pascalCase(tool.name);
  return [`${name}Args`, `${name}Reply`];
}

function parametersOf(tool) {
  const mark = tool.inputSchema.required?.length > 0 ? '' : '?';
  return `args${mark}: ${pascalCase(tool.name)}Args, options?: CallOptions`;
}

const GENERATED = '// Generated from the tool table by "npm run types"; changes here are lost.\n';

function head(imported) {
  const names = [...imported, 'FoundFile', 'MatchingFile', 'SearchMatch'].sort();
  return `${GENERATED}
/// <reference lib="esnext.disposable" />

import type {
${names.map((name) => `  ${name},`).join('\n')}
} from './wire.js';

export * from './wire.js';
${OPTIONS}`;
}

const OPTIONS = `

/** Options for opening a workspace. */
export interface WorkspaceOptions {
  /** Maximum number of threads per call. Default: the number of cores, at most 8. */
  threads?: number;
  /** Gitignore lines; matching paths are never opened, listed or named in a result. */
  deny?: readonly string[];
  /** Also deny files that may contain credentials; \`secrets()\` lists the patterns. Default: false. */
  deny_secrets?: boolean;
  /** Apply \`.gitignore\` files only inside a git repository. Default: \`false\`. */
  require_git?: boolean;
  /**
   * Encodings to try in order on files without a byte order mark, such as "utf-8", "shift_jis" or
   * "windows-1252", at most 16; the first without errors wins. Default: none; such files are UTF-8.
   */
  encodings?: readonly string[];
  /**
   * For changed files, also read git directories outside the root: that of a worktree, or that of a
   * repository around the root. Default: \`false\`.
   */
  git_dir_outside_root?: boolean;
  /**
   * An existing directory for the result files of tools, absolute or relative to the root.
   * Default: none; the tools write nothing.
   */
  output_dir?: string;
  /**
   * Maximum size of a reply in bytes, 65,536 to 67,108,864. A larger reply is refused; \`search\` and
   * \`find\` end the page earlier. Default: the limit of each tool, 16 MiB or more.
   */
  reply_bytes_max?: number;
  /**
   * The directory of the Markdown documents, absolute or relative to the root; files outside it are
   * not documents. Default: the root.
   */
  docs_root?: string;
  /**
   * Gitignore lines, relative to \`docs_root\` and case-insensitive; matching files are not documents.
   */
  excludes?: readonly string[];
  /** Maximum size of a call's arguments in bytes, 1,024 to 67,108,864. Default: 4 MiB. */
  args_bytes_max?: number;
  /** Suffixes of document names, such as ".rst", at most 16. Default: ".md". */
  doc_suffixes?: readonly string[];
  /** Minimum number of hyphens in the lines around front matter. Default: 3. */
  front_matter_hyphens_min?: 3 | 4;
  /**
   * Keep the tree in memory, so that repeated searches need not read it again. The index never
   * changes a reply. Default: "off"; \`searchscope serve\` has "auto".
   */
  index?: 'off' | 'auto';
  /** Maximum memory of the index in bytes, at least 1 MiB. Default: 256 MiB. */
  memory_bytes_max?: number;
}

/** The state of the index of a workspace. */
export interface IndexStatus {
  state: 'off' | 'cold' | 'building' | 'ready';
  /** The number of directories whose entries are in memory. */
  directories: number;
  /** The number of files whose contents are in memory. */
  files: number;
  /** Approximate memory of the index in bytes. */
  memory_bytes: number;
  /** The number of directories whose contents did not fit into \`memory_bytes_max\`. */
  left_out: number;
  /** The number of directories whose contents the next search or \`warm\` adds. */
  waiting: number;
  /** Why the index checks files at each call instead of using events; null if events cover all. */
  not_watched: string | null;
}

/** Options of a call or stream. */
export interface CallOptions {
  /** Ends the call or stream, whose promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Called four times a second with the number of files visited, while the call or stream runs.
   * If it throws, the call or stream fails with that exception.
   */
  onProgress?: ((progress: { files: number }) => void) | undefined;
  /** Unsaved texts for this call or stream only, in the form that \`withOverlay\` accepts. */
  overlay?: Overlay | undefined;
}

/** Unsaved texts by path, absolute or relative to the root; null removes a file. */
export type Overlay = { readonly [path: string]: string | null };
`;

const STREAMS = `/**
 * The results of \`search\` or \`find\`, one after the other, for \`for await\`.
 *
 * The search starts with the first \`next\`, pauses while no result is requested, and ends when the
 * loop exits, the signal aborts, the workspace is closed, or the stream is garbage-collected. It
 * buffers a few hundred kilobytes of results, whatever their number. At most 64 streams run at once
 * in a process; further ones fail with the code \`busy\`.
 */
export interface ResultStream<Result, Report> extends AsyncIterableIterator<Result> {
  /**
   * Totals and state of the search, set after the last result. Undefined before, and for a stream
   * that ended early or failed.
   */
  readonly report: Report | undefined;
  /**
   * Returns the next result. Rejects once, in place of all further results, with a
   * \`SearchscopeError\` or the signal's reason; then the stream has ended. May be called
   * again before its promise settles; the promises settle in order.
   */
  next(): Promise<IteratorResult<Result, undefined>>;
  /** Ends the stream; a loop that exits early calls it. */
  return(value?: PromiseLike<undefined> | undefined): Promise<IteratorResult<Result, undefined>>;
  /** Ends the stream and rejects with the error. */
  throw(error?: unknown): Promise<IteratorResult<Result, undefined>>;
  [Symbol.asyncIterator](): ResultStream<Result, Report>;
  /** Ends the stream at the end of an \`await using\` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Totals and state of a \`search\` stream. */
export type SearchReport = Omit<SearchReply, 'matches' | 'files'>;

/** Totals and state of a \`find\` stream. */
export type FindReport = Omit<FindReply, 'files'>;
`;

const STREAM_METHODS = {
  search: `  /**
   * Searches file contents and yields the results one by one, in the order of \`call('search', …)\`,
   * as soon as they are found. \`matches_max\`, \`output_bytes_max\` and \`deadline_ms\` apply only if
   * given. Invalid patterns and other errors of the engine reject the first \`next\`.
   */
  search(
    args: SearchArgs & { mode: 'files' | 'count' },
    options?: CallOptions,
  ): ResultStream<MatchingFile, SearchReport>;
  search(
    args: SearchArgs & { mode?: 'content' },
    options?: CallOptions,
  ): ResultStream<SearchMatch, SearchReport>;
  search(
    args: SearchArgs,
    options?: CallOptions,
  ): ResultStream<SearchMatch | MatchingFile, SearchReport>;
`,
  find: `  /**
   * Finds files and yields them one by one, in the order of \`call('find', …)\`. \`files_max\`,
   * \`output_bytes_max\` and \`deadline_ms\` apply only if given. In any order other than by path, the
   * first result is available only after all files have been visited.
   */
  find(args?: FindArgs, options?: CallOptions): ResultStream<FoundFile, FindReport>;
`,
};

function errors() {
  return `/**
 * Stable error code. All are the same in Rust, C and Node, except that only Node has \`busy\`: 64
 * streams are already running, or the system cannot start a thread for another.
 */
export type ErrorCode =
${[...ERROR_CODES, ...OWN_CODES].map((code) => `  | '${code}'`).join('\n')};

/** An error as reported by the engine. */
export interface ErrorDetail {
  code: ErrorCode;
  message: string;
  /** The invalid parameter. */
  param?: string;
  /** The path that the error concerns, as the caller gave it or relative to the root. */
  path?: string;
  /** The byte range of the error in the parameter's text. */
  span?: { start: number; end: number };
  /** Existing paths similar to a missing one, best first. */
  near?: string[];
}

/** Error of a failed call or stream, also thrown by \`Workspace.open\`. */
export class SearchscopeError extends Error {
  private constructor();
  readonly name: 'SearchscopeError';
  /** Stable error code. The message is for people. */
  readonly code: ErrorCode;
  /** The invalid parameter, if the error concerns one. */
  readonly param: string | undefined;
  /** The path that the error concerns, as the caller gave it or relative to the root. */
  readonly path: string | undefined;
  /** The byte range of the error in the parameter's text, such as a pattern. */
  readonly span: { start: number; end: number } | undefined;
  /** Existing paths similar to a missing one, best first. */
  readonly near: string[] | undefined;
  /** The error as reported by the engine. */
  readonly detail: ErrorDetail;
}
`;
}

function toolTypes(tools) {
  return `/** The arguments and the reply of each tool. */
export interface Tools {
${tools.map(entryOf).join('')}}

/** The name of a tool. */
export type ToolName = keyof Tools;

/** A mode of \`search\`. */
export type SearchMode = NonNullable<SearchArgs['mode']>;

/** The reply of \`search\` in a mode. */
export type SearchReplyIn<Mode extends SearchMode> = SearchReply &
  (Mode extends 'content' ? { matches: SearchMatch[] } : { files: MatchingFile[] });

/**
 * The arguments of a tool; those of \`search\` in a mode, by default "content". A name that is known only when
 * the program runs takes any object.
 */
export type ArgsOf<Name extends ToolName, Mode extends SearchMode> = ToolName extends Name
  ? object
  : Name extends 'search'
    ? SearchArgs & { mode?: Mode }
    : Tools[Name]['args'];

/** The reply of a tool. */
export type ReplyOf<Name extends ToolName, Mode extends SearchMode> = Name extends 'search'
  ? SearchReplyIn<Mode>
  : Tools[Name]['reply'];

/** An entry of the tool table. */
export interface Tool {
  name: ToolName;
  description: string;
  /** The JSON schema of its arguments. */
  inputSchema: Record<string, unknown>;
  /** A shorter schema of the arguments, for tool lists that agents read. */
  listSchema: Record<string, unknown>;
  /** The JSON schema of its reply. */
  outputSchema: Record<string, unknown>;
}

/** Returns every tool. */
export function tools(): Tool[];

/** Returns the reference of the pattern language of scopes, as Markdown. */
export function scopeReference(): string;

/** Returns the gitignore lines of the option \`deny_secrets\`, and the version of the list. */
export function secrets(): { version: number; lines: string[] };
`;
}

function workspace(tools) {
  const methods = tools.map((tool) => `\n${methodOf(tool)}`).join('');
  return `/**
 * Lets the threads of this process share \`n\` heaps, from 1 to 255, and keeps blocks of 512 KiB and more out of
 * them, on Linux with glibc; elsewhere it does nothing. For a service whose process is its own: blocks that one
 * thread frees are then used by the others, and large ones return to the system at once. Call it before the
 * first workspace is opened.
 */
export function limitHeaps(n: number): void;

/**
 * Returns freed memory of this process to the system, on Linux with glibc; elsewhere it does nothing. Takes
 * some milliseconds, in which the calling thread waits. Calls that need much memory do it themselves.
 */
export function returnMemory(): void;

/** A root directory and everything below it; nothing outside is read. */
export class Workspace {
  private constructor();

  /** Opens the directory \`root\`. */
  static open(root: string, options?: WorkspaceOptions): Workspace;

  /**
   * Closes the workspace: running calls and streams end with the code \`cancelled\`, later ones fail
   * with it, and the directory handle is released. May be called again.
   */
  close(): void;

  /**
   * Builds the index now, if the workspace has one, and resolves with its state. Without this call
   * it is built after the second search.
   */
  warm(options?: CallOptions): Promise<IndexStatus>;

  /** Returns the state of the index. */
  indexStatus(): IndexStatus;

  /**
   * Returns a workspace whose tools answer as if each text were the contents of the file at its path,
   * and as if each file with null were removed. Writes nothing to disk. The texts replace those of
   * this workspace. The two share options and the index; either may be closed first.
   */
  withOverlay(texts: Overlay): Workspace;

  /** Closes the workspace at the end of a \`using\` block. */
  [Symbol.dispose](): void;

  /**
   * Calls any tool with its arguments as an object or as JSON, and returns the JSON of the reply
   * exactly as the engine writes it.
   */
  callJson(tool: string, args?: object | string | Uint8Array, options?: CallOptions): Promise<string>;

  /**
   * Calls any tool and returns the reply as plain text, for agents and people: each path once, its
   * rows below it as \` line: text\`, remarks that begin with \`# \`, and a last line in brackets with
   * totals, completeness and the cursor. File contents cannot imitate another kind of line. An error that
   * a tool reports in its reply begins with \`# error:\`.
   */
  callText(tool: string, args?: object | string | Uint8Array, options?: CallOptions): Promise<string>;

  /** Calls a tool; the method of its name describes it. */
  call<Name extends ToolName, Mode extends SearchMode = 'content'>(
    tool: Name,
    ...rest: {} extends ArgsOf<Name, Mode>
      ? [args?: ArgsOf<Name, Mode>, options?: CallOptions]
      : [args: ArgsOf<Name, Mode>, options?: CallOptions]
  ): Promise<ReplyOf<Name, Mode>>;
${methods}}
`;
}
