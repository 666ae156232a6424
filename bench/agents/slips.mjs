// Questions with one slip each, made from names and lines of the trees with a fixed seed.

import { Random } from '../../tests/node/documents/trees.mjs';
import { nameOf, uniqueDefinitions } from './truths.mjs';

const PER_KIND = 10;
const NAME_CHARS_MIN = 9;
const TRIES_MAX = 10_000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Returns `PER_KIND` questions of each kind of slip. `trees` are lists of files by the name of the tree. */
export function slippedQuestions(trees, seed) {
  const random = new Random(seed);
  const names = Object.keys(trees).sort();
  const definitions = Object.fromEntries(names.map((tree) => [tree, uniqueDefinitions(trees[tree])]));
  const makers = {
    'a wrong letter': (tree) => slipped(tree, (name) => wrongLetter(name, random)),
    'a missing letter': (tree) => slipped(tree, (name) => missingLetter(name, random)),
    'letters in the wrong order': (tree) => slipped(tree, (name) => swapped(name, random)),
    'another naming': (tree) => slipped(tree, renamed),
    'a phrase over a line break': (tree) => brokenPhrase(tree, trees[tree], random),
    'a rough file name': (tree) => roughFile(tree, trees[tree], random),
  };
  const slipped = (tree, slip) => definition(tree, trees[tree], random.of(definitions[tree]), slip);
  const questions = [];
  for (const [slip, make] of Object.entries(makers)) {
    const asked = new Set();
    for (let tries = 0; asked.size < PER_KIND; tries += 1) {
      if (tries > TRIES_MAX) throw new Error(`no ${PER_KIND} questions with ${slip}`);
      const question = make(names[(asked.size + tries) % names.length]);
      if (question === undefined || asked.has(question.ask)) continue;
      asked.add(question.ask);
      questions.push({ ...question, slip });
    }
  }
  return questions;
}

/** Returns a question about a definition, by a name with a slip that matches no other name. */
function definition(tree, files, place, slip) {
  if (place === undefined || place.name.length < NAME_CHARS_MIN) return undefined;
  const ask = slip(place.name);
  if (ask === undefined || ask === place.name || occurs(files, ask)) return undefined;
  const isAlone = uniqueDefinitions(files).every(
    ({ name }) => name === place.name || (distance(fold(name), fold(ask)) > 3 && !fold(name).includes(fold(ask))),
  );
  if (!isAlone) return undefined;
  return { tree, kind: 'definition', ask, answer: { file: place.file, lines: [place.line] } };
}

function occurs(files, text) {
  const wanted = text.toLowerCase();
  return [...files.values()].some((lines) => lines.some((line) => line.toLowerCase().includes(wanted)));
}

/** Returns a position in the middle, where a slip does not change how the name begins. */
function inside(name, random) {
  return 2 + random.below(name.length - 4);
}

function wrongLetter(name, random) {
  const at = inside(name, random);
  if (!/[a-z]/.test(name[at])) return undefined;
  return name.slice(0, at) + random.of([...LETTERS]) + name.slice(at + 1);
}

function missingLetter(name, random) {
  const at = inside(name, random);
  return /[a-z]/.test(name[at]) ? name.slice(0, at) + name.slice(at + 1) : undefined;
}

function swapped(name, random) {
  const at = inside(name, random);
  const [one, other] = [name[at], name[at + 1]];
  if (one === other || !/^[a-z]{2}$/.test(one + other)) return undefined;
  return name.slice(0, at) + other + one + name.slice(at + 2);
}

/** Converts snake_case to camelCase and the other way round. */
function renamed(name) {
  if (name.includes('_')) return name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
  const snake = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return snake.includes('_') ? snake : undefined;
}

const COMMENT = /^\s*(?:\/\/[/!]?|\*) +(.*)$/;

/** Returns a phrase of six words of a comment, the last three of one line and the first three of the next. */
function brokenPhrase(tree, files, random) {
  const [path, lines] = random.of(sources(files));
  const comment = (line) => COMMENT.exec(line ?? '')?.[1].trim().split(/ +/) ?? [];
  const phrases = [];
  for (let at = 0; at + 1 < lines.length; at += 1) {
    const words = [...comment(lines[at]).slice(-3), ...comment(lines[at + 1]).slice(0, 3)];
    if (words.length === 6 && words.every((word) => /^[A-Za-z]+$/.test(word))) phrases.push([at, words.join(' ')]);
  }
  if (phrases.length === 0) return undefined;
  const [at, ask] = random.of(phrases);
  const flowing = (text) => text.map((line) => line.replace(COMMENT, '$1').trim()).join(' ');
  const places = [...files.values()].flatMap((text) => flowing(text).split(ask).slice(1));
  if (places.length !== 1) return undefined;
  return { tree, kind: 'text', ask, answer: { places: [`${path}:${at + 1}`, `${path}:${at + 2}`] } };
}

function sources(files) {
  return [...files].filter(([path]) => /\.(rs|js|ts|c|h)$/.test(path) && !/(^|\/)(dist|build)\//.test(path));
}

/** Returns the name of a file without its separators, or with a wrong letter. */
function roughFile(tree, files, random) {
  const [path] = random.of(sources(files));
  const name = nameOf(path);
  if (name.length < NAME_CHARS_MIN) return undefined;
  const ask = random.chance(50) ? name.replace(/[_-]/g, '') : wrongLetter(name.toLowerCase(), random);
  if (ask === undefined || ask.toLowerCase() === name.toLowerCase() || occurs(files, ask)) return undefined;
  const near = [...files.keys()].filter((other) => distance(fold(nameOf(other)), fold(ask)) <= 3);
  if (near.length !== 1) return undefined;
  return { tree, kind: 'file', ask, answer: { files: [path] } };
}

export function fold(name) {
  return name.replace(/[_-]/g, '').toLowerCase();
}

/** Returns the number of letters to change, add, remove or swap with a neighbour. */
export function distance(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= a.length; i += 1) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + cost);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, rows[i - 2][j - 2] + 1);
      rows[i].push(least);
    }
  }
  return rows[a.length][b.length];
}
