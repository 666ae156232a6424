'use strict';

const { SearchscopeError, internal } = require('./errors.js');
const { tellProgress } = require('./progress.js');
const { onceAborted, reasonOf } = require('./signals.js');

/** Ends streams that were dropped before their end: nothing else would stop their search. */
const forgotten = new FinalizationRegistry((puller) => puller.leave());

/** Async iterator over the results of a search. */
class ResultStream {
  #puller;

  /** Internal: callers use `search` and `find` of a workspace. */
  constructor(puller) {
    this.#puller = puller;
    forgotten.register(this, puller);
  }

  /** Returns the tool's report after the last result; undefined before that, and after leaving early. */
  get report() {
    return this.#puller.report;
  }

  next() {
    return this.#puller.next(this);
  }

  async return(value) {
    this.#puller.leave();
    return { value: await value, done: true };
  }

  async throw(error) {
    this.#puller.leave();
    throw error;
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}

// Older versions of Node have neither this symbol nor `await using`.
if (Symbol.asyncDispose) {
  Object.defineProperty(ResultStream.prototype, Symbol.asyncDispose, {
    value: async function dispose() {
      await this.return();
    },
    configurable: true,
    writable: true,
  });
}

/**
 * Pulls batches of results from the native stream and hands the results out one by one.
 *
 * It is separate from `ResultStream` because signals, timers and the workspace refer to it: if they
 * referred to the stream, a dropped one would never be garbage-collected and its search never end.
 */
class Puller {
  report;
  #native;
  #stops;
  #onProgress;
  #batch = [];
  #at = 0;
  /** The pending calls of `next`, in order. */
  #readers = [];
  #pulling = false;
  /** The end after the current batch: {report}, {failed: true, error}, or {} if the caller left. */
  #end;
  #over = false;
  #endProgress = () => {};
  #endWaiting = () => {};

  /**
   * @param native the `NativeStream`
   * @param stops a set that contains, until the end, a function which ends this stream with an error
   */
  constructor(native, { signal, onProgress, stops }) {
    this.#native = native;
    this.#onProgress = onProgress;
    this.#stops = stops;
    stops.add(this.fail);
    this.#endWaiting = onceAborted(signal, this.fail);
    if (signal?.aborted) this.fail(reasonOf(signal));
  }

  /** @param stream the stream that is read; kept alive while its result is awaited */
  next(stream) {
    return new Promise((resolve, reject) => {
      this.#readers.push({ resolve, reject, stream });
      this.#serve();
    });
  }

  /** Ends the search because the caller wants no more results. */
  leave() {
    this.#stop({});
    this.#over = true;
  }

  /** Ends the search with an error; the rest of the current batch is discarded. */
  fail = (error) => this.#stop({ failed: true, error });

  #stop(end) {
    if (this.#over) return;
    this.#batch = [];
    this.#end = end;
    this.#release();
    this.#serve();
  }

  /** Cancels the search and unregisters everything that belongs to a running stream. */
  #release() {
    this.#native.cancel();
    this.#endProgress();
    this.#endWaiting();
    this.#stops.delete(this.fail);
  }

  #serve() {
    while (this.#readers.length > 0) {
      if (this.#at < this.#batch.length) {
        const { resolve } = this.#readers.shift();
        resolve({ value: this.#batch[this.#at], done: false });
        this.#at += 1;
      } else if (this.#end === undefined) {
        this.#pull();
        return;
      } else {
        this.#serveEnd(this.#readers.shift());
      }
    }
  }

  #serveEnd({ resolve, reject }) {
    const { failed, error, report } = this.#end;
    if (!this.#over) {
      this.#over = true;
      this.report = report;
      this.#release();
      if (failed) return reject(error);
    }
    resolve({ value: undefined, done: true });
  }

  async #pull() {
    if (this.#pulling) return;
    this.#pulling = true;
    try {
      this.#take(await this.#startPull());
    } catch (error) {
      // If the stream was stopped meanwhile, its end is already known.
      if (this.#end === undefined) this.fail(internal(error));
    }
    this.#pulling = false;
    this.#serve();
  }

  #startPull() {
    const running = this.#native.pull();
    if (this.#onProgress) {
      const files = () => this.#native.files();
      this.#endProgress = tellProgress(this.#onProgress, files, this.fail);
      this.#onProgress = undefined;
    }
    return running;
  }

  #take({ results, report, error }) {
    if (this.#end !== undefined) return;
    this.#batch = JSON.parse(results);
    this.#at = 0;
    if (typeof report === 'string') this.#end = { report: JSON.parse(report) };
    if (typeof error === 'string') {
      this.#end = { failed: true, error: new SearchscopeError(JSON.parse(error)) };
    }
    if (this.#end !== undefined) this.#endProgress();
  }
}

module.exports = { ResultStream, Puller };
