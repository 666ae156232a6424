'use strict';

/** Number of finished calls that are remembered. */
const RECENT_MAX = 50;

/**
 * The waiting and running calls and the latest finished ones: names and times, never arguments or
 * results, because these are the caller's.
 */
class CallRecord {
  #open = new Set();
  #recent = [];
  #count = 0;

  /** Records a waiting call of `tool` that came by `via`, and returns its entry. */
  begin({ tool = 'unknown', via = 'unknown' } = {}) {
    this.#count += 1;
    const entry = { id: this.#count, tool, via, waiting: true, since: performance.now() };
    this.#open.add(entry);
    return {
      start: () => {
        entry.waiting = false;
      },
      /** Ends the call; records the error's code, or success without an error. */
      end: (error) => this.#end(entry, error),
    };
  }

  /** Returns the open calls, oldest first, as `{id, tool, via, waiting, ms}`. */
  get open() {
    return [...this.#open].map(describe);
  }

  /**
   * Returns the finished calls, latest first, as `{id, tool, via, ms, at, outcome}`; `at` is the time
   * of their end.
   */
  get recent() {
    return this.#recent.toReversed();
  }

  #end(entry, error) {
    this.#open.delete(entry);
    const { id, tool, via, ms } = describe(entry);
    const outcome = error === undefined ? 'ok' : (error?.code ?? 'internal');
    this.#recent.push({ id, tool, via, ms, at: new Date().toISOString(), outcome: String(outcome) });
    if (this.#recent.length > RECENT_MAX) this.#recent.shift();
  }
}

function describe({ since, ...entry }) {
  return { ...entry, ms: Math.round(performance.now() - since) };
}

module.exports = { CallRecord };
