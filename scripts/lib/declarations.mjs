// The text of node/index.d.ts: a frame by hand, and what the tool table says.

import { Declarations, comment, pascalCase } from './schema.mjs';

/** The stable codes of errors; a test holds them against the engine's table. */
export const ERROR_CODES = [
  'invalid_param',
  'pattern_syntax',
  'not_found',
  'access_denied',
  'timeout',
  'cancelled',
  'result_too_large',
  'io',
  'unsupported',
  'internal',
];

const FRAME_NAMES = [
  'CallOptions',
  'ErrorCode',
  'ErrorDetail',
  'SearchscopeError',
  'Tool',
  'ToolName',
  'Workspace',
  'WorkspaceOptions',
];

/** Gives the whole file for the tools, as `tools()` lists them. */
export function declarations(tools) {
  const schemas = new Declarations(FRAME_NAMES);
  const overloads = tools.map((tool) => {
    const name = pascalCase(tool.name);
    schemas.addRoot(`${name}Args`, tool.inputSchema, name);
    schemas.addRoot(`${name}Reply`, tool.outputSchema, name);
    const mark = tool.inputSchema.required?.length > 0 ? '' : '?';
    const parameters = `tool: '${tool.name}', args${mark}: ${name}Args, options?: CallOptions`;
    return `${comment(tool.description, '  ')}  call(${parameters}): Promise<${name}Reply>;\n`;
  });
  const names = tools.map((tool) => `'${tool.name}'`).join(' | ') || 'never';
  return [HEAD, errors(), toolTypes(names), workspace(overloads), schemas.toString()]
    .filter(Boolean)
    .join('\n');
}

const HEAD = `// Generated from the tool table by "npm run types"; changes here are lost.

/** How a workspace is opened. */
export interface WorkspaceOptions {
  /** How many threads one call may use; by default the cores, at most 8. */
  threads?: number;
  /** Gitignore lines; no path that they match is ever opened, listed or named in a result. */
  deny?: string[];
  /** Whether \`.gitignore\` files count only inside a git repository. Default: \`false\`. */
  require_git?: boolean;
  /**
   * The directory that tools may write result files into; it must exist. A relative one counts from
   * the root. By default there is none, and nothing is ever written.
   */
  output_dir?: string;
  /**
   * How many bytes a reply may have, 65,536 to 67,108,864; a larger one is refused, and \`search\` and
   * \`find\` end a page before. By default what each tool allows, 16 MiB or more.
   */
  reply_bytes_max?: number;
  /**
   * The directory with the Markdown documents; nothing outside of it is taken for one. A relative
   * one counts from the root. Default: the root.
   */
  docs_root?: string;
  /**
   * Gitignore lines, matched from \`docs_root\` and without regard to case; what they match is no
   * document.
   */
  excludes?: string[];
}

/** How a tool is called. */
export interface CallOptions {
  /** Ends the call: its promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Is told four times a second, while the call runs, how many files it has looked at. */
  onProgress?: ((progress: { files: number }) => void) | undefined;
}
`;

function errors() {
  return `/** What a caller can do something about; the same in Rust, C and here. */
export type ErrorCode =
${ERROR_CODES.map((code) => `  | '${code}'`).join('\n')};

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

/** What a failed call is rejected with, and what \`Workspace.open\` throws. */
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
`;
}

function toolTypes(names) {
  return `/** The name of a tool. */
export type ToolName = ${names};

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

/** The pattern language of scopes explained, as Markdown. */
export function scopeReference(): string;
`;
}

function workspace(overloads) {
  return `/** One root directory and everything beneath it; nothing outside is ever read. */
export class Workspace {
  private constructor();

  /** Opens the directory \`root\`. */
  static open(root: string, options?: WorkspaceOptions): Workspace;

  /**
   * Calls any tool with its arguments as an object or as JSON, and gives the reply as the engine
   * writes it, JSON.
   */
  callJson(tool: string, args?: object | string | Uint8Array, options?: CallOptions): Promise<string>;
${overloads.map((overload) => `\n${overload}`).join('')}}
`;
}
