// Generated from the tool table by "npm run types"; changes here are lost.

/** How a workspace is opened. */
export interface WorkspaceOptions {
  /** How many threads one call may use; by default the cores, at most 8. */
  threads?: number;
  /** Gitignore lines; no path that they match is ever opened, listed or named in a result. */
  deny?: string[];
  /** Whether `.gitignore` files count only inside a git repository. Default: `false`. */
  require_git?: boolean;
  /**
   * The directory that tools may write result files into; it must exist. A relative one counts from
   * the root. By default there is none, and nothing is ever written.
   */
  output_dir?: string;
}

/** How a tool is called. */
export interface CallOptions {
  /** Ends the call: its promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** What a caller can do something about; the same in Rust, C and here. */
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
  | 'internal';

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

/** What a failed call is rejected with, and what `Workspace.open` throws. */
export class SearchscopeError extends Error {
  private constructor();
  readonly name: 'SearchscopeError';
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly path: string | undefined;
  readonly span: { start: number; end: number } | undefined;
  readonly near: string[] | undefined;
  readonly detail: ErrorDetail;
}

/** The name of a tool. */
export type ToolName = 'search_in_files' | 'find_files_by_name';

/** A tool as the tool table describes it. */
export interface Tool {
  name: ToolName;
  description: string;
  /** The JSON schema of its arguments. */
  inputSchema: Record<string, unknown>;
  /** The JSON schema of its reply. */
  outputSchema: Record<string, unknown>;
}

/** Every tool. */
export function tools(): Tool[];

/** One root directory and everything beneath it; nothing outside is ever read. */
export class Workspace {
  private constructor();

  /** Opens the directory `root`. */
  static open(root: string, options?: WorkspaceOptions): Workspace;

  /**
   * Calls any tool with its arguments as an object or as JSON, and gives the reply as the engine
   * writes it, JSON.
   */
  callJson(tool: string, args?: object | string | Uint8Array, options?: CallOptions): Promise<string>;

  /**
   * Searches the contents of files below a directory for a text or a regular expression and returns
   * every matching line with its file and line number, sorted by path. Hidden, git-ignored and
   * binary files are left out. Use file_pattern and path to narrow a broad query: a result over 16
   * MiB is refused.
   */
  call(tool: 'search_in_files', args: SearchInFilesArgs, options?: CallOptions): Promise<SearchInFilesReply>;

  /**
   * Finds regular files below a directory whose name matches a glob and returns their paths,
   * sorted. Hidden and git-ignored files are left out, and symlinks are not followed. Looks at
   * names only, never into files.
   */
  call(tool: 'find_files_by_name', args: FindFilesByNameArgs, options?: CallOptions): Promise<FindFilesByNameReply>;
}

export interface SearchInFilesArgs {
  /**
   * The text to search for, or a regular expression if use_regex is true. Case-sensitive.
   * Matched line by line; characters with a meaning in regular expressions are plain text
   * unless use_regex is true.
   */
  query: string;
  /**
   * Which files: a glob such as "*.py", "src/**\/*.{ts,tsx}" or "!*.min.js". Without "/" it is
   * matched against the file name at any depth; with "/" against the path relative to path; "!"
   * in front excludes. Hidden and git-ignored files are never searched.
   * Default: `"*"`.
   */
  file_pattern?: string;
  /**
   * The directory (or single file) to search, relative to the project root or absolute inside it.
   * Default: `"."`.
   */
  path?: string;
  /**
   * Whether query is a regular expression (Rust regex syntax: Unicode, no look-around, no
   * back-references).
   * Default: `false`.
   */
  use_regex?: boolean;
  /**
   * Lines that contain this text are left out of the result. Plain text, case-sensitive; empty
   * for none.
   * Default: `""`.
   */
  exclude_query?: string;
  /**
   * After so many seconds the search ends with what it has found and timed_out is true.
   * Default: `60`.
   */
  timeout?: number;
}

export interface SearchInFilesReply {
  /** The matching lines, by path (in byte order) and line number. */
  matches: {
    /** The file, relative to the project root, with "/" between names. */
    file_path: string;
    /** The line's number in the file, from 1. */
    line_number: number;
    /** The text of the line without its line end. */
    line_content: string;
  }[];
  /** How many matches there are in the list. */
  total_matches: number;
  /** How many files were searched, whether or not they matched; binary files are not. */
  files_searched: number;
  /** Whether the time ran out: then the matches are only the first ones. */
  timed_out: boolean;
}

export interface FindFilesByNameArgs {
  /**
   * A glob such as "*.py", "test_?.js" or "src/**\/index.{js,ts}". Without "/" it is matched
   * against the whole file name; with "/" against the whole path relative to path, where "**"
   * stands for any directories. Case-sensitive.
   */
  name_pattern: string;
  /**
   * The directory to look below, relative to the project root or absolute inside it.
   * Default: `"."`.
   */
  path?: string;
}

export interface FindFilesByNameReply {
  /** The files, relative to the project root, with "/" between names, in byte order. */
  files: string[];
  /** How many files there are in the list. */
  total_found: number;
}
