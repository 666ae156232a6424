'use strict';

const { isUtf8 } = require('node:buffer');
const express = require('express');
const { isDeep } = require('./depth.js');
const { refuse, refuseBusy, tooLarge } = require('./refuse.js');

/**
 * Refuses bodies that are too large before reading them, and every body while those in progress have
 * sent `allBytesMax`: a thousand clients that send much must not fill the memory. Only received bytes
 * count, so a client that announces much and sends nothing does not block others.
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
    // Intercepts `emit`, because a listener for data would start reading, which the parser must do.
    const emit = req.emit;
    req.emit = (event, ...given) => {
      if (event === 'data') {
        const [chunk] = given;
        come += chunk.length;
        held += chunk.length;
        // Bodies that were admitted together exceed the limit: this one is dropped.
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

/** Returns the announced size; a client that announces none may send up to the maximum. */
function bodyBytes({ headers }, bytesMax) {
  if (headers['transfer-encoding'] !== undefined) return bytesMax;
  return Number(headers['content-length'] ?? 0);
}

/** Parses bodies of every type: one that is skipped here would be read elsewhere, without the limits. */
function readJson({ bytesMax, depthMax }) {
  const verify = (req, res, bytes) => {
    if (!isUtf8(bytes)) throw new Error('not UTF-8');
    if (isDeep(bytes, depthMax)) throw Object.assign(new Error('too deep'), { type: 'too.deep' });
  };
  return express.json({ limit: bytesMax, type: () => true, inflate: false, verify });
}

module.exports = { limitBodies, readJson };
