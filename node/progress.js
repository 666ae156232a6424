'use strict';

/** Interval of progress reports for a call or stream. */
const PROGRESS_MS = 250;

/**
 * Calls `onProgress` at intervals with the number of files visited, as `files()` returns it. If it throws
 * or rejects, calls `fail` with the error. Returns a function that ends the reports.
 */
function tellProgress(onProgress, files, fail) {
  const tell = async () => {
    try {
      await onProgress({ files: files() });
    } catch (error) {
      fail(error);
    }
  };
  // The timer must not keep the process alive: the call itself does.
  const timer = setInterval(tell, PROGRESS_MS).unref();
  return () => clearInterval(timer);
}

module.exports = { tellProgress };
