// Generated from the tool table by "npm run types"; changes here are lost.

/** Selection of files. */
export interface FileSelection {
  /**
   * Directories and files to search, relative to the root, even if hidden or ignored. Default:
   * `["."]`.
   */
  paths?: readonly string[];
  /**
   * Globs as in rg --glob: without "/" they match names at any depth, with "/" paths below one of
   * paths; leading "!" excludes; the last match decides.
   */
  globs?: readonly string[];
  /**
   * Only files whose name contains a match of this regular expression, or with glob true is this
   * glob. Smart case.
   */
  name_pattern?: string | null;
  /** Whether name_pattern is a glob such as "test_*.py". */
  glob?: boolean;
  /** Whether name_pattern is compared with absolute paths. */
  full_path_match?: boolean;
  /** Only files with one of these extensions, such as "py" or ".tar.gz". */
  extensions?: readonly string[];
  /**
   * Bounds on the file size: "+10k" at least, "-1m" at most, "5b" exactly; all must hold. Units: b,
   * k, m, g, t, or powers of 1024: ki, mi, gi, ti.
   */
  size?: readonly string[];
  /**
   * Only files modified within this duration ("2h", "1w") or since this date ("2024-05-01", RFC
   * 3339; UTC without an offset).
   */
  changed_within?: string | null;
  /** Only files modified longer ago than this, or before this date. */
  changed_before?: string | null;
  /** Maximum depth of directories below each path; 1 is only its own entries. */
  depth?: number | null;
  /** true: only files that differ from git's HEAD. {"since": "main"}: from another revision. */
  changed?: Changed | null;
  /**
   * Kinds of entries: f files, d directories, l symlinks, x executable files, e empty files and
   * directories. Default: f, the only kind that is searched.
   */
  types?: readonly ("f" | "d" | "l" | "x" | "e")[];
  /** Also names that start with a dot. */
  hidden?: boolean;
  /** Also files excluded by .gitignore, .ignore. */
  no_ignore?: boolean;
  /** Also git worktrees inside the root. */
  worktrees?: boolean;
  /** Whether to follow symlinks inside the root. */
  follow?: boolean;
  /** "nfc": compares names and text in Unicode's NFC. */
  normalize?: "nfc" | null;
  /**
   * Only files of this scope: production, tests, libraries, module:NAME, a pattern (file:src//*), a
   * scopeRefId of scope_list_catalog, or a descriptor of scope_resolve_program. Not with hidden or
   * no_ignore.
   */
  scope?: Scope | null;
  /** The search ends after this time with its results so far and a cursor. Default: `10000`. */
  deadline_ms?: number;
}

/** Totals and state of a page of results. */
export interface PageReport {
  /** Whether everything in scope was searched or, with a cursor, everything after it. */
  complete: boolean;
  /** Why the search ended: "none", "limit", "deadline" or "byte_budget". */
  stopped: "none" | "limit" | "deadline" | "byte_budget";
  /** Results in this reply: matching lines or files. */
  total: number;
  /** "exact", or "at_least" when there may be more. */
  total_kind: "exact" | "at_least";
  /** Only with count_all, if a limit ends the first page. */
  all?: AllMatches;
  /** Skipped entries, by reason. */
  skipped: Skipped;
  /** The number of searched files, matching or not. */
  searched_files: number;
  /** The number of files that the filters of the request exclude. */
  filtered_files: number;
  /** The duration in microseconds. */
  elapsed_us: number;
  /** Repeat the request with it to continue after this reply. Only if there is more. */
  cursor?: string;
  /**
   * With a cursor: whether files before it have appeared, vanished or changed since they were
   * searched, so earlier replies may be out of date; null if time was too short to check.
   */
  tree_changed?: boolean | null;
  /** Entries missed, wholly or in part: the first 20. */
  warnings?: Warning[];
  /** The number of all warnings. */
  n_warnings?: number;
  /**
   * Only with search_context, enclosing or uses: the matching files in languages without a grammar.
   * Their comments, string literals, definitions and uses are unknown.
   */
  no_grammar?: FilesWithoutGrammar;
  /** Only if the request has a scope. */
  scope?: SearchedScope;
  /** Only if the request has "changed". */
  changed?: ChangedSet;
  /** Only without results: possible reasons. */
  why_nothing?: string[];
}

/** Selection of files by a scope. */
export interface ScopeSelection {
  /** Also scopes that depend on the user's view, such as Current File. */
  allowUiInteractiveScopes?: boolean;
  /** Files in the user's view, as paths: currentFile, openFiles, recentFiles, selectedFiles. */
  context?: ScopeContext | null;
  /** Ends the search with its matches so far; then timedOut is true. Default: `30000`. */
  timeoutMillis?: number;
}

export interface SearchArgs extends FileSelection {
  /**
   * 1 to 64 regular expressions (Rust regex syntax: no look-around, no back-references), or texts
   * if literal is true. A line matches when any of them does.
   */
  patterns: readonly string[];
  /** Whether patterns are plain text. */
  literal?: boolean;
  /**
   * Case sensitivity. Default: sensitive.
   * - `"smart"`: Like insensitive, unless the text has an upper-case letter.
   * - `"insensitive"`: Letters match in both cases.
   * - `"sensitive"`: Letters match as written.
   */
  case?: "smart" | "insensitive" | "sensitive";
  /** Only matches with no word character next to them. */
  word?: boolean;
  /** Whether a match may cross lines; "." still matches no line feed. */
  multiline?: boolean;
  /** Lines that contain this text do not match. Case-sensitive. Not with multiline. */
  exclude_query?: string;
  /**
   * Parts of a file to search, found by parsing. Files in languages without a grammar have neither
   * comments nor literals; no_grammar names them. Default: any.
   * - `"any"`: Everywhere.
   * - `"in_string_literals"`: Only in string literals.
   * - `"in_comments"`: Only in comments.
   * - `"except_string_literals"`: Everywhere but in string literals.
   * - `"except_comments"`: Everywhere but in comments.
   * - `"except_comments_and_string_literals"`: Everywhere but in comments and string literals.
   */
  search_context?: "any" | "in_string_literals" | "in_comments" | "except_string_literals" | "except_comments" | "except_comments_and_string_literals";
  /**
   * Whether to name the innermost definition around each match, such as "fn Workspace::open". Only
   * with mode "content", and in files with a grammar.
   */
  enclosing?: boolean;
  /**
   * Keeps matches by how their name is used, and says how: ["call"] finds callers, ["any"] keeps
   * all.
   */
  uses?: readonly ("any" | "call" | "import" | "type" | "inheritance" | "assignment" | "definition" | "comment" | "string" | "other")[] | null;
  /**
   * Results: matching lines, files, or the number of matching lines per file. Default: content.
   * - `"content"`: The matching lines.
   * - `"files"`: Only the files that match.
   * - `"count"`: Only counts of matching lines.
   */
  mode?: "content" | "files" | "count";
  /**
   * The order of the files: by path, newest first, or most relevant first. Default: path.
   * - `"path"`: By the bytes of the path, ascending.
   * - `"mtime"`: By modification time, newest first, then by path.
   * - `"relevance"`: The most relevant first: definitions, production code, names like the pattern,
   * whole words.
   */
  order?: "path" | "mtime" | "relevance";
  /** Number of lines before each match. Default: `0`. */
  context_before?: number;
  /** Number of lines after each match. Default: `0`. */
  context_after?: number;
  /**
   * The encoding of files without a byte order mark, such as "latin1" or "utf-16le"; "auto" is
   * UTF-8. Default: `"auto"`.
   */
  encoding?: string;
  /** Encodings to try in order on such files; the first without errors wins. */
  encodings?: readonly string[] | null;
  /**
   * Maximum number of matching lines, or of files with mode "files"; a cursor leads to the rest.
   * With mode "count" all lines are counted unless this is set. As text: 100. Default: `1000`.
   */
  matches_max?: number;
  /** Whether to count all matches if a limit ends the reply, until the deadline. As text: true. */
  count_all?: boolean;
  /** Maximum number of matching lines per file; no cursor leads to the others. */
  matches_per_file_max?: number | null;
  /** Maximum number of files with matches; a cursor leads to the others. */
  files_max?: number | null;
  /**
   * Maximum size of the results as JSON, in bytes; a cursor leads to the others. As text: 49152.
   * Default: `16777216`.
   */
  output_bytes_max?: number;
  /** Larger files are skipped and counted. */
  file_bytes_max?: number | null;
  /** Longer lines are cut to a part around the first match. As text: 300. Default: `1000`. */
  line_bytes_max?: number;
  /** Whether to add the bytes of lossy text, in base64. */
  raw_bytes?: boolean;
  /**
   * The cursor of an earlier reply to the same request, to continue after it. Only limits, output
   * sizes and the deadline may differ.
   */
  cursor?: string | null;
}

