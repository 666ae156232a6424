// Starts the MCP service alone: node mcp-service.mjs stdio|http ROOT RESULT
//
// Over HTTP it prints its address, one line, once it listens, and ends with standard input.

import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { localhostHostValidation, localhostOriginValidation } from '@modelcontextprotocol/node';
import { Workspace } from 'searchscope';

const { createMcpService } = createRequire(import.meta.url)('../../node/service/mcp.js');

const [face, root, result] = process.argv.slice(2);
const service = createMcpService({ workspace: Workspace.open(root), result });

if (face === 'stdio') {
  await service.serveStdio();
} else {
  const guards = [localhostHostValidation(), localhostOriginValidation()];
  const server = createServer((req, res) => {
    if (guards.every((guard) => guard(req, res))) service.handle(req, res);
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`);
  });
  process.stdin.resume().on('end', async () => {
    server.close();
    await service.close();
    server.closeAllConnections();
  });
}
