#!/usr/bin/env node
'use strict';

const express = require('express');
const { documents } = require('searchscope/internal');
const { version } = require('./package.json');
const { host: HOST, callsMax: CALLS_MAX, port: PORT } = require('./defaults.js');
const { EXIT } = require('./exit.js');
const { Gate } = require('./gate.js');
const { guard } = require('./http/guard.js');
const { portOf } = require('./http/listen.js');
const { createLogger } = require('./log.js');
const { answer } = require('./context/answer.js');
const { DocumentCalls } = require('./context/calls.js');
const { answerGet, failure, hasAction } = require('./context/get.js');
const http = require('./context/http.js');
const { mcpMethods, methodsWhenFull } = require('./context/methods.js');
const { StatelessFace, wantsStateless } = require('./context/stateless.js');

const SERVER_INFO = Object.freeze({ name: 'searchscope', version });
const METHODS = 'GET, HEAD, POST, OPTIONS';

const BODY_BYTES_MAX = 1024 * 1024;

/**
 * Creates the router of the document service, which the host mounts at a path of its choice.
 *
 * config: `docsRoot`, and optionally `excludes`, `deny` (gitignore lines), `doc_suffixes`,
 * `front_matter_hyphens_min`, `callsMax` or a `gate` shared with other services, `bodyBytesMax`, and
 * `workspace`, already open, with these documents. logger: `info`, `warn`, `error` as `(message, fields)`.
 */
function contextRouter(config, logger) {
  const { docsRoot, excludes, deny, workspace, bodyBytesMax = BODY_BYTES_MAX } = config;
  const { doc_suffixes: docSuffixes, front_matter_hyphens_min: hyphensMin } = config;
  const source = { docsRoot, excludes, deny, docSuffixes, hyphensMin, workspace };
  documents.checkSource(source);
  const gate = config.gate ?? new Gate(config.callsMax ?? CALLS_MAX);
  const calls = new DocumentCalls(source, gate, logger);
  const methods = mcpMethods(calls, SERVER_INFO);
  const explain = (error) => http.explainRpc(error, logger);
  const rpc = { methods, methodsWhenFull: methodsWhenFull(methods), explain };

  const get = (request, response, next) => {
    if (http.wantsEvents(request) && !hasAction(request.url)) return next();
    return http.whileConnected(response, async (signal) => {
      const context = { calls, serverInfo: SERVER_INFO, signal };
      http.send(response, await answerGet(request.url, context));
    });
  };
  const stateless = new StatelessFace(calls, SERVER_INFO, logger);
  const post = (request, response) =>
    http.whileConnected(response, async (signal) => {
      const { value, reply } = http.parseBody(request.body);
      if (reply === undefined && wantsStateless(value, request)) {
        return stateless.handle(request, response, value);
      }
      http.sendRpc(response, reply ?? (await answer(value, { ...rpc, signal })));
    });
  const fail = (answerError) => (error, request, response, next) =>
    response.headersSent ? next(error) : answerError(error, response);

  const router = express.Router();
  router
    .route('/')
    .all((request, response, next) => {
      response.set('X-Content-Type-Options', 'nosniff');
      next();
    })
    .get(
      get,
      fail((error, response) => http.failGet(error, response, logger)),
    )
    .post(
      http.readBody(bodyBytesMax),
      post,
      fail((error, response) => http.failPost(error, response, { explain, bodyBytesMax })),
    )
    .options((request, response) => response.set('Allow', METHODS).status(204).end())
    .all((request, response) => {
      const answered = failure(405, 'METHOD_NOT_ALLOWED', `Use one of: ${METHODS}`);
      http.send(response.set('Allow', METHODS), answered);
    });
  return router;
}

/** Serves the documents of a directory to this machine only. */
function main(docsRoot, port) {
  const logger = createLogger('info');
  const app = express()
    .disable('x-powered-by')
    .use(guard({ host: HOST }))
    .use('/context', contextRouter({ docsRoot }, logger));
  const server = app.listen(port, HOST, (error) => {
    if (error) {
      logger.error('Context service cannot listen', { error: error.message });
      process.exitCode = 1;
      return;
    }
    const url = `http://${HOST}:${server.address().port}/context`;
    logger.info('Context service started', { url, docsRoot });
  });
}

module.exports = { contextRouter };

if (require.main === module) {
  const port = portOf(process.env.PORT || String(PORT));
  if (port === undefined) {
    process.stderr.write(`PORT must be a whole number from 0 to 65535: ${process.env.PORT}\n`);
    process.exitCode = EXIT.usage;
  } else {
    main(process.argv[2] ?? process.cwd(), port);
  }
}