/** Selection of changed files. */
export type Changed = boolean | {
  /** A branch, tag or commit id; files are compared with its merge base with HEAD. */
  since: string;
};

/** A set of files. */
export type Scope = string | ScopeProgram;

/** A program, or a descriptor from scope_resolve_program. */
export interface ScopeProgram {
  /** Atoms to push, at most 1,024. */
  atoms: readonly ScopeAtom[];
  /**
   * The expression in reverse Polish notation, at most 4,096: PUSH_ATOM pushes the atom atomId, AND
   * and OR pop two and push one, NOT pops one and pushes one. One remains.
   */
  tokens: readonly ScopeToken[];
  /** Whether an atom that does not resolve fails the program. */
  strict?: boolean;
  /** Also scopes that depend on the user's view, such as Current File. */
  allowUiInteractiveScopes?: boolean;
  /**
   * With strict false, handling of an atom that does not resolve: FAIL (fails the program),
   * EMPTY_SCOPE (contains nothing) or SKIP (is left out).
   */
  nonStrictDefaultFailureMode?: "FAIL" | "EMPTY_SCOPE" | "SKIP";
  /** Files in the user's view, as paths: currentFile, openFiles, recentFiles, selectedFiles. */
  context?: ScopeContext | null;
  /** In a descriptor: 1 or 2. */
  version?: number | null;
  /** In a descriptor; ignored. */
  displayName?: string | null;
  /** In a descriptor: GLOBAL, LOCAL or MIXED; ignored. */
  scopeShape?: "GLOBAL" | "LOCAL" | "MIXED" | null;
  /** In a descriptor; ignored. */
  diagnostics?: readonly string[] | null;
}

/** One atom of a program. */
export interface ScopeAtom {
  /** Its name in tokens. */
  atomId: string;
  /**
   * Decides which other fields count: STANDARD, MODULE, NAMED_SCOPE, PATTERN, DIRECTORY, FILES,
   * PROVIDER_SCOPE or GIT_CHANGED.
   */
  kind: "STANDARD" | "MODULE" | "NAMED_SCOPE" | "PATTERN" | "DIRECTORY" | "FILES" | "PROVIDER_SCOPE" | "GIT_CHANGED";
  /** The ref id of a scope in the catalog; replaces the fields of the kind. */
  scopeRefId?: string | null;
  /** If STANDARD: the id, such as "Project Files". */
  standardScopeId?: string | null;
  /** If MODULE: the name of the module. */
  moduleName?: string | null;
  /**
   * If MODULE: MODULE, MODULE_WITH_DEPENDENCIES, MODULE_WITH_LIBRARIES or
   * MODULE_WITH_DEPENDENCIES_AND_LIBRARIES. Default: MODULE.
   */
  moduleFlavor?: "MODULE" | "MODULE_WITH_DEPENDENCIES" | "MODULE_WITH_LIBRARIES" | "MODULE_WITH_DEPENDENCIES_AND_LIBRARIES" | null;
  /** If NAMED_SCOPE: the name. */
  namedScopeName?: string | null;
  /** If NAMED_SCOPE: its holder. Default: any that has the name. */
  namedScopeHolderId?: string | null;
  /** If PATTERN: the text, such as "file:src//*&&!file:*.min.js". */
  patternText?: string | null;
  /** If DIRECTORY: a file:// URL or a path relative to the root. */
  directoryUrl?: string | null;
  /** If DIRECTORY: whether to include subdirectories. */
  directoryWithSubdirectories?: boolean;
  /** If FILES: file:// URLs or paths relative to the root. */
  fileUrls?: readonly string[];
  /** If PROVIDER_SCOPE: the ref id in the catalog. */
  providerScopeId?: string | null;
  /** If GIT_CHANGED: a revision. Default: HEAD. */
  since?: string | null;
  /** With strict false, handling if it does not resolve: FAIL, EMPTY_SCOPE or SKIP. */
  onResolveFailure?: "FAIL" | "EMPTY_SCOPE" | "SKIP" | null;
}

/** One token of a program. */
export interface ScopeToken {
  /** PUSH_ATOM, AND, OR or NOT. */
  op: "PUSH_ATOM" | "AND" | "OR" | "NOT";
  /** If PUSH_ATOM: the atom. */
  atomId?: string | null;
}

/** State of the user's editor. */
export interface ScopeContext {
  /** The file the user views. */
  currentFile?: string | null;
  /** The files that are open. */
  openFiles?: readonly string[] | null;
  /** Recently opened files. */
  recentFiles?: readonly string[] | null;
  /** The selected files and directories. */
  selectedFiles?: readonly string[] | null;
}

export interface SearchReply extends PageReport {
  /** With mode "content": the matching lines, by file and then by line. */
  matches?: SearchMatch[];
  /** With mode "files" or "count": the files that match. */
  files?: MatchingFile[];
}

/** A matching line; with multiline the lines that a match covers. */
export interface SearchMatch {
  /** The file, relative to the root, with "/" between names. */
  path: string;
  /** The bytes of the path in base64, only if it is not UTF-8. */
  path_base64?: string;
  /** The number of the (first) line, from 1. */
  line: number;
  /** Start of the first match, in bytes of text from 1. */
  column: number;
  /** Start of the line in the file, in bytes from 0. */
  offset: number;
  /** The text without its line end, or a part of it. */
  text: string;
  /**
   * True if bytes of text are invalid in the encoding of the file and became U+FFFD; else absent. A
   * decoded file may also contain a U+FFFD of its own.
   */
  lossy?: boolean;
  /** With raw_bytes, if text is lossy: its bytes in base64. Only for files in UTF-8. */
  text_base64?: string;
  /** The encoding of the file, if it is one of "encodings" and not UTF-8. */
  encoding?: string;
  /** Only if text is a part: number of bytes of the line before it. */
  text_start?: number;
  /** Only if text is a part: length of the line in bytes. */
  line_bytes?: number;
  /** The matches in the line, by start: the first 100. */
  spans: MatchSpan[];
  /**
   * Only with order relevance: the criteria that this line and its file meet. Files are ranked by
   * all of their lines; the lines of a file keep their order.
   */
  reasons?: ("definition" | "definition_form" | "named" | "word" | "production" | "tests" | "docs" | "generated")[];
  /**
   * With enclosing: the innermost definition that contains the whole first match, without its
   * package.
   */
  enclosing?: string;
  /** The lines before it, each cut to line_bytes_max; only with context_before. */
  before?: string[];
  /** The lines after it, each cut to line_bytes_max; only with context_after. */
  after?: string[];
}

