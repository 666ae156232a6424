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
    description: 'Which files are looked at.',
    tools: ['search', 'find'],
  },
  {
    name: 'PageReport',
    role: 'reply',
    description: 'What a page of results says beside them.',
    tools: ['search', 'find'],
  },
  {
    name: 'ScopeSelection',
    role: 'args',
    description: 'Which files are looked at, as a scope.',
    tools: ['scope_search_files', 'scope_search_text', 'scope_search_symbols'],
  },
];

/** Returns the declarations for the tools, as `tools()` lists them, keyed by file name. */
export function declarations(tools) {
  const names = tools.map((tool) => `'${tool.name}'`).join(' | ') || 'never';
  const schemas = schemasOf(tools);
  const imported = [...new Set(tools.flatMap(typesOf))];
  const parts = [head(imported), STREAMS, errors(), toolTypes(names), workspace(tools)];
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

function overloadOf(tool) {
  const parameters = `tool: '${tool.name}', ${parametersOf(tool)}`;
  const reply = `Promise<${pascalCase(tool.name)}Reply>`;
  return `  call(${parameters}): ${reply};\n`;
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

/** How a workspace is opened. */
export interface WorkspaceOptions {
  /** How many threads one call may use; by default the cores, at most 8. */
  threads?: number;
  /** Gitignore lines; no path that they match is ever opened, listed or named in a result. */
  deny?: readonly string[];
  /** Also deny files that hold credentials; \`secrets()\` lists their names. Default: false. */
  deny_secrets?: boolean;
  /** Whether \`.gitignore\` files count only inside a git repository. Default: \`false\`. */
  require_git?: boolean;
  /**
   * Encodings that texts without a byte order mark may have, such as "utf-8", "shift_jis" or
   * "windows-1252", at most 16: the first in which a text has no errors. Default: none, only UTF-8.
   */
  encodings?: readonly string[];
  /**
   * Whether changed files may be read from git directories outside of the root: that of a worktree, or
   * of a repository that the root is only a part of. Default: \`false\`.
   */
  git_dir_outside_root?: boolean;
  /**
   * The directory that tools may write result files into; it must exist. A relative one counts from
   * the root. By default there is none, and nothing is ever written.
   */
  output_dir?: string;
  /**
   * How many bytes a reply may have, 65,536 to 67,108,864; a larger one is refused, and \`search\` and
   * \`find\` end a page before. By default what each tool allows, 16 MiB or more.
   */
  reply_bytes_max?: number;
  /**
   * The directory with the Markdown documents; nothing outside of it is taken for one. A relative
   * one counts from the root. Default: the root.
   */
  docs_root?: string;
  /**
   * Gitignore lines, matched from \`docs_root\` and without regard to case; what they match is no
   * document.
   */
  excludes?: readonly string[];
  /** How many bytes the arguments of a call may have, 1,024 to 67,108,864. Default: 4 MiB. */
  args_bytes_max?: number;
  /** The ends of the names of documents, such as ".rst", at most 16. Default: ".md". */
  doc_suffixes?: readonly string[];
  /** How many hyphens the lines around front matter have at least. Default: 3. */
  front_matter_hyphens_min?: 3 | 4;
  /**
   * Whether the workspace remembers its tree, so that repeated searches need not read it again. It never
   * changes an answer. Default: "off"; \`searchscope serve\` has "auto".
   */
  index?: 'off' | 'auto';
  /** Memory that the index may have, in bytes, from 1 MiB. Default: 256 MiB. */
  memory_bytes_max?: number;
}

/** The state of the index of a workspace. */
export interface IndexStatus {
  state: 'off' | 'cold' | 'building' | 'ready';
  /** The number of directories whose entries are remembered. */
  directories: number;
  /** The number of files whose contents are. */
  files: number;
  /** About how many bytes of memory the index has. */
  memory_bytes: number;
  /** The number of directories whose contents were left out because the memory is full. */
  left_out: number;
  /** Why changes are not reported by events, but looked for at each call; null where all are. */
  not_watched: string | null;
}

/** How a tool is called or streamed. */
export interface CallOptions {
  /** Ends the call or stream: its promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Is told four times a second, while the call or stream runs, how many files it has looked at.
   * When it throws, the call or stream ends with what it threw.
   */
  onProgress?: ((progress: { files: number }) => void) | undefined;
  /** Unsaved texts for this call or stream alone, as \`withOverlay\` takes them. */
  overlay?: Overlay | undefined;
}

/** Unsaved texts by path, absolute or relative to the root; null removes a file. */
export type Overlay = { readonly [path: string]: string | null };
`;

const STREAMS = `/**
 * The results of \`search\` or \`find\`, one after the other, for \`for await\`.
 *
 * The search begins with the first \`next\`, rests while nobody asks for more, and ends when the loop
 * is left, the signal is aborted, the workspace is closed, or the stream is forgotten. It holds some
 * hundred kilobytes of results, however many there are. At most 64 streams of a process run at once;
 * one more fails with the code \`busy\`.
 */
export interface ResultStream<Result, Report> extends AsyncIterableIterator<Result> {
  /**
   * What the tool reports besides the results: once all of them were given, and the loop has ended
   * by itself. Undefined before that, and for a stream that was left early or failed.
   */
  readonly report: Report | undefined;
  /**
   * Gives the next result. Rejects once, in the place of all that would come, with a
   * \`SearchscopeError\` or the reason of the signal; then the stream is at its end. May be called
   * again before it has settled: the promises settle in their order.
   */
  next(): Promise<IteratorResult<Result, undefined>>;
  /** Ends the stream; a loop that is left calls it. */
  return(value?: PromiseLike<undefined> | undefined): Promise<IteratorResult<Result, undefined>>;
  /** Ends the stream and rejects with the error. */
  throw(error?: unknown): Promise<IteratorResult<Result, undefined>>;
  [Symbol.asyncIterator](): ResultStream<Result, Report>;
  /** Ends the stream at the end of an \`await using\` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** What \`search\` reports besides its results. */
export type SearchReport = Omit<SearchReply, 'matches' | 'files'>;

/** What \`find\` reports besides its results. */
export type FindReport = Omit<FindReply, 'files'>;
`;

const STREAM_METHODS = {
  search: `  /**
   * Searches file contents and gives the results one by one, in the order of \`call('search', …)\`,
   * as soon as they are found. \`matches_max\`, \`output_bytes_max\` and \`deadline_ms\` hold only where
   * they are given. Wrong patterns and other errors of the engine come with the first result.
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
   * Finds files and gives them one by one, in the order of \`call('find', …)\`. \`files_max\`,
   * \`output_bytes_max\` and \`deadline_ms\` hold only where they are given. An order other than that of
   * paths is known only when all files were seen: the first one then comes late.
   */
  find(args?: FindArgs, options?: CallOptions): ResultStream<FoundFile, FindReport>;
`,
};

function errors() {
  return `/**
 * What a caller can do something about; the same in Rust, C and here, but for \`busy\`: 64 streams run
 * already, or the system has no thread for one more.
 */
export type ErrorCode =
${[...ERROR_CODES, ...OWN_CODES].map((code) => `  | '${code}'`).join('\n')};

/** An error as the engine tells it. */
export interface ErrorDetail {
  code: ErrorCode;
  message: string;
  /** The parameter that is at fault. */
  param?: string;
  /** The path that is at fault, as the caller gave it or relative to the root. */
  path?: string;
  /** The bytes of the parameter's text that are at fault. */
  span?: { start: number; end: number };
  /** Existing paths that a missing one was perhaps meant to be, best first. */
  near?: string[];
}

/** What a failed call or stream is rejected with, and what \`Workspace.open\` throws. */
export class SearchscopeError extends Error {
  private constructor();
  readonly name: 'SearchscopeError';
  /** What can be done about it; stable. The message is for people. */
  readonly code: ErrorCode;
  /** The parameter that is at fault, where one is. */
  readonly param: string | undefined;
  /** The path that is at fault, as the caller gave it or relative to the root. */
  readonly path: string | undefined;
  /** The bytes of the parameter's text that are at fault, as those of a wrong pattern. */
  readonly span: { start: number; end: number } | undefined;
  /** Existing paths that a missing one was perhaps meant to be, best first. */
  readonly near: string[] | undefined;
  /** The error as the engine tells it. */
  readonly detail: ErrorDetail;
}
`;
}

function toolTypes(names) {
  return `/** The name of a tool. */
export type ToolName = ${names};

/** A tool as the tool table describes it. */
export interface Tool {
  name: ToolName;
  description: string;
  /** The JSON schema of its arguments. */
  inputSchema: Record<string, unknown>;
  /** The same in fewer bytes, for the lists that agents read. */
  listSchema: Record<string, unknown>;
  /** The JSON schema of its reply. */
  outputSchema: Record<string, unknown>;
}

/** Every tool. */
export function tools(): Tool[];

/** The pattern language of scopes explained, as Markdown. */
export function scopeReference(): string;

/** Returns the gitignore lines of the option \`deny_secrets\`, and the version of the list. */
export function secrets(): { version: number; lines: string[] };
`;
}

function workspace(tools) {
  const methods = tools.map((tool) => `\n${methodOf(tool)}`).join('');
  const overloads = tools.map(overloadOf).join('');
  return `/** One root directory and everything beneath it; nothing outside is ever read. */
export class Workspace {
  private constructor();

  /** Opens the directory \`root\`. */
  static open(root: string, options?: WorkspaceOptions): Workspace;

  /**
   * Closes the workspace: calls and streams that go on end with the code \`cancelled\`, later ones fail
   * with it, and the directory is let go of. It may be called again.
   */
  close(): void;

  /**
   * Builds the index now, where the workspace has one, and resolves with its state. Otherwise it is
   * built after the second search.
   */
  warm(options?: CallOptions): Promise<IndexStatus>;

  /** Returns the state of the index. */
  indexStatus(): IndexStatus;

  /**
   * Returns a workspace whose tools answer as if each text were written to the file at its path, and as if
   * each file with null were removed. Nothing is written. The texts replace those of this workspace;
   * options and the index are shared with it, and either may be closed first.
   */
  withOverlay(texts: Overlay): Workspace;

  /** Closes the workspace at the end of a \`using\` block. */
  [Symbol.dispose](): void;

  /**
   * Calls any tool with its arguments as an object or as JSON, and gives the reply as the engine
   * writes it, JSON.
   */
  callJson(tool: string, args?: object | string | Uint8Array, options?: CallOptions): Promise<string>;

  /**
   * The same with the reply as plain text, for agents and people: each path once, its rows beneath it
   * as \` line: text\`, remarks that begin with \`# \`, and one last line in brackets with totals,
   * completeness and the cursor. No file can imitate another kind of line. A reply that is an error in
   * the shape of its tool begins with \`# error:\`.
   */
  callText(tool: string, args?: object | string | Uint8Array, options?: CallOptions): Promise<string>;

  /**
   * Returns what \`callText\` would return, made of the JSON that \`callJson\` has returned for the same
   * arguments, or a stream as one piece. It is \`undefined\` where a reply as text has lower limits than
   * this one used, and needs a call of its own.
   */
  textOf(
    tool: string,
    args: object | string | Uint8Array,
    reply: string,
    options?: { signal?: AbortSignal },
  ): Promise<string | undefined>;

  /** Calls any tool as \`callText\` does. */
  call(
    tool: ToolName,
    args: object | undefined,
    options: CallOptions & { format: 'text' },
  ): Promise<string>;
${methods}
  /** Calls the tool; its method of the same name has what it does. */
${overloads}}
`;
}
