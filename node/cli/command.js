'use strict';

// Help, the version, and the choice of the program that runs a verb.

const { version } = require('../../package.json');
const EXIT = require('./exit.js');
const { VERBS, runNative } = require('./native.js');
const { SERVER_VERBS, runServer } = require('./serve.js');
const { nearest } = require('../nearest.js');
const { printable } = require('../printable.js');

const HELP = `Usage: searchscope VERB [ARGUMENT...]

Searches text, files, documents and scopes under one root.

For people:
  search (s), find (f), symbols (sym), docs, scope, outline
For programs:
  call TOOL JSON   call a tool and print its reply, JSON
  tools            list the tools
  scopes           explain the pattern language of scopes, Markdown
  secrets          list the files that --deny-secrets hides
  completions SHELL, man
                   print completions for a shell, the man page
  serve            serve a directory over HTTP, or over standard input and output
  mcp install      add the service to Claude Code, Codex, Cursor, Gemini CLI or VS Code
                   serve and mcp need the npm package searchscope-server
Options:
  -V, --version    print the version
  -h, --help       print this help; with a verb, that of the verb, as does help VERB

Examples:
  searchscope search TODO src
  searchscope call look '{"q":"parse"}'
  searchscope serve --root ./project

Exit status: 0 found or done, 1 nothing found, 2 error, 130 interrupted.
Of serve: 0 stopped by a signal, 1 the service failed, 2 bad arguments.
`;

/** Runs the command with its arguments; sets the exit status of the process and never throws. */
async function runCommand([verb, ...words]) {
  if (verb === undefined) return refuse(HELP);
  if (verb === '-V' || verb === '--version') return print(`${version}\n`);
  if (verb === 'help' && words.length > 0) return runCommand([words[0], '--help']);
  if (['help', '-h', '--help'].includes(verb)) return print(HELP);
  if (SERVER_VERBS.includes(verb)) return runServer(verb, words);
  if (VERBS.includes(verb)) return runNative([verb, ...words]);
  return refuse(`searchscope: ${unknown(verb)}\n(searchscope --help says more)\n`);
}

function unknown(word) {
  // Escaped, because a terminal shows it.
  const shown = printable(word);
  if (word.startsWith('-')) return `unknown option '${shown}'`;
  const [near] = nearest(word, [...SERVER_VERBS, 'help', ...VERBS]);
  return `unknown command '${shown}'${near === undefined ? '' : `; did you mean '${near}'?`}`;
}

function print(text) {
  // Exits without an error when the reader closes the pipe, as in `searchscope --help | head`.
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  process.stdout.write(text);
}

function refuse(text) {
  process.stderr.write(text);
  process.exitCode = EXIT.usage;
}

module.exports = { runCommand };
