'use strict';

const { createHash } = require('node:crypto');
const { readFileSync, readdirSync } = require('node:fs');
const path = require('node:path');

const FOLDER = path.join(__dirname, 'browser');
const INDEX = 'index.html';

const TYPES = Object.freeze({
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
});

/**
 * Allows only files of this service, and no text as markup: with trusted types, even a mistake in the
 * page's own code cannot turn the text of a searched file into elements.
 */
const POLICY = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
].join('; ');

const HEADERS = Object.freeze({
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // A new version of the package has new files under the same names.
  'Cache-Control': 'no-cache',
});

/** Reads the files of the page; returns their addresses, each with `{type, bytes, etag}`. */
function pageFiles() {
  return readdirSync(FOLDER).map((name) => {
    const bytes = readFileSync(path.join(FOLDER, name));
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    const file = { type: TYPES[path.extname(name)], bytes, etag };
    return [name === INDEX ? '/' : `/page/${name}`, file];
  });
}

/** Returns a handler that sends the file, or 304 if the browser has it already. */
function answerFile({ type, bytes, etag }) {
  return (req, res) => {
    res.set(HEADERS).set('ETag', etag);
    if (knows(req.headers['if-none-match'], etag)) return void res.status(304).end();
    // Sent as bytes: for a text, express would set length and type itself.
    res.set({ 'Content-Type': type, 'Content-Length': bytes.length });
    res.status(200).end(req.method === 'HEAD' ? undefined : bytes);
  };
}

function knows(header, etag) {
  return (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}

module.exports = { answerFile, pageFiles };
