// Generated from the tool table by "npm run types"; changes here are lost.

/// <reference lib="esnext.disposable" />

import type {
  FindAndGrepArgs,
  FindAndGrepReply,
  FindArgs,
  FindFilesByNameArgs,
  FindFilesByNameReply,
  FindReply,
  FoundFile,
  GrepArgs,
  GrepReply,
  ListDocumentsArgs,
  ListDocumentsReply,
  LookArgs,
  LookReply,
  MatchingFile,
  ReadArgs,
  ReadDocumentArgs,
  ReadDocumentReply,
  ReadReply,
  ScopeDescribeProgramArgs,
  ScopeDescribeProgramReply,
  ScopeListCatalogArgs,
  ScopeListCatalogReply,
  ScopeResolveProgramArgs,
  ScopeResolveProgramReply,
  ScopeSearchFilesArgs,
  ScopeSearchFilesReply,
  ScopeSearchSymbolsArgs,
  ScopeSearchSymbolsReply,
  ScopeSearchTextArgs,
  ScopeSearchTextReply,
  ScopeValidatePatternArgs,
  ScopeValidatePatternReply,
  SearchArgs,
  SearchDocumentsArgs,
  SearchDocumentsReply,
  SearchInFilesArgs,
  SearchInFilesReply,
  SearchMatch,
  SearchReply,
} from './wire.js';

export * from './wire.js';


/** Options for opening a workspace. */
export interface WorkspaceOptions {
  /** Maximum number of threads per call. Default: the number of cores, at most 8. */
  threads?: number;
  /** Gitignore lines; matching paths are never opened, listed or named in a result. */
  deny?: readonly string[];
  /** Also deny files that may contain credentials; `secrets()` lists the patterns. Default: false. */
  deny_secrets?: boolean;
  /** Apply `.gitignore` files only inside a git repository. Default: `false`. */
  require_git?: boolean;
  /**
   * Encodings to try in order on files without a byte order mark, such as "utf-8", "shift_jis" or
   * "windows-1252", at most 16; the first without errors wins. Default: none; such files are UTF-8.
   */
  encodings?: readonly string[];
  /**
   * For changed files, also read git directories outside the root: that of a worktree, or that of a
   * repository around the root. Default: `false`.
   */
  git_dir_outside_root?: boolean;
  /**
   * An existing directory for the result files of tools, absolute or relative to the root.
   * Default: none; the tools write nothing.
   */
  output_dir?: string;
  /**
   * Maximum size of a reply in bytes, 65,536 to 67,108,864. A larger reply is refused; `search` and
   * `find` end the page earlier. Default: the limit of each tool, 16 MiB or more.
   */
  reply_bytes_max?: number;
  /**
   * The directory of the Markdown documents, absolute or relative to the root; files outside it are
   * not documents. Default: the root.
   */
  docs_root?: string;
  /**
   * Gitignore lines, relative to `docs_root` and case-insensitive; matching files are not documents.
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
   * changes a reply. Default: "off"; `searchscope serve` has "auto".
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
  /** The number of directories whose contents did not fit into `memory_bytes_max`. */
  left_out: number;
  /** The number of directories whose contents the next search or `warm` adds. */
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
  /** Unsaved texts for this call or stream only, in the form that `withOverlay` accepts. */
  overlay?: Overlay | undefined;
}

/** Unsaved texts by path, absolute or relative to the root; null removes a file. */
export type Overlay = { readonly [path: string]: string | null };

/**
 * The results of `search` or `find`, one after the other, for `for await`.
 *
 * The search starts with the first `next`, pauses while no result is requested, and ends when the
 * loop exits, the signal aborts, the workspace is closed, or the stream is garbage-collected. It
 * buffers a few hundred kilobytes of results, whatever their number. At most 64 streams run at once
 * in a process; further ones fail with the code `busy`.
 */
