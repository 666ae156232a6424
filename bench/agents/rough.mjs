// Questions as agents and people write them, made from the names, comments, messages and paths of the trees
// with a fixed seed: a name with words around it, a sentence, a line of a trace or of a log, a pattern, half a
// name, a topic that is absent.

import { Random } from '../../tests/node/documents/trees.mjs';
import { fold } from './slips.mjs';
import { nameOf, uniqueDefinitions } from './truths.mjs';

const PER_FORM = 8;
const TRIES_MAX = 20_000;
const NAME_CHARS_MIN = 9;
/** Lengths of the words of a sentence or message, in words. */
const SENTENCE_WORDS = { least: 5, most: 14 };
const MESSAGE_WORDS_MIN = 4;
/** Number of files that an agent opens, in the order of the reply, for a question without a name. */
const FILES_READ = 3;
/** Letters of a part of a name that an abbreviation keeps. */
const ABBREVIATION_CHARS = 4;

/**
 * Returns `PER_FORM` questions of each form. The answer of a question has one of: `files`, one of which has to
 * be among the first `within` of the reply; `line` too, where rows have numbers; `places`, one of which has to
 * be the first row; nothing, for an absent topic. `trees` are lists of files by the name of the tree.
 */
export function roughQuestions(trees, seed) {
  const random = new Random(seed);
  const names = Object.keys(trees).sort();
  const definitions = Object.fromEntries(names.map((tree) => [tree, longNames(trees[tree])]));
  const questions = [];
  for (const [form, make] of Object.entries(FORMS)) {
    const asked = new Set();
    for (let tries = 0; asked.size < PER_FORM; tries += 1) {
      if (tries > TRIES_MAX) throw new Error(`no ${PER_FORM} questions of the form "${form}"`);
      const tree = names[(asked.size + tries) % names.length];
      const source = { tree, files: trees[tree], definitions: definitions[tree], random };
      const question = make(source);
      if (question === undefined || asked.has(question.ask)) continue;
      asked.add(question.ask);
      questions.push({ tree, kind: 'rough', form, ...question });
    }
  }
  return questions;
}

/** Makers of a question by the name of its form; undefined where the drawn place has no such question. */
const FORMS = {
  'X definition': (source) => named(source, ({ name }) => `${name} definition`),
  'Where is X defined?': (source) => named(source, ({ name }) => `Where is ${name} defined?`),
  'what does X do': (source) => named(source, ({ name }) => `what does ${name} do`),
  'X implementation': (source) => named(source, ({ name }) => `${name} implementation`),
  'who calls X': callers,
  'parts in another order': (source) => renamed(source, (parts) => [...parts.slice(1), parts[0]]),
  'a part missing': (source) => renamed(source, withoutMiddle),
  'parts abbreviated': (source) => renamed(source, abbreviated),
  'a line of a trace': trace,
  'a place in another notation': place,
  'a pattern of grep': (source) => named(source, pattern, FILES_READ),
  'an assignment': assignment,
  'a message with values': message,
  'a comment as a question': comment,
  'a path in words': pathInWords,
  'an absent topic': absent,
};

function longNames(files) {
  return uniqueDefinitions(files).filter(({ name }) => name.length >= NAME_CHARS_MIN && partsOf(name).length > 1);
}

function partsOf(name) {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').split('_').filter((part) => part !== '');
}

function named({ definitions, random }, write, within = 1) {
  const definition = random.of(definitions);
  return { ask: write(definition, random), answer: { files: [definition.file], within } };
}

/** The first row has to be a line that calls the name. */
function callers({ files, definitions, random }) {
  const { name } = random.of(definitions);
  const call = new RegExp(`(?<!(?:fn|function|class|struct)\\s+)\\b${name}\\(`);
  const places = [...files].flatMap(([path, lines]) =>
    lines.flatMap((line, n) => (call.test(line) && !COMMENT.test(line) ? [`${path}:${n + 1}`] : [])),
  );
  return places.length > 0 ? { ask: `who calls ${name}`, answer: { places } } : undefined;
}

/** Asks for a name by changed parts. No other name may have them. */
function renamed({ files, definitions, random }, change) {
  const { name, file } = random.of(definitions);
  const parts = partsOf(name);
  const changed = change(parts);
  if (changed === undefined || changed.join() === parts.join()) return undefined;
  const ask = name.includes('_') ? changed.join('_') : camel(changed, /^[A-Z]/.test(name));
  const wanted = changed.map((part) => part.toLowerCase());
  const has = (other) => wanted.every((part) => partsOf(other).some((own) => own.toLowerCase().startsWith(part)));
  const near = definitions.filter((other) => has(other.name));
  if (near.length !== 1 || occurs(files, ask)) return undefined;
  return { ask, answer: { files: [file], within: FILES_READ } };
}

function camel(parts, isUpper) {
  const upper = (part) => part[0].toUpperCase() + part.slice(1);
  return parts.map((part, n) => (n > 0 || isUpper ? upper(part) : part[0].toLowerCase() + part.slice(1))).join('');
}

function withoutMiddle(parts) {
  return parts.length > 2 ? [parts[0], ...parts.slice(2)] : undefined;
}

function abbreviated(parts) {
  return parts.map((part) => (part.length > ABBREVIATION_CHARS + 2 ? part.slice(0, ABBREVIATION_CHARS) : part));
}

