// The official clients, each over each transport, in the protocol revisions that they speak.

import * as v2 from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as v1Http from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { Workspace } from 'searchscope';
import { createMcpService } from 'searchscope-server/mcp';
import { CLI } from './helpers.mjs';
import { serveCommand } from './service.mjs';

const INFO = { name: 'searchscope-test', version: '1.0.0' };
const words = (root, result = 'json') => [
  ...['--root', root, '--result', result, '--tools', 'all'],
];

/** Returns the arguments of Node that serve the root over standard input and output. */
export const stdioWords = (root, result, grace = 5) => [
  ...[CLI, 'serve', '--stdio', '--grace', String(grace)],
  ...words(root, result),
];

/** The clients: `make()` returns a new one, and `Stdio` and `Http` are its transports. */
export const CLIENTS = [
  {
    name: 'SDK 2, newest revision',
    modern: true,
    make: () => new v2.Client(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    Stdio: V2Stdio,
    Http: v2.StreamableHTTPClientTransport,
  },
  {
    name: 'SDK 2',
    make: () => new v2.Client(INFO),
    Stdio: V2Stdio,
    Http: v2.StreamableHTTPClientTransport,
  },
  {
    name: 'SDK 1',
    make: () => new V1Client(INFO),
    Stdio: V1Stdio,
    Http: v1Http.StreamableHTTPClientTransport,
  },
];

/** Starts the service over HTTP in a process of its own and returns its address. */
export async function serveHttp(t, root, result) {
  const service = await serveCommand(t, ['--port', '0', ...words(root, result)]);
  return new URL(`${service.url}/mcp`);
}

/**
 * Each client over each transport: `connect(t, root, result)` starts the service on the root and returns
 * the connected client.
 */
export const COMBINATIONS = CLIENTS.flatMap(({ name, modern = false, make, Stdio, Http }) => {
  const connect = async (t, transport) => {
    const client = make();
    t.after(() => client.close());
    await client.connect(transport);
    return client;
  };
  return [
    {
      name: `${name} over stdio`,
      modern,
      connect: (t, root, result) => {
        const args = stdioWords(root, result);
        return connect(t, new Stdio({ command: process.execPath, args }));
      },
    },
    {
      name: `${name} over HTTP`,
      modern,
      connect: async (t, root, result) => connect(t, new Http(await serveHttp(t, root, result))),
    },
  ];
});

/** Connects a client to a service in this process with these options. */
export async function connectInProcess(t, root, options) {
  const service = createMcpService({ workspace: Workspace.open(root), ...options });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  service.serveStdio({ stdin, stdout });
  const client = new v2.Client(INFO);
  t.after(async () => {
    await client.close();
    await service.close();
  });
  await client.connect(new Streams(stdout, stdin));
  return client;
}

/** The client's end of two streams of messages, one per line. */
class Streams {
  #input;
  #output;

  constructor(input, output) {
    this.#input = input;
    this.#output = output;
  }

  async start() {
    createInterface({ input: this.#input }).on('line', (line) => this.onmessage?.(JSON.parse(line)));
  }

  async send(message) {
    this.#output.write(`${JSON.stringify(message)}\n`);
  }

  async close() {
    this.#output.end();
    this.onclose?.();
  }
}

/** A process that serves the root over standard streams, to which messages are written without a library. */
export class Lines {
  #child;
  #lines;
  #id = 0;

  constructor(t, root) {
    this.#child = spawn(process.execPath, stdioWords(root), { stdio: ['pipe', 'pipe', 'ignore'] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    const ended = new Promise((resolve) => this.#child.on('close', resolve));
    t.after(() => {
      this.#child.kill('SIGKILL');
      return ended;
    });
  }

  /** Sends a message, or a batch as it is. */
  send(message) {
    const sent = Array.isArray(message) ? message : { jsonrpc: '2.0', ...message };
    this.#child.stdin.write(`${JSON.stringify(sent)}\n`);
  }

  /** Sends a request and returns the next message. */
  async ask(message) {
    this.#id += 1;
    this.send(Array.isArray(message) ? message : { id: this.#id, ...message });
    return JSON.parse((await this.#lines.next()).value);
  }
}

/** Calls a tool; the two clients take the options of a request in different parameters. */
export function callTool(client, name, args, options) {
  const params = { name, arguments: args };
  return client instanceof V1Client
    ? client.callTool(params, undefined, options)
    : client.callTool(params, options);
}
