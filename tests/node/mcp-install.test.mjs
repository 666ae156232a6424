// `mcp install` and `mcp uninstall`: the configuration of agents, in home directories and projects made here.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs, {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CLI, SERVER_CLI, runNode, tempTree } from './helpers.mjs';

const require = createRequire(import.meta.url);
const json = require('../../server/agents/json.js');
const toml = require('../../server/agents/toml.js');
const { readConfig, writeConfig } = require('../../server/agents/file.js');

const SOON = { timeout: 120_000 };
const FILES = {
  claude: '.mcp.json',
  codex: '.codex/config.toml',
  cursor: '.cursor/mcp.json',
  gemini: '.gemini/settings.json',
  vscode: '.vscode/mcp.json',
};

/** Makes a home directory and a project; `mcp` runs the command there. */
function machine(t, { home = {}, project = {}, env = {} } = {}) {
  const root = tempTree(t, { 'home/x': '', 'project/a.txt': 'needle\n', 'bin/x': '' });
  const at = (...parts) => join(root, ...parts);
  const fill = (directory, files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(at(directory, path)), { recursive: true });
      writeFileSync(at(directory, path), text);
    }
  };
  fill('home', home);
  fill('project', project);
  const own = { PATH: at('bin'), HOME: at('home'), USERPROFILE: at('home'), CODEX_HOME: '', APPDATA: '', ...env };
  const mcp = (...words) => runNode([CLI, 'mcp', ...words], { cwd: at('project'), env: { ...process.env, ...own } });
  return { at, mcp, own };
}

const bytes = (file) => readFileSync(file, 'utf8');

