import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DocumentsConfig } from './documents.js';
import type { Workspace } from './index.js';
import type { CallGate } from './service/mcp.js';

/** What a service of documents is told. */
export interface ContextConfig extends DocumentsConfig {
  /** Gitignore lines; no path that they match is ever opened, listed or named in a result. */
  deny?: string[] | undefined;
  /** How many calls may be under way at once; further ones are refused. By default 64. */
  callsMax?: number | undefined;
  /** What says which calls may begin, in place of `callsMax`; other services may have it too. */
  gate?: CallGate | undefined;
  /**
   * One that is open already, whose documents are those of `docsRoot`, `excludes` and `deny`. By
   * default one is opened, and opened again when another directory has taken the place.
   */
  workspace?: Pick<Workspace, 'callJson'> | undefined;
  /** How large the body of a request may be, in bytes. By default 1 MiB. */
  bodyBytesMax?: number | undefined;
}

/** The functions of a logger that are called. */
export interface ContextLogger {
  info(message: string, fields: object): unknown;
  warn(message: string, fields: object): unknown;
  error(message: string, fields: object): unknown;
}

/** A handler of Express, which must be mounted in an app of it. */
export type ContextHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Makes an Express router that lists, reads and searches documents, for `app.use('/context', …)`.
 * Throws a `SearchscopeError` when the settings are wrong; the directory may appear later.
 */
export function contextRouter(config: ContextConfig, logger: ContextLogger): ContextHandler;