export interface MatchSpan {
  /** The first byte, within the line. */
  start: number;
  /** The byte after the last. */
  end: number;
  /** The index of the matching pattern. */
  pattern: number;
  /** With uses: how the name is used. Of a qualified name its last part counts. */
  use?: "call" | "import" | "type" | "inheritance" | "assignment" | "definition" | "comment" | "string" | "other";
  /** The byte range of the match in the file, as start and end; only with "encoding". */
  file_bytes?: number[];
}

export interface MatchingFile {
  /** The file, relative to the root, with "/" between names. */
  path: string;
  /** The bytes of the path in base64, only if it is not UTF-8. */
  path_base64?: string;
  /** With mode "count": the number of matching lines, less those counted on earlier pages. */
  matches?: number;
  /**
   * Only with order relevance: the criteria that the path meets. Matching lines affect the order
   * too.
   */
  reasons?: ("definition" | "definition_form" | "named" | "word" | "production" | "tests" | "docs" | "generated")[];
}

/** All matches of a request, listed or not. */
export interface AllMatches {
  /** Matching lines. */
  lines: number;
  /** Files with matches. */
  files: number;
  /** "exact", or "at_least" when the deadline ended the count. */
  total_kind: "exact" | "at_least";
}

/** Skipped entries, by reason; a directory counts once, whatever it contains. */
export interface Skipped {
  /** Left out by .gitignore, .ignore or .git/info/exclude. */
  ignored: number;
  /** Left out because the name starts with a dot. */
  hidden: number;
  /** Binary files: a NUL in the first 64 KiB. */
  binary: number;
  /** Files over the maximum size. */
  too_large: number;
  /** Symlinks that were not followed, or lead outside the root, to nothing or in a circle. */
  symlink: number;
  /** Entries not opened, listed or read to the end, ignore files included. */
  unreadable: number;
  /** Names that the system cannot return unchanged. */
  undecodable_name: number;
  /** FIFOs, sockets, devices and kernel file systems. */
  special: number;
  /** Directories deeper than the maximum. */
  too_deep: number;
  /** Denied entries, such as possible credentials; never named. Absent if none. */
  denied?: number;
  /** Git worktrees of a repository inside the root. Absent if none. */
  worktree?: number;
}

/** An entry missed, wholly or in part. */
export interface Warning {
  /** Relative to the root. */
  path: string;
  /** The reason, in a few words. */
  reason: string;
}

/** Files in languages without a grammar. */
export interface FilesWithoutGrammar {
  /** The number of files. */
  files: number;
  /** The first five, relative to the root. */
  first: string[];
}

/** The scope of a request, resolved. */
export interface SearchedScope {
  /** The displayed name. */
  displayName: string;
  /** GLOBAL or LOCAL. */
  shape: "GLOBAL" | "LOCAL" | "MIXED";
  /** Diagnostics of the scope. */
  diagnostics: string[];
}

/** The changed files of a request. */
export interface ChangedSet {
  /** The number of changed files, whether or not the request includes them. */
  files: number;
  /** Warnings about the set of changed files. */
  diagnostics?: string[];
}

export interface FindArgs extends FileSelection {
  /**
   * The order of the files: by path, newest first, or largest first. Default: path.
   * - `"path"`: By the bytes of the path, ascending.
   * - `"mtime"`: By modification time, newest first, then by path.
   * - `"size"`: By size, largest first, then by path.
   */
  order?: "path" | "mtime" | "size";
  /** Whether to add type, size and modification time of each file. */
  details?: boolean;
  /** Maximum number of files; a cursor leads to the others. Default: `1000`. */
  files_max?: number;
  /** Maximum size of the list, in bytes; a cursor leads to the rest. Default: `16777216`. */
  output_bytes_max?: number;
  /**
   * The cursor of an earlier reply to the same request, to continue after it. Only files_max,
   * output_bytes_max, details and the deadline may differ.
   */
  cursor?: string | null;
}

export interface FindReply extends PageReport {
  /** The files, in the requested order. */
  files: FoundFile[];
}

export interface FoundFile {
  /** Relative to the root, with "/" between names. */
  path: string;
  /** The bytes of the path in base64, only if it is not UTF-8. */
  path_base64?: string;
  /** With details: "f" regular file, "d" directory, "l" symlink. */
  type?: "f" | "d" | "l";
  /** With details: in bytes. */
  size?: number;
  /** With details: modification time, RFC 3339 in UTC. */
  modified?: string;
}

export interface SearchInFilesArgs {
  /**
   * The text to search for, or a regular expression if use_regex is true. Case-sensitive, matched
   * line by line.
   */
  query: string;
  /**
   * A glob such as "*.py", "src/**\/*.{ts,tsx}" or "!*.min.js". Without "/" it matches file names
   * at any depth, with "/" paths relative to path; leading "!" excludes. Default: `"*"`.
   */
  file_pattern?: string;
  /**
   * The directory (or single file) to search, relative to the project root or absolute inside it.
   * Default: `"."`.
   */
  path?: string;
  /**
   * Whether query is a regular expression (Rust regex syntax: no look-around, no back-references).
   */
  use_regex?: boolean;
  /** Lines that contain this text are left out. Case-sensitive. */
  exclude_query?: string;
  /**
   * Seconds until the search ends with its matches so far; then timed_out is true. Default: `60`.
   */
  timeout?: number;
}

export interface SearchInFilesReply {
  /** The matching lines, by path (in byte order) and line number. */
  matches: MatchInFile[];
  /** The number of matches in the list. */
  total_matches: number;
  /** The number of searched files, matching or not; binary files are not searched. */
  files_searched: number;
  /** Whether the time ran out; if so, later matches are missing. */
  timed_out: boolean;
  /**
   * Entries missed, wholly or in part, so matches may be missing: the first 20. Absent if empty.
   */
  warnings?: Warning[];
}

export interface MatchInFile {
  /** The file, relative to the project root, with "/" between names. */
  file_path: string;
  /** The line's number in the file, from 1. */
  line_number: number;
  /** The text of the line without its line end. */
  line_content: string;
}

export interface FindFilesByNameArgs {
  /**
   * A glob such as "*.py", "test_?.js" or "src/**\/index.{js,ts}". Without "/" it is matched
   * against the whole file name; with "/" against the whole path relative to path, where "**"
   * matches any directories. Case-sensitive.
   */
  name_pattern: string;
  /**
   * The directory to search, relative to the project root or absolute inside it. Default: `"."`.
   */
  path?: string;
}

export interface FindFilesByNameReply {
  /** The files, relative to the project root, with "/" between names, in byte order. */
  files: string[];
  /** The number of files in the list. */
  total_found: number;
  /** Entries not read, so files may be missing: the first 20. Absent if empty. */
  warnings?: Warning[];
}