export interface ResultStream<Result, Report> extends AsyncIterableIterator<Result> {
  /**
   * Totals and state of the search, set after the last result. Undefined before, and for a stream
   * that ended early or failed.
   */
  readonly report: Report | undefined;
  /**
   * Returns the next result. Rejects once, in place of all further results, with a
   * `SearchscopeError` or the signal's reason; then the stream has ended. May be called
   * again before its promise settles; the promises settle in order.
   */
  next(): Promise<IteratorResult<Result, undefined>>;
  /** Ends the stream; a loop that exits early calls it. */
  return(value?: PromiseLike<undefined> | undefined): Promise<IteratorResult<Result, undefined>>;
  /** Ends the stream and rejects with the error. */
  throw(error?: unknown): Promise<IteratorResult<Result, undefined>>;
  [Symbol.asyncIterator](): ResultStream<Result, Report>;
  /** Ends the stream at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Totals and state of a `search` stream. */
export type SearchReport = Omit<SearchReply, 'matches' | 'files'>;

/** Totals and state of a `find` stream. */
export type FindReport = Omit<FindReply, 'files'>;

/**
 * Stable error code. All are the same in Rust, C and Node, except that only Node has `busy`: 64
 * streams are already running, or the system cannot start a thread for another.
 */
export type ErrorCode =
  | 'invalid_param'
  | 'pattern_syntax'
  | 'not_found'
  | 'access_denied'
  | 'timeout'
  | 'cancelled'
  | 'result_too_large'
  | 'io'
  | 'unsupported'
  | 'internal'
  | 'busy';

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

/** Error of a failed call or stream, also thrown by `Workspace.open`. */
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

/** The arguments and the reply of each tool. */
export interface Tools {
  search: { args: SearchArgs; reply: SearchReply };
  find: { args: FindArgs; reply: FindReply };
  search_in_files: { args: SearchInFilesArgs; reply: SearchInFilesReply };
  find_files_by_name: { args: FindFilesByNameArgs; reply: FindFilesByNameReply };
  find_and_grep: { args: FindAndGrepArgs; reply: FindAndGrepReply };
  Grep: { args: GrepArgs; reply: GrepReply };
  search_documents: { args: SearchDocumentsArgs; reply: SearchDocumentsReply };
  list_documents: { args: ListDocumentsArgs; reply: ListDocumentsReply };
  read_document: { args: ReadDocumentArgs; reply: ReadDocumentReply };
  scope_list_catalog: { args: ScopeListCatalogArgs; reply: ScopeListCatalogReply };
  scope_validate_pattern: { args: ScopeValidatePatternArgs; reply: ScopeValidatePatternReply };
  scope_resolve_program: { args: ScopeResolveProgramArgs; reply: ScopeResolveProgramReply };
  scope_describe_program: { args: ScopeDescribeProgramArgs; reply: ScopeDescribeProgramReply };
  scope_search_files: { args: ScopeSearchFilesArgs; reply: ScopeSearchFilesReply };
  scope_search_text: { args: ScopeSearchTextArgs; reply: ScopeSearchTextReply };
  scope_search_symbols: { args: ScopeSearchSymbolsArgs; reply: ScopeSearchSymbolsReply };
  look: { args: LookArgs; reply: LookReply };
  read: { args: ReadArgs; reply: ReadReply };
}

/** The name of a tool. */
export type ToolName = keyof Tools;

/** A mode of `search`. */
export type SearchMode = NonNullable<SearchArgs['mode']>;

/** The reply of `search` in a mode. */
export type SearchReplyIn<Mode extends SearchMode> = SearchReply &
  (Mode extends 'content' ? { matches: SearchMatch[] } : { files: MatchingFile[] });

/**
 * The arguments of a tool; those of `search` in a mode, by default "content". A name that is known only when
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

/** Returns the gitignore lines of the option `deny_secrets`, and the version of the list. */
export function secrets(): { version: number; lines: string[] };

/**
 * Lets the threads of this process share `n` heaps, from 1 to 255, and keeps blocks of 512 KiB and more out of
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

  /** Opens the directory `root`. */
  static open(root: string, options?: WorkspaceOptions): Workspace;

