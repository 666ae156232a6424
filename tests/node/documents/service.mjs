// The document service for tests: a server with a small tree, and ways to send requests.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import express from 'express';
import { contextRouter } from 'searchscope-server/context';
import { listener } from './oracle.mjs';
import { writeTree } from './trees.mjs';

export const TREE = {
  'guide/start.md':
    '----\nname: Getting Started\ndescription: The first steps\n----\nconfig here\nand config\n',
  'guide/plain.md': 'test of API, no api\n',
  'api.md': '----\ndescription: All calls\n----\nconfig **API** reference\n',
  'drafts/secret.md': 'config\n',
};

/** Serves the router at /context; returns its address, its log, and two ways to send requests. */
export async function serve(t, { files = TREE, before = [], at = '/context', ...config } = {}) {
  const docsRoot = writeTree(t, files);
  const logger = { ...listener(), errors: [] };
  logger.error = (message, fields) => logger.errors.push({ message, ...fields });
  const app = express();
  for (const handler of before) app.use(handler);
  app.use(at, contextRouter({ docsRoot, excludes: ['drafts/'], ...config }, logger));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A busy machine may take longer until the client uses a connection again, just as the server closes it.
  server.keepAliveTimeout = 0;
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address();
  const url = `http://127.0.0.1:${port}${at}`;
  const get = (query, options) => ask(`${url}${query}`, options);
  const post = (body, options = {}) => ask(url, { method: 'POST', body, ...options });
  const rpc = (message, options) => post(JSON.stringify(message), options);
  return { url, port, docsRoot, logger, get, post, rpc };
}

export async function ask(url, options) {
  const response = await fetch(url, options);
  const text = await response.text();
  const { status, headers } = response;
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  if (text === '') return { status, headers, text };
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  return { status, headers, text, body: JSON.parse(text) };
}

export const call = (name, args, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
