'use strict';

const { InvalidArgumentError } = require('commander');

/** The options of a workspace, as `searchscope call` has them too. */
const OPTIONS = [
  ['--docs-root <dir>', 'where the documents are, relative to the root (default: the root)'],
  ['--doc-suffix <suffix>', 'suffix of document names (default: .md); repeatable', each()],
  ['--exclude <glob>', 'documents to exclude, a gitignore line; repeatable', each()],
  ['--deny <glob>', 'paths to hide from every tool, a gitignore line; repeatable', each()],
  ['--encoding <label>', 'encoding of texts that are not UTF-8, in the order of trying; repeatable', each()],
  ['--require-git', 'obey .gitignore only inside git repositories'],
  ['--git-dir-outside-root', 'read git directories outside of the root for changed files'],
  ['--threads <n>', 'maximum number of threads per call (default: the number of cores, at most 8)', count],
  ['--output-dir <dir>', 'where find_and_grep may write files (default: nowhere)'],
];

/** Adds the options to a command. */
function addWorkspaceOptions(command) {
  command.option('--no-deny-secrets', 'let tools see files that hold credentials');
  for (const [flags, description, parse] of OPTIONS) command.option(flags, description, parse);
}

/** Returns a parser for an option that can be repeated: it collects the values in a list. */
function each(parse = (value) => value) {
  return (value, before = []) => [...before, parse(value)];
}

function count(text) {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError('it must be a whole number, 1 or more.');
  }
  return number;
}

module.exports = { addWorkspaceOptions, count, each };