export interface FindAndGrepArgs {
  /** Directories to search, relative to the project root. */
  roots: readonly string[];
  /**
   * The text to search for in the chosen files: a regular expression (Rust regex syntax), or plain
   * text if fixed_strings is true.
   */
  query: string;
  /**
   * Stage 1: only files whose name contains a match of this regular expression, or with glob true
   * is this glob. Smart case.
   */
  pattern?: string | null;
  /** Stage 1: whether pattern is a glob such as "*.ts". */
  glob?: boolean;
  /**
   * Stage 1: kinds of entries: f files, d directories, l symlinks, x executable files, e empty
   * files. Only regular files are searched. Default: f.
   */
  types?: readonly ("f" | "d" | "l" | "x" | "e")[];
  /** Stage 1: only files with one of these extensions, such as "py" or ".tar.gz". */
  extensions?: readonly string[];
  /**
   * Stage 1: leaves out files and directories that match one of these globs: by name, or with a "/"
   * by the path below a root.
   */
  exclude?: readonly string[];
  /** Stage 1: maximum depth below each root; 1 is only its own entries. */
  depth?: number | null;
  /** Stage 1: whether to follow symlinks, which never lead outside the project root. */
  follow_symlinks?: boolean;
  /** Stage 1: also files and directories whose name starts with a dot. */
  hidden?: boolean;
  /** Stage 1: also files excluded by .gitignore, .ignore, .git/info/exclude. */
  no_ignore?: boolean;
  /**
   * Stage 1: bounds on the file size: "+10k" at least, "-1m" at most, "5b" exactly; all must hold.
   * Units: b, k, m, g, t, or powers of 1024: ki, mi, gi, ti.
   */
  size?: readonly string[];
  /**
   * Stage 1: only files modified within this duration ("90s", "2h", "1w") or since this date
   * ("2024-05-01", RFC 3339; UTC without an offset).
   */
  changed_within?: string | null;
  /** Stage 1: only files modified longer ago than this, or before this date. */
  changed_before?: string | null;
  /** Stage 1: whether pattern is compared with the absolute path. */
  full_path_match?: boolean;
  /**
   * Stage 1: maximum number of files to search, after sorting; capped at 10000. It does not limit
   * counts (total_only, count_only_matches, summary_only): those cover all files. Default: `2000`.
   */
  file_limit?: number;
  /** Stage 1: the order of the files and results. Default: path. */
  sort?: "path" | "mtime" | "size" | null;
  /**
   * Stage 2: case sensitivity. Default: smart.
   * - `"smart"`: Like insensitive, unless the text has an upper-case letter.
   * - `"insensitive"`: Letters match in both cases.
   * - `"sensitive"`: Letters match as written.
   */
  case?: "smart" | "insensitive" | "sensitive";
  /** Stage 2: whether query is plain text. */
  fixed_strings?: boolean;
  /** Stage 2: only matches with no word character next to them. */
  word?: boolean;
  /**
   * Stage 2: whether a match may cross lines ("\n" in the query; "." still matches no line feed).
   */
  multiline?: boolean;
  /**
   * Stage 2: only chosen files that match one of these globs: by name, or with a "/" by the path
   * from the project root.
   */
  include_globs?: readonly string[];
  /** Stage 2: skips files that match one of these globs, as include_globs. */
  exclude_globs?: readonly string[];
  /**
   * Stage 2: larger files are not searched. In bytes, or with K, M or G (powers of 1024). Default
   * "10M", for counts "200M"; capped at "200M".
   */
  max_filesize?: string | null;
  /** Stage 2: number of lines before each match. */
  context_before?: number | null;
  /** Stage 2: number of lines after each match. */
  context_after?: number | null;
  /**
   * Stage 2: the encoding of files without a byte order mark, such as "latin1" or "utf-16le".
   * Default: auto, which is UTF-8.
   */
  encoding?: string | null;
  /** Stage 2: maximum number of matching lines per file. */
  max_count?: number | null;
  /** Ends the call after this time with its results so far; capped at 30000. Default: `4000`. */
  timeout_ms?: number;
  /** Output: only the number of matching lines per file. */
  count_only_matches?: boolean;
  /** Output: only totals, the 10 files with the most matches, and some sample lines. */
  summary_only?: boolean;
  /** Output: moves the leading directories that all paths share to base_path. */
  optimize_paths?: boolean;
  /** Output: the matches file by file, without repeating the path. */
  group_by_file?: boolean;
  /**
   * Output: only the number of matching lines. Takes precedence over count_only_matches,
   * summary_only and group_by_file, in this order.
   */
  total_only?: boolean;
  /**
   * Output: also writes the result to a file with this plain name plus ".json" in the output
   * directory of the workspace.
   */
  output_file?: string | null;
  /** Output: the reply only names output_file; without one it has a summary. */
  suppress_output?: boolean;
}

export type FindAndGrepReply = number | FindAndGrepMatches | FindAndGrepCounts | FindAndGrepSummaryReply | FindAndGrepGroups | FindAndGrepSaved | FindAndGrepQuiet | FindAndGrepFailure;

/** All matches in one list. */
export interface FindAndGrepMatches {
  success: boolean;
  /** The number of matches in results. */
  count: number;
  /** By file, in the order of stage 1, then by line. */
  results: FindAndGrepMatch[];
  meta: FindAndGrepMeta;
  /** With optimize_paths: the leading directories of every path. */
  base_path?: string;
  /** With output_file: its absolute path. */
  output_file?: string;
  /** With output_file: always true. */
  file_saved?: boolean;
}

export interface FindAndGrepMatch {
  /** Absolute, or the part after base_path. */
  file: string;
  /** From 1. */
  line_number: number;
  /** Start of the first match, in bytes from 1. */
  column: number;
  /** The text of the line. */
  content: string;
  /** The requested lines before it. */
  context_before: string[];
  /** The requested lines after it. */
  context_after: string[];
}

export interface FindAndGrepMeta {
  /** The number of searched files, matching or not. */
  searched_file_count: number;
  /**
   * Whether a limit left anything out: file_limit, the 10000 matches, max_count, max_filesize, the
   * size of the reply, or the time.
   */
  truncated: boolean;
  /** Time to choose the files, in milliseconds. */
  fd_elapsed_ms: number;
  /** Time to search the files, in milliseconds. */
  rg_elapsed_ms: number;
  /** Whether ignore files were disabled, at least for some roots. */
  no_ignore: boolean;
  /** The reason: "requested", or the roots that are ignored. */
  no_ignore_reason?: string;
  /**
   * Entries missed, wholly or in part, so files or matches may be missing: the first 20 of each
   * stage. Absent if empty.
   */
  warnings?: Warning[];
}

/** The number of matching lines per file. */
export interface FindAndGrepCounts {
  success: boolean;
  /** Always true. */
  count_only: boolean;
  /** Number of matching lines; a minimum if meta.truncated. */
  total_matches: number;
  /**
   * Matching lines per file, in the order of stage 1. If the reply has no room for all, only the
   * first files, and meta.truncated is true.
   */
  file_counts: Record<string, number>;
  meta: FindAndGrepMeta;
  /** With optimize_paths: the leading directories of every path. */
  base_path?: string;
  /** With output_file: its absolute path. */
  output_file?: string;
  /** With output_file: always true. */
  file_saved?: boolean;
}

