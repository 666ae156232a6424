// Generated from the tool table by "npm run types"; changes here are lost.

/** Which files are looked at. */
export interface FileSelection {
  /**
   * Directories and files to look at, relative to the root, even if hidden or ignored. Default:
   * `["."]`.
   */
  paths?: readonly string[];
  /**
   * Globs as rg --glob: without "/" on the name at any depth, with "/" on the path below one of
   * paths; "!" in front excludes; the last that matches decides.
   */
  globs?: readonly string[];
  /**
   * Only files with a match of this regular expression in their name, or with glob true those whose
   * name is this glob. Smart case.
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
  /** Only files modified before this long ago, or before this date. */
  changed_before?: string | null;
  /** Levels of directories to look at below each path; 1 is only its own entries. */
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
  /** Also what .gitignore and .ignore leave out. */
  no_ignore?: boolean;
  /** Also git worktrees inside the root. */
  worktrees?: boolean;
  /** Whether to follow symlinks inside the root. */
  follow?: boolean;
  /**
   * Only files of this scope: production, tests, libraries, module:NAME, a pattern (file:src//*), a
   * scopeRefId of scope_list_catalog, or a descriptor of scope_resolve_program. Not with hidden or
   * no_ignore.
   */
  scope?: Scope | null;
  /** The search ends after this time with what it has found; a cursor goes on. Default: `10000`. */
  deadline_ms?: number;
}

/** What a page of results says beside them. */
export interface PageReport {
  /** Whether everything in scope was looked at; with a cursor everything from there on. */
  complete: boolean;
  /** What ended it: "none", "limit", "deadline" or "byte_budget". */
  stopped: "none" | "limit" | "deadline" | "byte_budget";
  /** How many results this reply has: matching lines, or files. */
  total: number;
  /** "exact", or "at_least" when there may be more. */
  total_kind: "exact" | "at_least";
  /** Only with count_all, where a limit ends the reply and it has no cursor before it. */
  all?: AllMatches;
  /** What was passed over. */
  skipped: Skipped;
  /** How many files were searched, whether or not they matched. */
  searched_files: number;
  /** How many files were left out because the request does not ask for them. */
  filtered_files: number;
  /** How long it took, in microseconds. */
  elapsed_us: number;
  /** Give it back in the same request to go on where this reply ends. Only where there is more. */
  cursor?: string;
  /**
   * With a cursor: whether files before it have appeared, vanished or changed since they were
   * looked at, so that earlier replies may be out of date; null when there was no time to look.
   */
  tree_changed?: boolean | null;
  /** What was not looked at, or not whole: the first 20. */
  warnings?: Warning[];
  /** How many warnings there were in all. */
  n_warnings?: number;
  /**
   * Only where search_context or enclosing asks for it: the files with matches for whose languages
   * there is no grammar. Nothing in them is known to be a comment, a string literal or a
   * definition.
   */
  no_grammar?: FilesWithoutGrammar;
  /** Only where the request has a scope. */
  scope?: SearchedScope;
  /** Only where the request has changed. */
  changed?: ChangedSet;
  /** Only where there is no result: why that may be. */
  why_nothing?: string[];
}

/** Which files are looked at, as a scope. */
export interface ScopeSelection {
  /** Also scopes that depend on what the user looks at, such as Current File. */
  allowUiInteractiveScopes?: boolean;
  /**
   * What the user of the host looks at: currentFile, openFiles, recentFiles, selectedFiles, as
   * paths.
   */
  context?: ScopeContext | null;
  /**
   * The search ends after this time with what it has found, and timedOut is true. Default: `30000`.
   */
  timeoutMillis?: number;
}

export interface SearchArgs extends FileSelection {
  /**
   * What to search for: 1 to 64 regular expressions (Rust regex syntax: no look-around, no
   * back-references), or texts if literal is true. A line matches when any of them does.
   */
  patterns: readonly string[];
  /** Whether patterns are plain text. */
  literal?: boolean;
  /**
   * Whether case counts. Default: sensitive.
   * - `"smart"`: Like insensitive, unless the text holds an upper-case letter.
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
   * Where in a file matches count. Known by parsing; files in languages without a grammar have
   * neither comments nor literals, and no_grammar names them. Default: any.
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
   * What to give: the matching lines, the files, or how many lines of each match. Default: content.
   * - `"content"`: The matching lines.
   * - `"files"`: Only the files that match.
   * - `"count"`: Only how many lines of each file match.
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
  /** How many lines before each match to give. Default: `0`. */
  context_before?: number;
  /** How many lines after each match to give. Default: `0`. */
  context_after?: number;
  /**
   * The encoding of files without a byte order mark, such as "latin1" or "utf-16le"; "auto" is
   * UTF-8. Default: `"auto"`.
   */
  encoding?: string;
  /**
   * How many matching lines to give at most, with mode "files" how many files; a cursor leads to
   * the others. With mode "count" all lines are counted unless this is given. As text: 100.
   * Default: `1000`.
   */
  matches_max?: number;
  /**
   * Whether to count all matches where a limit ends the reply, until the deadline. As text: true.
   */
  count_all?: boolean;
  /** How many matching lines of one file to give at most; no cursor leads to the others. */
  matches_per_file_max?: number | null;
  /** How many files with matches to give at most; a cursor leads to the others. */
  files_max?: number | null;
  /**
   * How large the results may become as JSON, in bytes; a cursor leads to the others. As text:
   * 49152. Default: `16777216`.
   */
  output_bytes_max?: number;
  /** Larger files are skipped and counted. */
  file_bytes_max?: number | null;
  /** Longer lines are cut to a part around the first match. As text: 300. Default: `1000`. */
  line_bytes_max?: number;
  /** Whether a match whose text is lossy has its bytes too, in base64. */
  raw_bytes?: boolean;
  /**
   * The cursor of an earlier reply to the same request, to continue after it. Only limits, output
   * sizes and the deadline may differ.
   */
  cursor?: string | null;
}

/** Which changed files a call is about. */
export type Changed = boolean | {
  /** A branch, tag or commit id; files differ from the merge base of HEAD and it. */
  since: string;
};

