'use strict';

/** How often one who wants to know is told how far a call or a stream is. */
const PROGRESS_MS = 250;

/**
 * Tells `onProgress` again and again how many files were looked at, which `files()` says; when that
 * throws or rejects, `fail` gets what it threw. Gives the function that ends it.
 */
function tellProgress(onProgress, files, fail) {
  const tell = async () => {
    try {
      await onProgress({ files: files() });
    } catch (error) {
      fail(error);
    }
  };
  // It must not keep the process alive: what it tells of does.
  const timer = setInterval(tell, PROGRESS_MS).unref();
  return () => clearInterval(timer);
}

module.exports = { tellProgress };