/** A frame of a trace on another machine, in the notation of the file's language. */
function trace({ tree, definitions, random }) {
  const { name, file, line } = random.of(definitions);
  const frames = file.endsWith('.rs')
    ? [
        `thread 'main' panicked at /usr/local/cargo/registry/src/index.crates.io-1949cf8c6b5b557f/${tree}-0.0.1/${file}:${line}:5:`,
        `             at ./${file}:${line}:9`,
        `   --> ${tree}/${file}:${line}:1`,
      ]
    : [
        `    at ${name} (/app/node_modules/${tree}/${file}:${line}:11)`,
        `    at async ${name} (file:///C:/work/node_modules/${tree}/${file}:${line}:3)`,
        `    at Object.${name} (${tree}.bundle.js:70123:14)`,
      ];
  const ask = random.of(frames);
  const answer = { files: [file], within: 1 };
  return { ask, answer: ask.includes(':70123:') ? answer : { ...answer, line } };
}

function place({ tree, definitions, random }) {
  const { file, line } = random.of(definitions);
  const notations = [
    `${file}#L${line}`,
    `b/${file}:${line}`,
    `https://github.com/acme/${tree}/blob/v1.0.0/${file}#L${line}-L${line + 3}`,
    `/workspace/${tree}/${file}:${line}`,
    `C:\\work\\${tree}\\${file.replaceAll('/', '\\')}:${line}`,
    `${file}(${line},7)`,
    `${file} line ${line}`,
  ];
  return { ask: random.of(notations), answer: { files: [file], within: 1, line } };
}

function pattern({ name, file }, random) {
  const keyword = file.endsWith('.rs') ? '(fn|struct|enum|trait)' : '(function|class|interface)';
  return random.of([`${keyword} ${name}\\b`, `\\b${name}\\b`, `absentName\\|${name}`, `${keyword}.*${name.slice(0, -1)}.`]);
}

const CONSTANT = /^\s*(?:pub(?:\([a-z]+\))? |export )*(?:const|static|let|var) +([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b.*=/;

/** A setting with a value that no file has. */
function assignment({ files, random }) {
  const [path, lines] = random.of(sources(files));
  const name = CONSTANT.exec(random.of(lines) ?? '')?.[1];
  if (name === undefined) return undefined;
  const places = [...files].filter(([, text]) => text.some((line) => CONSTANT.exec(line)?.[1] === name));
  if (places.length !== 1) return undefined;
  return { ask: `${name}=${random.of(['64001', '"acme-77"', 'off'])}`, answer: { files: [path], within: FILES_READ } };
}

const MESSAGE = /["`]([A-Za-z][^"`\\]*(?:\{\w*(?::\?)?\}|\$\{\w+\})[^"`\\]*)["`]/;
const VALUE = /\$?\{[^}]*\}/g;

/** A message of the program with its placeholders filled. */
function message({ files, random }) {
  const [path, lines] = random.of(sources(files));
  const text = MESSAGE.exec(random.of(lines) ?? '')?.[1];
  if (text === undefined || (text.replace(VALUE, '').match(/[a-z]{3,}/gi) ?? []).length < MESSAGE_WORDS_MIN) return undefined;
  const places = [...files].filter(([, all]) => all.some((line) => line.includes(text)));
  if (places.length !== 1) return undefined;
  const ask = text.replace(VALUE, () => random.of(['4711', '"acme"', '/srv/acme/x1']));
  return { ask, answer: { files: [path], within: FILES_READ } };
}

const COMMENT = /^\s*(?:\/\/[/!]?|\*) +(.*)$/;

/** The first sentence of a definition's comment, asked for in lower case and without its punctuation. */
function comment({ files, definitions, random }) {
  const { file, line } = random.of(definitions);
  const lines = files.get(file);
  let from = line - 1;
  while (from > 0 && /^\s*(?:\/\/|\*|\/\*|#\[)/.test(lines[from - 1])) from -= 1;
  const flowing = lines.slice(from, line - 1).flatMap((text) => COMMENT.exec(text)?.[1] ?? []);
  const [sentence = ''] = flowing.join(' ').split(/\.(?: |$)/);
  const words = sentence.match(/[A-Za-z]+/g) ?? [];
  if (words.length < SENTENCE_WORDS.least || words.length > SENTENCE_WORDS.most || /[`@<{[|]/.test(sentence)) return undefined;
  const ask = `Where is the code that does this: ${words.join(' ').toLowerCase()}?`;
  return { ask, answer: { files: [file], within: FILES_READ } };
}

/** The directory and the name of a file as two words. */
function pathInWords({ files, random }) {
  const [path] = random.of(sources(files));
  const [directory, name] = [path.split('/').at(-2), nameOf(path)];
  if (directory === undefined || name.length < 4) return undefined;
  const has = (other) => fold(nameOf(other)) === fold(name) && other.includes(directory);
  const right = [...files.keys()].filter(has);
  return right.length === 1 ? { ask: `${directory} ${name}`, answer: { files: right, within: FILES_READ } } : undefined;
}

const TOPICS = ['kangaroo', 'payroll', 'violin', 'seaweed', 'parliament', 'tractor', 'mortgage', 'glacier', 'opera', 'vaccine'];

/** A question about two things that no file mentions, with words that many files have. */
function absent({ files, random }) {
  const [one, other] = [random.of(TOPICS), random.of(TOPICS)];
  if (one === other || occurs(files, one) || occurs(files, other)) return undefined;
  return { ask: `how is the ${one} handled when the ${other} is read`, answer: { nothing: true } };
}

/** All text and paths of a tree in one spelling. */
const folded = new WeakMap();

function occurs(files, text) {
  if (!folded.has(files)) folded.set(files, fold([...files].flat(2).join('\n')));
  return folded.get(files).includes(fold(text));
}

function sources(files) {
  return [...files].filter(([path]) => /\.(rs|js|ts)$/.test(path) && !/\.d\.ts$|(^|\/)(dist|build|tests?|examples|benches)\//.test(path));
}