/** Which files a call is about. */
export type Scope = string | ScopeProgram;

/** A program, or a descriptor as scope_resolve_program gives it. */
export interface ScopeProgram {
  /** What tokens may push, at most 1,024. */
  atoms: readonly ScopeAtom[];
  /**
   * The expression in reverse Polish notation, at most 4,096: PUSH_ATOM pushes the atom atomId, AND
   * and OR take two and push one, NOT takes one and pushes one. One is left in the end.
   */
  tokens: readonly ScopeToken[];
  /** Whether an atom that does not resolve fails the program. */
  strict?: boolean;
  /** Also scopes that depend on what the user looks at, such as Current File. */
  allowUiInteractiveScopes?: boolean;
  /**
   * With strict false, what becomes of an atom that does not resolve: FAIL (the program fails),
   * EMPTY_SCOPE (it contains nothing) or SKIP (it is left out).
   */
  nonStrictDefaultFailureMode?: "FAIL" | "EMPTY_SCOPE" | "SKIP";
  /**
   * What the user of the host looks at: currentFile, openFiles, recentFiles, selectedFiles, as
   * paths.
   */
  context?: ScopeContext | null;
  /** Of a descriptor: 1 or 2. */
  version?: number | null;
  /** Of a descriptor; not looked at. */
  displayName?: string | null;
  /** Of a descriptor: GLOBAL, LOCAL or MIXED; not looked at. */
  scopeShape?: "GLOBAL" | "LOCAL" | "MIXED" | null;
  /** Of a descriptor; not looked at. */
  diagnostics?: readonly string[] | null;
}

/** One atom of a program. */
export interface ScopeAtom {
  /** What tokens call it. */
  atomId: string;
  /**
   * What it names, and so which other fields count: STANDARD, MODULE, NAMED_SCOPE, PATTERN,
   * DIRECTORY, FILES, PROVIDER_SCOPE or GIT_CHANGED.
   */
  kind: "STANDARD" | "MODULE" | "NAMED_SCOPE" | "PATTERN" | "DIRECTORY" | "FILES" | "PROVIDER_SCOPE" | "GIT_CHANGED";
  /** The ref id of a scope in the catalog; it stands for the fields of the kind. */
  scopeRefId?: string | null;
  /** Of STANDARD: the id, such as "Project Files". */
  standardScopeId?: string | null;
  /** Of MODULE: the name of the module. */
  moduleName?: string | null;
  /**
   * Of MODULE: MODULE, MODULE_WITH_DEPENDENCIES, MODULE_WITH_LIBRARIES or
   * MODULE_WITH_DEPENDENCIES_AND_LIBRARIES. Default: MODULE.
   */
  moduleFlavor?: "MODULE" | "MODULE_WITH_DEPENDENCIES" | "MODULE_WITH_LIBRARIES" | "MODULE_WITH_DEPENDENCIES_AND_LIBRARIES" | null;
  /** Of NAMED_SCOPE: the name. */
  namedScopeName?: string | null;
  /** Of NAMED_SCOPE: who keeps it. Default: whoever has one of that name. */
  namedScopeHolderId?: string | null;
  /** Of PATTERN: the text, such as "file:src//*&&!file:*.min.js". */
  patternText?: string | null;
  /** Of DIRECTORY: a file:// URL or a path relative to the root. */
  directoryUrl?: string | null;
  /** Of DIRECTORY: whether deeper directories belong too. */
  directoryWithSubdirectories?: boolean;
  /** Of FILES: file:// URLs or paths relative to the root. */
  fileUrls?: readonly string[];
  /** Of PROVIDER_SCOPE: the ref id in the catalog. */
  providerScopeId?: string | null;
  /** Of GIT_CHANGED: a revision. Default: HEAD. */
  since?: string | null;
  /** What becomes of it when it does not resolve and strict is false: FAIL, EMPTY_SCOPE or SKIP. */
  onResolveFailure?: "FAIL" | "EMPTY_SCOPE" | "SKIP" | null;
}

/** One token of a program. */
export interface ScopeToken {
  /** What it does: PUSH_ATOM, AND, OR or NOT. */
  op: "PUSH_ATOM" | "AND" | "OR" | "NOT";
  /** Of PUSH_ATOM alone: which atom. */
  atomId?: string | null;
}

/** What the host knows of its user. */
export interface ScopeContext {
  /** The file that the user looks at. */
  currentFile?: string | null;
  /** The files that are open. */
  openFiles?: readonly string[] | null;
  /** The files that were open lately. */
  recentFiles?: readonly string[] | null;
  /** The files and directories that are selected. */
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
  /** The bytes of the path in base64, only where it is not UTF-8. */
  path_base64?: string;
  /** The number of the (first) line, from 1. */
  line: number;
  /** Where the first match starts in the line, in bytes from 1. */
  column: number;
  /** Where the line starts in the file, in bytes from 0. */
  offset: number;
  /** The text without its line end, or a part of it. */
  text: string;
  /**
   * True where bytes of text are not valid in the encoding of the file and became U+FFFD; else
   * absent. A decoded file may also hold a U+FFFD of its own.
   */
  lossy?: boolean;
  /**
   * With raw_bytes, where text is lossy: its bytes in base64. Not for a file in another encoding
   * than UTF-8.
   */
  text_base64?: string;
  /** Only where text is a part: how many bytes of the line stand before it. */
  text_start?: number;
  /** Only where text is a part: how many bytes the line has. */
  line_bytes?: number;
  /** The matches in the line, by start: the first 100. */
  spans: MatchSpan[];
  /**
   * Only in the order of relevance: what it goes by, of this line and its file. A file comes where
   * the best of its lines would, and its lines come in their order.
   */
  reasons?: ("definition" | "definition_form" | "named" | "word" | "production" | "tests" | "docs" | "generated")[];
  /**
   * Where it is asked for: the innermost definition that holds all of the first match, without its
   * package.
   */
  enclosing?: string;
  /** The lines before it, each cut to line_bytes_max; only where context_before asks for them. */
  before?: string[];
  /** The lines after it, each cut to line_bytes_max; only where context_after asks for them. */
  after?: string[];
}

