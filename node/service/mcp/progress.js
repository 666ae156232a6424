'use strict';

/** A little under the interval of the engine's reports, so that none falls out by a hair. */
const INTERVAL_MS = 200;

/**
 * Tells the client of a call how far it is, if it has asked: `progress` is the number of files that
 * were looked at; it must always grow, so it is a thousandth more where they did not. Gives the
 * options of the call that bring the reports, and `end`, after which nothing is told; or undefined.
 */
function reportProgress({ mcpReq }) {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  const started = performance.now();
  let told = started;
  let thousandths = 0;
  let ended = false;
  const onProgress = ({ files }) => {
    const now = performance.now();
    if (ended || now - told < INTERVAL_MS) return;
    told = now;
    thousandths = Math.max(files * 1000, thousandths + 1);
    const seconds = ((now - started) / 1000).toFixed(1);
    const message = `${files} ${files === 1 ? 'file' : 'files'} looked at in ${seconds} s`;
    const params = { progressToken, progress: thousandths / 1000, message };
    // A client that cannot be told has gone, and its connection ends the call.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  return {
    options: { onProgress },
    end() {
      ended = true;
    },
  };
}

module.exports = { reportProgress };