/** Totals and samples. */
export interface FindAndGrepSummaryReply {
  success: boolean;
  /** Always true. */
  summary_only: boolean;
  summary: FindAndGrepSummary;
  meta: FindAndGrepMeta;
  /** With optimize_paths: the leading directories of every path. */
  base_path?: string;
  /** With output_file: its absolute path. */
  output_file?: string;
  /** With output_file: always true. */
  file_saved?: boolean;
}

export interface FindAndGrepSummary {
  /** Number of matching lines; a minimum if meta.truncated. */
  total_matches: number;
  /** Files with matches. */
  file_count: number;
  /** The 10 files with the most matches, then by path. */
  top_files: FindAndGrepTopFile[];
  /** The first 3 matching lines of each of the first 10 files, cut to 120 characters. */
  sample_matches: FindAndGrepSample[];
}

export interface FindAndGrepTopFile {
  /** Absolute, or the part after base_path. */
  file: string;
  /** Matching lines. */
  matches: number;
}

export interface FindAndGrepSample {
  /** Absolute, or the part after base_path. */
  file: string;
  /** The line's number, from 1. */
  line: number;
  /** The text of the line, cut. */
  content: string;
}

/** All matches, grouped by file. */
export interface FindAndGrepGroups {
  success: boolean;
  /** The number of matches in all groups. */
  count: number;
  /** In the order of stage 1. */
  files: FindAndGrepGroup[];
  meta: FindAndGrepMeta;
  /** With optimize_paths: the leading directories of every path. */
  base_path?: string;
  /** With output_file: its absolute path. */
  output_file?: string;
  /** With output_file: always true. */
  file_saved?: boolean;
}

export interface FindAndGrepGroup {
  /** Absolute, or the part after base_path. */
  file: string;
  /** The number of matches. */
  match_count: number;
  /** By line. */
  matches: FindAndGrepGroupMatch[];
}

export interface FindAndGrepGroupMatch {
  /** From 1. */
  line_number: number;
  /** The text of the line. */
  content: string;
}

export interface FindAndGrepSaved {
  success: boolean;
  /** Matching lines. */
  count: number;
  /** The absolute path of the output. */
  output_file: string;
  /** Always true. */
  file_saved: boolean;
}

export interface FindAndGrepQuiet {
  success: boolean;
  /** Matching lines. */
  count: number;
  summary: FindAndGrepSummary;
  meta: FindAndGrepMeta;
  /** With optimize_paths: the leading directories of every path. */
  base_path?: string;
}

export interface FindAndGrepFailure {
  /** Always false. */
  success: boolean;
  /** The message. */
  error: string;
  /** Exit code: 1 for fd, 2 for input and rg, 124 if the time ran out; never 0. */
  returncode: number;
  /** "input" for the arguments, "fd" for choosing files, "rg" for searching them. */
  stage: "input" | "fd" | "rg";
}

export interface GrepArgs {
  /**
   * The regular expression to search for, matched line by line, such as "class\s+User" (Rust regex
   * syntax: no look-around, no back-references).
   */
  pattern: string;
  /**
   * The directory to search, relative to the project root or absolute inside it. Default: `"."`.
   */
  path?: string;
  /**
   * A glob that narrows the files, such as "*.ts" or "src/**\/*.{js,jsx}". Without "/" it is
   * matched against the file name; with "/" against the end of the path relative to path, so
   * "src/*.py" also matches "a/src/x.py"; "**\/" matches any directories, or none.
   */
  include?: string | null;
  /** Whether case counts. */
  case_sensitive?: boolean;
}

export interface GrepReply {
  /**
   * Outcome of the call.
   * - `"success"`: Everything was searched; matches are complete.
   * - `"partial"`: There are matches, but the limit or the deadline left others out.
   * - `"error"`: Failed; error says why.
   */
  status: "success" | "partial" | "error";
  data: GrepData;
  /** The result as text: a summary, then one line per match as "file:line: text". */
  text: string;
  /** Only when status is "error". */
  error?: GrepFailure;
  stats: GrepStats;
  context: GrepContext;
}

export interface GrepData {
  /** The matching lines: newest files first, then by path and line. */
  matches?: GrepMatch[];
  /** Whether there are more matches. */
  truncated?: boolean;
  /** "timeout" when the deadline of 2 seconds ended the search. */
  aborted_reason?: "timeout";
}

export interface GrepMatch {
  /** The file, relative to the project root, with "/" between names. */
  file: string;
  /** The line's number in the file, from 1. */
  line: number;
  /** The text of the line without its line end. */
  text: string;
}

export interface GrepFailure {
  /** The kind of error. */
  code: "INVALID_PARAM" | "NOT_FOUND" | "ACCESS_DENIED" | "TIMEOUT";
  /** The message. */
  message: string;
}

export interface GrepStats {
  /** The duration in milliseconds. */
  time_ms: number;
  /** The number of files in matches. */
  matched_files?: number;
  /** The number of matches. */
  matched_lines?: number;
  /** The number of searched files, matching or not. */
  searched_files?: number;
  /** Skipped entries, by reason. */
  skipped?: Skipped;
  /**
   * Entries missed, wholly or in part, so matches may be missing: the first 20. Absent if empty.
   */
  warnings?: Warning[];
}

export interface GrepContext {
  /** Always ".", the project root. */
  cwd: string;
  /** The arguments of the call. */
  params_input: unknown;
  /** The searched directory, relative to the project root. */
  path_resolved?: string;
  /** The regular expression. */
  pattern?: string;
  /** Always "mtime_desc". */
  sorted_by?: "mtime_desc";
}

export interface SearchDocumentsArgs {
  /** Search keyword or phrase (required, 1-200 chars, trimmed) */
  query: string;
  /** Characters before/after match (default: 50, range: 10-500) Default: `50`. */
  context_chars?: number;
  /** Case-sensitive search (default: false) */
  case_sensitive?: boolean;
  /** Directory path to search in (default: /) Default: `"/"`. */
  path?: string;
  /** Max matches per file (default: 10, range: 1-100) Default: `10`. */
  max_results?: number;
  /**
   * "relevance" finds the words of query in any form, best document first (default: "matches")
   * - `"matches"`: The query as it is, most matches first.
   * - `"relevance"`: Its words in any form, the best document first.
   */
  order?: "matches" | "relevance";
}

export interface SearchDocumentsReply {
  /** The searched text, trimmed. */
  query: string;
  /** The number of matches in the results. */
  total_matches: number;
  /** The number of documents in the results. */
  total_files: number;
  /** Whether the limit of 500 matches, 1,000 documents or 60 seconds ended the search. */
  truncated: boolean;
  /** The documents with matches, most matches first, or the best first. */
  results: DocumentMatches[];
  /**
   * Whether the time limit of 60 seconds ended the walk; the reply has the results found until
   * then.
   */
  timed_out?: boolean;
  /** Entries not read: the first 1,000. */
  warnings?: DocumentWarning[];
  /** The number of further warnings. */
  more_warnings?: number;
  /**
   * The number of documentation files that are not documents here, by suffix; the workspace option
   * doc_suffixes can include them. Absent if empty.
   */
  other_formats?: Record<string, number>;
}

