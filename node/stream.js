'use strict';

const { SearchscopeError } = require('./errors.js');
const { tellProgress } = require('./progress.js');
const { onceAborted, reasonOf } = require('./signals.js');

/** Ends the streams that were forgotten half-way: nothing else would ever ask them to stop. */
const forgotten = new FinalizationRegistry((puller) => puller.leave());

/** The results of a search, one after the other, as they are asked for. */
class ResultStream {
  #puller;

  /** Not for callers: `search` and `find` of a workspace make streams. */
  constructor(puller) {
    this.#puller = puller;
    forgotten.register(this, puller);
  }

  /** What the tool reports once all results were given; undefined before, and after leaving early. */
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

// An older Node has no such symbol, and nobody there who would ask for it.
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
 * Asks the native stream for a batch of results when the last one is used up, and hands them out.
 *
 * It is apart from the `ResultStream`, because signals, timers and the workspace hold it: they would
 * keep a stream from being forgotten.
 */
class Puller {
  report;
  #queue;
  #native;
  #stops;
  #onProgress;
  #batch = [];
  #at = 0;
  /** Those who wait in `next`, in their order. */
  #readers = [];
  #pulls = new Set();
  #pulling = false;
  /** How it ends behind the batch: {report}, {failed: true, error}, or {} when it was left. */
  #end;
  #over = false;
  #endProgress = () => {};
  #endWaiting = () => {};

  /**
   * @param queue the thread's `CallQueue`, in which pulls take their turns
   * @param native the `NativeStream`
   * @param stops a set that holds the function which ends this stream with an error
   */
  constructor(queue, native, { signal, onProgress, stops }) {
    this.#queue = queue;
    this.#native = native;
    this.#onProgress = onProgress;
    this.#stops = stops;
    stops.add(this.fail);
    this.#endWaiting = onceAborted(signal, this.fail);
    if (signal?.aborted) this.fail(reasonOf(signal));
  }

  /** @param stream whose reader asks; it is kept as long as somebody waits for its result */
  next(stream) {
    return new Promise((resolve, reject) => {
      this.#readers.push({ resolve, reject, stream });
      this.#serve();
    });
  }

  /** Ends the search because nobody wants more of it. */
  leave() {
    this.#stop({});
    this.#over = true;
  }

  /** Ends the search; the reader learns why, before what is in the batch. */
  fail = (error) => this.#stop({ failed: true, error });

  #stop(end) {
    if (this.#over) return;
    this.#batch = [];
    this.#end = end;
    this.#release();
    this.#serve();
  }

  /** Ends what belongs to a stream that goes on. */
  #release() {
    this.#native.cancel();
    this.#endProgress();
    this.#endWaiting();
    this.#stops.delete(this.fail);
    for (const stop of this.#pulls) stop();
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
      this.#take(await this.#queue.run(this.#begin, { stops: this.#pulls }));
    } catch (error) {
      // When it was stopped meanwhile, that is all there is to it.
      if (this.#end === undefined) this.fail(error);
    }
    this.#pulling = false;
    this.#serve();
  }

  #begin = (_token, callsMax) => {
    const running = this.#native.pull(callsMax);
    if (running !== null && this.#onProgress) {
      const files = () => this.#native.files();
      this.#endProgress = tellProgress(this.#onProgress, files, this.fail);
      this.#onProgress = undefined;
    }
    return running;
  };

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