export interface MatchSpan {
  /** The first byte, within the line. */
  start: number;
  /** The byte after the last. */
  end: number;
  /** The index of the pattern that matches here. */
  pattern: number;
}

export interface MatchingFile {
  /** The file, relative to the root, with "/" between names. */
  path: string;
  /** The bytes of the path in base64, only where it is not UTF-8. */
  path_base64?: string;
  /** With mode "count": how many lines match, less those that an earlier page has counted. */
  matches?: number;
  /** Only in the order of relevance: what it goes by, of the path. The lines count too. */
  reasons?: ("definition" | "definition_form" | "named" | "word" | "production" | "tests" | "docs" | "generated")[];
}

/** Everything that a request matches, given or not. */
export interface AllMatches {
  /** How many lines match. */
  lines: number;
  /** How many files have them. */
  files: number;
  /** "exact", or "at_least" when the deadline ended the count. */
  total_kind: "exact" | "at_least";
}

/** What was passed over, by reason; a directory counts once, whatever it holds. */
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
  /** What could not be opened, listed or read to the end, ignore files included. */
  unreadable: number;
  /** Names that the system cannot give back as they are. */
  undecodable_name: number;
  /** FIFOs, sockets, devices and kernel file systems. */
  special: number;
  /** Directories deeper than a walk goes. */
  too_deep: number;
  /** What may hold credentials, without names. Absent: none. */
  denied?: number;
  /** Git worktrees of a repository inside the root. Absent: none. */
  worktree?: number;
}

/** Something that was not looked at, or not whole. */
export interface Warning {
  /** Where, relative to the root. */
  path: string;
  /** Why, in a few words. */
  reason: string;
}

/** Some files. */
export interface FilesWithoutGrammar {
  /** How many. */
  files: number;
  /** The first five, relative to the root. */
  first: string[];
}

/** The scope of a request, resolved. */
export interface SearchedScope {
  /** What people call it. */
  displayName: string;
  /** GLOBAL or LOCAL. */
  shape: "GLOBAL" | "LOCAL" | "MIXED";
  /** What the caller should know of it. */
  diagnostics: string[];
}

/** The changed files of a request. */
export interface ChangedSet {
  /** How many files have changed, whether or not the request has them. */
  files: number;
  /** What the caller should know of the set. */
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
  /** Whether to give type, size and modification time of each file. */
  details?: boolean;
  /** How many files to give at most; a cursor leads to the others. Default: `1000`. */
  files_max?: number;
  /** How large the list may become, in bytes; a cursor leads to the rest. Default: `16777216`. */
  output_bytes_max?: number;
  /**
   * The cursor of an earlier reply to the same request, to continue after it. Only files_max,
   * output_bytes_max, details and the deadline may differ.
   */
  cursor?: string | null;
}

export interface FindReply extends PageReport {
  /** The files, in the order that was asked for. */
  files: FoundFile[];
}

export interface FoundFile {
  /** Relative to the root, with "/" between names. */
  path: string;
  /** The bytes of the path in base64, only where it is not UTF-8. */
  path_base64?: string;
  /** With details: "f" regular file, "d" directory, "l" symlink. */
  type?: "f" | "d" | "l";
  /** With details: in bytes. */
  size?: number;
  /** With details: when it was modified, RFC 3339 in UTC. */
  modified?: string;
}

export interface SearchInFilesArgs {
  /**
   * The text to search for, or a regular expression if use_regex is true. Case-sensitive, matched
   * line by line.
   */
  query: string;
  /**
   * Which files: a glob such as "*.py", "src/**\/*.{ts,tsx}" or "!*.min.js". Without "/" on the
   * file name at any depth, with "/" on the path relative to path; "!" in front excludes. Default:
   * `"*"`.
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
   * After so many seconds the search ends with what it has found and timed_out is true. Default:
   * `60`.
   */
  timeout?: number;
}

export interface SearchInFilesReply {
  /** The matching lines, by path (in byte order) and line number. */
  matches: MatchInFile[];
  /** How many matches there are in the list. */
  total_matches: number;
  /** How many files were searched, whether or not they matched; binary files are not. */
  files_searched: number;
  /** Whether the time ran out: then the matches are only the first ones. */
  timed_out: boolean;
  /**
   * What was not searched, or not whole, so that matches may be missing: the first 20. Only where
   * there is such.
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
   * stands for any directories. Case-sensitive.
   */
  name_pattern: string;
  /**
   * The directory to look below, relative to the project root or absolute inside it. Default:
   * `"."`.
   */
  path?: string;
}

export interface FindFilesByNameReply {
  /** The files, relative to the project root, with "/" between names, in byte order. */
  files: string[];
  /** How many files there are in the list. */
  total_found: number;
  /**
   * What could not be read, so that files may be missing: the first 20. Only where there is such.
   */
  warnings?: Warning[];
}