export interface DocumentMatches {
  /** Its path from the documents' root, which is "/". */
  path: string;
  /** The name in its front matter, else the file name without ".md". */
  name: string;
  /** Number of matches in the list. */
  match_count: number;
  /** The matches, in document order. */
  matches: DocumentMatch[];
}

export interface DocumentMatch {
  /** The line number, counted from 1 after the front matter. */
  line: number;
  /** The match between "**", with its context, on one line; "..." marks a cut. */
  excerpt: string;
  /** The line in the file, from 1. */
  file_line: number;
}

/** A directory or document not read. */
export interface DocumentWarning {
  /** Relative to the documents' root; empty for the root itself. */
  path: string;
  /** The operation: "list" a directory, or "read" a document. */
  operation: "list" | "read";
  /** The reason, in a few words. */
  reason: string;
}

export interface ListDocumentsArgs {
  /** The directory to list, from the documents' root, which is "/". Default: `"/"`. */
  path?: string;
}

export interface ListDocumentsReply {
  /** The documents with a description, depth-first, by name in each directory. */
  documents: DescribedDocument[];
  /** The number of documents in the list. */
  total_found: number;
  /** Whether the list ends early: after 1,000 documents, described or not, or 60 seconds. */
  truncated: boolean;
  /**
   * Whether the time limit of 60 seconds ended the walk; the reply has the results found until
   * then.
   */
  timed_out?: boolean;
  /** Entries not read: the first 1,000. */
  warnings?: DocumentWarning[];
  /** The number of further warnings. */
  more_warnings?: number;
  /**
   * The number of documentation files that are not documents here, by suffix; the workspace option
   * doc_suffixes can include them. Absent if empty.
   */
  other_formats?: Record<string, number>;
}

export interface DescribedDocument {
  /** Its path from the documents' root, which is "/". */
  path: string;
  /** The name in its front matter, else the file name without ".md". */
  name: string;
  /** The description in its front matter. */
  description: string;
}

export interface ReadDocumentArgs {
  /**
   * The path of the document from the documents' root, as in search_documents and list_documents.
   */
  path: string;
  /** The first line to return, counted in the file from 1. Default: `1`. */
  start_line?: number;
  /** Maximum number of lines. Default: all. */
  lines_max?: number | null;
}

export interface ReadDocumentReply {
  /** Its path from the documents' root, which is "/". */
  path: string;
  /** The name in its front matter, else the file name without ".md". */
  name: string;
  /** The description in its front matter, if any. */
  description?: string;
  /** The lines, with their ends; front matter included. */
  content: string;
  /** The number of the first line, from 1. */
  start_line: number;
  /** The number of the last line; start_line - 1 if there are none. */
  end_line: number;
  /** The number of lines of the document. */
  total_lines: number;
}

export interface ScopeListCatalogArgs {
  /** Also scopes that need user state, such as "Current File". Default: `true`. */
  includeInteractiveScopes?: boolean;
  /**
   * Only scopes of these kinds: STANDARD, MODULE, NAMED_SCOPE, PATTERN, DIRECTORY, FILES,
   * PROVIDER_SCOPE or GIT_CHANGED; PATTERN, DIRECTORY and FILES are never in the catalog. Default:
   * all.
   */
  kinds?: readonly ("STANDARD" | "MODULE" | "NAMED_SCOPE" | "PATTERN" | "DIRECTORY" | "FILES" | "PROVIDER_SCOPE" | "GIT_CHANGED")[];
  /** Only scopes with this text in display name or ref id, ignoring case. */
  query?: string | null;
  /** Maximum number. Default: `100`. */
  limit?: number;
  /** Files in the user's view, as paths: currentFile, openFiles, recentFiles, selectedFiles. */
  context?: ScopeContext | null;
}

export interface ScopeListCatalogReply {
  /** The scopes: standard ones, those of providers, named ones, then modules by name. */
  items: CatalogItem[];
  /** The number of scopes, including those beyond limit. */
  totalItems: number;
  /** Files that could not be read, and omissions. */
  diagnostics: string[];
}

export interface CatalogItem {
  /** The name in atoms and in the scope of a tool. */
  scopeRefId: string;
  /** The displayed name. */
  displayName: string;
  /** The kind of its atom: STANDARD, MODULE, NAMED_SCOPE, PROVIDER_SCOPE or GIT_CHANGED. */
  kind: "STANDARD" | "MODULE" | "NAMED_SCOPE" | "PATTERN" | "DIRECTORY" | "FILES" | "PROVIDER_SCOPE" | "GIT_CHANGED";
  /** GLOBAL or LOCAL. */
  scopeShape: "GLOBAL" | "LOCAL" | "MIXED";
  /** If STANDARD: the id. */
  serializationId?: string;
  /** Whether it needs more input: allowUiInteractiveScopes or a revision. */
  requiresUserInput: boolean;
  /** Whether it changes with user actions or over time. */
  unstable: boolean;
  /** If MODULE: the name of the module. */
  moduleName?: string;
  /**
   * If MODULE: MODULE, MODULE_WITH_DEPENDENCIES, MODULE_WITH_LIBRARIES or
   * MODULE_WITH_DEPENDENCIES_AND_LIBRARIES.
   */
  moduleFlavor?: "MODULE" | "MODULE_WITH_DEPENDENCIES" | "MODULE_WITH_LIBRARIES" | "MODULE_WITH_DEPENDENCIES_AND_LIBRARIES" | null;
  /** If NAMED_SCOPE: the name. */
  namedScopeName?: string;
  /** If NAMED_SCOPE: its holder. */
  namedScopeHolderId?: string;
  /** If PROVIDER_SCOPE: the ref id. */
  providerScopeId?: string;
}

export interface ScopeValidatePatternArgs {
  /**
   * The pattern, such as "file:src//*.rs&&!file:*_test.rs". White space is part of it: write none
   * around "&&", "||" and "!".
   */
  patternText: string;
}

export interface ScopeValidatePatternReply {
  /** Whether the pattern is valid. */
  valid: boolean;
  /** The pattern in its normal form, without needless parentheses. */
  normalizedPatternText?: string;
  /** The ref id of the pattern, for comparing patterns. */
  scopeRefId?: string;
  /** The error and its position, or a warning about a valid but suspicious pattern. */
  diagnostics: string[];
}

export interface ScopeResolveProgramArgs {
  /** Atoms to push, at most 1,024. */
  atoms: readonly ScopeAtom[];
  /**
   * The expression in reverse Polish notation, at most 4,096: PUSH_ATOM pushes the atom atomId, AND
   * and OR pop two and push one, NOT pops one and pushes one. One remains.
   */
  tokens: readonly ScopeToken[];
  /** Whether an atom that does not resolve fails the program. */
  strict?: boolean;
  /** Also scopes that depend on the user's view, such as Current File. */
  allowUiInteractiveScopes?: boolean;
  /**
   * With strict false, handling of an atom that does not resolve: FAIL (fails the program),
   * EMPTY_SCOPE (contains nothing) or SKIP (is left out).
   */
  nonStrictDefaultFailureMode?: "FAIL" | "EMPTY_SCOPE" | "SKIP";
  /** Files in the user's view, as paths: currentFile, openFiles, recentFiles, selectedFiles. */
  context?: ScopeContext | null;
}

export interface ScopeResolveProgramReply {
  /** The scope, for any tool that takes one. */
  descriptor: ScopeDescriptor;
}

