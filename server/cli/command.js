'use strict';

const path = require('node:path');
const { Command, CommanderError, InvalidArgumentError, Option } = require('commander');
const { isSearchscopeError, printable } = require('searchscope/internal');
const { version } = require('../package.json');
const { describeError } = require('../explain.js');
const DEFAULTS = require('../defaults.js');
const { EXIT, UsageError } = require('../exit.js');
const { portOf } = require('../http/listen.js');
const { RESULTS } = require('../mcp/results.js');
const { welcome } = require('./welcome.js');
const { addWorkspaceOptions, count, each } = require('./workspace.js');

const LEVELS = ['silent', 'error', 'warn', 'info', 'debug'];
const LOG_LEVEL_HELP = 'lowest level to log (default: info; warn with --stdio)';
const INDEX_MODES = ['auto', 'off'];
/** Options that apply only to HTTP. */
const OF_HTTP = ['port', 'host', 'allowHost', 'allowOrigin'];

const EPILOGUE = `
Over HTTP the service answers at /mcp (Model Context Protocol), /context (documents) and /healthz;
with --stdio it speaks the Model Context Protocol. Logs go to standard error, one JSON object each.
Ctrl-C or SIGTERM stops it, and with --stdio the end of standard input: calls in flight get the time
of --grace to finish. A second signal ends it at once.

"searchscope-server mcp install" adds the service to the configuration of agents.

Exit status: 0 stopped by a signal, 1 the service failed, 2 bad arguments.`;

const SIGNALS = ['SIGINT', 'SIGTERM'];
const SAME_SIGNAL_MS = 300;

/**
 * Runs the command with its arguments; sets the exit status of the process and never throws.
 * @param name how the user calls it, for help and errors
 */
async function runCommand(words, name = 'searchscope-server') {
  endOnClosedPipe(process.stdout);
  // A closed standard error must not end the service.
  process.stderr.on('error', () => {});
  try {
    const [verb, ...rest] = words;
    if (verb === 'mcp') await mcpLine(name).parseAsync(rest, { from: 'user' });
    else await commandLine(name).parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = exitStatus(error);
  }
}

/** Returns the command `mcp`, with the help and errors of this one. */
function mcpLine(name) {
  const { mcpCommand } = require('./mcp.js');
  const command = mcpCommand(name);
  for (const each of [command, ...command.commands]) {
    each
      .exitOverride()
      .configureOutput({ writeErr: (text) => process.stderr.write(printable(text)) })
      .showHelpAfterError(`(${name} mcp --help says more)`);
  }
  return command.name(`${name} mcp`);
}

function commandLine(name) {
  const { port, host, index, tools, result, callsMax, replyBytesMax, graceMs } = DEFAULTS;
  const grace = graceMs / 1000;
  const command = new Command(name)
    .description('Serves a directory over HTTP, or over standard input and output.')
    .version(version)
    .exitOverride()
    // Escaped, because the message quotes unknown arguments.
    .configureOutput({ writeErr: (text) => process.stderr.write(printable(text)) })
    .showHelpAfterError(`(${name} --help says more)`)
    .addOption(flag('--stdio', 'speak over standard input and output').conflicts(OF_HTTP))
    .option('--port <n>', `the port (default: ${port}, or the next that is free)`, portNumber)
    .option('--host <host>', `the address to listen on (default: ${host})`)
    .option('--root <dir>', 'the directory to serve; nothing outside is ever read', process.cwd())
    .option('--tools <names>', `tools offered over MCP: agent, all, or NAME,NAME… (default: ${tools})`)
    .addOption(flag('--result <form>', `form of tool results over MCP (default: ${result})`).choices(RESULTS))
    .option('--calls-max <n>', `maximum number of calls in flight (default: ${callsMax})`, count)
    .option('--reply-bytes-max <n>', `maximum size of a reply in bytes (default: ${replyBytesMax})`, count)
    .option('--grace <seconds>', `time for calls in flight to finish on shutdown (default: ${grace})`, seconds)
    .addOption(flag('--log-level <level>', LOG_LEVEL_HELP).choices(LEVELS));
  addWorkspaceOptions(command);
  command
    .addOption(flag('--index <mode>', `keep an index (default: ${index})`).choices(INDEX_MODES))
    .option('--memory-bytes-max <bytes>', 'maximum memory of the index (default: 268435456)', memoryBytes);
  for (const [flags, description, parse] of REPEATED) {
    command.option(flags, `${description}; repeatable`, parse);
  }
  return command.addHelpText('after', EPILOGUE).action(serve);
}

