'use strict';

const express = require('express');
const { tools: toolTable } = require('searchscope');
const { refuseMethod } = require('../http/refuse.js');
const { chooseTools } = require('../mcp/sets.js');
const { PageCalls } = require('./calls.js');
const { answerFile, pageFiles } = require('./files.js');

/**
 * Creates the router of the page: its files at `/` and below `/page`, the tool table at `/page/tools`, the
 * state of the service at `/page/state`, and calls at `/page/call`. `status` returns the state that
 * `/healthz` reports.
 */
function pageRouter({ workspace, gate, settings, logger }, status) {
  const table = toolTable();
  const served = new Set(chooseTools(table, settings.tools).map(({ name }) => name));
  const tools = table.map(({ name, description, inputSchema }) => {
    return { name, description, inputSchema, served: served.has(name) };
  });
  const calls = new PageCalls({ workspace, table, gate, logger });
  const { root, result, replyBytesMax } = settings;
  const about = { root, result, reply_bytes_max: replyBytesMax, calls_max: gate.callsMax };
  const state = () => ({
    ...status(),
    ...about,
    waiting: gate.waiting,
    calls: gate.calls.open,
    recent: gate.calls.recent,
  });

  const router = express.Router();
  for (const [path, file] of pageFiles()) answer(router, 'GET', path, answerFile(file));
  answer(router, 'GET', '/page/tools', (req, res) => sendJson(res, { tools }));
  answer(router, 'GET', '/page/state', (req, res) => sendJson(res, state()));
  answer(router, 'POST', '/page/call', (req, res) => calls.handle(req, res));
  return router;
}

/** Adds a handler for one method of an address; other methods get 405. */
function answer(router, method, path, handler) {
  const allowed = method === 'GET' ? ['GET', 'HEAD'] : [method];
  router.all(path, (req, res) => {
    if (allowed.includes(req.method)) return handler(req, res);
    const message = `${path} accepts only ${allowed.join(' and ')}`;
    refuseMethod(req, res, message, allowed.join(', '));
  });
}

function sendJson(res, value) {
  res.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }).json(value);
}

module.exports = { pageRouter };