  /**
   * Closes the workspace: running calls and streams end with the code `cancelled`, later ones fail
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

  /** Closes the workspace at the end of a `using` block. */
  [Symbol.dispose](): void;

  /**
   * Calls any tool with its arguments as an object or as JSON, and returns the JSON of the reply
   * exactly as the engine writes it.
   */
  callJson(tool: string, args?: object | string | Uint8Array, options?: CallOptions): Promise<string>;

  /**
   * Calls any tool and returns the reply as plain text, for agents and people: each path once, its
   * rows below it as ` line: text`, remarks that begin with `# `, and a last line in brackets with
   * totals, completeness and the cursor. File contents cannot imitate another kind of line. An error that
   * a tool reports in its reply begins with `# error:`.
   */
  callText(tool: string, args?: object | string | Uint8Array, options?: CallOptions): Promise<string>;

  /** Calls a tool; the method of its name describes it. */
  call<Name extends ToolName, Mode extends SearchMode = 'content'>(
    tool: Name,
    ...rest: {} extends ArgsOf<Name, Mode>
      ? [args?: ArgsOf<Name, Mode>, options?: CallOptions]
      : [args: ArgsOf<Name, Mode>, options?: CallOptions]
  ): Promise<ReplyOf<Name, Mode>>;

  /**
   * Searches file contents and yields the results one by one, in the order of `call('search', …)`,
   * as soon as they are found. `matches_max`, `output_bytes_max` and `deadline_ms` apply only if
   * given. Invalid patterns and other errors of the engine reject the first `next`.
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

  /**
   * Finds files and yields them one by one, in the order of `call('find', …)`. `files_max`,
   * `output_bytes_max` and `deadline_ms` apply only if given. In any order other than by path, the
   * first result is available only after all files have been visited.
   */
  find(args?: FindArgs, options?: CallOptions): ResultStream<FoundFile, FindReport>;

  /**
   * Searches the contents of files below a directory for a text or a regular expression and returns
   * every matching line with its file and line number, sorted by path. Hidden, git-ignored and
   * binary files are left out. Use file_pattern and path to narrow a broad query: a result that is
   * too large is refused.
   */
  search_in_files(args: SearchInFilesArgs, options?: CallOptions): Promise<SearchInFilesReply>;

  /**
   * Finds regular files below a directory whose names match a glob and returns their paths, sorted.
   * Hidden and git-ignored files are left out, and symlinks are not followed. Matches names only;
   * never opens files.
   */
  find_files_by_name(args: FindFilesByNameArgs, options?: CallOptions): Promise<FindFilesByNameReply>;

  /**
   * Searches in two stages: first chooses files by name, type, extension, size and time, then
   * searches exactly those files for a text or regular expression. Returns absolute paths with line
   * numbers, columns and context. Hidden and git-ignored files are left out unless requested. For a
   * broad query use total_only, count_only_matches or summary_only, which count every file, or
   * group_by_file. At most 10000 matches are returned; meta.truncated is true if a limit
   * (file_limit, max_count, max_filesize, matches, time) left anything out. An error is a reply
   * with success false.
   */
  find_and_grep(args: FindAndGrepArgs, options?: CallOptions): Promise<FindAndGrepReply>;

  /**
   * Searches file contents below a directory with a regular expression and returns the first 100
   * matching lines of the most recently modified files, newest file first. Case-insensitive unless
   * case_sensitive is true. Hidden, git-ignored and binary files are left out. Answers within 2
   * seconds: status is "success", "partial" (more matches exist or time ran out: narrow pattern,
   * path or include) or "error".
   */
  Grep(args: GrepArgs, options?: CallOptions): Promise<GrepReply>;

  /**
   * Search for text across all markdown documents. Returns matching excerpts with surrounding
   * context. Results are limited to 500 total matches across 1000 files maximum.
   */
  search_documents(args: SearchDocumentsArgs, options?: CallOptions): Promise<SearchDocumentsReply>;

