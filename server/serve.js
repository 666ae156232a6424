'use strict';

const path = require('node:path');
const { Workspace, limitHeaps } = require('searchscope');
const { BODY_BYTES_MAX, createApp } = require('./app.js');
const { contextRouter } = require('./context-mcp.js');
const DEFAULTS = require('./defaults.js');
const { Gate } = require('./gate.js');
const { Answers } = require('./http/answers.js');
const { inUrl, isLoopback } = require('./http/guard.js');
const { createServer, listen } = require('./http/listen.js');
const { HEAPS, IdleMemory } = require('./idle-memory.js');
const { IndexLog } = require('./index-log.js');
const { quietLogger } = require('./log.js');
const { createMcpService } = require('./mcp.js');
const { warmUp } = require('./mcp/warm.js');

/** Address for programs on this machine of a service that listens on all interfaces. */
const NEAR = Object.freeze({ '0.0.0.0': '127.0.0.1', '::': '::1' });

/** Time to write the answers of finished calls. */
const SENDING_MS = 1000;
/** Time to end streams and to answer cancelled calls. */
const ENDING_MS = 250;
/** Time for cancelled calls to end; they need 50 ms, or more on a busy machine. */
const CANCELLING_MS = 1000;

/** Opens what both ways of serving share: the gate, the tools over MCP, the index log, the workspace. */
function openTools(options, logger, callLogger = logger) {
  const { tools, result, callsMax, replyBytesMax } = options;
  const { index, memoryBytesMax } = options;
  const further = { reply_bytes_max: replyBytesMax, index, memory_bytes_max: memoryBytesMax };
  limitHeaps(HEAPS);
  const workspace = openWorkspace(options, further);
  const indexLog = new IndexLog(workspace, logger);
  const idle = new IdleMemory(() => gate.inFlight);
  const onLeave = () => {
    indexLog.look();
    idle.look();
  };
  const gate = new Gate(callsMax, { onLeave });
  const mcp = createMcpService({ workspace, tools, result, gate, logger: callLogger });
  return { gate, mcp, indexLog, workspace };
}

function openWorkspace({ root, docsRoot, excludes, deny, threads, ...others }, further) {
  const { docSuffix, encoding, requireGit, gitDirOutsideRoot, outputDir, denySecrets } = others;
  const options = { docs_root: docsRoot, excludes, deny, doc_suffixes: docSuffix, threads, ...further };
  return Workspace.open(root, {
    ...options,
    deny_secrets: denySecrets,
    encodings: encoding,
    require_git: requireGit,
    git_dir_outside_root: gitDirOutsideRoot,
    output_dir: outputDir,
  });
}

/**
 * Serves `options.root` over HTTP. Returns the URL and `close()`, which answers the calls in flight, for
 * `graceMs` at most, and cancels the rest. Missing options have their defaults.
 */
async function startService(options, logger) {
  const settings = withDefaults(options);
  const { host, root, excludes, deny } = settings;
  // The log line of the request already reports the tool call.
  const quiet = quietLogger(logger);
  const { gate, mcp, indexLog, workspace: ofTools } = openTools(settings, logger, quiet);
  const answers = new Answers();
  const docsRoot = path.resolve(root, settings.docsRoot ?? '.');
  // Document searches have only the limits of their contract, not those of the service.
  const workspace = openWorkspace(settings);
  const config = { docsRoot, excludes, deny, workspace, gate, bodyBytesMax: BODY_BYTES_MAX };
  const documents = contextRouter(config, quiet);
  const page = { workspace: ofTools, gate, settings, logger: quiet };
  const indexStatus = () => indexLog.status();
  const names = settings;
  const app = createApp({ mcp, documents, page, names, answers, gate, indexStatus, logger });
  const server = createServer(app);
  const bound = await listen(server, host, options.port, logger);
  const url = `http://${inUrl(NEAR[host] ?? host)}:${bound}`;
  await warmUp(url);
  logger.info('listening', { url, index: indexStatus().state });
  if (!isLoopback(host)) {
    logger.warn('reachable from other machines without authentication', {
      host,
    });
  }
  let closed;
  const stop = () => stopService({ server, answers, gate, mcp, graceMs: settings.graceMs });
  return { url, gate, close: () => (closed ??= stop()) };
}

async function stopService({ server, answers, gate, mcp, graceMs }) {
  const stopped = new Promise((resolve) => server.close(resolve));
  answers.close();
  server.closeIdleConnections();
  await atMost(graceMs, gate.empty());
  if (gate.inFlight === 0) await atMost(SENDING_MS, answers.empty());
  // Ends streams that nothing else would end, and cancels the calls that did not finish in time.
  await mcp.close();
  await atMost(ENDING_MS, answers.empty());
  // Disconnects the clients of other calls, which cancels those calls.
  server.closeAllConnections();
  await atMost(CANCELLING_MS, gate.empty());
  await stopped;
}

/**
 * Serves `options.root` over standard input and output. `ended` settles when the client is gone;
 * `close()` first answers the calls in flight, for `graceMs` at most.
 */
function startStdio(options, logger) {
  const settings = withDefaults(options);
  const { gate, mcp } = openTools(settings, logger);
  const ended = mcp.serveStdio();
  logger.info('serving standard input and output');
  const stop = async () => {
    await atMost(settings.graceMs, gate.empty());
    await mcp.close();
    await atMost(CANCELLING_MS, gate.empty());
    await atMost(SENDING_MS, new Promise((resolve) => process.stdout.write('', resolve)));
  };
  let closed;
  return { ended, close: () => (closed ??= stop()) };
}

function withDefaults(options) {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...Object.fromEntries(given) };
}

/** Waits for the promise, at most for the given time. */
async function atMost(ms, promise) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

module.exports = { startService, startStdio };
