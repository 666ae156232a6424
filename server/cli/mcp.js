'use strict';

// `mcp install` and `mcp uninstall`: the entry of the service in the configuration of agents.

const { rmdirSync, statSync } = require('node:fs');
const path = require('node:path');
const { isDeepStrictEqual } = require('node:util');
const { Argument, Command, InvalidArgumentError } = require('commander');
const { printable } = require('searchscope/internal');
const { AGENTS, NAME, entryOf, fileOf, isOwn, presentAgents } = require('../agents/agents.js');
const { ConfigError, readConfig, writeConfig } = require('../agents/file.js');
const { EXIT } = require('../exit.js');

const EPILOGUE = `
Agents: ${Object.keys(AGENTS).join(', ')}. install chooses those that are on this machine, uninstall those
that have an entry. Both print what they would change; only --yes changes a file. Nothing else in
the file changes, and a file that cannot be read stays as it is.

Exit status: 0 done or nothing to do, 1 an agent failed or none was found, 2 bad arguments.`;

/** Returns the command `mcp` under the name of its program. */
function mcpCommand(program) {
  const command = new Command('mcp').description('Adds the service to the configuration of agents, or removes it.');
  const verbs = [
    ['install', 'add the entry of the service', install],
    ['uninstall', 'remove the entry of the service', uninstall],
  ];
  for (const [verb, description, run] of verbs) {
    command
      .command(verb)
      .description(description)
      .addArgument(new Argument('[agents...]', 'the agents').choices(Object.keys(AGENTS)))
      .option('--root <dir>', 'the project, whose directory is served (default: the current directory)', directory)
      .option('--user', "use the user's file, which counts for all projects, in place of the project's")
      .option('--yes', 'change the files')
      .addHelpText('after', EPILOGUE)
      .action((names, flags) => each(run, names, { ...flags, again: `${program} mcp ${verb}` }));
  }
  return command.addHelpText('after', EPILOGUE);
}

/** Requires an existing directory, so that a mistyped one is not made. */
function directory(text) {
  if (text === '') throw new InvalidArgumentError('it must not be empty.');
  if (!isDirectory(text)) throw new InvalidArgumentError('it must be an existing directory.');
  return text;
}

function isDirectory(file) {
  try {
    return statSync(file).isDirectory();
  } catch {
    return false;
  }
}

/** Runs a verb for every agent; the failure of one does not keep it from the others. */
function each(run, names, flags) {
  const root = path.resolve(flags.root ?? '.');
  const scope = flags.user ? 'user' : 'project';
  const served = flags.user ? flags.root && root : root;
  const place = { root, scope, served, within: flags.user ? undefined : root };
  const chosen = new Set(names.length > 0 ? names : run.agents());
  if (chosen.size === 0) {
    say(`No agent was found on this machine; name one: ${Object.keys(AGENTS).join(', ')}`);
    process.exitCode = EXIT.failed;
  }
  let pending = 0;
  for (const name of chosen) {
    const file = fileOf(name, scope, place);
    try {
      pending += run(name, file, place, flags) ? 1 : 0;
    } catch (error) {
      const subject = error instanceof ConfigError ? `${file} ` : '';
      process.stderr.write(printable(`searchscope: ${AGENTS[name].title}: ${subject}${error.message}\n`));
      process.exitCode = EXIT.failed;
    }
  }
  if (pending > 0 && !flags.yes) say(`Nothing was changed. To change it: ${command(flags, chosen)}`);
}

function command({ again, root, user }, names) {
  const place = root === undefined ? [] : ['--root', quoted(root)];
  return [again, ...names, ...place, ...(user ? ['--user'] : []), '--yes'].join(' ');
}

/** Returns an argument as a shell reads it. */
function quoted(text) {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Adds the entry of an agent; returns whether there was something to do. */
function install(name, file, { scope, served, within }, { yes }) {
  const { title, key, note } = AGENTS[name];
  const edits = editsOf(name);
  const entry = entryOf(name, scope, served);
  const config = readConfig(file, { within });
  const present = edits.entryIn(config.text ?? '', key, NAME);
  if (isDeepStrictEqual(present, entry)) {
    say(`${title}: ${file} has the entry already`);
    return false;
  }
  if (present !== undefined) {
    throw new ConfigError(`has another entry '${NAME}', which stays; 'mcp uninstall ${name}' removes it`);
  }
  const whole = edits.documentOf(key, NAME, entry);
  const text = config.text === undefined ? whole : edits.withEntry(config.text, key, NAME, entry);
  if (yes) writeConfig(config, text, scope === 'user' ? 0o600 : 0o666);
  const done = config.text === undefined ? ['created', 'would be created'] : ['changed', 'would be changed'];
  say(`${title}: ${file} ${done[yes ? 0 : 1]}; its entry:\n${indented(whole)}`);
  if (note !== undefined && scope === 'project') say(`  ${note}`);
  return true;
}

install.agents = () => presentAgents();

/** Removes the entry of an agent; returns whether there was something to do. */
function uninstall(name, file, { scope, within }, { yes }) {
  const { title, key } = AGENTS[name];
  const edits = editsOf(name);
  const config = readConfig(file, { within });
  const present = edits.entryIn(config.text ?? '', key, NAME);
  if (present === undefined) {
    say(`${title}: ${file} has no entry`);
    return false;
  }
  if (!isOwn(present)) {
    throw new ConfigError(`has an entry '${NAME}' that does not start this service with '--stdio'; it stays`);
  }
  const rest = edits.withoutEntry(config.text, key, NAME);
  // A link that leads to nothing would be a broken file.
  const text = rest === undefined && config.isLink ? '' : rest;
  if (yes) writeConfig(config, text);
  if (yes && text === undefined && scope === 'project') removeEmpty(path.dirname(file), name);
  const done = text === undefined ? ['removed', 'would be removed'] : ['changed', 'would be changed'];
  say(`${title}: ${file} ${done[yes ? 0 : 1]}; the entry was:\n${indented(edits.documentOf(key, NAME, present))}`);
  return true;
}

uninstall.agents = () => Object.keys(AGENTS);

/** Removes the directory of the agent in a project if nothing is left in it. */
function removeEmpty(directory, name) {
  if (!AGENTS[name].project.includes('/')) return;
  try {
    rmdirSync(directory);
  } catch {
    // It has other files.
  }
}

function editsOf(name) {
  return AGENTS[name].toml ? require('../agents/toml.js') : require('../agents/json.js');
}

function indented(text) {
  return text.trimEnd().replace(/^/gm, '  ');
}

function say(text) {
  process.stdout.write(printable(`${text}\n`));
}

module.exports = { mcpCommand };
