'use strict';

/** Interval of progress reports for a call or stream. */
const PROGRESS_MS = 250;

/**
 * Calls `onProgress` at intervals with the number of files visited, as `files()` returns it; not while that
 * is null, because a call still waits for its turn. If `onProgress` throws or rejects, calls `fail` with the
 * error. Returns a function that ends the reports.
 */
function tellProgress(onProgress, files, fail) {
  const tell = async () => {
    const visited = files();
    if (visited === null) return;
    try {
      await onProgress({ files: visited });
    } catch (error) {
      fail(error);
    }
  };
  // The timer must not keep the process alive: the call itself does.
  const timer = setInterval(tell, PROGRESS_MS).unref();
  return () => clearInterval(timer);
}

module.exports = { tellProgress };
