// Shared by the tests of the service: one in this process, one as a command, requests.

import { spawn } from 'node:child_process';
import http from 'node:http';
import net from 'node:net';
import { createRequire } from 'node:module';
import { CLI } from './helpers.mjs';

const require = createRequire(import.meta.url);
const { startService } = require('../../server/serve.js');
const { createLogger } = require('../../server/log.js');

/** Generous: a machine that is busy with other jobs must not fail a test. */
export const SOON_MS = 60_000;

/** Starts a service in this process, at any free port; `lines` are those of its log. */
export async function serve(t, options) {
  const lines = [];
  const logger = createLogger(options.level ?? 'debug', {
    write: (line) => lines.push(JSON.parse(line)),
  });
  const service = await startService(
    { port: 0, graceMs: 200, tools: 'all', ...options },
    logger,
  );
  t.after(() => service.close());
  return { ...service, lines };
}

/**
 * Starts the command with the arguments and returns it once it listens: its URL, its output, its end,
 * and `stop(signal)`. The process ends with the test in any case.
 */
export async function serveCommand(t, words, options) {
  const service = runCommand(t, ['serve', ...words], options);
  await until(() => /^Ctrl-C stops it/m.test(service.out.stderr) || service.ending.done);
  const url = /http:\/\/\S+(?=\/mcp)/.exec(service.out.stderr)?.[0];
  if (url === undefined) throw new Error(`it does not listen: ${service.out.stderr}`);
  return { ...service, url };
}

export function runCommand(t, words, options) {
  const child = spawn(process.execPath, [CLI, ...words], options);
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name]?.setEncoding('utf8').on('data', (chunk) => (out[name] += chunk));
  }
  const ending = { done: false };
  const ended = new Promise((resolve) => {
    child.on('close', (code, signal) => {
      ending.done = true;
      resolve({ ...out, code, signal });
    });
  });
  t.after(() => {
    child.kill('SIGKILL');
    return ended;
  });
  const stop = (signal = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  return { child, out, ending, ended, stop };
}

/** Waits until the condition holds; fails when it does not hold in time. */
export async function until(condition, ms = SOON_MS) {
  const end = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Sends a request and returns {status, headers, text}; unlike `fetch` it can send any header. */
export function request(url, { method = 'GET', headers, body, agent = false } = {}) {
  return new Promise((resolve, reject) => {
    const sent = http.request(url, { method, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode, headers: response.headers, text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const MCP_HEADERS = Object.freeze({
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
});

/** Sends JSON to `/mcp`. */
export function postMcp(url, message, { headers, ...options } = {}) {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return request(`${url}/mcp`, {
    method: 'POST',
    headers: { ...MCP_HEADERS, ...headers },
    body,
    ...options,
  });
}

export const toolCall = (name, args, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

/** Calls a tool over `/mcp` and returns its result: {content, isError?}. */
export async function callTool(url, name, args, options) {
  const { status, text } = await postMcp(url, toolCall(name, args), options);
  if (status !== 200) throw new Error(`status ${status}: ${text}`);
  return mcpMessage(text).result;
}

/** Returns the message in an answer of `/mcp`: JSON, or the last event of a stream. */
export function mcpMessage(text) {
  if (text.startsWith('{')) return JSON.parse(text);
  const data = text.split('\n').filter((line) => line.startsWith('data: '));
  return JSON.parse(data.at(-1).slice('data: '.length));
}

/** Opens a connection and sends the text unchanged; `text` grows with the received data. */
export function connect(url, text) {
  const { hostname, port } = new URL(url);
  const socket = net.connect({ host: hostname, port });
  const connection = { socket, text: '' };
  connection.closed = new Promise((resolve) => socket.on('close', resolve));
  socket.setEncoding('utf8').on('data', (chunk) => (connection.text += chunk));
  socket.on('error', () => {});
  socket.write(text);
  return connection;
}