describe('the agents that are there', SOON, () => {
  const marks = {
    claude: ['.claude.json', '.claude/settings.json'],
    codex: ['.codex/auth.json'],
    cursor: ['.cursor/argv.json'],
    gemini: ['.gemini/settings.json'],
    vscode: ['.vscode/argv.json', '.config/Code/User/settings.json'],
  };
  for (const [name, files] of Object.entries(marks)) {
    for (const file of files) {
      test(`${name} is one whose home has ${file}`, async (t) => {
        const { at, mcp } = machine(t, { home: { [file]: '{}' } });
        const done = await mcp('install');
        assert.equal(done.code, 0, done.stderr);
        assert.ok(done.stdout.includes(at('project', FILES[name])), done.stdout);
        assert.equal(done.stdout.match(/would be created/g).length, 1);
        assert.match(done.stdout, new RegExp(`searchscope mcp install ${name} --yes`));
      });
    }
  }

  test('are those whose program is on the PATH too', async (t) => {
    const { at, mcp } = machine(t);
    writeFileSync(at('bin', 'gemini'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(at('bin', 'codex'), 'no program\n', { mode: 0o644 });
    const { stdout } = await mcp('install');
    assert.match(stdout, /^Gemini CLI: /);
    assert.doesNotMatch(stdout, /Codex/);
  });

  test('are none on an empty machine, which is not a success', async (t) => {
    const { code, stdout } = await machine(t).mcp('install');
    assert.deepEqual([code, stdout], [
      1,
      'No agent was found on this machine; name one: claude, codex, cursor, gemini, vscode\n',
    ]);
  });
});

describe('the entry', SOON, () => {
  test('is printed with its file, and nothing is written', async (t) => {
    const { at, mcp } = machine(t);
    const { stdout } = await mcp('install', 'vscode', 'codex');
    const paths = [process.execPath, SERVER_CLI].map((path) => JSON.stringify(path));
    assert.ok(
      stdout.startsWith(`VS Code: ${at('project', FILES.vscode)} would be created; its entry:
  {
    "servers": {
      "searchscope": {
        "type": "stdio",
        "command": ${paths[0]},
        "args": [${paths[1]}, "--stdio", "--root", "\${workspaceFolder}"]
      }
    }
  }
Codex: ${at('project', FILES.codex)} would be created; its entry:
  [mcp_servers.searchscope]
  command = ${paths[0]}
  args = [${paths[1]}, "--stdio", "--root", ${JSON.stringify(at('project'))}]
`),
      stdout,
    );
    assert.deepEqual(readdirSync(at('project')), ['a.txt']);
  });

  test('starts a service that serves the project', async (t) => {
    const { at, mcp } = machine(t);
    await mcp('install', 'claude', '--yes');
    const { command, args } = JSON.parse(bytes(at('project', FILES.claude))).mcpServers.searchscope;
    const client = new Client({ name: 'test', version: '1' });
    t.after(() => client.close());
    await client.connect(new StdioClientTransport({ command, args, cwd: at('home') }));
    const { content } = await client.callTool({ name: 'look', arguments: { q: 'needle' } });
    assert.match(content[0].text, /a\.txt/);
  });

  test('of the user names a root, unless the agent has a variable for the open folder', async (t) => {
    const { at, mcp } = machine(t);
    const refused = await mcp('install', 'claude', 'codex', 'vscode', '--user', '--yes');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /Claude Code: --user needs --root DIR, because/);
    assert.match(refused.stderr, /Codex: --user needs --root DIR, because/);
    const user = at('home', '.config/Code/User/mcp.json');
    assert.deepEqual(readdirSync(at('home')).sort(), ['.config', 'x']);
    assert.equal(JSON.parse(bytes(user)).servers.searchscope.args.at(-1), '${workspaceFolder}');
    assert.equal(statSync(user).mode & 0o777, 0o600);
    const done = await mcp('install', 'claude', 'cursor', '--user', '--root', '.', '--yes');
    assert.equal(done.code, 0, done.stderr);
    for (const file of ['.claude.json', '.cursor/mcp.json']) {
      const { args } = JSON.parse(bytes(at('home', file))).mcpServers.searchscope;
      assert.equal(args.at(-1), at('project'), file);
    }
  });

  test('is in the directory of CODEX_HOME', async (t) => {
    const { at, mcp } = machine(t, { env: { CODEX_HOME: tempTree(t, {}) } });
    const { stdout } = await mcp('install', '--user', '--root', '.');
    assert.match(stdout, /^Codex: .*config\.toml would be created/);
    assert.ok(!stdout.includes(at('home')), stdout);
  });

  test('is refused where the agent would expand a path', async (t) => {
    const { at, mcp } = machine(t, { project: { 'a$HOME/b.txt': '' } });
    const done = await mcp('install', 'gemini', 'codex', '--yes', '--root', 'a$HOME');
    assert.equal(done.code, 1);
    assert.match(done.stderr, /Gemini CLI would expand the '\$' in the path/);
    assert.deepEqual(readdirSync(at('project', 'a$HOME')), ['.codex', 'b.txt']);
  });
});

const OTHER = '"other": { "command": "x", "args": [] }';
const BOM = '\ufeff';
const MARKED = 'a mark of UTF-8';
const TEXTS = {
  json: {
    'an empty file': '',
    'a blank file': '\n\n',
    'an empty object': '{}',
    'an object with a line end': '{\n}\n',
    'no servers': '{\n  "theme": "dark"\n}\n',
    'no servers, tabs and CRLF': '{\r\n\t"theme": "dark"\r\n}\r\n',
    'empty servers': '{\n  "KEY": {}\n}\n',
    'empty servers on two lines': '{\n  "KEY": {\n  },\n  "a": 1\n}',
    'empty servers with a comment': '{\n  "KEY": { // none yet\n  }\n}\n',
    'another server': `{\n    "KEY": {\n        ${OTHER}\n    }\n}\n`,
    'all on one line': `{"a":1,"KEY":{${OTHER}}}`,
    'one line without servers': '{ "a": 1 }',
    'one line with empty servers': '{"KEY":{}}',
    'comments everywhere': `// first\n{ // open\n  /* a */ "a": 1, // one\n  "KEY": { // servers\n    // other\n    ${OTHER} // last\n  } // end\n}\n// tail\n`,
    'commas at the ends': `{\n  "KEY": {\n    ${OTHER},\n  },\n}\n`,
    [MARKED]: `${BOM}{\n  "KEY": {\n    ${OTHER}\n  }\n}\n`,
    'the key in a text': '{\n  "a": "\\"KEY\\": {}, // {",\n  "b": { "KEY": { "searchscope": 1 } }\n}\n',
    'numbers that lose digits': '{\n  "a": 12345678901234567890.10\n}\n',
  },
  toml: {
    'an empty file': '',
    'a blank file': '\n',
    'no servers': '# mine\nmodel = "x" # y\n',
    'no final line end': 'model = "x"',
    'blank lines at the end': 'model = "x"\n\n\n',
    'CRLF': 'model = "x"\r\n\r\n[a]\r\nb = 1\r\n',
    'another server': '[mcp_servers.other]\ncommand = "x"\nargs = []\n[mcp_servers.other.env]\nA = "1"\n',
    'an empty table of servers': '[mcp_servers]\n\n[other]\na = 1979-05-27T07:32:00Z\nb = [{ c = 1 }]\n',
    'the table in a text': 'a = """\n[mcp_servers.searchscope]\ncommand = "x"\n"""\n',
    [MARKED]: `${BOM}model = "x"\n`,
  },
};

describe('installing and uninstalling', SOON, () => {
  for (const [kind, texts] of Object.entries(TEXTS)) {
    const [edits, key] = kind === 'toml' ? [toml, 'mcp_servers'] : [json, 'mcpServers'];
    const entry = { command: 'C:\\node "x"', args: ['cli.js', '--stdio', '--root', '/a b\u007f'] };
    for (const [what, pattern] of Object.entries(texts)) {
      test(`${kind}, ${what}: adds the entry and restores the text`, () => {
        const original = pattern.replace(BOM, '').replaceAll('KEY', key);
        const installed = edits.withEntry(original, key, 'searchscope', entry);
        assert.deepEqual(edits.entryIn(installed, key, 'searchscope'), entry);
        for (const comment of original.match(/\/\/ .*|# .*/g) ?? []) assert.ok(installed.includes(comment), comment);
        assert.equal(edits.withoutEntry(installed, key, 'searchscope') ?? 'removed', original);
      });
    }
  }

  for (const [name, file] of Object.entries(FILES)) {
    test(`${name}: writes the file once, keeps its permissions, restores it`, async (t) => {
      const key = name === 'vscode' ? 'servers' : 'mcpServers';
      const original = TEXTS[name === 'codex' ? 'toml' : 'json'][MARKED].replaceAll('KEY', key);
      const { at, mcp } = machine(t, { project: { [file]: original } });
      const path = at('project', file);
      chmodSync(path, 0o640);
      const added = await mcp('install', name, '--yes');
      assert.equal(added.code, 0, added.stderr);
      const [installed, { ino }] = [bytes(path), statSync(path)];
      assert.notEqual(installed, original);
      const again = await mcp('install', name, '--yes');
      assert.match(again.stdout, /has the entry already/);
      assert.deepEqual([again.code, bytes(path), statSync(path).ino], [0, installed, ino]);
      const removed = await mcp('uninstall', name, '--yes');
      assert.equal(removed.code, 0, removed.stderr);
      assert.equal(bytes(path), original);
      assert.equal(statSync(path).mode & 0o777, 0o640);
      assert.match((await mcp('uninstall', name, '--yes')).stdout, /has no entry/);
    });
  }

  test('removes files and directories that it made, and no others', async (t) => {
    const { at, mcp } = machine(t, { project: { '.vscode/settings.json': '{}' } });
    const all = Object.keys(FILES);
    assert.equal((await mcp('install', ...all, '--yes')).code, 0);
    for (const file of Object.values(FILES)) assert.ok(existsSync(at('project', file)), file);
    const seen = await mcp('uninstall');
    assert.match(seen.stdout, /Nothing was changed\. To change it: searchscope mcp uninstall claude codex /);
    for (const file of Object.values(FILES)) assert.ok(existsSync(at('project', file)), file);
    assert.equal((await mcp('uninstall', '--yes')).code, 0);
    assert.deepEqual(readdirSync(at('project')).sort(), ['.vscode', 'a.txt']);
    assert.deepEqual(readdirSync(at('project', '.vscode')), ['settings.json']);
  });

  test('leaves every comment at its place', () => {
    const entry = { command: 'x', args: ['--stdio'] };
    const edit = (text) => json.withEntry(text, 'mcpServers', 'searchscope', entry);
    const property = '"searchscope": {\n      "command": "x",\n      "args": ["--stdio"]\n    }';
    assert.equal(
      edit('{\n  "mcpServers": { // servers\n    // b\n    "b": 1 // last\n  }\n}'),
      `{\n  "mcpServers": { // servers\n    ${property},\n    // b\n    "b": 1 // last\n  }\n}`,
    );
    const remove = (text) => json.withoutEntry(text, 'mcpServers', 'searchscope');
    const value = '"searchscope": {"args": ["--stdio"]}';
    assert.equal(
      remove(`{"mcpServers": {"a": 1, ${value} /* c */ , "b": 2}}`),
      '{"mcpServers": {"a": 1, /* c */  "b": 2}}',
    );
    assert.equal(remove(`{"mcpServers": {"a": 1 /* c */, ${value}}}`), '{"mcpServers": {"a": 1 /* c */}}');
    assert.equal(remove(`{"mcpServers": {/* c */ ${value}}}`), '{"mcpServers": {/* c */}}');
    // Without the line end in front of it, "b" would become part of the comment.
    assert.throws(() => remove(`{"mcpServers": {"a": 1, // c\n ${value}, "b": 2}}`), /has a layout that cannot be edited/);
  });

  test('uninstalls what another program has formatted anew and moved', () => {
    const entry = { command: 'node', args: ['cli.js', '--stdio'] };
    const value = { a: 1, mcpServers: { other: { x: [] }, searchscope: entry }, z: null };
    for (const indent of [undefined, 1, '\t']) {
      const text = JSON.stringify(value, null, indent);
      const { searchscope, ...rest } = value.mcpServers;
      const left = json.withoutEntry(text, 'mcpServers', 'searchscope');
      assert.deepEqual(JSON.parse(left), { ...value, mcpServers: rest });
      assert.equal(left, JSON.stringify({ ...value, mcpServers: rest }, null, indent));
    }
    const table = toml.documentOf('mcp_servers', 'searchscope', entry);
    assert.equal(toml.withoutEntry(`${table}\n[b]\n`, 'mcp_servers', 'searchscope'), '\n[b]\n');
    const more = `${table}[mcp_servers.searchscope.env]\nA = "1"\n`;
    assert.throws(() => toml.withoutEntry(more, 'mcp_servers', 'searchscope'), /by hand/);
  });
});

describe('random JSON with comments', SOON, () => {
  test('is restored byte by byte', () => {
    let seed = 7;
    const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
    const blank = () => ['', ' ', '\n', '\n  ', ' /* , } */ ', ' // {"\n', '\t\r\n'][random(7)];
    const value = (depth) => {
      const kind = random(depth > 2 ? 3 : 5);
      if (kind < 3) return ['1', '"a // \\" {"', 'null'][kind];
      const items = Array.from({ length: random(4) }, (_, i) =>
        kind === 3 ? `${blank()}${value(depth + 1)}` : member(`k${i}`, value(depth + 1)),
      );
      return kind === 3 ? `[${list(items)}]` : `{${list(items)}}`;
    };
    const member = (key, text) => `${blank()}"${key}"${blank()}:${blank()}${text}`;
    const list = (items) =>
      `${items.join(`${blank()},`)}${blank()}${items.length > 0 && random(4) === 0 ? `,${blank()}` : ''}`;
    const entry = { command: 'node', args: ['a', '--stdio'] };
    for (let i = 0; i < 3000; i += 1) {
      const servers = Array.from({ length: random(3) }, (_, at) => member(`s${at}`, value(1)));
      const members = [member('a', value(0)), member('b', value(0))].slice(random(3));
      if (random(3) > 0) members.splice(random(members.length + 1), 0, member('mcpServers', `{${list(servers)}}`));
      const text = `${blank()}{${list(members)}}${blank()}`;
      const after = json.withEntry(text, 'mcpServers', 'searchscope', entry);
      assert.deepEqual(json.entryIn(after, 'mcpServers', 'searchscope'), entry);
      assert.equal(json.withoutEntry(after, 'mcpServers', 'searchscope'), text, JSON.stringify(text));
    }
  });

  test('that is cut off anywhere is an error', () => {
    const text = `{ "a": [1, "x"], // c\n "mcpServers": { ${OTHER} } }`;
    for (let length = 1; length < text.length; length += 1) {
      const part = text.slice(0, length);
      assert.throws(() => json.withEntry(part, 'mcpServers', 'searchscope', {}), { message: /^is not JSON: / }, part);
    }
  });
});

describe('a file that cannot be edited stays as it is', SOON, () => {
  const broken = {
    'half a file': ['claude', '{ "mcpServers": {', /is not JSON: CloseBraceExpected at line 1, column 18/],
    'two values': ['claude', '{} {}', /is not JSON: EndOfFileExpected/],
    'an array': ['gemini', '[1]', /is not a JSON object/],
    'servers that are a text': ['cursor', '{"mcpServers": "x"}', /has a 'mcpServers' that is not an object/],
    'servers twice': ['cursor', '{"mcpServers": {}, "mcpServers": {}}', /has 'mcpServers' 2 times/],
    'deep nesting': ['vscode', '['.repeat(200_000), /is nested too deeply|is not JSON/],
    'bytes that are not UTF-8': ['vscode', Buffer.from([0x7b, 0xff, 0x7d]), /is not UTF-8/],
    'half a table': ['codex', '[mcp_servers.x\n', /is not TOML: .* at line 1, column \d+/],
    'a key twice': ['codex', 'a = 1\na = 2\n', /is not TOML/],
    'servers inline': ['codex', 'mcp_servers = { a = {} }\n', /has a layout that cannot be edited/],
    'servers that are a number': ['codex', 'mcp_servers = 1\n', /has a 'mcp_servers' that is not a table/],
  };
  for (const [what, [name, text, message]] of Object.entries(broken)) {
    test(what, (t) => {
      const file = join(tempTree(t, { file: text }), 'file');
      const edits = name === 'codex' ? toml : json;
      const key = { codex: 'mcp_servers', vscode: 'servers' }[name] ?? 'mcpServers';
      const edit = () => edits.withEntry(readConfig(file).text, key, 'searchscope', {});
      assert.throws(edit, (error) => error.constructor.name === 'ConfigError' && message.test(error.message));
    });
  }

  for (const name of ['claude', 'codex']) {
    test(`${name}: half a file, and another entry; the other agents are done`, async (t) => {
      const others = name === 'codex' ? '[mcp_servers."searchscope"]\nurl = "x"\n' : '{"mcpServers": {"searchscope": {}}}';
      for (const [text, reason] of [['{', 'is not'], [others, "has another entry 'searchscope', which stays"]]) {
        const { at, mcp } = machine(t, { project: { [FILES[name]]: text } });
        const done = await mcp('install', name, 'gemini', '--yes');
        assert.equal(done.code, 1);
        assert.ok(done.stderr.includes(`${at('project', FILES[name])} ${reason}`), done.stderr);
        assert.equal(bytes(at('project', FILES[name])), text);
        assert.ok(existsSync(at('project', FILES.gemini)));
      }
    });
  }

  test('with an entry that is not one of this command, when uninstalling', async (t) => {
    const text = '{"mcpServers": {"searchscope": {"type": "http", "url": "http://127.0.0.1:3000/mcp"}}}';
    const { at, mcp } = machine(t, { project: { [FILES.claude]: text } });
    const done = await mcp('uninstall', '--yes');
    assert.equal(done.code, 1);
    assert.match(done.stderr, /does not start this service with '--stdio'; it stays/);
    assert.equal(bytes(at('project', FILES.claude)), text);
  });

  test('if it is read-only', async (t) => {
    const { at, mcp } = machine(t, { project: { [FILES.claude]: '{}' } });
    chmodSync(at('project', FILES.claude), 0o444);
    const done = await mcp('install', 'claude', '--yes');
    assert.equal(done.code, 1);
    assert.match(done.stderr, /\.mcp\.json is read-only/);
    assert.equal(bytes(at('project', FILES.claude)), '{}');
  });

  test('if it is a directory', async (t) => {
    const { mcp } = machine(t, { project: { [`${FILES.claude}/x`]: '' } });
    const done = await mcp('install', 'claude', '--yes');
    assert.deepEqual([done.code, /is not a regular file/.test(done.stderr)], [1, true]);
  });

  test('if the directory is read-only, and no temporary file remains', (t) => {
    // Root may write everywhere, so another user does it, to whom the clone and the usual directory may be closed.
    const other = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;
    const root = fs.mkdtempSync(join(other ? '/tmp' : tmpdir(), 'searchscope-test-'));
    t.after(() => fs.rmSync(root, { recursive: true, force: true }));
    const [project, home, code] = ['project', 'home', 'file.js'].map((name) => join(root, name));
    for (const directory of [project, home]) fs.mkdirSync(directory);
    fs.writeFileSync(join(project, '.mcp.json'), '{}');
    fs.copyFileSync(require.resolve('../../server/agents/file.js'), code);
    chmodSync(root, 0o755);
    chmodSync(code, 0o644);
    chmodSync(join(project, '.mcp.json'), 0o666);
    chmodSync(project, 0o555);
    const script = `
      const { readConfig, writeConfig } = require(${JSON.stringify(code)});
      for (const name of ['.mcp.json', 'new/mcp.json']) {
        try { writeConfig(readConfig(name), '{ }', 0o666); console.log('written'); }
        catch (error) { console.log(error.constructor.name, error.message); }
      }`;
    const done = spawnSync(process.execPath, ['-e', script], { cwd: project, env: { HOME: home }, ...other });
    const reason = 'ConfigError cannot be read or written: permission denied\n';
    assert.equal(done.stdout.toString(), reason.repeat(2), done.stderr.toString());
    chmodSync(project, 0o755);
    assert.deepEqual(readdirSync(project), ['.mcp.json']);
    assert.equal(bytes(join(project, '.mcp.json')), '{}');
  });

  test('if its owner cannot be kept, and no temporary file remains', (t) => {
    const root = tempTree(t, { a: '{}' });
    const config = readConfig(join(root, 'a'));
    const { mode, gid } = config.stat;
    assert.throws(() => writeConfig({ ...config, stat: { mode, gid, uid: -2 } }, 'x', 0o666), /out of range|ERR/);
    assert.deepEqual([readdirSync(root), bytes(join(root, 'a'))], [['a'], '{}']);
  });

  test('if it changes between reading and writing', (t) => {
    const root = tempTree(t, { a: '{}' });
    const [old, absent] = [readConfig(join(root, 'a')), readConfig(join(root, 'b'))];
    for (const name of ['a', 'b']) writeFileSync(join(root, name), '{ }');
    for (const config of [old, absent]) {
      assert.throws(() => writeConfig(config, 'x', 0o666), { message: 'has changed meanwhile; please try again' });
    }
    assert.deepEqual([bytes(join(root, 'a')), bytes(join(root, 'b'))], ['{ }', '{ }']);
  });
});

describe('a configuration file that is a link', SOON, () => {
  test('stays one; its file is edited and restored', async (t) => {
    const user = ['--user', '--root', '.'];
    const cases = [
      ['project/.mcp.json', 'project/dots/mcp.json', []],
      ['home/.claude.json', 'home/dots/a', user],
    ];
    for (const [link, target, scope] of cases) {
      const { at, mcp } = machine(t, { home: { 'dots/a': '{}' }, project: { 'dots/mcp.json': '{}' } });
      symlinkSync(at(target), at(link));
      await mcp('install', 'claude', '--yes', ...scope);
      assert.ok(lstatSync(at(link)).isSymbolicLink());
      assert.match(bytes(at(target)), /searchscope/);
      await mcp('uninstall', 'claude', '--yes', ...scope);
      assert.ok(lstatSync(at(link)).isSymbolicLink());
      assert.equal(bytes(at(target)), '{}');
    }
  });

  test('out of the project is an error that names the target', async (t) => {
    const { at, mcp } = machine(t, { home: { 'dots/mcp.json': '{}', '.cursor/x': '' } });
    symlinkSync(at('home/dots/mcp.json'), at('project', FILES.claude));
    symlinkSync(at('home/.cursor'), at('project/.cursor'));
    const targets = { claude: at('home/dots/mcp.json'), cursor: at('home/.cursor') };
    for (const [name, target] of Object.entries(targets)) {
      for (const verb of ['install', 'uninstall']) {
        const { code, stderr } = await mcp(verb, name, '--yes');
        assert.equal(code, 1);
        const reason = `leads through a link to '${target}', which is outside of the project\n`;
        assert.ok(stderr.endsWith(`${at('project', FILES[name])} ${reason}`), stderr);
      }
    }
    assert.deepEqual([bytes(targets.claude), readdirSync(targets.cursor)], ['{}', ['x']]);
  });

  test('to nothing is an error', async (t) => {
    const { at, mcp } = machine(t);
    symlinkSync(at('home/gone.json'), at('project', FILES.claude));
    const done = await mcp('install', 'claude', '--yes');
    assert.deepEqual([done.code, existsSync(at('home/gone.json'))], [1, false]);
    assert.match(done.stderr, /is a link to a file that does not exist/);
  });
});

describe('the temporary file', SOON, () => {
  test('has the permissions of the file before it has its text', (t) => {
    const root = tempTree(t, { a: '{}' });
    chmodSync(join(root, 'a'), 0o640);
    const modes = [];
    const { openSync, writeFileSync: write } = fs;
    t.mock.method(fs, 'openSync', (file, flags, mode) => {
      if (flags === 'wx') modes.push(mode);
      return openSync(file, flags, mode);
    });
    t.mock.method(fs, 'writeFileSync', (handle, text) => {
      modes.push(fs.fstatSync(handle).mode & 0o7777);
      return write(handle, text);
    });
    writeConfig(readConfig(join(root, 'a')), '{ }', 0o666);
    writeConfig(readConfig(join(root, 'b')), '{ }', 0o600);
    assert.deepEqual(modes, [0o600, 0o640, 0o600, 0o600]);
    // Restoring a file passes no mode.
    chmodSync(join(root, 'b'), 0o600);
    writeConfig(readConfig(join(root, 'b')), '{}');
    assert.deepEqual(modes.slice(4), [0o600, 0o600]);
  });
});

describe('the arguments of mcp', SOON, () => {
  test('name a root that exists', async (t) => {
    const { at, mcp } = machine(t);
    for (const root of ['', './typo/deep', 'a.txt', 'a.txt/x']) {
      for (const words of [['install', 'claude'], ['install', 'claude', '--user'], ['uninstall', 'claude']]) {
        const done = await mcp(...words, '--root', root, '--yes');
        assert.deepEqual([done.code, done.stdout], [2, ''], root);
        assert.match(done.stderr, root === '' ? /must not be empty/ : /must be an existing directory/);
      }
    }
    assert.deepEqual([readdirSync(at('project')), readdirSync(at('home'))], [['a.txt'], ['x']]);
  });

  test('are quoted for a shell in the command that is printed', { skip: process.platform === 'win32' }, async (t) => {
    for (const name of ['a$(id)b', "it's `x` \\"]) {
      const { at, mcp } = machine(t, { project: { [`${name}/b.txt`]: '' } });
      const { stdout } = await mcp('install', 'codex', '--root', name);
      const [, line] = stdout.match(/To change it: searchscope (.*)\n/);
      const shell = spawnSync('sh', ['-c', `printf '[%s]\\n' ${line}`], { cwd: at('project') });
      const words = ['mcp', 'install', 'codex', '--root', name, '--yes'].map((word) => `[${word}]\n`).join('');
      assert.equal(shell.stdout.toString(), words, line);
    }
  });

  test('are explained, also by the command of the service', async (t) => {
    const { mcp, own } = machine(t);
    const help = await mcp('install', '--help');
    assert.equal(help.code, 0);
    for (const word of ['claude', 'codex', 'cursor', 'gemini', 'vscode', '--root', '--user', '--yes']) {
      assert.ok(help.stdout.includes(word), word);
    }
    const other = await runNode([SERVER_CLI, 'mcp', 'install', '--help'], { env: { ...process.env, ...own } });
    assert.equal(other.stdout, help.stdout.replace('searchscope mcp', 'searchscope-server mcp'));
  });

  for (const words of [[], ['instal'], ['install', 'emacs'], ['install', '--force']]) {
    test(`'mcp ${words.join(' ')}' is an error`, async (t) => {
      const done = await machine(t).mcp(...words);
      assert.deepEqual([done.code, done.stdout], [2, '']);
      assert.notEqual(done.stderr, '');
    });
  }

  test('the help of searchscope names mcp', async () => {
    const { stdout } = await runNode([CLI, '--help']);
    assert.match(stdout, /mcp install/);
  });
});

