'use strict';

// Edits of JSON with comments that change nothing but one entry. An entry is inserted in front of the others,
// because a comment after the last one would otherwise move to the new entry, and so that removing it restores
// the bytes from before. An object that was empty gets its first property on the line of its brace; one that
// the insertion made has it on a line of its own, so that removal knows which of the two to leave.

const { isDeepStrictEqual } = require('node:util');
const { createScanner, findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } = require('jsonc-parser');
const { ConfigError, placeIn } = require('./file.js');
const { plain } = require('./value.js');

/** The scanner's token for a comma. */
const COMMA = 5;

/** Returns the entry of the name in the text of a file, or undefined. */
function entryIn(text, key, name) {
  const node = findNodeAtLocation(parsed(text, key, name).root, [key, name]);
  return node && plain(getNodeValue(node));
}

/** Returns the text with the entry added below the key. */
function withEntry(text, key, name, entry) {
  const { root, value } = parsed(text, key, name);
  if (root === undefined) return text + documentOf(key, name, entry).trimEnd();
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const style = { eol, unit: unitOf(text, root) };
  const servers = findNodeAtLocation(root, [key]);
  const after =
    servers === undefined
      ? insert(text, root, style, (at) => `"${key}": ${nested(name, entry, at, style)}`)
      : insert(text, servers, style, (at) => property(name, entry, at, style));
  return verified(after, { ...value, [key]: { ...value[key], [name]: entry } });
}

/** Returns the text without the entry, or undefined if the file had nothing else. */
function withoutEntry(text, key, name) {
  const { root, value } = parsed(text, key, name);
  const whole = documentOf(key, name, value[key][name]);
  if (text === whole) return undefined;
  const start = text.length - whole.trimEnd().length;
  if (text.endsWith(whole.trimEnd()) && text.slice(0, start).trim() === '') return text.slice(0, start);
  const servers = findNodeAtLocation(root, [key]);
  const { [key]: before, ...others } = value;
  const { [name]: removed, ...rest } = before;
  if (Object.keys(rest).length === 0 && wasMade(text, servers)) {
    return verified(remove(text, root, servers.parent), others);
  }
  const entry = findNodeAtLocation(root, [key, name]);
  return verified(remove(text, servers, entry.parent), { ...others, [key]: rest });
}

/** Returns the text of a file that contains only the entry. */
function documentOf(key, name, entry) {
  const style = { eol: '\n', unit: '  ' };
  return `{\n  "${key}": ${nested(name, entry, '  ', style)}\n}\n`;
}

/** Parses the text; fails unless it is an object whose value at the key is an object, each key once. */
function parsed(text, key, name) {
  if (text.trim() === '') return { root: undefined, value: {} };
  const { root, errors } = treeOf(text);
  if (errors.length > 0) {
    const [{ error, offset }] = errors;
    throw new ConfigError(`is not JSON: ${printParseErrorCode(error)} at ${placeIn(text, offset)}`);
  }
  if (root.type !== 'object') throw new ConfigError('is not a JSON object');
  requireOnce(root, key);
  const servers = findNodeAtLocation(root, [key]);
  if (servers !== undefined) {
    if (servers.type !== 'object') throw new ConfigError(`has a '${key}' that is not an object`);
    requireOnce(servers, name);
  }
  return { root, value: plain(getNodeValue(root)) };
}

function treeOf(text) {
  const errors = [];
  try {
    return { root: parseTree(text, errors, { allowTrailingComma: true }), errors };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConfigError('is nested too deeply');
  }
}

function requireOnce(object, key) {
  const same = object.children.filter(({ children: [{ value }] }) => value === key);
  if (same.length > 1) throw new ConfigError(`has '${key}' ${same.length} times in one object`);
}

/** Fails unless the text has the value: a layout that the edit did not foresee must not be written. */
function verified(text, value) {
  const { root, errors } = treeOf(text);
  if (errors.length > 0 || !isDeepStrictEqual(plain(getNodeValue(root)), value)) {
    throw new ConfigError('has a layout that cannot be edited; please edit it by hand');
  }
  return text;
}

/** Inserts a property, made for an indentation or for one line (undefined), in front of an object's others. */
function insert(text, object, { eol, unit }, made) {
  const open = object.offset + 1;
  const [first] = object.children;
  if (first === undefined) return splice(text, open, open, ` ${made(indentAt(text, object.offset) + unit)}`);
  const gap = text.slice(open, first.offset);
  if (!gap.includes('\n')) return splice(text, open, open, `${made(undefined)},`);
  const [comment] = /^[ \t]*\/\/[^\r\n]*/.exec(gap) ?? [''];
  const indent = indentAt(text, first.offset);
  const at = open + comment.length;
  return splice(text, at, at, `${eol}${indent}${made(indent)},`);
}

/** Returns `"name": entry`, on several lines or, without an indentation, on one. */
function property(name, entry, indent, { eol, unit }) {
  const fields = Object.entries(entry).map(([field, value]) => `"${field}": ${inline(value)}`);
  if (indent === undefined) return `"${name}": { ${fields.join(', ')} }`;
  const lines = fields.map((field) => `${indent}${unit}${field}`);
  return `"${name}": {${eol}${lines.join(`,${eol}`)}${eol}${indent}}`;
}

function inline(value) {
  return Array.isArray(value) ? `[${value.map((item) => JSON.stringify(item)).join(', ')}]` : JSON.stringify(value);
}

/** Returns an object with the entry alone. */
function nested(name, entry, indent, style) {
  if (indent === undefined) return `{${property(name, entry, undefined, style)}}`;
  const inner = indent + style.unit;
  return `{${style.eol}${inner}${property(name, entry, inner, style)}${style.eol}${indent}}`;
}

/** Returns whether an insertion may have made the object with the one property, which it does without comments. */
function wasMade(text, object) {
  const [{ offset, length }] = object.children;
  const before = text.slice(object.offset + 1, offset);
  const after = text.slice(offset + length, object.offset + object.length - 1);
  return before !== ' ' && before.trim() === '' && ['', ','].includes(after.trim());
}

/** Removes a property, the whitespace before it, and one comma. */
function remove(text, object, child) {
  const end = child.offset + child.length;
  const start = text.slice(0, child.offset).trimEnd().length;
  const comma = commaAfter(text, end);
  if (comma !== undefined) {
    const kept = text.slice(end, comma).trim() === '' ? '' : text.slice(end, comma);
    return text.slice(0, start) + kept + text.slice(comma + 1);
  }
  const before = object.children[object.children.indexOf(child) - 1];
  if (before === undefined) return text.slice(0, start) + text.slice(end);
  const last = commaAfter(text, before.offset + before.length);
  return text.slice(0, last) + text.slice(last + 1, Math.max(start, last + 1)) + text.slice(end);
}

/** Returns the offset of the comma that follows, after whitespace and comments, or undefined. */
function commaAfter(text, offset) {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  return scanner.scan() === COMMA ? scanner.getTokenOffset() : undefined;
}

function unitOf(text, root) {
  const [first] = root.children;
  const indent = first === undefined ? '' : indentAt(text, first.offset);
  return indent === '' ? '  ' : indent;
}

/** Returns the whitespace at the start of the line with the offset. */
function indentAt(text, offset) {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))[0];
}

function splice(text, start, end, inserted) {
  return text.slice(0, start) + inserted + text.slice(end);
}

module.exports = { documentOf, entryIn, withEntry, withoutEntry };
