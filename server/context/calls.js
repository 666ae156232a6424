'use strict';

const { documents } = require('searchscope/internal');

const { Reply, logAsides, openDocuments, searchIn, warnOfDirectory } = documents;

/** Codes of errors that the caller can act on, and whose messages are meant for it. */
const CALLER_CODES = new Set([
  'invalid_param',
  'not_found',
  'access_denied',
  'timeout',
  'result_too_large',
  // About a path that the caller has named: errors of the documents' directory are hidden from it.
  'io',
  'unsupported',
]);

/** Returns whether the caller may see the error; of others it learns only that there was one. */
function isForCaller(error) {
  return CALLER_CODES.has(error?.code);
}

/** The three calls of the service, each admitted by the gate. */
class DocumentCalls {
  #source;
  #gate;
  #logger;

  /** `source` as `openDocuments` takes it. */
  constructor(source, gate, logger) {
    this.#source = source;
    this.#gate = gate;
    this.#logger = logger;
  }

  /** Returns the result of `searchDocuments` as a `Reply`. */
  search(query, options) {
    const run = () => searchIn(() => this.#open(), this.#logger, query, options);
    return this.#gate.run(run, { tool: 'search_documents', via: 'context' });
  }

  /** Returns `{documents, total_found, truncated}` as a `Reply`. */
  list(args, signal) {
    return this.#gate.run(async () => {
      const { root, workspace, missing } = await this.#open();
      const reply = new Reply(await workspace.callJson('list_documents', args, { signal }));
      if (missing !== undefined) {
        warnOfDirectory(this.#logger, root, missing);
        return reply;
      }
      const timedOut = 'Document list timed out';
      const words = { timedOut, fields: { path: args.path ?? '/' }, unread: 'Document read error' };
      logAsides(this.#logger, root, reply.asides, words);
      return reply;
    }, { tool: 'list_documents', via: 'context' });
  }

  /**
   * Returns the JSON of `{path, name, description?, content, start_line, end_line, total_lines}`.
   * The content may be large, so it is not parsed here.
   */
  read(args, signal) {
    return this.#gate.run(async () => {
      const { workspace } = await this.#open();
      return workspace.callJson('read_document', args, { signal });
    }, { tool: 'read_document', via: 'context' });
  }

  /** Opens the documents; hides mistakes in the service's own settings from callers. */
  async #open() {
    try {
      return await openDocuments(this.#source);
    } catch (cause) {
      throw new Error('the documents cannot be opened', { cause });
    }
  }
}

module.exports = { DocumentCalls, isForCaller };