  /**
   * Lists the markdown documents below a directory whose front matter has a description, with path,
   * name and description. Use it to choose documents to read; use search_documents to find a text
   * in all of them.
   */
  list_documents(args?: ListDocumentsArgs, options?: CallOptions): Promise<ListDocumentsReply>;

  /**
   * Returns the text of one markdown document, front matter included, with its name and
   * description. For a long document, request the lines around the file_line of a match in
   * search_documents.
   */
  read_document(args: ReadDocumentArgs, options?: CallOptions): Promise<ReadDocumentReply>;

  /**
   * Lists the scopes of the project: standard ones, named ones from .idea, and every module with
   * four flavors. Each has a scopeRefId, which the other scope tools, search and find accept as
   * scope. Scopes marked requiresUserInput or unstable depend on user actions.
   */
  scope_list_catalog(args?: ScopeListCatalogArgs, options?: CallOptions): Promise<ScopeListCatalogReply>;

  /**
   * Checks a pattern of the scope language (file:, ext:, projectPath:, src:, test:, lib:, problem:,
   * $Name; with &&, || and !) and returns its normal form, or the error and its position. Before
   * further text a single * crosses directories, // matches any directories, and ** stays within
   * one: file:*.js is every .js file, file:src//* everything below src.
   */
  scope_validate_pattern(args: ScopeValidatePatternArgs, options?: CallOptions): Promise<ScopeValidatePatternReply>;

  /**
   * Resolves a scope given as a program of atoms and tokens in reverse Polish notation (PUSH_ATOM,
   * AND, OR, NOT), and returns a descriptor, which the other scope tools, search and find accept as
   * scope. An atom that does not resolve is an error that names it; with strict false, a
   * diagnostic.
   */
  scope_resolve_program(args: ScopeResolveProgramArgs, options?: CallOptions): Promise<ScopeResolveProgramReply>;

  /**
   * Describes a scope: its expression in infix notation, its shape, and each atom with its ref id
   * and, if unresolved, the reason. Searches nothing.
   */
  scope_describe_program(args: ScopeDescribeProgramArgs, options?: CallOptions): Promise<ScopeDescribeProgramReply>;

  /**
   * Finds the files of a scope by words in their names or paths, or by a glob, sorted by path; with
   * neither, every file of the scope. Only the scope decides which files belong, even hidden,
   * git-ignored and library files. Matches names only; never opens files.
   */
  scope_search_files(args: ScopeSearchFilesArgs, options?: CallOptions): Promise<ScopeSearchFilesReply>;

  /**
   * Searches the files of a scope for a text or a regular expression and returns every match, even
   * several per line, with its byte range, line number and line, sorted by path. Only the scope
   * decides which files belong, even hidden, git-ignored and library files; binary files are left
   * out.
   */
  scope_search_text(args: ScopeSearchTextArgs, options?: CallOptions): Promise<ScopeSearchTextReply>;

  /**
   * Finds where functions, methods, classes, types, fields, constants, modules and macros are
   * defined, by name, part of a name or initials, in the project or a scope; best first. Parses
   * Bash, C, C++, C#, Go, Java, JavaScript, Kotlin, PHP, Python, Ruby, Rust, TypeScript and TSX.
   * For uses, call search.
   */
  scope_search_symbols(args: ScopeSearchSymbolsArgs, options?: CallOptions): Promise<ScopeSearchSymbolsReply>;

  /**
   * Finds code and text in the project. Write q as you would say it: a name, "who calls loadToken",
   * a sentence such as "how are request retries handled", a line of a log or trace, a/b.rs:10, a
   * glob or /regex/. Text as written comes first, definitions marked >; otherwise the best files,
   * and a remark says so. The last line says what is missing and how to continue.
   */
  look(args?: LookArgs, options?: CallOptions): Promise<LookReply>;

  /**
   * Reads parts of files with line numbers: a file, a line range, the block around a line, or the
   * definition of a name; several per call. outline: true returns the definitions of a file or
   * directory as a tree. The last line says what is missing and how to continue.
   */
  read(args: ReadArgs, options?: CallOptions): Promise<ReadReply>;
}
