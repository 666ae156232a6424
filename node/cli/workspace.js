'use strict';

const { InvalidArgumentError } = require('commander');

/** The options of a workspace, shared by all commands that open one. */
const OPTIONS = [
  ['--docs <dir>', 'where the documents are, relative to the root (default: the root)'],
  ['--doc-suffix <suffix>', 'suffix of document names (default: .md); repeatable', each()],
  ['--exclude <glob>', 'documents to exclude, a gitignore line; repeatable', each()],
  ['--deny <glob>', 'paths to hide from every tool, a gitignore line; repeatable', each()],
  ['--require-git', 'obey .gitignore only inside git repositories'],
  ['--git-dir-outside-root', 'read git directories outside of the root for changed files'],
  ['--threads <n>', 'maximum number of threads per call (default: the number of cores, at most 8)', count],
  ['--output-dir <dir>', 'where find_and_grep may write files (default: nowhere)'],
];

/** The flag that reverses each default of hiding files with credentials. */
const DENY_SECRETS = Object.freeze({
  true: ['--no-deny-secrets', 'let tools see files that hold credentials'],
  false: ['--deny-secrets', 'hide files that hold credentials; "searchscope secrets" lists them'],
});

/** Adds the options to a command and returns the command. */
function addWorkspaceOptions(command, { denySecrets = false } = {}) {
  command.option(...DENY_SECRETS[denySecrets]);
  for (const [flags, description, parse] of OPTIONS) command.option(flags, description, parse);
  return command;
}

/** Returns the options of a workspace under the engine's names. */
function workspaceOptions(flags) {
  const { docs, docSuffix, exclude, deny, denySecrets, requireGit, gitDirOutsideRoot } = flags;
  const { threads, outputDir } = flags;
  const options = {
    docs_root: docs,
    doc_suffixes: docSuffix,
    excludes: exclude,
    deny,
    deny_secrets: denySecrets,
    require_git: requireGit,
    git_dir_outside_root: gitDirOutsideRoot,
    threads,
    output_dir: outputDir,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
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

module.exports = { addWorkspaceOptions, count, each, workspaceOptions };
