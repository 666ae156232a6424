import type { Router } from 'express';
import type { DocumentsConfig } from './documents.js';

/** What a service of documents is told. */
export interface ContextConfig extends DocumentsConfig {
  /** Gitignore lines; no path that they match is ever opened, listed or named in a result. */
  deny?: string[] | undefined;
  /** How many calls may be under way at once; further ones are refused. By default 64. */
  callsMax?: number | undefined;
  /** How large the body of a request may be, in bytes. By default 1 MiB. */
  bodyBytesMax?: number | undefined;
}

/** The functions of a logger that are called. */
export interface ContextLogger {
  info(message: string, fields: object): unknown;
  warn(message: string, fields: object): unknown;
  error(message: string, fields: object): unknown;
}

/**
 * Makes an Express router that lists, reads and searches documents, for `app.use('/context', …)`.
 * Throws a `SearchscopeError` when the settings are wrong.
 */
export function contextRouter(config: ContextConfig, logger: ContextLogger): Router;
