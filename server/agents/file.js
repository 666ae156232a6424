'use strict';

// Reading and replacing a configuration file as a whole, so that a reader sees the old or the new text.

const fs = require('node:fs');
const path = require('node:path');

/** A file that is not changed; the message continues the name of the file. */
class ConfigError extends Error {}

/** Mark of UTF-8 at the start of a file. */
const BOM = '\ufeff';

/**
 * Reads a file. Its text is undefined if it is absent; `target` is the file that a link leads to; `bom` is the
 * mark of UTF-8 in front of the text, or empty. Fails if `file` leads out of the directory `within`, because a
 * repository may contain a link to any file of the user.
 */
function readConfig(file, { within } = {}) {
  try {
    const target = targetOf(file);
    if (within !== undefined) requireInside(target ?? nearestTarget(path.dirname(file)), within);
    if (target === undefined) return { target: file, isLink: false, bom: '' };
    const stat = fs.statSync(target);
    if (!stat.isFile()) throw new ConfigError('is not a regular file');
    const bytes = fs.readFileSync(target);
    const text = textOf(bytes);
    const bom = text.startsWith(BOM) ? BOM : '';
    const isLink = fs.lstatSync(file).isSymbolicLink();
    return { target, isLink, stat, bytes, bom, text: text.slice(bom.length) };
  } catch (error) {
    throw unreachable(error);
  }
}

function targetOf(file) {
  try {
    return fs.realpathSync(file);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    if (fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined) {
      throw new ConfigError('is a link to a file that does not exist');
    }
    return undefined;
  }
}

/** Returns where a directory is, or the nearest one above it that exists. */
function nearestTarget(directory) {
  return targetOf(directory) ?? nearestTarget(path.dirname(directory));
}

function requireInside(target, directory) {
  const relative = path.relative(fs.realpathSync(directory), target);
  if (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)) return;
  throw new ConfigError(`leads through a link to '${target}', which is outside of the project`);
}

function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ConfigError('is not UTF-8');
  }
}

/**
 * Replaces the text of a file that was read, with its permissions, or removes it if the text is undefined.
 * `mode` is that of a new file.
 */
function writeConfig(config, text, mode) {
  try {
    requireSame(config);
    if (text === undefined) fs.unlinkSync(config.target);
    else replace(config, text, mode);
  } catch (error) {
    throw unreachable(error);
  }
}

/** Fails if the file may not be written, or has changed since it was read. */
function requireSame({ target, stat, bytes }) {
  // As root every file can be written, and a rename needs only the directory.
  if (stat !== undefined && (stat.mode & 0o222) === 0) throw new ConfigError('is read-only');
  if (stat !== undefined) fs.accessSync(target, fs.constants.W_OK);
  const now = fs.existsSync(target) ? fs.readFileSync(target) : undefined;
  if (bytes === undefined ? now !== undefined : now === undefined || !bytes.equals(now)) {
    throw new ConfigError('has changed meanwhile; please try again');
  }
}

function replace({ target, stat, bom }, text, mode) {
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const temporary = `${target}.${process.pid}.tmp`;
  // The text may have secrets, so only its owner can read the file until it has the permissions of the old one.
  const handle = fs.openSync(temporary, 'wx', stat === undefined ? mode : 0o600);
  try {
    try {
      if (stat !== undefined) keepOwner(handle, stat);
      fs.writeFileSync(handle, bom + text);
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    fs.renameSync(temporary, target);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

function keepOwner(handle, { uid, gid, mode }) {
  const made = fs.fstatSync(handle);
  if (made.uid !== uid || made.gid !== gid) fs.fchownSync(handle, uid, gid);
  fs.fchmodSync(handle, mode & 0o7777);
}

/** Returns an error of the system as one of the file. */
function unreachable(error) {
  if (error.code === undefined) return error;
  const reasons = { EACCES: 'permission denied', EPERM: 'operation not permitted', EROFS: 'read-only file system' };
  return new ConfigError(`cannot be read or written: ${reasons[error.code] ?? error.code}`, { cause: error });
}

/** Returns line and column of an offset, from 1. */
function placeIn(text, offset) {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${lines.at(-1).length + 1}`;
}

module.exports = { ConfigError, placeIn, readConfig, writeConfig };
