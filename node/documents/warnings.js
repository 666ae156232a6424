'use strict';

const path = require('node:path');

/** The system's messages for errors of files and directories. */
const SYSTEM_TEXTS = Object.freeze({
  EACCES: 'permission denied',
  ELOOP: 'too many symbolic links encountered',
  ENAMETOOLONG: 'name too long',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
});

/** The engine's reasons, with Node's code for each. */
const CODES_OF_REASONS = new Map([
  ['not found', 'ENOENT'],
  ['permission denied', 'EACCES'],
  ['is a symlink', 'ELOOP'],
  ['filesystem loop or indirection limit (e.g. symlink loop)', 'ELOOP'],
  ['invalid filename', 'ENAMETOOLONG'],
  ['not a directory', 'ENOTDIR'],
]);

const SYSTEM_CALLS = Object.freeze({ list: 'scandir', read: 'open' });

/** Logs a directory that could not be listed; `code` is Node's. */
function warnOfDirectory(logger, absolute, code) {
  logger.warn('Directory read error', {
    path: absolute,
    error: systemErrorText(code, SYSTEM_CALLS.list, absolute),
  });
}

/**
 * Logs the asides of a reply: files and directories that could not be read, worded as `fs` words such
 * errors, and a time-out as `timedOut` with `fields`.
 */
function logAsides(logger, root, asides, { timedOut, fields, unread = 'Search file error' }) {
  const { warnings = [], more_warnings: count, timed_out } = asides;
  for (const { path: relative, operation, reason } of warnings) {
    const absolute = path.join(root, relative);
    const code = codeOf(operation, reason);
    if (operation === 'list') {
      warnOfDirectory(logger, absolute, code);
    } else {
      const error = systemErrorText(code, SYSTEM_CALLS.read, absolute);
      logger.warn(unread, { path: relative, error });
    }
  }
  if (count !== undefined) logger.warn('Further warnings left out', { count });
  if (timed_out) logger.warn(timedOut, fields);
}

/** Returns an error as `fs` words it, such as "ENOENT: no such file or directory, scandir '/docs'". */
function systemErrorText(code, systemCall, absolute) {
  const text = SYSTEM_TEXTS[code];
  return `${text === undefined ? code : `${code}: ${text}`}, ${systemCall} '${absolute}'`;
}

/** Returns Node's code; the engine's own reason if Node has no code for it. */
function codeOf(operation, reason) {
  if (operation === 'list' && reason === 'is not of the expected kind') return 'ENOTDIR';
  return CODES_OF_REASONS.get(reason) ?? reason;
}

module.exports = { logAsides, warnOfDirectory };
