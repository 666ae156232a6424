// Tests of the declarations of `searchscope-server/mcp`, for `tsc` alone.

import { createServer } from 'node:http';
import { PassThrough } from 'node:stream';
import { Workspace } from 'searchscope';
import { createMcpService } from 'searchscope-server/mcp';
import type { CallGate, McpResult, McpService } from 'searchscope-server/mcp';

async function good(workspace: Workspace) {
  const gate: CallGate = { run: (call) => call() };
  const result: McpResult = 'structured';
  const service: McpService = createMcpService({ workspace, result, gate, logger: console });
  createServer((req, res) => void service.handle(req, res));
  createMcpService({ workspace, tools: 'agent' });
  createMcpService({ workspace, tools: ['look', 'search'] as const });
  await createMcpService({ workspace, name: 'mine', version: '1.2.3' }).serveStdio();
  await service.serveStdio({ stdin: new PassThrough(), stdout: new PassThrough() });
  await service.close();
}

async function bad(workspace: Workspace) {
  // @ts-expect-error: missing workspace
  createMcpService({});
  // @ts-expect-error: a path, not a workspace
  createMcpService({ workspace: '.' });
  // @ts-expect-error: unknown kind of result
  createMcpService({ workspace, result: 'xml' });
  // @ts-expect-error: a tool is chosen by its name
  createMcpService({ workspace, tools: 2 });
  // @ts-expect-error: unknown option
  createMcpService({ workspace, results: 'text' });
  // @ts-expect-error: a number, not a gate
  createMcpService({ workspace, gate: 8 });
  // @ts-expect-error: the answer is missing
  await createMcpService({ workspace }).handle({});
}

export { good, bad };
