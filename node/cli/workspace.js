'use strict';

const { InvalidArgumentError } = require('commander');

/** The options of a workspace, as `searchscope call` has them too. */
const OPTIONS = [
  ['--docs <dir>', 'where the documents are, relative to the root (default: the root)'],
  ['--doc-suffix <suffix>', 'how names of documents end (default: .md); may be given again', each()],
  ['--exclude <glob>', 'documents to leave out, a gitignore line; may be given again', each()],
  ['--deny <glob>', 'what no tool may see, a gitignore line; may be given again', each()],
  ['--encoding <label>', 'an encoding of texts that are not UTF-8; may be given again', each()],
  ['--require-git', 'obey .gitignore only inside git repositories'],
  ['--git-dir-outside-root', 'read git directories outside of the root for changed files'],
  ['--threads <n>', 'threads of one call (default: the cores, 8 at most)', count],
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
    throw new InvalidArgumentError('it is a whole number from 1 up.');
  }
  return number;
}

module.exports = { addWorkspaceOptions, count, each };
