import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Workspace } from 'searchscope';
import type { DocumentsConfig } from 'searchscope/documents';
import type { CallGate } from './mcp.js';

/** Configuration of the document service. */
export interface ContextConfig extends DocumentsConfig {
  /** Gitignore lines; matching paths are never opened, listed or named in a result. */
  deny?: string[] | undefined;
  /** Maximum number of calls at once; as many more wait for 2 s at most, others are refused. Default: 64. */
  callsMax?: number | undefined;
  /** Admits calls, in place of `callsMax`; other services may share it. */
  gate?: CallGate | undefined;
  /**
   * An open workspace whose documents are those of `docsRoot`, `excludes` and `deny`. By default the
   * service opens one, and opens it again if the directory was replaced by another.
   */
  workspace?: Pick<Workspace, 'callJson'> | undefined;
  /** Maximum size of a request body, in bytes. Default: 1 MiB. */
  bodyBytesMax?: number | undefined;
}

/** The logger functions that the service calls. */
export interface ContextLogger {
  info(message: string, fields: object): unknown;
  warn(message: string, fields: object): unknown;
  error(message: string, fields: object): unknown;
}

/** A handler that must be mounted in an Express app. */
export type ContextHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Creates an Express router that lists, reads and searches documents, for `app.use('/context', …)`.
 * Throws a `SearchscopeError` if the settings are wrong; the directory may appear later.
 */
export function contextRouter(config: ContextConfig, logger: ContextLogger): ContextHandler;