/** A resolved scope; any tool with a scope accepts it. */
export interface ScopeDescriptor {
  /** Always 1. */
  version: number;
  /** Atoms to push, at most 1,024. */
  atoms: ScopeAtom[];
  /**
   * The expression in reverse Polish notation, at most 4,096: PUSH_ATOM pushes the atom atomId, AND
   * and OR pop two and push one, NOT pops one and pushes one. One remains.
   */
  tokens: ScopeToken[];
  /** Whether an atom that does not resolve fails the program. */
  strict?: boolean;
  /** Also scopes that depend on the user's view, such as Current File. */
  allowUiInteractiveScopes?: boolean;
  /**
   * With strict false, handling of an atom that does not resolve: FAIL (fails the program),
   * EMPTY_SCOPE (contains nothing) or SKIP (is left out).
   */
  nonStrictDefaultFailureMode?: "FAIL" | "EMPTY_SCOPE" | "SKIP";
  /** Files in the user's view, as paths: currentFile, openFiles, recentFiles, selectedFiles. */
  context?: ScopeContext;
  /** The displayed name. */
  displayName: string;
  /** GLOBAL, LOCAL or MIXED. */
  scopeShape: "GLOBAL" | "LOCAL" | "MIXED";
  /** Atoms that did not resolve, files that could not be read, and the like. */
  diagnostics: string[];
}

export interface ScopeDescribeProgramArgs {
  /**
   * Files: production, tests, libraries, module:NAME, a pattern (file:src//*), a scopeRefId of
   * scope_list_catalog, or a descriptor of scope_resolve_program.
   */
  scope: Scope;
  /** Also scopes that depend on the user's view, such as Current File. */
  allowUiInteractiveScopes?: boolean;
  /** Files in the user's view, as paths: currentFile, openFiles, recentFiles, selectedFiles. */
  context?: ScopeContext | null;
}

export interface ScopeDescribeProgramReply {
  /** The displayed name. */
  displayName: string;
  /** The whole expression in infix notation, with parentheses where needed. */
  expression: string;
  /** GLOBAL or LOCAL. */
  scopeShape: "GLOBAL" | "LOCAL" | "MIXED";
  /** The atoms, in the order of the program. */
  atoms: DescribedAtom[];
  /** Warnings. */
  diagnostics: string[];
}

export interface DescribedAtom {
  /** Its name in tokens; "scope" where the scope is a text. */
  atomId: string;
  /** STANDARD, MODULE, NAMED_SCOPE, PATTERN, DIRECTORY, FILES, GIT_CHANGED or PROVIDER_SCOPE. */
  kind: "STANDARD" | "MODULE" | "NAMED_SCOPE" | "PATTERN" | "DIRECTORY" | "FILES" | "PROVIDER_SCOPE" | "GIT_CHANGED";
  /** Its ref id in catalog and programs, if known. */
  scopeRefId?: string;
  /** The displayed name. */
  displayName: string;
  /** GLOBAL or LOCAL. */
  scopeShape: "GLOBAL" | "LOCAL" | "MIXED";
  /** Whether the atom resolves. */
  resolved: boolean;
  /** Why it does not resolve. */
  problem?: string;
}

export interface ScopeSearchFilesArgs extends ScopeSelection {
  /**
   * Files: production, tests, libraries, module:NAME, a pattern (file:src//*), a scopeRefId of
   * scope_list_catalog, or a descriptor of scope_resolve_program.
   */
  scope: Scope;
  /**
   * Words that must occur in this order, split at white space; with GLOB the glob. Empty: all files
   * of the scope.
   */
  query?: string;
  /**
   * Further words, which must occur after those of query; may contain white space. Not with GLOB.
   */
  keywords?: readonly string[];
  /**
   * Compared text: NAME_OR_PATH, NAME (the file name), PATH (the path relative to the root), or
   * GLOB (query is a glob: without "/" for names at any depth, with "/" for paths). Default:
   * NAME_OR_PATH.
   * - `"NAME_OR_PATH"`: Its name or its path.
   * - `"NAME"`: Its name.
   * - `"PATH"`: Its path relative to the root.
   * - `"GLOB"`: A glob: without "/" for names at any depth, with "/" for paths below directoryUrl
   * or the root; ** matches any directories.
   * Default: `"NAME_OR_PATH"`.
   */
  matchMode?: "NAME_OR_PATH" | "NAME" | "PATH" | "GLOB";
  /** Whether case counts. */
  caseSensitive?: boolean;
  /** Only files below this directory, a file:// URL or a path relative to the root. */
  directoryUrl?: string | null;
  /** Maximum number of files. Default: `1000`. */
  maxResults?: number;
}

export interface ScopeSearchFilesReply {
  /** The displayed name. */
  scopeDisplayName: string;
  /** GLOBAL or LOCAL. */
  scopeShape: "GLOBAL" | "LOCAL" | "MIXED";
  /**
   * The matchMode of the call: NAME_OR_PATH, NAME, PATH or GLOB.
   * - `"NAME_OR_PATH"`: Its name or its path.
   * - `"NAME"`: Its name.
   * - `"PATH"`: Its path relative to the root.
   * - `"GLOB"`: A glob: without "/" for names at any depth, with "/" for paths below directoryUrl
   * or the root; ** matches any directories.
   */
  mode: "NAME_OR_PATH" | "NAME" | "PATH" | "GLOB";
  /** The query of the call. */
  query: string;
  /** The keywords of the call. */
  keywords: string[];
  /** The URL of the searched directory, if the call names one. */
  directoryUrl?: string;
  /** The files as file:// URLs, in byte order of their paths. */
  matchedFileUrls: string[];
  /** The same files, relative to the root, with "/" between names. */
  matchedFilePaths: string[];
  /** The number of files in the scope, matching or not. */
  scannedFileCount: number;
  /** Whether there are, or may be, more files. */
  probablyHasMoreMatchingFiles: boolean;
  /** Whether the time ran out. */
  timedOut: boolean;
  /** Always false: a cancelled call is an error. */
  canceled: boolean;
  /** Skipped entries, by reason. */
  skipped: Skipped;
  /** Warnings for the caller. */
  diagnostics: string[];
}

export interface ScopeSearchTextArgs extends ScopeSelection {
  /**
   * Files: production, tests, libraries, module:NAME, a pattern (file:src//*), a scopeRefId of
   * scope_list_catalog, or a descriptor of scope_resolve_program.
   */
  scope: Scope;
  /**
   * The text to search for, or a regular expression if mode is REGEX (Rust regex syntax: no
   * look-around, no back-references). Matched line by line, unless it contains a line feed or regex
   * \n.
   */
  query: string;
  /**
   * Syntax of query: PLAIN or REGEX. Default: PLAIN.
   * - `"PLAIN"`: Characters match literally.
   * - `"REGEX"`: A regular expression.
   */
  mode?: "PLAIN" | "REGEX";
  /** Whether case counts. Default: `true`. */
  caseSensitive?: boolean;
  /** Only matches with no word character next to them. */
  wholeWordsOnly?: boolean;
  /**
   * Parts of a file to search: ANY, IN_STRING_LITERALS, IN_COMMENTS, EXCEPT_STRING_LITERALS,
   * EXCEPT_COMMENTS or EXCEPT_COMMENTS_AND_STRING_LITERALS. Files in languages without a grammar
   * have neither, and a diagnostic names them. Default: ANY.
   * - `"ANY"`: Everywhere.
   * - `"IN_STRING_LITERALS"`: Only in string literals.
   * - `"IN_COMMENTS"`: Only in comments.
   * - `"EXCEPT_STRING_LITERALS"`: Everywhere but in string literals.
   * - `"EXCEPT_COMMENTS"`: Everywhere but in comments.
   * - `"EXCEPT_COMMENTS_AND_STRING_LITERALS"`: Everywhere but in comments and string literals.
   */
  searchContext?: "ANY" | "IN_STRING_LITERALS" | "IN_COMMENTS" | "EXCEPT_STRING_LITERALS" | "EXCEPT_COMMENTS" | "EXCEPT_COMMENTS_AND_STRING_LITERALS";
  /**
   * Comma-separated globs for files in the scope, such as "*.kt, !*Test.kt"; leading "!" excludes.
   * Without "/" they match names, with "/" paths below the root.
   */
  fileMask?: string | null;
  /** Maximum number of matches. Default: `1000`. */
  maxUsageCount?: number;
  /** Whether to accept a regex that can match the empty text. */
  allowEmptyMatches?: boolean;
}

