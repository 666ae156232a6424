'use strict';

const { openDocuments } = require('../../documents/open.js');
const { searchIn } = require('../../documents/search.js');
const { logWarnings, warnOfDirectory } = require('../../documents/warnings.js');
const { SearchscopeError } = require('../../errors.js');

/** Codes of errors that the caller can do something about, and whose messages are for it. */
const CALLER_CODES = new Set([
  'invalid_param',
  'not_found',
  'access_denied',
  'timeout',
  'result_too_large',
  'unsupported',
]);

/** Whether the error may be told to the caller; of all others it learns only that there was one. */
function isForCaller(error) {
  return CALLER_CODES.has(error?.code);
}

/** The three calls of the service, each through the gate. */
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

  /** Gives what `searchDocuments` gives. */
  search(query, options) {
    return this.#gate.run(() => searchIn(() => this.#open(), this.#logger, query, options));
  }

  /** Gives `{documents, total_found, truncated}`. */
  list(args, signal) {
    return this.#gate.run(async () => {
      const { root, workspace, missing } = await this.#open();
      if (missing !== undefined) {
        warnOfDirectory(this.#logger, root, missing);
        return { documents: [], total_found: 0, truncated: false };
      }
      const reply = await workspace.call('list_documents', args, { signal });
      const { warnings, ...list } = reply;
      logWarnings(this.#logger, root, warnings, 'Document read error');
      return list;
    });
  }

  /** Gives `{path, name, description?, content, start_line, total_lines}`. */
  read(args, signal) {
    return this.#gate.run(async () => {
      const { workspace, missing } = await this.#open();
      if (missing !== undefined) {
        const message = `there is no document '${args.path}'`;
        throw new SearchscopeError({ code: 'not_found', message, param: 'path' });
      }
      return workspace.call('read_document', args, { signal });
    });
  }

  /** What is wrong with the service's own settings is none of its callers' business. */
  async #open() {
    try {
      return await openDocuments(this.#source);
    } catch (cause) {
      throw new Error('the documents cannot be opened', { cause });
    }
  }
}

module.exports = { DocumentCalls, isForCaller };
