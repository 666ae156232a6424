// The right answers for a tree, found by reading its files in the plainest way: no index, no ignore
// rules, no regex engine but JavaScript's. Trees are packages as registries deliver them; one with
// effective ignore files is refused.

import { readFileSync } from 'node:fs';
import { basename, relative, sep } from 'node:path';
import { listFiles } from '../lib/cache.mjs';

const BINARY_PREFIX_BYTES = 64 * 1024;

/** Returns the text files of a tree that are not hidden: paths from the root, with their lines. */
export function readTree(root) {
  const files = new Map();
  for (const file of listFiles(root)) {
    const path = relative(root, file).split(sep).join('/');
    if (/(^|\/)\.(gitignore|ignore|rgignore|fdignore)$/.test(path)) ignores(root, path);
    if (/(^|\/)\./.test(path)) continue;
    const bytes = readFileSync(file);
    if (bytes.subarray(0, BINARY_PREFIX_BYTES).includes(0)) continue;
    const text = bytes.toString('utf8');
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    files.set(path, lines);
  }
  return files;
}

function ignores(root, path) {
  const rules = readFileSync(`${root}/${path}`, 'utf8').split('\n');
  const names = rules.map((rule) => rule.trim()).filter((rule) => rule && !rule.startsWith('#'));
  // Rules about the output of a build match nothing in a package.
  const harmless = /^\/?(target|Cargo\.lock|node_modules|\.[\w*.]+|\*\.(rs\.bk|swp|o|so|dylib|node)|tmp|build|\*~)\/?$/;
  const others = names.filter((name) => !harmless.test(name));
  if (others.length > 0) throw new Error(`${root}/${path} may ignore files: ${others.join(', ')}`);
}

/** Completes a question's partial answer, and refuses a question without an answer. */
export function complete(question, files) {
  const { kind, ask, answer, dir = '.' } = question;
  const fail = (why) => new Error(`${question.tree}, ${kind} ${JSON.stringify(ask)}: ${why}`);
  if (answer.file !== undefined && kind !== 'file') {
    const lines = files.get(answer.file);
    if (!lines) throw fail(`no such file: ${answer.file}`);
    const numbers = lines.flatMap((line, n) => (answer.line.test(line.trimStart()) ? [n + 1] : []));
    if (numbers.length === 0) throw fail(`${answer.file} has no line ${answer.line}`);
    if (kind !== 'text') return { ...question, answer: { file: answer.file, lines: numbers } };
    // Every place with the text is a right answer.
    const has = (line) => line.toLowerCase().includes(ask.toLowerCase());
    const places = [...files].flatMap(([path, text]) =>
      text.flatMap((line, n) => (has(line) ? [`${path}:${n + 1}`] : [])),
    );
    return { ...question, answer: { places } };
  }
  const matching = (text) =>
    [...files].flatMap(([path, lines]) => {
      const n = lines.filter((line) => line.includes(text)).length;
      return n > 0 && (dir === '.' || path.startsWith(`${dir}/`)) ? [[path, n]] : [];
    });
  if (kind === 'count') {
    const number = matching(ask).reduce((sum, [, n]) => sum + n, 0);
    if (number === 0) throw fail('no file contains the text');
    return { ...question, answer: { number } };
  }
  if (kind === 'uses') return { ...question, answer: { files: matching(ask).map(([path]) => path) } };
  if (kind === 'absent') {
    const found = [...files].some(([, lines]) => lines.some((line) => line.toLowerCase().includes(ask.toLowerCase())));
    if (found) throw fail('the text is present');
    return question;
  }
  const wanted = answer.files ?? [answer.file];
  for (const file of wanted) if (!files.has(file)) throw fail(`no such file: ${file}`);
  if (kind !== 'file') return question;
  const isNamed = (path) => nameOf(path) === nameOf(answer.file);
  return { ...question, answer: { files: [...files.keys()].filter(isNamed) } };
}

/** File with copies of the definitions of all other files. */
const BUNDLE = /(^|\/)lodash\.js$/;

/**
 * Returns the names that a tree defines once, outside of comments, with their places, by the forms of a few
 * languages.
 */
export function uniqueDefinitions(files) {
  const places = new Map();
  const form =
    /^\s*(?:pub(?:\([a-z]+\))? |export |default |async |unsafe |abstract |declare )*(?:fn|struct|enum|trait|class|function|interface) +([A-Za-z_]\w*)/;
  // Methods and fields have no keyword.
  const member = /^\s*(?:pub |static |async |get |set )*([A-Za-z_]\w*)\s*(?:\(.*\{\s*$|:)/;
  const members = new Set();
  const bundled = new Set();
  for (const [path, lines] of files) {
    if (/(^|\/)(dist|build|node_modules|tests?|benches|examples)\//.test(path)) continue;
    if (!/\.(rs|js|ts)$/.test(path) || /\.d\.ts$/.test(path)) continue;
    let inComment = false;
    for (const [n, line] of lines.entries()) {
      if (/^\s*\/\*/.test(line)) inComment = true;
      if (line.includes('*/')) inComment = false;
      if (inComment) continue;
      members.add(member.exec(line)?.[1]);
      const name = form.exec(line)?.[1];
      if (name === undefined) continue;
      if (BUNDLE.test(path)) {
        bundled.add(name);
        continue;
      }
      const place = { name, file: path, line: n + 1 };
      places.set(name, places.has(name) ? undefined : place);
    }
  }
  // If a bundle defines the name too, the right answer is the file with that name.
  const isCopied = ({ name, file }) => bundled.has(name) && nameOf(file) !== name;
  const isUnique = (place) => place !== undefined && !members.has(place.name) && !isCopied(place);
  return [...places.values()].filter(isUnique);
}

export function nameOf(path) {
  return basename(path).replace(/\..*$/, '');
}
