'use strict';

const { refuse, refuseBusy, tooLarge } = require('./refuse.js');

/**
 * Refuses bodies that are too large before any of them is read, and further ones while those at
 * hand have sent `allBytesMax`: a thousand clients that send much must not fill the memory. What
 * counts is what has come. A client that announces much and sends nothing holds up nobody.
 */
function limitBodies({ bytesMax, allBytesMax }) {
  let held = 0;
  return (req, res, next) => {
    const bytes = bodyBytes(req, bytesMax);
    if (bytes === 0) return next();
    if (bytes > bytesMax) return refuse(req, res, tooLarge(bytesMax));
    if (held >= allBytesMax) {
      return refuseBusy(req, res, 'the service is busy with large requests; try again in a moment');
    }
    let come = 0;
    // Listening for data would begin to read; the parser after us does that.
    const emit = req.emit;
    req.emit = (event, ...given) => {
      if (event === 'data') {
        const [chunk] = given;
        come += chunk.length;
        held += chunk.length;
        // Many that were let in together send more than there is room for: this one gives way.
        if (held > allBytesMax + bytesMax) {
          req.destroy();
          return false;
        }
      }
      return emit.call(req, event, ...given);
    };
    res.once('close', () => {
      held -= come;
    });
    next();
  };
}

/** What the client says; one that sends without saying how much may send all that is taken. */
function bodyBytes({ headers }, bytesMax) {
  if (headers['transfer-encoding'] !== undefined) return bytesMax;
  return Number(headers['content-length'] ?? 0);
}

module.exports = { limitBodies };
