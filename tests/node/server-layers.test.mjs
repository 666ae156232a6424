// The dependencies allowed between the areas of the service, and that no two of its files need each other.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { test } from 'node:test';
import { TOP } from './helpers.mjs';

const SERVER = join(TOP, 'server');

/** Files that every area may use, and that use each other alone. */
const BASE = [
  ...['call-record', 'defaults', 'defects', 'exit', 'explain', 'gate', 'idle-memory', 'index-log', 'json-rpc'],
  ...['log', 'package'],
];

/** Each other area, a folder or a file beside it, with the areas that it may use besides the base and itself. */
const AREAS = {
  agents: [],
  http: [],
  mcp: [],
  context: ['mcp'],
  'context-mcp': ['context', 'http'],
  page: ['http', 'mcp'],
  app: ['http', 'page'],
  serve: ['app', 'context-mcp', 'http', 'mcp'],
  cli: ['agents', 'http', 'mcp', 'serve'],
};

const LOADED = /(?:\brequire\(|\bimport\(|\bfrom |\bimport )'(\.[^']*)'/g;

/** The files that each file loads, at once or later. */
const LOADS = new Map(
  readdirSync(SERVER, { recursive: true })
    .map((name) => name.replaceAll(sep, '/'))
    .filter((name) => /\.m?js$/.test(name) && !name.startsWith('node_modules/'))
    .map((name) => [name, loadedBy(name)]),
);

function loadedBy(name) {
  const text = readFileSync(join(SERVER, name), 'utf8');
  return [...text.matchAll(LOADED)].map(([, path]) => posix.join(posix.dirname(name), path));
}

function areaOf(name) {
  return name.split(/[/.]/, 1)[0];
}

/** Returns all files that a file loads, directly or through others. */
function reached(name, found = new Set()) {
  for (const loaded of LOADS.get(name) ?? []) {
    if (!found.has(loaded)) reached(loaded, found.add(loaded));
  }
  return found;
}

test('every file belongs to an area', () => {
  const known = [...BASE, ...Object.keys(AREAS)];
  assert.deepEqual([...LOADS.keys()].filter((name) => !known.includes(areaOf(name))), []);
  assert.ok([...LOADS.values()].flat().length > 100, 'the files that others load are not found');
});

test('areas use only those below them', () => {
  const isAllowed = (from, to) => from === to || BASE.includes(to) || AREAS[from]?.includes(to);
  const upward = [...LOADS].flatMap(([name, loaded]) =>
    loaded.filter((path) => !isAllowed(areaOf(name), areaOf(path))).map((path) => `${name} loads ${path}`),
  );
  assert.deepEqual(upward, []);
});

test('no file needs itself, through others or directly', () => {
  assert.deepEqual([...LOADS.keys()].filter((name) => reached(name).has(name)), []);
});
