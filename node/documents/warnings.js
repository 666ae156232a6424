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

/** Tells the logger what a call passed over, in the words that `fs` would have had for it. */
function logWarnings(logger, root, warnings = [], fileMessage = 'Search file error') {
  for (const { path: relative, operation, reason } of warnings) {
    const absolute = path.join(root, relative);
    const code = codeOf(operation, reason);
    if (operation === 'list') {
      warnOfDirectory(logger, absolute, code);
    } else {
      const error = systemErrorText(code, SYSTEM_CALLS.read, absolute);
      logger.warn(fileMessage, { path: relative, error });
    }
  }
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

module.exports = { logWarnings, warnOfDirectory };
