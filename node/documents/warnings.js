'use strict';

const path = require('node:path');

/** The words of the system for the errors that files and directories have. */
const SYSTEM_TEXTS = Object.freeze({
  EACCES: 'permission denied',
  ELOOP: 'too many symbolic links encountered',
  ENAMETOOLONG: 'name too long',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
});

/** What the engine says, and the code that Node has for it. */
const CODES_OF_REASONS = new Map([
  ['not found', 'ENOENT'],
  ['permission denied', 'EACCES'],
  ['is a symlink', 'ELOOP'],
  ['filesystem loop or indirection limit (e.g. symlink loop)', 'ELOOP'],
  ['invalid filename', 'ENAMETOOLONG'],
  ['not a directory', 'ENOTDIR'],
]);

const SYSTEM_CALLS = Object.freeze({ list: 'scandir', read: 'open' });

/** Tells the logger of a directory that could not be listed; `code` as Node has it. */
function warnOfDirectory(logger, absolute, code) {
  logger.warn('Directory read error', {
    path: absolute,
    error: systemErrorText(code, SYSTEM_CALLS.list, absolute),
  });
}

/**
 * Tells the logger what a reply has for it: what was passed over, in the words that `fs` would have
 * had for it, and, as `timedOut` with the fields, that there was no time for the rest.
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

/** An error as `fs` words it, such as "ENOENT: no such file or directory, scandir '/docs'". */
function systemErrorText(code, systemCall, absolute) {
  const text = SYSTEM_TEXTS[code];
  return `${text === undefined ? code : `${code}: ${text}`}, ${systemCall} '${absolute}'`;
}

/** Node's code; the engine's own words where Node has none. */
function codeOf(operation, reason) {
  if (operation === 'list' && reason === 'is not of the expected kind') return 'ENOTDIR';
  return CODES_OF_REASONS.get(reason) ?? reason;
}

module.exports = { logAsides, warnOfDirectory };