export interface FindAndGrepArgs {
  /** Directories to search below, relative to the project root. */
  roots: readonly string[];
  /**
   * The text to search for in the chosen files: a regular expression (Rust regex syntax), or plain
   * text if fixed_strings is true.
   */
  query: string;
  /**
   * Stage 1: only files with a match of this regular expression in their name, or with glob true
   * those whose name is this glob. Smart case.
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
  /** Stage 1: how many directories deep to look; 1 is only the roots themselves. */
  depth?: number | null;
  /** Stage 1: whether to follow symlinks, which never lead outside the project root. */
  follow_symlinks?: boolean;
  /** Stage 1: also files and directories whose name starts with a dot. */
  hidden?: boolean;
  /** Stage 1: also what .gitignore, .ignore and .git/info/exclude leave out. */
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
  /** Stage 1: only files modified before this long ago, or before this date. */
  changed_before?: string | null;
  /** Stage 1: whether pattern is compared with the absolute path. */
  full_path_match?: boolean;
  /**
   * Stage 1: how many files to search at most, after sorting; over 10000 it is 10000. It does not
   * cut counts (total_only, count_only_matches, summary_only): those are of all files. Default:
   * `2000`.
   */
  file_limit?: number;
  /** Stage 1: the order of the files, and so of the results. Default: path. */
  sort?: "path" | "mtime" | "size" | null;
  /**
   * Stage 2: whether case counts. Default: smart.
   * - `"smart"`: Like insensitive, unless the text holds an upper-case letter.
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
   * Stage 2: of the chosen files only those that match one of these globs: by name, or with a "/"
   * by the path from the project root.
   */
  include_globs?: readonly string[];
  /** Stage 2: without the files that match one of these globs, as include_globs. */
  exclude_globs?: readonly string[];
  /**
   * Stage 2: larger files are not searched: bytes, or with K, M or G (powers of 1024). Default
   * "10M", for counts "200M"; over "200M" it is "200M".
   */
  max_filesize?: string | null;
  /** Stage 2: how many lines before each match to give. */
  context_before?: number | null;
  /** Stage 2: how many lines after each match to give. */
  context_after?: number | null;
  /**
   * Stage 2: the encoding of files without a byte order mark, such as "latin1" or "utf-16le".
   * Default: auto, which is UTF-8.
   */
  encoding?: string | null;
  /** Stage 2: how many matching lines of one file to give at most. */
  max_count?: number | null;
  /**
   * The call ends after this time with what it has found; over 30000 it is 30000. Default: `4000`.
   */
  timeout_ms?: number;
  /** Output: only how many matching lines each file has. */
  count_only_matches?: boolean;
  /** Output: only totals, the 10 files with the most matches, and some sample lines. */
  summary_only?: boolean;
  /** Output: takes the leading directories that all paths share out of them, as base_path. */
  optimize_paths?: boolean;
  /** Output: the matches file by file, without repeating the path. */
  group_by_file?: boolean;
  /**
   * Output: nothing but the number of matching lines. Goes before the other shapes, which are, in
   * this order: count_only_matches, summary_only, group_by_file, all matches.
   */
  total_only?: boolean;
  /**
   * Output: also writes the result to a file of this plain name, ".json" added, in the output
   * directory of the workspace.
   */
  output_file?: string | null;
  /**
   * Output: with output_file the reply is only where the result was written; without it a summary.
   */
  suppress_output?: boolean;
}

export type FindAndGrepReply = number | FindAndGrepMatches | FindAndGrepCounts | FindAndGrepSummaryReply | FindAndGrepGroups | FindAndGrepSaved | FindAndGrepQuiet | FindAndGrepFailure;

/** What some calls add to every shape. */
export interface FindAndGrepMatches {
  success: boolean;
  /** How many matches there are in results. */
  count: number;
  /** By file, in the order of stage 1, then by line. */
  results: FindAndGrepMatch[];
  meta: FindAndGrepMeta;
  /** With optimize_paths: the leading directories of every path. */
  base_path?: string;
  /** With output_file: the absolute path of what was written. */
  output_file?: string;
  /** With output_file: always true. */
  file_saved?: boolean;
}

export interface FindAndGrepMatch {
  /** The absolute path, or what follows base_path. */
  file: string;
  /** From 1. */
  line_number: number;
  /** Where the first match starts, in bytes from 1. */
  column: number;
  /** The text of the line. */
  content: string;
  /** The lines before it, as many as asked for. */
  context_before: string[];
  /** The lines after it, as many as asked for. */
  context_after: string[];
}

export interface FindAndGrepMeta {
  /** How many files were searched, whether or not they matched. */
  searched_file_count: number;
  /**
   * Whether any limit left anything out: file_limit, the 10000 matches, max_count, max_filesize,
   * the size of the reply, or the time.
   */
  truncated: boolean;
  /** How long choosing the files took, in milliseconds. */
  fd_elapsed_ms: number;
  /** How long searching them took, in milliseconds. */
  rg_elapsed_ms: number;
  /** Whether ignore files did not count, somewhere or everywhere. */
  no_ignore: boolean;
  /** Why not: "requested", or which roots are ignored themselves. */
  no_ignore_reason?: string;
  /**
   * What was not searched, or not whole, so that files or matches may be missing: the first 20 of
   * each stage. Only where there is such.
   */
  warnings?: Warning[];
}

/** What some calls add to every shape. */
export interface FindAndGrepCounts {
  success: boolean;
  /** Always true. */
  count_only: boolean;
  /** How many lines match in all; at least so many if meta.truncated. */
  total_matches: number;
  /**
   * How many lines match in each file, in the order of stage 1. With more files than a reply holds
   * the first of them, and meta.truncated.
   */
  file_counts: Record<string, number>;
  meta: FindAndGrepMeta;
  /** With optimize_paths: the leading directories of every path. */
  base_path?: string;
  /** With output_file: the absolute path of what was written. */
  output_file?: string;
  /** With output_file: always true. */
  file_saved?: boolean;
}

/** What some calls add to every shape. */
export interface FindAndGrepSummaryReply {
  success: boolean;
  /** Always true. */
  summary_only: boolean;
  summary: FindAndGrepSummary;
  meta: FindAndGrepMeta;
  /** With optimize_paths: the leading directories of every path. */
  base_path?: string;
  /** With output_file: the absolute path of what was written. */
  output_file?: string;
  /** With output_file: always true. */
  file_saved?: boolean;
}

export interface FindAndGrepSummary {
  /** How many lines match; at least so many if meta.truncated. */
  total_matches: number;
  /** How many files they are in. */
  file_count: number;
  /** The 10 files with the most matches, then by path. */
  top_files: FindAndGrepTopFile[];
  /** The first 3 matching lines of each of the first 10 files, cut to 120 characters. */
  sample_matches: FindAndGrepSample[];
}

export interface FindAndGrepTopFile {
  /** The absolute path, or what follows base_path. */
  file: string;
  /** How many of its lines match. */
  matches: number;
}

export interface FindAndGrepSample {
  /** The absolute path, or what follows base_path. */
  file: string;
  /** The line's number, from 1. */
  line: number;
  /** The text of the line, cut. */
  content: string;
}

