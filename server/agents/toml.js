'use strict';

// Edits of TOML that change nothing but one table. TOML appends a table in two ways that cannot be told apart
// afterwards unless the last line is left as it was: a file without a final line end gets a table without one.

const { isDeepStrictEqual } = require('node:util');
const { TomlError, parse } = require('smol-toml');
const { ConfigError } = require('./file.js');
const { plain } = require('./value.js');

/** Returns the entry of the name in the text of a file, or undefined. */
function entryIn(text, key, name) {
  return serversIn(parsed(text), key)[name];
}

/** Returns the text with the table `[key.name]` at its end. */
function withEntry(text, key, name, entry) {
  const value = parsed(text);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const table = tableOf(key, name, entry, eol);
  const servers = { ...serversIn(value, key), [name]: entry };
  return verified(text + placed(text, table, eol), { ...value, [key]: servers });
}

/** Returns the table with the line ends that separate it from the text before it. */
function placed(text, table, eol) {
  if (text.trim() === '') return table;
  return text.endsWith('\n') ? eol + table + eol : eol + eol + table;
}

/** Returns the text without the table, or undefined if the file had nothing else. */
function withoutEntry(text, key, name) {
  const value = parsed(text);
  const { [name]: entry, ...rest } = serversIn(value, key);
  const after = cut(text, key, name, entry);
  if (after === undefined) return undefined;
  return verified(after, { ...value, [key]: rest });
}

function cut(text, key, name, entry) {
  if (text === documentOf(key, name, entry)) return undefined;
  for (const eol of ['\n', '\r\n']) {
    const table = tableOf(key, name, entry, eol);
    if (text.trimStart() === table) return text.slice(0, text.length - table.length);
    if (text.startsWith(table + eol)) return text.slice(table.length + eol.length);
    if (text.endsWith(eol + eol + table)) return text.slice(0, -(eol + eol + table).length);
    const at = text.indexOf(eol + table + eol);
    if (at !== -1) return text.slice(0, at) + text.slice(at + (eol + table + eol).length);
  }
  throw new ConfigError(`has '${key}.${name}' in another layout; please remove it by hand`);
}

/** Returns the text of a file that contains only the entry. */
function documentOf(key, name, entry) {
  return `${tableOf(key, name, entry, '\n')}\n`;
}

function tableOf(key, name, entry, eol) {
  const fields = Object.entries(entry).map(([field, value]) => `${field} = ${inline(value)}`);
  return [`[${key}.${name}]`, ...fields].join(eol);
}

function inline(value) {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  // A string of JSON is one of TOML, but for this character.
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}

function serversIn(value, key) {
  const servers = value[key] ?? {};
  if (Object.getPrototypeOf(servers) !== Object.prototype) {
    throw new ConfigError(`has a '${key}' that is not a table`);
  }
  return servers;
}

function parsed(text) {
  try {
    return plain(parse(text, { integersAsBigInt: true }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new ConfigError(`is not TOML: ${reason} at line ${error.line}, column ${error.column}`);
  }
}

/** Fails unless the text has the value: a layout that the edit did not foresee must not be written. */
function verified(text, expected) {
  const filled = (value) => Object.entries(value).filter(([, item]) => !isEmptyTable(item));
  let value;
  try {
    value = parsed(text);
  } catch {
    value = undefined;
  }
  const same = value && isDeepStrictEqual(Object.fromEntries(filled(value)), Object.fromEntries(filled(expected)));
  if (!same) throw new ConfigError('has a layout that cannot be edited; please edit it by hand');
  return text;
}

function isEmptyTable(value) {
  return typeof value === 'object' && !(value instanceof Date) && Object.keys(value).length === 0;
}

module.exports = { documentOf, entryIn, withEntry, withoutEntry };
