/** Where the documents are. Other keys of a host's configuration are not looked at. */
export interface DocumentsConfig {
  /** The directory of the documents. */
  docsRoot: string;
  /** Gitignore lines that are held against paths relative to `docsRoot`, as text or as a list. */
  excludes?: string | readonly string[] | null | undefined;
  /** The ends of the names of documents, such as ".rst". By default ".md". */
  doc_suffixes?: readonly string[] | undefined;
  /** How many hyphens the lines around front matter have at least. By default 4, in a router 3. */
  front_matter_hyphens_min?: 3 | 4 | undefined;
}

/** What `logger.warn` is given when a file or a directory could not be read. */
export interface DocumentsUnread {
  /** Of a file relative to `docsRoot`, of a directory absolute. */
  path: string;
  /** Such as "EACCES: permission denied, open '/docs/a.md'". */
  error: string;
}

/** What `logger.warn` is given for a line of `excludes` that has no effect. */
export interface DocumentsIgnoredLine {
  /** The line, at most 200 characters of it. */
  line: string;
  /** Why: such as "the line is too long". */
  error: string;
}

/** The message and the fields of a warning. */
export type DocumentsWarning =
  | [message: 'Search file error' | 'Directory read error', fields: DocumentsUnread]
  | [message: 'Exclude line ignored', fields: DocumentsIgnoredLine]
  // After a minute: the result has what was found so far.
  | [message: 'Document search timed out', fields: { query: string; path: string }]
  // Those after the first 1,000.
  | [message: 'Further warnings left out', fields: { count: number }];

/** What `logger.info` is given when a search is done. */
export interface DocumentsTotals {
  query: string;
  total_matches: number;
  total_files: number;
  truncated: boolean;
}

/** The two functions of a logger that are called. */
export interface DocumentsLogger {
  warn(...warning: DocumentsWarning): unknown;
  info(message: 'Document search completed', fields: DocumentsTotals): unknown;
}

/** How to search. Numbers may be text, as they come from a URL; `parseInt` reads them. */
export interface DocumentSearchOptions {
  /** Characters (UTF-16 units) before and after a match: 10 to 500, which are not passed. */
  context_chars?: number | string | null | undefined;
  /** Matches of one file: 1 to 100, which are not passed. By default 10. */
  max_results?: number | string | null | undefined;
  /** Whether case counts; only exactly `true` says so. */
  case_sensitive?: boolean | null | undefined;
  /** The directory to search in; a leading "/" is `docsRoot`. */
  path?: string | null | undefined;
  /** Ends the search: its promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface DocumentMatch {
  /** The line, from 1, counted from the first one behind the front matter. */
  line: number;
  /** The match between two pairs of asterisks, in its surroundings. */
  excerpt: string;
  /** The line in the file, from 1. */
  file_line: number;
}

export interface DocumentResult {
  /** Relative to `docsRoot`, with a leading "/". */
  path: string;
  /** The `name` of the front matter, else the file's name without ".md". */
  name: string;
  match_count: number;
  matches: DocumentMatch[];
}

export interface DocumentSearchResult {
  /** The query without the spaces around it. */
  query: string;
  total_matches: number;
  total_files: number;
  /** Whether 500 matches, 1,000 files or a minute ended the search. */
  truncated: boolean;
  /** Those with the most matches first. */
  results: DocumentResult[];
}

/**
 * Searches the Markdown documents below `config.docsRoot` for a text of 1 to 200 characters. What
 * cannot be read is told to `logger.warn`, and the search goes on.
 *
 * Rejects with a plain `Error`. "query is required and must not be empty" and "query must be 200
 * characters or less" have no `code`; "PATH_TRAVERSAL: …" has the `code` `PATH_TRAVERSAL` for an
 * absolute path and `PATH_VIOLATION` for one that leads outside; others have one of `ErrorCode`.
 */
export function searchDocuments(
  config: DocumentsConfig,
  logger: DocumentsLogger,
  query: string,
  options?: DocumentSearchOptions,
): Promise<DocumentSearchResult>;