/** What some calls add to every shape. */
export interface FindAndGrepGroups {
  success: boolean;
  /** How many matches there are in all groups. */
  count: number;
  /** In the order of stage 1. */
  files: FindAndGrepGroup[];
  meta: FindAndGrepMeta;
  /** With optimize_paths: the leading directories of every path. */
  base_path?: string;
  /** With output_file: the absolute path of what was written. */
  output_file?: string;
  /** With output_file: always true. */
  file_saved?: boolean;
}

export interface FindAndGrepGroup {
  /** The absolute path, or what follows base_path. */
  file: string;
  /** How many matches follow. */
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
  /** How many lines match. */
  count: number;
  /** The absolute path of what was written. */
  output_file: string;
  /** Always true. */
  file_saved: boolean;
}

export interface FindAndGrepQuiet {
  success: boolean;
  /** How many lines match. */
  count: number;
  summary: FindAndGrepSummary;
  meta: FindAndGrepMeta;
  /** With optimize_paths: the leading directories of every path. */
  base_path?: string;
}

export interface FindAndGrepFailure {
  /** Always false. */
  success: boolean;
  /** What went wrong. */
  error: string;
  /** Not 0: 1 for fd, 2 for input and rg, 124 when the time ran out. */
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
   * matched against the file name; with "/" against the end of the path relative to path, so that
   * "src/*.py" also matches "a/src/x.py"; "**\/" stands for any directories, or none.
   */
  include?: string | null;
  /** Whether case counts. */
  case_sensitive?: boolean;
}

export interface GrepReply {
  /**
   * What became of the call.
   * - `"success"`: Everything was searched and every match is there.
   * - `"partial"`: There are matches, but the limit or the deadline left others out.
   * - `"error"`: There is no result; error says why.
   */
  status: "success" | "partial" | "error";
  data: GrepData;
  /** The result as text: a summary, then one "file:line: text" a line. */
  text: string;
  /** Only when status is "error". */
  error?: GrepFailure;
  stats: GrepStats;
  context: GrepContext;
}

export interface GrepData {
  /** The matching lines: of the newest files first, then by path and line. */
  matches?: GrepMatch[];
  /** Whether there are more than the matches given. */
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
  /** What kind of mistake. */
  code: "INVALID_PARAM" | "NOT_FOUND" | "ACCESS_DENIED" | "TIMEOUT";
  /** What was wrong. */
  message: string;
}

export interface GrepStats {
  /** How long the call took, in milliseconds. */
  time_ms: number;
  /** How many files the given matches are in. */
  matched_files?: number;
  /** How many lines were given. */
  matched_lines?: number;
  /** How many files were searched, whether or not they matched. */
  searched_files?: number;
  /** What was passed over. */
  skipped?: Skipped;
  /**
   * What was not searched, or not whole, so that matches may be missing: the first 20. Only where
   * there is such.
   */
  warnings?: Warning[];
}

export interface GrepContext {
  /** Always ".", the project root. */
  cwd: string;
  /** The arguments of the call. */
  params_input: unknown;
  /** The directory that was searched, relative to the project root. */
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
}

export interface SearchDocumentsReply {
  /** The text that was searched for, trimmed. */
  query: string;
  /** How many matches there are in the results. */
  total_matches: number;
  /** How many documents there are in the results. */
  total_files: number;
  /** Whether the limit of 500 matches, 1,000 documents or 60 seconds cut something off. */
  truncated: boolean;
  /** The documents with matches; those with more of them first. */
  results: DocumentMatches[];
  /** Whether the time limit of 60 seconds ended the walk; the results are those found before. */
  timed_out?: boolean;
  /** What was not looked at: the first 1,000. */
  warnings?: DocumentWarning[];
  /** How many warnings there were beside those. */
  more_warnings?: number;
  /**
   * Files of documentation that are no documents here, by the end of their names: the workspace
   * option doc_suffixes includes them. Only where there are such.
   */
  other_formats?: Record<string, number>;
}

export interface DocumentMatches {
  /** Its path from the documents' root, which is "/". */
  path: string;
  /** What it calls itself, else the name of the file without ".md". */
  name: string;
  /** How many matches there are in the list. */
  match_count: number;
  /** The matches, from the start of the document on. */
  matches: DocumentMatch[];
}

export interface DocumentMatch {
  /** The line, counted from the first one behind the front matter, which is 1. */
  line: number;
  /** The match between "**", with its context, on one line; "..." stands for what is cut off. */
  excerpt: string;
  /** The line in the file, from 1. */
  file_line: number;
}

/** Something that was not looked at. */
export interface DocumentWarning {
  /** Where, relative to the documents' root; empty for that itself. */
  path: string;
  /** What was to be done there: "list" a directory, or "read" a document. */
  operation: "list" | "read";
  /** Why it was not, in a few words. */
  reason: string;
}

export interface ListDocumentsArgs {
  /** The directory to list, from the documents' root, which is "/". Default: `"/"`. */
  path?: string;
}

export interface ListDocumentsReply {
  /** The documents with a description, depth-first, by name in each directory. */
  documents: DescribedDocument[];
  /** How many documents there are in the list. */
  total_found: number;
  /** Whether the list ends early: after 1,000 documents, described or not, or 60 seconds. */
  truncated: boolean;
  /** Whether the time limit of 60 seconds ended the walk; the results are those found before. */
  timed_out?: boolean;
  /** What was not looked at: the first 1,000. */
  warnings?: DocumentWarning[];
  /** How many warnings there were beside those. */
  more_warnings?: number;
  /**
   * Files of documentation that are no documents here, by the end of their names: the workspace
   * option doc_suffixes includes them. Only where there are such.
   */
  other_formats?: Record<string, number>;
}

export interface DescribedDocument {
  /** Its path from the documents' root, which is "/". */
  path: string;
  /** What it calls itself, else the name of the file without ".md". */
  name: string;
  /** What it is about, in its own words. */
  description: string;
}

export interface ReadDocumentArgs {
  /**
   * The path of the document from the documents' root, as search_documents and list_documents give
   * it.
   */
  path: string;
  /** The first line to return, counted in the file from 1. Default: `1`. */
  start_line?: number;
  /** How many lines to return at most. By default all. */
  lines_max?: number | null;
}

