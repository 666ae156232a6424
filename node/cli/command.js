'use strict';

// The service as a verb, and help. `native.js` has the other verbs.

const { Command, CommanderError } = require('commander');
const { version } = require('../../package.json');
const { EXIT, UsageError } = require('./exit.js');
const { VERBS } = require('./native.js');
const { addServe } = require('./serve.js');
const { nearest } = require('../nearest.js');
const { printable } = require('../printable.js');

/** The verbs that this module has itself. */
const OWN_VERBS = ['serve', 'help'];

const EPILOGUE = `
For people, each with --help of its own:
  search (s), find (f), symbols (sym), docs, scope, outline
For programs:
  call TOOL JSON   call a tool and print its reply, JSON
  tools            list the tools
  scopes           explain the pattern language of scopes, Markdown
  secrets          list the files that --deny-secrets hides

Examples:
  searchscope search TODO src
  searchscope call look '{"q":"parse"}'
  searchscope serve --root ./project

Exit status: 0 found or done, 1 nothing found, 2 error, 130 interrupted.
Of serve: 0 stopped by a signal, 1 the service failed, 2 bad arguments.`;

/** Runs the command with its arguments; sets the exit status of the process and never throws. */
async function runCommand(words) {
  endOnClosedPipe(process.stdout);
  // A closed standard error must not end the service.
  process.stderr.on('error', () => {});
  try {
    checkVerb(words[0]);
    await program().parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = exitStatus(error);
  }
}

/** Refuses an unknown verb. The parser knows `serve` alone and would suggest nothing else. */
function checkVerb(verb) {
  if (verb === undefined || verb.startsWith('-') || OWN_VERBS.includes(verb)) return;
  const [near] = nearest(verb, [...OWN_VERBS, ...VERBS]);
  const advice = near === undefined ? '' : `; did you mean '${near}'?`;
  throw new UsageError(`unknown command '${verb}'${advice}\n(searchscope --help says more)`);
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
  addServe(program);
  return program;
}

/** Exits without an error when the reader closes the pipe, as in `searchscope … | head`. */
function endOnClosedPipe(stream) {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

function exitStatus(error) {
  // Commander has printed its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  process.stderr.write(`searchscope: ${printable(error.message.replace(/^searchscope: /, ''))}\n`);
  return error instanceof UsageError ? EXIT.usage : EXIT.failed;
}

module.exports = { runCommand };
