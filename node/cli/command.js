'use strict';

// The verbs for programs, and the service. The verbs for people are in `native.js`.

const { Command, CommanderError } = require('commander');
const { version } = require('../../package.json');
const { isErrorReply } = require('../error-replies.js');
const { SearchscopeError } = require('../errors.js');
const { EXIT, UsageError } = require('./exit.js');
const { showProgress } = require('./progress.js');
const { addServe } = require('./serve.js');
const { addWorkspaceOptions, workspaceOptions } = require('./workspace.js');
const { describeError, isBadArgument } = require('../explain.js');
const { printable, printableJson } = require('../printable.js');

const EPILOGUE = `
For people, each with --help of its own:
  search (s), find (f), symbols (sym), docs, scope, outline

Examples:
  searchscope search TODO src
  searchscope call search_in_files '{"query":"fn main"}'
  echo '{"query":"TODO"}' | searchscope call search_in_files - --root ./src
  searchscope tools
  searchscope scopes
  searchscope secrets
  searchscope serve --root ./project

Exit status: 0 done, 1 the call failed, 2 bad arguments, 130 interrupted.
The verbs for people: 0 found, 1 nothing found, 2 error, 130 interrupted.`;

const INTERRUPTED = 'searchscope: interrupted\n';

/** Runs the command with its arguments; sets the exit status of the process and never throws. */
async function runCommand(words) {
  endOnClosedPipe(process.stdout);
  // A closed standard error must not end the command.
  process.stderr.on('error', () => {});
  try {
    await program().parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = exitStatus(error);
  }
}

function program() {
  const program = new Command('searchscope')
    .description('Searches text, files, documents and scopes under one root.')
    .version(version)
    .exitOverride()
    // Escaped, because the message quotes unknown arguments.
    .configureOutput({ writeErr: (text) => process.stderr.write(printable(text)) })
    .showHelpAfterError('(searchscope --help says more)')
    .addHelpText('after', EPILOGUE);
  const callCommand = program
    .command('call')
    .description('call a tool and print its reply, JSON')
    .argument('<tool>', 'the name of a tool, as "searchscope tools" lists them')
    .argument('[json]', 'its arguments, a JSON object; - reads them from standard input', '{}')
    .option('--root <dir>', 'the directory to search; nothing outside is ever read', process.cwd());
  addWorkspaceOptions(callCommand).action(call);
  program
    .command('tools')
    .description('list the tools')
    .option('--json', 'with their descriptions and schemas, JSON')
    .action(listTools);
  program
    .command('scopes')
    .description('explain the pattern language of scopes, Markdown')
    .action(() => process.stdout.write(require('../index.js').scopeReference()));
  program
    .command('secrets')
    .description('list the files that --deny-secrets hides, as gitignore lines')
    .action(listSecrets);
  addServe(program);
  return program;
}

async function call(tool, json, { root, ...flags }) {
  const { Workspace } = require('../index.js');
  const interrupt = interruptible();
  const args = json === '-' ? await readAll(process.stdin) : json;
  requireJsonObject(args);
  interrupt.searching();
  const progress = showProgress(tool, process.stderr);
  try {
    const workspace = Workspace.open(root, workspaceOptions(flags));
    const reply = await workspace.callJson(tool, args, { signal: interrupt.signal });
    progress.clear();
    print(reply);
    // The reply describes an error in the shape of its contract; the exit status must report it too.
    if (isErrorReply(tool, reply)) process.exitCode = replyStatus(reply);
  } catch (error) {
    progress.clear();
    if (interrupt.signal.aborted) {
      process.stderr.write(INTERRUPTED);
      process.exitCode = EXIT.interrupted;
      return;
    }
    if (error instanceof SearchscopeError) {
      const words = describeError(error, JSON.parse(args), 'person');
      process.stderr.write(`searchscope: ${printable(words)}\n`);
    }
    throw error;
  } finally {
    interrupt.end();
  }
}

function listSecrets() {
  const { version: listVersion, lines } = require('../index.js').secrets();
  process.stdout.write(`# version ${listVersion}\n${lines.join('\n')}\n`);
}

function listTools(options) {
  const { tools } = require('../index.js');
  const list = tools();
  if (options.json) return print(JSON.stringify(list));
  const width = Math.max(...list.map((tool) => tool.name.length), 0);
  for (const { name, description } of list) {
    const [sentence] = description.split(/(?<=\.)\s/);
    process.stdout.write(`${name.padEnd(width)}  ${sentence}\n`);
  }
}

/** Prints JSON, indented on a terminal, otherwise as the engine wrote it. */
function print(json) {
  const text = process.stdout.isTTY ? printableJson(JSON.stringify(JSON.parse(json), null, 2)) : json;
  process.stdout.write(`${text}\n`);
}

async function readAll(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Refuses anything but a JSON object. The engine would too, but here the cause is mostly shell quoting. */
function requireJsonObject(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `the arguments are not JSON: ${error.message}\n` +
        `  given: ${text.length > 200 ? `${text.slice(0, 200)}…` : text}\n` +
        `  hint: quote them for the shell, as in '{"query":"fn main"}'`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`the arguments must be a JSON object, as in '{"query":"fn main"}'`);
  }
}

/** Makes the first Ctrl-C cancel the search; the second ends the process by default. */
function interruptible() {
  const controller = new AbortController();
  let reading = true;
  const onInterrupt = () => {
    controller.abort();
    // While standard input is read, no search is running: exit at once.
    if (!reading) return;
    process.stderr.write(INTERRUPTED);
    process.exit(EXIT.interrupted);
  };
  process.once('SIGINT', onInterrupt);
  return {
    signal: controller.signal,
    searching() {
      reading = false;
    },
    end: () => process.removeListener('SIGINT', onInterrupt),
  };
}

/** Exits without an error when the reader closes the pipe, as in `searchscope … | head`. */
function endOnClosedPipe(stream) {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

/** Returns the exit status for a reply that is an error: that of bad arguments if its contract says so. */
function replyStatus(reply) {
  const { error, stage, returncode } = JSON.parse(reply);
  // The first test is for Grep, the others are for find_and_grep.
  const isArgument = error?.code === 'INVALID_PARAM' || stage === 'input' || returncode === 2;
  return isArgument ? EXIT.usage : EXIT.failed;
}

function exitStatus(error) {
  // Commander has already printed its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof SearchscopeError) return isBadArgument(error) ? EXIT.usage : EXIT.failed;
  process.stderr.write(`searchscope: ${printable(error.message.replace(/^searchscope: /, ''))}\n`);
  return error instanceof UsageError ? EXIT.usage : EXIT.failed;
}

module.exports = { runCommand };