export interface ReadDocumentReply {
  /** Its path from the documents' root, which is "/". */
  path: string;
  /** What it calls itself, else the name of the file without ".md". */
  name: string;
  /** What it is about, where it says so. */
  description?: string;
  /** The lines, with their ends; front matter included. */
  content: string;
  /** The number of the first of them in the file, from 1. */
  start_line: number;
  /** The number of the last of them; the one before start_line if there are none. */
  end_line: number;
  /** How many lines the document has. */
  total_lines: number;
}

export interface ScopeListCatalogArgs {
  /** Also scopes that need something of a user, such as "Current File". Default: `true`. */
  includeInteractiveScopes?: boolean;
  /**
   * Only scopes of these kinds: STANDARD, MODULE, NAMED_SCOPE, PATTERN, DIRECTORY, FILES,
   * PROVIDER_SCOPE or GIT_CHANGED; PATTERN, DIRECTORY and FILES are never in the catalog. Default:
   * all.
   */
  kinds?: readonly ("STANDARD" | "MODULE" | "NAMED_SCOPE" | "PATTERN" | "DIRECTORY" | "FILES" | "PROVIDER_SCOPE" | "GIT_CHANGED")[];
  /** Only scopes whose display name or ref id holds this text, whatever its case. */
  query?: string | null;
  /** How many to give at most. Default: `100`. */
  limit?: number;
  /**
   * What the user of the host looks at: currentFile, openFiles, recentFiles, selectedFiles, as
   * paths.
   */
  context?: ScopeContext | null;
}

export interface ScopeListCatalogReply {
  /** The scopes: standard ones, those of providers, named ones, then modules by name. */
  items: CatalogItem[];
  /** How many there are, with those that limit leaves out. */
  totalItems: number;
  /** What could not be read, and what was left out. */
  diagnostics: string[];
}

export interface CatalogItem {
  /** What atoms, and tools with a scope, name it by. */
  scopeRefId: string;
  /** What people call it. */
  displayName: string;
  /**
   * The kind of an atom that names it: STANDARD, MODULE, NAMED_SCOPE, PROVIDER_SCOPE or
   * GIT_CHANGED.
   */
  kind: "STANDARD" | "MODULE" | "NAMED_SCOPE" | "PATTERN" | "DIRECTORY" | "FILES" | "PROVIDER_SCOPE" | "GIT_CHANGED";
  /** GLOBAL or LOCAL. */
  scopeShape: "GLOBAL" | "LOCAL" | "MIXED";
  /** Of STANDARD: the id. */
  serializationId?: string;
  /** Whether it needs more: allowUiInteractiveScopes, a revision. */
  requiresUserInput: boolean;
  /** Whether it changes with what a user does, or with time. */
  unstable: boolean;
  /** Of MODULE: the name of the module. */
  moduleName?: string;
  /**
   * Of MODULE: MODULE, MODULE_WITH_DEPENDENCIES, MODULE_WITH_LIBRARIES or
   * MODULE_WITH_DEPENDENCIES_AND_LIBRARIES.
   */
  moduleFlavor?: "MODULE" | "MODULE_WITH_DEPENDENCIES" | "MODULE_WITH_LIBRARIES" | "MODULE_WITH_DEPENDENCIES_AND_LIBRARIES" | null;
  /** Of NAMED_SCOPE: the name. */
  namedScopeName?: string;
  /** Of NAMED_SCOPE: who keeps it. */
  namedScopeHolderId?: string;
  /** Of PROVIDER_SCOPE: the ref id. */
  providerScopeId?: string;
}

export interface ScopeValidatePatternArgs {
  /**
   * The pattern, such as "file:src//*.rs&&!file:*_test.rs". White space is part of it: there is
   * none around "&&", "||" and "!".
   */
  patternText: string;
}

export interface ScopeValidatePatternReply {
  /** Whether it is a pattern. */
  valid: boolean;
  /** The pattern in its normal form, without needless parentheses. */
  normalizedPatternText?: string;
  /** The ref id of the pattern, to compare patterns by. */
  scopeRefId?: string;
  /** The mistake and its place, or what is probably not meant although it is valid. */
  diagnostics: string[];
}

export interface ScopeResolveProgramArgs {
  /** What tokens may push, at most 1,024. */
  atoms: readonly ScopeAtom[];
  /**
   * The expression in reverse Polish notation, at most 4,096: PUSH_ATOM pushes the atom atomId, AND
   * and OR take two and push one, NOT takes one and pushes one. One is left in the end.
   */
  tokens: readonly ScopeToken[];
  /** Whether an atom that does not resolve fails the program. */
  strict?: boolean;
  /** Also scopes that depend on what the user looks at, such as Current File. */
  allowUiInteractiveScopes?: boolean;
  /**
   * With strict false, what becomes of an atom that does not resolve: FAIL (the program fails),
   * EMPTY_SCOPE (it contains nothing) or SKIP (it is left out).
   */
  nonStrictDefaultFailureMode?: "FAIL" | "EMPTY_SCOPE" | "SKIP";
  /**
   * What the user of the host looks at: currentFile, openFiles, recentFiles, selectedFiles, as
   * paths.
   */
  context?: ScopeContext | null;
}

export interface ScopeResolveProgramReply {
  /** The scope, to be given to any tool that takes one. */
  descriptor: ScopeDescriptor;
}

