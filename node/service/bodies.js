'use strict';

const { refuse, refuseBusy, tooLarge } = require('./refuse.js');

/**
 * Refuses bodies that are too large before any of them is read, and further ones while those at
 * hand have `allBytesMax`: a thousand clients that send slowly must not fill the memory.
 */
function limitBodies({ bytesMax, allBytesMax }) {
  let held = 0;
  return (req, res, next) => {
    const bytes = bodyBytes(req, bytesMax);
    if (bytes === 0) return next();
    if (bytes > bytesMax) return refuse(req, res, tooLarge(bytesMax));
    if (held + bytes > allBytesMax) {
      return refuseBusy(req, res, 'the service is busy with large requests; try again in a moment');
    }
    held += bytes;
    res.once('close', () => {
      held -= bytes;
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
