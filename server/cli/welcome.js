'use strict';

const path = require('node:path');

const CLI = path.join(__dirname, '..', 'cli.js');

/** Returns the start-up message: the addresses of the service, and configurations to copy. */
function welcome(url, options) {
  const over = (server) => JSON.stringify({ mcpServers: { searchscope: server } });
  return `
searchscope serves ${options.root}

  page       ${url}/         for a browser: try the tools, watch the service
  tools      ${url}/mcp      Model Context Protocol, Streamable HTTP
  documents  ${url}/context  JSON and JSON-RPC
  health     ${url}/healthz

Configuration of an MCP client, for this service:
  ${over({ type: 'http', url: `${url}/mcp` })}
or for one that the client starts itself:
  ${over({ command: process.execPath, args: [CLI, '--stdio', ...stdioWords(options)] })}

Try it:
  curl "${url}/context?action=search&query=TODO"

Ctrl-C stops it.

`;
}

/** Returns the arguments that make a service over standard input and output serve the same. */
function stdioWords(options) {
  const { root, docsRoot, excludes = [], deny = [], callsMax, replyBytesMax, grace } = options;
  const { tools, result, requireGit, gitDirOutsideRoot, threads } = options;
  const { outputDir, docSuffix = [], encoding = [] } = options;
  const { index, memoryBytesMax } = options;
  const limits = { 'calls-max': callsMax, 'reply-bytes-max': replyBytesMax, grace, threads };
  const memory = { index, 'memory-bytes-max': memoryBytesMax };
  const single = { root, 'docs-root': docsRoot, 'output-dir': outputDir, tools, result, ...limits, ...memory };
  const words = Object.entries(single)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `--${name}=${value}`);
  if (requireGit) words.push('--require-git');
  if (options.denySecrets === false) words.push('--no-deny-secrets');
  if (gitDirOutsideRoot) words.push('--git-dir-outside-root');
  for (const suffix of docSuffix) words.push(`--doc-suffix=${suffix}`);
  for (const label of encoding) words.push(`--encoding=${label}`);
  for (const line of excludes) words.push(`--exclude=${line}`);
  for (const line of deny) words.push(`--deny=${line}`);
  return words;
}

module.exports = { welcome };