const flag = (flags, description) => new Option(flags, description);

const REPEATED = [
  ['--allow-host <name>', 'an additional name to accept in the Host header', each(hostName)],
  ['--allow-origin <origin>', 'a web origin whose pages may call the service', each(origin)],
];

function portNumber(text) {
  const port = portOf(text);
  if (port === undefined) {
    throw new InvalidArgumentError('the port must be a whole number from 0 to 65535.');
  }
  return port;
}

/** The engine's bounds for the option `memory_bytes_max`. */
const MEMORY_BYTES = Object.freeze({ min: 1_048_576, max: 68_719_476_736 });

function memoryBytes(text) {
  const { min, max } = MEMORY_BYTES;
  if (!/^\d+$/.test(text) || Number(text) < min || Number(text) > max) {
    throw new InvalidArgumentError(`it must be a whole number of bytes from ${min} to ${max}.`);
  }
  return Number(text);
}

/** Maximum grace period: a day is as good as unlimited. */
const SECONDS_MAX = 86_400;

function seconds(text) {
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) > SECONDS_MAX) {
    throw new InvalidArgumentError(`it must be a number of seconds from 0 to ${SECONDS_MAX}.`);
  }
  return Number(text);
}

function hostName(text) {
  if (/[\s/@]/.test(text) || /^[^:]*:\d*$/.test(text)) {
    throw new InvalidArgumentError('the name must have no scheme and no port, as in my.machine.');
  }
  return text;
}

function origin(text) {
  if (!URL.canParse(text) || new URL(text).origin !== text) {
    throw new InvalidArgumentError('the origin must be scheme, host and port, as in http://my.machine:8080.');
  }
  return text;
}

async function serve(flags) {
  // Loaded here, because help needs neither the addon nor the libraries of the protocols.
  const { startService, startStdio } = require('../serve.js');
  const { createLogger } = require('../log.js');
  const logger = createLogger(flags.logLevel ?? (flags.stdio ? 'warn' : 'info'));
  const options = optionsOf(flags);
  const stop = stopSignals(logger);
  try {
    if (flags.stdio) {
      const service = startStdio(options, logger);
      await Promise.race([service.ended, stop.wanted]);
      await service.close();
    } else {
      const service = await startService(options, logger);
      process.stderr.write(welcome(service.url, options));
      await stop.wanted;
      await service.close();
    }
  } catch (error) {
    if (isSearchscopeError(error)) throw new UsageError(describeError(error, options, 'person'));
    throw error;
  }
  logger.info('stopped');
  await written(process.stderr);
  // Exit even if handles are still open.
  process.exit(EXIT.ok);
}

function optionsOf(flags) {
  const { exclude: excludes, allowHost: allowHosts, allowOrigin: allowOrigins, ...others } = flags;
  const graceMs = flags.grace === undefined ? undefined : flags.grace * 1000;
  return { ...others, root: path.resolve(flags.root), excludes, allowHosts, allowOrigins, graceMs };
}

/**
 * Resolves `wanted` at the first signal; a later one ends the process by default. Under npm, Ctrl-C
 * arrives twice: from the terminal, and passed on by npm.
 */
function stopSignals(logger) {
  let first;
  const wanted = new Promise((resolve) => {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (first === undefined) {
          first = performance.now();
          logger.info('stopping', { signal });
          resolve();
        } else if (performance.now() - first > SAME_SIGNAL_MS) {
          process.removeAllListeners(signal);
          process.kill(process.pid, signal);
        }
      });
    }
  });
  return { wanted };
}

/** Waits until a reader has taken the written bytes, for at most 250 ms. */
function written(stream) {
  return new Promise((resolve) => {
    setTimeout(resolve, 250).unref();
    stream.write('', resolve);
  });
}

/** Exits without an error when the reader closes the pipe, as in `searchscope-server --help | head`. */
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
