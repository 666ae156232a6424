'use strict';

/**
 * Reports the state of the index of a workspace, and logs once that it is ready. The index is built
 * between calls and sends no notification, so the line is logged by the first check after that: at the
 * end of a call, or at a request for `/healthz`. No timer is used.
 */
class IndexLog {
  #workspace;
  #logger;
  #isOver = false;

  constructor(workspace, logger) {
    this.#workspace = workspace;
    this.#logger = logger;
  }

  /** Returns the state of the index. */
  status() {
    const status = this.#workspace.indexStatus();
    if (this.#isOver) return status;
    const { state, files, memory_bytes, left_out, not_watched } = status;
    this.#isOver = state === 'ready' || state === 'off';
    if (state === 'ready') {
      // Logged only if the index is slower or smaller than it could be.
      const lacks = { ...(left_out > 0 && { left_out }), ...(not_watched && { not_watched }) };
      this.#logger.info('index', { state, files, memory_bytes, ...lacks });
    }
    return status;
  }

  /** Checks the index after a call, until there is nothing more to log. */
  look() {
    if (!this.#isOver) this.status();
  }
}

module.exports = { IndexLog };
