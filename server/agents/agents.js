'use strict';

// The agents that `mcp install` knows: how to recognise each, its configuration files, and its form of an entry.

const { accessSync, constants, existsSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/** Name of the entry. */
const NAME = 'searchscope';

const CLI = path.join(__dirname, '..', 'cli.js');

/** Variable for the open folder, which VS Code and Cursor expand. */
const OPEN_FOLDER = '${workspaceFolder}';

/**
 * The agents by name. `project` is relative to the project, `user` and `marks` to the home directory; an agent
 * whose mark exists has run on this machine. `openFolder` lists the files in which it expands `OPEN_FOLDER`.
 */
const AGENTS = Object.freeze({
  claude: {
    title: 'Claude Code',
    program: 'claude',
    marks: ['.claude.json', '.claude'],
    project: '.mcp.json',
    user: () => ['.claude.json'],
    key: 'mcpServers',
    typed: true,
    openFolder: [],
    note: 'Claude Code asks for approval of a new entry of a project when it starts.',
  },
  codex: {
    title: 'Codex',
    program: 'codex',
    marks: ['.codex'],
    project: '.codex/config.toml',
    user: (env) => [env.CODEX_HOME || '.codex', 'config.toml'],
    key: 'mcp_servers',
    toml: true,
    openFolder: [],
    note: 'Codex reads the file of a project only if it trusts the project.',
  },
  cursor: {
    title: 'Cursor',
    program: 'cursor',
    marks: ['.cursor'],
    project: '.cursor/mcp.json',
    user: () => ['.cursor', 'mcp.json'],
    key: 'mcpServers',
    typed: true,
    openFolder: ['project'],
  },
  gemini: {
    title: 'Gemini CLI',
    program: 'gemini',
    marks: ['.gemini'],
    project: '.gemini/settings.json',
    user: () => ['.gemini', 'settings.json'],
    key: 'mcpServers',
    openFolder: [],
  },
  vscode: {
    title: 'VS Code',
    program: 'code',
    marks: ['.vscode', ...codeFolders()],
    project: '.vscode/mcp.json',
    user: (env) => [codeFolder(env), 'User', 'mcp.json'],
    key: 'servers',
    typed: true,
    openFolder: ['project', 'user'],
  },
});

/** Returns the directories in which VS Code keeps the user's files, relative to the home directory. */
function codeFolders() {
  return ['.config/Code', 'Library/Application Support/Code', 'AppData/Roaming/Code'];
}

function codeFolder(env, platform = process.platform) {
  const [linux, darwin, windows] = codeFolders();
  if (platform === 'win32') return env.APPDATA ? path.join(env.APPDATA, 'Code') : windows;
  return platform === 'darwin' ? darwin : linux;
}

/** Returns the names of the agents that have run on this machine, or whose program is on the PATH. */
function presentAgents({ home = os.homedir(), env = process.env } = {}) {
  return Object.keys(AGENTS).filter((name) => {
    const { marks, program } = AGENTS[name];
    const own = name === 'codex' && env.CODEX_HOME ? [env.CODEX_HOME] : [];
    return [...marks, ...own].some((mark) => existsSync(path.resolve(home, mark))) || onPath(program, env);
  });
}

function onPath(program, env) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  const folders = (env.PATH ?? env.Path ?? '').split(path.delimiter).filter(Boolean);
  return folders.some((folder) => endings.some((ending) => isProgram(path.join(folder, program + ending))));
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the configuration file of the agent, in `scope`: `project` or `user`. */
function fileOf(name, scope, { root, home = os.homedir(), env = process.env }) {
  const { project, user } = AGENTS[name];
  return scope === 'project' ? path.join(root, project) : path.resolve(home, ...user(env));
}

/**
 * Returns the entry that starts the service for the agent. `root` is the directory to serve; in the user's
 * file, undefined stands for the folder that the agent has open. Throws where the agent cannot express it.
 */
function entryOf(name, scope, root) {
  const { title, typed, toml, openFolder } = AGENTS[name];
  const isOpenFolder = openFolder.includes(scope) && (scope === 'project' || root === undefined);
  if (root === undefined && !isOpenFolder) {
    throw new Error(`--user needs --root DIR, because ${title} has no variable for the open folder`);
  }
  const paths = [process.execPath, CLI, ...(isOpenFolder ? [] : [root])];
  // Agents expand `$NAME` or `${NAME}` in JSON.
  const expanded = toml ? undefined : paths.find((text) => text.includes('$'));
  if (expanded !== undefined) throw new Error(`${title} would expand the '$' in the path '${expanded}'`);
  const args = [CLI, '--stdio', '--root', isOpenFolder ? OPEN_FOLDER : root];
  return { ...(typed ? { type: 'stdio' } : {}), command: process.execPath, args };
}

/** Returns whether an entry of the name starts this service over standard streams, whatever its paths. */
function isOwn(entry) {
  return typeof entry?.command === 'string' && Array.isArray(entry.args) && entry.args.includes('--stdio');
}

module.exports = { AGENTS, NAME, entryOf, fileOf, isOwn, presentAgents };