export interface ScopeSearchTextReply {
  /** The displayed name. */
  scopeDisplayName: string;
  /** GLOBAL or LOCAL. */
  scopeShape: "GLOBAL" | "LOCAL" | "MIXED";
  /** The matches, by path, line, position. */
  occurrences: TextOccurrence[];
  /** Whether there are, or may be, more matches. */
  probablyHasMoreMatchingEntries: boolean;
  /** Whether the time ran out. */
  timedOut: boolean;
  /** Always false: a cancelled call is an error. */
  canceled: boolean;
  /** Warnings about resolving the scope and about files not searched. */
  diagnostics: string[];
}

/** A match. */
export interface TextOccurrence {
  /**
   * A hash of the URL, the position, the mode and the query: stable while the match keeps its
   * position.
   */
  occurrenceId: string;
  /** The file as a file:// URL. */
  fileUrl: string;
  /** The file, relative to the root, with "/" between names. */
  filePath: string;
  /** The number of the line in which the match starts, from 1. */
  lineNumber: number;
  /**
   * Start of the match, in bytes of the file's text from 0, without a byte order mark; if the file
   * is decoded by its mark, of its text as UTF-8.
   */
  startOffset: number;
  /** End of the match, without a final line end. */
  endOffset: number;
  /** The line, with "||" around the match, and at most 200 characters on each side. */
  lineText: string;
  /** The text of the match. */
  matchedText: string;
}

export interface ScopeSearchSymbolsArgs extends ScopeSelection {
  /**
   * Files: production, tests, libraries, module:NAME, a pattern (file:src//*), a scopeRefId of
   * scope_list_catalog, or a descriptor of scope_resolve_program. Default: the project without
   * ignored files and libraries.
   */
  scope?: Scope | null;
  /**
   * A name or a part of it, ignoring case; or the beginnings of its words, such as RelPa for
   * rel_path; or its initials, such as rp. Enclosing names may precede it: Workspace::open,
   * Job.run.
   */
  query: string;
  /**
   * Kinds: CLASS (classes and all other types), METHOD (functions and methods), FIELD (fields, enum
   * members, constants, variables), SYMBOL (modules, macros), UNKNOWN (nothing). Default: all.
   */
  kinds?: readonly ("CLASS" | "METHOD" | "FIELD" | "SYMBOL" | "UNKNOWN")[] | null;
  /** Maximum number of definitions. Default: `200`. */
  maxResultCount?: number;
  /** Adds keyword and signature to each item. As text: true. */
  signatures?: boolean;
}

export interface ScopeSearchSymbolsReply {
  /**
   * The definitions: by score, then types before functions before fields before others, then by
   * path and line.
   */
  items: FoundSymbol[];
  /** Whether there are, or may be, more definitions. */
  probablyHasMoreMatchingEntries: boolean;
  /** Whether the time ran out. */
  timedOut: boolean;
  /** Always false: a cancelled call is an error. */
  canceled: boolean;
  /** Warnings about resolving the scope and about files not searched. */
  diagnostics: string[];
}

/** A definition. */
export interface FoundSymbol {
  /** Its name. */
  name: string;
  /** The name after its package and enclosing definitions, as the language writes it. */
  qualifiedName: string;
  /** Its file as a file:// URL. */
  fileUrl: string;
  /** The file, relative to the root, with "/" between names. */
  filePath: string;
  /** The line of the name, from 1. */
  line: number;
  /** Start of the name in its line, in bytes from 1. */
  column: number;
  /**
   * CLASS, METHOD, FIELD, SYMBOL or UNKNOWN.
   * - `"CLASS"`: A class, interface, struct, union, enum, trait or other type.
   * - `"METHOD"`: A function or method.
   * - `"FIELD"`: A field, enum member, constant or variable.
   * - `"SYMBOL"`: A module, namespace or macro.
   * - `"UNKNOWN"`: Any other; unused today.
   */
  kind: "CLASS" | "METHOD" | "FIELD" | "SYMBOL" | "UNKNOWN";
  /** The language of the file, such as "Rust" or "C++". */
  language: string;
  /**
   * The score: 100 for the exact name, 95 if only the case differs, 80 and 75 for its beginning, 60
   * for the beginnings of its words, 40 and 35 for a part.
   */
  score: number;
  /** With signatures: the word for the kind in outlines, such as fn or class. */
  keyword?: string;
  /**
   * With signatures: the line that defines it, up to its body and with all parameters, at most 160
   * characters.
   */
  signature?: string;
}

export interface LookArgs {
  /** Text (smart case), a question, a name, or /regex/. */
  q?: string | null;
  /** Instead of q: finds code like that at a place, "a/b.rs:10". */
  like?: string | null;
  /** Restricts or changes the rows. "names": file names. */
  only?: "definitions" | "names" | "files" | "count" | "calls" | "inheritance" | "comments" | "strings" | "production" | "tests" | "docs" | null;
  /** A directory or file. */
  in?: string | null;
  /** Globs: "*.rs", "!*.min.js". */
  files?: readonly string[];
  /** Changed since: "2h", "2026-05-01", "changed" (git). */
  since?: string | null;
  /** First row, from the last line of a reply. Default: `1`. */
  page?: number;
  /** Size of the reply. Default: `12000`. */
  bytes_max?: number;
}

export interface LookReply {
  /** The answer: headings, rows, remarks and a last line in brackets. */
  text: string;
  /** Whether everything in scope was searched, and every row is in text. */
  complete: boolean;
  /** The number of rows found: lines, or files with only "files" and "names". */
  total: number;
  /** "exact", or "at_least" when the time ran out. */
  total_kind: "exact" | "at_least";
  /** Pass it as page to continue. Only if there are more rows. */
  next_page?: number;
}

export interface ReadArgs {
  /**
   * "path", "path:10-40", "path:25" (the block around it), "path#name" or "#name" (a definition).
   */
  what: readonly string[];
  /** The definitions of these files or directories instead of their lines. */
  outline?: boolean;
  /** Size of the reply. Default: `16000`. */
  bytes_max?: number;
}

export interface ReadReply {
  /** The parts: headings, numbered lines, remarks and a last line in brackets. */
  text: string;
  /** Whether text has every requested line. */
  complete: boolean;
}