/** A scope that was resolved, to be given back to any tool that takes one. */
export interface ScopeDescriptor {
  /** Always 1. */
  version: number;
  /** What tokens may push, at most 1,024. */
  atoms: ScopeAtom[];
  /**
   * The expression in reverse Polish notation, at most 4,096: PUSH_ATOM pushes the atom atomId, AND
   * and OR take two and push one, NOT takes one and pushes one. One is left in the end.
   */
  tokens: ScopeToken[];
  /** Whether an atom that does not resolve fails the program. */
  strict?: boolean;
  /** Also scopes that depend on what the user looks at, such as Current File. */
  allowUiInteractiveScopes?: boolean;
  /**
   * With strict false, what becomes of an atom that does not resolve: FAIL (the program fails),
   * EMPTY_SCOPE (it contains nothing) or SKIP (it is left out).
   */
  nonStrictDefaultFailureMode?: "FAIL" | "EMPTY_SCOPE" | "SKIP";
  /**
   * What the user of the host looks at: currentFile, openFiles, recentFiles, selectedFiles, as
   * paths.
   */
  context?: ScopeContext;
  /** What people call the scope. */
  displayName: string;
  /** GLOBAL, LOCAL or MIXED. */
  scopeShape: "GLOBAL" | "LOCAL" | "MIXED";
  /** What the caller should know: atoms that did not resolve, what could not be read. */
  diagnostics: string[];
}

export interface ScopeDescribeProgramArgs {
  /**
   * Which files: production, tests, libraries, module:NAME, a pattern (file:src//*), a scopeRefId
   * of scope_list_catalog, or a descriptor of scope_resolve_program.
   */
  scope: Scope;
  /** Also scopes that depend on what the user looks at, such as Current File. */
  allowUiInteractiveScopes?: boolean;
  /**
   * What the user of the host looks at: currentFile, openFiles, recentFiles, selectedFiles, as
   * paths.
   */
  context?: ScopeContext | null;
}

export interface ScopeDescribeProgramReply {
  /** What people call the scope. */
  displayName: string;
  /** The whole expression, with the operators between and parentheses where they are needed. */
  expression: string;
  /** GLOBAL or LOCAL. */
  scopeShape: "GLOBAL" | "LOCAL" | "MIXED";
  /** What became of the atoms, in the order of the program. */
  atoms: DescribedAtom[];
  /** What the caller should know. */
  diagnostics: string[];
}

export interface DescribedAtom {
  /** What tokens call it; "scope" where the scope is a text. */
  atomId: string;
  /** STANDARD, MODULE, NAMED_SCOPE, PATTERN, DIRECTORY, FILES or PROVIDER_SCOPE. */
  kind: "STANDARD" | "MODULE" | "NAMED_SCOPE" | "PATTERN" | "DIRECTORY" | "FILES" | "PROVIDER_SCOPE" | "GIT_CHANGED";
  /** The ref id by which catalog and programs name it, if it is known. */
  scopeRefId?: string;
  /** What people call it. */
  displayName: string;
  /** GLOBAL or LOCAL. */
  scopeShape: "GLOBAL" | "LOCAL" | "MIXED";
  /** Whether it resolves. */
  resolved: boolean;
  /** Why it does not. */
  problem?: string;
}

export interface ScopeSearchFilesArgs extends ScopeSelection {
  /**
   * Which files: production, tests, libraries, module:NAME, a pattern (file:src//*), a scopeRefId
   * of scope_list_catalog, or a descriptor of scope_resolve_program.
   */
  scope: Scope;
  /**
   * Words that must occur, in this order, split at white space; with GLOB the glob. Empty for every
   * file of the scope.
   */
  query?: string;
  /**
   * Further words, which must occur behind those of query; they may hold white space. Not with
   * GLOB.
   */
  keywords?: readonly string[];
  /**
   * What is looked at: NAME_OR_PATH, NAME (the file name), PATH (the path relative to the root), or
   * GLOB (query is a glob, without "/" on the name at any depth, with "/" on the path). Default:
   * NAME_OR_PATH.
   * - `"NAME_OR_PATH"`: Its name or its path.
   * - `"NAME"`: Its name.
   * - `"PATH"`: Its path relative to the root.
   * - `"GLOB"`: A glob, without "/" on the name at any depth, with "/" on the path below
   * directoryUrl or the root; ** stands for any directories.
   * Default: `"NAME_OR_PATH"`.
   */
  matchMode?: "NAME_OR_PATH" | "NAME" | "PATH" | "GLOB";
  /** Whether case counts. */
  caseSensitive?: boolean;
  /** Only files below this directory, a file:// URL or a path relative to the root. */
  directoryUrl?: string | null;
  /** How many files to give at most. Default: `1000`. */
  maxResults?: number;
}

export interface ScopeSearchFilesReply {
  /** What people call the scope. */
  scopeDisplayName: string;
  /** GLOBAL or LOCAL. */
  scopeShape: "GLOBAL" | "LOCAL" | "MIXED";
  /**
   * The matchMode of the call: NAME_OR_PATH, NAME, PATH or GLOB.
   * - `"NAME_OR_PATH"`: Its name or its path.
   * - `"NAME"`: Its name.
   * - `"PATH"`: Its path relative to the root.
   * - `"GLOB"`: A glob, without "/" on the name at any depth, with "/" on the path below
   * directoryUrl or the root; ** stands for any directories.
   */
  mode: "NAME_OR_PATH" | "NAME" | "PATH" | "GLOB";
  /** The query of the call. */
  query: string;
  /** The keywords of the call. */
  keywords: string[];
  /** The URL of the directory that was searched, where the call names one. */
  directoryUrl?: string;
  /** The files as file:// URLs, in byte order of their paths. */
  matchedFileUrls: string[];
  /** The same files, relative to the root, with "/" between names. */
  matchedFilePaths: string[];
  /** How many files of the scope were looked at, whether or not they matched. */
  scannedFileCount: number;
  /** Whether there are more files than these, or may be. */
  probablyHasMoreMatchingFiles: boolean;
  /** Whether the time ran out. */
  timedOut: boolean;
  /** Always false: a call that is cancelled is an error. */
  canceled: boolean;
  /** What was passed over. */
  skipped: Skipped;
  /** What the caller should know. */
  diagnostics: string[];
}

