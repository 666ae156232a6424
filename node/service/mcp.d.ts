// Written by hand; tests/node/mcp.test-d.ts holds it against its use.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { Workspace } from '../index.js';

/**
 * How a tool's reply is given: `'text'`, one block of plain text for agents; `'json'`, one block of text
 * that is the engine's JSON; `'structured'`, a structured result; `'both'`, JSON as text and as a
 * structured result. Clients of revisions before 2025-06-18 get JSON as text in place of structured
 * results.
 */
export type McpResult = 'text' | 'json' | 'structured' | 'both';

/**
 * Which tools are served: `'agent'`, the few that an agent needs (`look` and `read`); `'all'`; or names of
 * tools, as an array or separated by commas, among which `'agent'` may stand for its own.
 */
export type McpTools = string | readonly string[];

/** What says which calls may begin. */
export interface CallGate {
  /**
   * Runs the call and gives what it gives. When there is no room it rejects instead; with an error
   * whose `code` is `busy` the client is told to try again.
   */
  run<T>(call: () => Promise<T>): Promise<T>;
}

/** Where the service says what it does: one call of `info` for each tool call. */
export interface McpLogger {
  debug(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

export interface McpServiceOptions {
  /** What the tools search. */
  workspace: Workspace;
  /** Default: `'agent'`. Throws `invalid_param` for a name that is not a tool. */
  tools?: McpTools | undefined;
  /** Default: `'text'`. */
  result?: McpResult | undefined;
  /** Default: one that lets 64 calls in at once. */
  gate?: CallGate | undefined;
  /** Default: none. */
  logger?: McpLogger | undefined;
  /** What the server calls itself. Default: `'searchscope'`. */
  name?: string | undefined;
  /** Default: the version of this package. */
  version?: string | undefined;
}

/** Tools of the table over the Model Context Protocol. */
export interface McpService {
  /**
   * Serves one request of Streamable HTTP. A body that the host has parsed is taken from
   * `req.body`. It checks neither `Host` nor `Origin` and asks for no password: that is the host's.
   */
  handle(req: IncomingMessage & { body?: unknown }, res: ServerResponse): Promise<void>;
  /**
   * Serves one client over two streams, standard ones by default, and resolves when it asks for
   * nothing more. The calls that run then are still answered, until `close` is called.
   */
  serveStdio(streams?: { stdin?: Readable; stdout?: Writable }): Promise<void>;
  /** Cancels the calls that run, answers them so, and ends sessions and connections. */
  close(): Promise<void>;
}

/** Makes the service; it opens no port and reads no stream by itself. */
export function createMcpService(options: McpServiceOptions): McpService;
