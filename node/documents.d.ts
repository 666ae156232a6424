/** Location of the documents. Other keys of a host's configuration are ignored. */
export interface DocumentsConfig {
  /** The directory of the documents. */
  docsRoot: string;
  /** Gitignore lines, matched against paths relative to `docsRoot`, as text or as a list. */
  excludes?: string | readonly string[] | null | undefined;
  /** File name suffixes of documents, such as ".rst". Default: ".md". */
  doc_suffixes?: readonly string[] | undefined;
  /** Minimum number of hyphens in the lines around front matter. Default: 4; in a router 3. */
  front_matter_hyphens_min?: 3 | 4 | undefined;
}

/** Fields of `logger.warn` for a file or directory that could not be read. */
export interface DocumentsUnread {
  /** Relative to `docsRoot` for a file, absolute for a directory. */
  path: string;
  /** Such as "EACCES: permission denied, open '/docs/a.md'". */
  error: string;
}

/** Fields of `logger.warn` for a line of `excludes` that has no effect. */
export interface DocumentsIgnoredLine {
  /** The line, cut to 200 characters. */
  line: string;
  /** The reason, such as "the line is too long". */
  error: string;
}

/** The message and the fields of a warning. */
export type DocumentsWarning =
  | [message: 'Search file error' | 'Directory read error', fields: DocumentsUnread]
  | [message: 'Exclude line ignored', fields: DocumentsIgnoredLine]
  // After a minute: the result contains the matches found so far.
  | [message: 'Document search timed out', fields: { query: string; path: string }]
  // The number of warnings after the first 1,000.
  | [message: 'Further warnings left out', fields: { count: number }];

/** Fields of `logger.info` after a search. */
export interface DocumentsTotals {
  query: string;
  total_matches: number;
  total_files: number;
  truncated: boolean;
}

/** The two logger functions that a search calls. */
export interface DocumentsLogger {
  warn(...warning: DocumentsWarning): unknown;
  info(message: 'Document search completed', fields: DocumentsTotals): unknown;
}

/** Options of a search. Numbers may be text, as they come from a URL; `parseInt` reads them. */
export interface DocumentSearchOptions {
  /** Characters (UTF-16 units) before and after a match, clamped to 10 to 500. Default: 50. */
  context_chars?: number | string | null | undefined;
  /** Matches per file, clamped to 1 to 100. Default: 10. */
  max_results?: number | string | null | undefined;
  /** Whether case matters; only exactly `true` counts as yes. */
  case_sensitive?: boolean | null | undefined;
  /** The directory to search in; a leading "/" is `docsRoot`. */
  path?: string | null | undefined;
  /** Ends the search: its promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface DocumentMatch {
  /** The line, from 1, counted from the first one after the front matter. */
  line: number;
  /** The match between two pairs of asterisks, with its context. */
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
  /** The query, trimmed. */
  query: string;
  total_matches: number;
  total_files: number;
  /** Whether the limit of 500 matches, 1,000 files or one minute ended the search. */
  truncated: boolean;
  /** The documents with matches, most matches first. */
  results: DocumentResult[];
}

/**
 * Searches the Markdown documents below `config.docsRoot` for a text of 1 to 200 characters. Files and
 * directories that cannot be read are reported to `logger.warn`, and the search continues.
 *
 * Rejects with a plain `Error`. "query is required and must not be empty" and "query must be 200
 * characters or less" have no `code`; "PATH_TRAVERSAL: …" has the `code` `PATH_TRAVERSAL` for an
 * absolute path and `PATH_VIOLATION` for one that leads outside; other errors have one of `ErrorCode`.
 */
export function searchDocuments(
  config: DocumentsConfig,
  logger: DocumentsLogger,
  query: string,
  options?: DocumentSearchOptions,
): Promise<DocumentSearchResult>;