export interface ScopeSearchTextArgs extends ScopeSelection {
  /**
   * Which files: production, tests, libraries, module:NAME, a pattern (file:src//*), a scopeRefId
   * of scope_list_catalog, or a descriptor of scope_resolve_program.
   */
  scope: Scope;
  /**
   * The text to search for, or a regular expression if mode is REGEX (Rust regex syntax: no
   * look-around, no back-references). Matched line by line, unless it holds a line feed, in a regex
   * also as \n.
   */
  query: string;
  /**
   * How query is read: PLAIN or REGEX. Default: PLAIN.
   * - `"PLAIN"`: Every character stands for itself.
   * - `"REGEX"`: A regular expression.
   */
  mode?: "PLAIN" | "REGEX";
  /** Whether case counts. Default: `true`. */
  caseSensitive?: boolean;
  /** Only matches with no word character next to them. */
  wholeWordsOnly?: boolean;
  /**
   * Where in a file matches count: ANY, IN_STRING_LITERALS, IN_COMMENTS, EXCEPT_STRING_LITERALS,
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
   * Which files of the scope, as globs with commas between, such as "*.kt, !*Test.kt"; "!" in front
   * excludes. Without "/" on the name, with "/" on the path below the root.
   */
  fileMask?: string | null;
  /** How many matches to give at most. Default: `1000`. */
  maxUsageCount?: number;
  /** Whether a regex may match the empty text; one that could is refused otherwise. */
  allowEmptyMatches?: boolean;
}

export interface ScopeSearchTextReply {
  /** What people call the scope. */
  scopeDisplayName: string;
  /** GLOBAL or LOCAL. */
  scopeShape: "GLOBAL" | "LOCAL" | "MIXED";
  /** The matches, by path, line and place. */
  occurrences: TextOccurrence[];
  /** Whether there are more matches than these, or may be. */
  probablyHasMoreMatchingEntries: boolean;
  /** Whether the time ran out. */
  timedOut: boolean;
  /** Always false: a call that is cancelled is an error. */
  canceled: boolean;
  /** What the caller should know: what resolving the scope told, and what was not searched. */
  diagnostics: string[];
}

/** A match. */
export interface TextOccurrence {
  /**
   * A hash of the URL, the place, the mode and the query: the same as long as the match stays in
   * its place.
   */
  occurrenceId: string;
  /** The file as a file:// URL. */
  fileUrl: string;
  /** The file, relative to the root, with "/" between names. */
  filePath: string;
  /** The number of the line in which the match starts, from 1. */
  lineNumber: number;
  /**
   * Where the match starts, in bytes of the file's text from 0, a byte order mark not counted; in a
   * file that is not UTF-8, of its text as UTF-8.
   */
  startOffset: number;
  /** Where it ends. A line end at its end is not counted. */
  endOffset: number;
  /** The line, with "||" before and behind the match, and at most 200 characters around it. */
  lineText: string;
  /** The text of the match. */
  matchedText: string;
}

export interface ScopeSearchSymbolsArgs extends ScopeSelection {
  /**
   * Which files: production, tests, libraries, module:NAME, a pattern (file:src//*), a scopeRefId
   * of scope_list_catalog, or a descriptor of scope_resolve_program. Default: the project without
   * ignored files and libraries.
   */
  scope?: Scope | null;
  /**
   * A name or a part of it, in capitals or not; or the beginnings of its words, as RelPa for
   * rel_path or RelativePath, in small letters one of each, as rp. Names of what it lies in may
   * stand before it: Workspace::open, Job.run.
   */
  query: string;
  /**
   * What to look for: CLASS (classes, interfaces, structs, enums, traits, types), METHOD (functions
   * and methods), FIELD (fields, enum members, constants, variables), SYMBOL (modules, namespaces,
   * macros), UNKNOWN (nothing). Default: all.
   */
  kinds?: readonly ("CLASS" | "METHOD" | "FIELD" | "SYMBOL" | "UNKNOWN")[] | null;
  /** How many definitions to give at most: the best. Default: `200`. */
  maxResultCount?: number;
}

export interface ScopeSearchSymbolsReply {
  /**
   * The definitions: by score, then types before functions before fields before others, then by
   * path and line.
   */
  items: FoundSymbol[];
  /** Whether there are more definitions than these, or may be. */
  probablyHasMoreMatchingEntries: boolean;
  /** Whether the time ran out. */
  timedOut: boolean;
  /** Always false: a call that is cancelled is an error. */
  canceled: boolean;
  /** What the caller should know: what resolving the scope told, and what was not searched. */
  diagnostics: string[];
}

/** A definition. */
export interface FoundSymbol {
  /** Its name. */
  name: string;
  /** The name with those of its package and of what it lies in, as the language writes it. */
  qualifiedName: string;
  /** Its file as a file:// URL. */
  fileUrl: string;
  /** The same, relative to the root, with "/" between names. */
  filePath: string;
  /** The line of the name, from 1. */
  line: number;
  /** Where the name begins in its line, in bytes from 1. */
  column: number;
  /**
   * CLASS, METHOD, FIELD, SYMBOL or UNKNOWN.
   * - `"CLASS"`: A class, interface, struct, union, enum, trait or other type.
   * - `"METHOD"`: A function or method.
   * - `"FIELD"`: A field, enum member, constant or variable.
   * - `"SYMBOL"`: A module, namespace or macro.
   * - `"UNKNOWN"`: Anything else; nothing is.
   */
  kind: "CLASS" | "METHOD" | "FIELD" | "SYMBOL" | "UNKNOWN";
  /** The language of the file, such as "Rust" or "C++". */
  language: string;
  /**
   * How well it fits: 100 for the name itself, 95 in other capitals, 80 and 75 for its beginning,
   * 60 for the beginnings of its words, 40 and 35 for a part.
   */
  score: number;
}

export interface LookArgs {
  /** Text (smart case), several words, a name, or /regex/. */
  q: string;
  /** What to show instead of everything. "names": file names. */
  only?: "definitions" | "names" | "files" | "count" | "comments" | "strings" | "production" | "tests" | "docs" | null;
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
  /** Whether everything in question was looked at, and every row is in text. */
  complete: boolean;
  /** The number of rows found: lines, or with only "files" and "names" files. */
  total: number;
  /** "exact", or "at_least" when the time ran out. */
  total_kind: "exact" | "at_least";
  /** Give it as page to continue. Only where there are more rows. */
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
  /** Whether every line that was asked for is in text. */
  complete: boolean;
}
