// Written by hand; tests/node/mcp.test-d.ts checks it against its use.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { Workspace } from 'searchscope';

/**
 * Form of a tool's reply: `'text'`, one block of plain text for agents; `'json'`, one block of text with
 * the engine's JSON; `'structured'`, a structured result; `'both'`, JSON as text and as a structured
 * result. Clients of revisions before 2025-06-18 get JSON as text instead of structured results.
 */
export type McpResult = 'text' | 'json' | 'structured' | 'both';

/**
 * The served tools: `'agent'`, the few that an agent needs (`look` and `read`); `'all'`; or names of tools,
 * as an array or separated by commas, among which `'agent'` means the tools of that set.
 */
export type McpTools = string | readonly string[];

/** Admits calls, or refuses them for lack of room. */
export interface CallGate {
  /**
   * Runs the call and returns its result. For lack of room it rejects instead; if the `code` of the error
   * is `busy`, the client is advised to try again.
   */
  run<T>(call: () => Promise<T>): Promise<T>;
}

/** Logger of the service: it calls `info` once for each tool call. */
export interface McpLogger {
  debug(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

export interface McpServiceOptions {
  /** The workspace that the tools search. */
  workspace: Workspace;
  /** Default: `'agent'`. Throws `invalid_param` for a name that is not a tool. */
  tools?: McpTools | undefined;
  /** Default: `'text'`. */
  result?: McpResult | undefined;
  /** Default: one that admits 64 calls at once. */
  gate?: CallGate | undefined;
  /** Default: none. */
  logger?: McpLogger | undefined;
  /** Name of the server. Default: `'searchscope'`. */
  name?: string | undefined;
  /**
   * Default: the version of this package and a digest of its lists (`0.1.0+1a2b3c4d`). Clients may keep the list
   * of tools for a name and version, so services with different tools need different ones.
   */
  version?: string | undefined;
}

/** A service of tools over the Model Context Protocol. */
export interface McpService {
  /**
   * Serves one request of Streamable HTTP. A body that the host has parsed is taken from `req.body`.
   * `Host`, `Origin` and authentication are not checked: that is up to the host.
   */
  handle(req: IncomingMessage & { body?: unknown }, res: ServerResponse): Promise<void>;
  /**
   * Serves one client over two streams, standard ones by default; resolves when the client sends no more
   * requests. Calls that run then are still answered, until `close` is called.
   */
  serveStdio(streams?: { stdin?: Readable; stdout?: Writable }): Promise<void>;
  /** Cancels running calls, answers them as cancelled, and ends connections. */
  close(): Promise<void>;
}

/** Creates the service; it opens no port and reads no stream by itself. */
export function createMcpService(options: McpServiceOptions): McpService;
