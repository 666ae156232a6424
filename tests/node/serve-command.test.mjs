// `searchscope serve` as a command: its arguments, its ports, its messages, and standard output.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { tools } from 'searchscope';
import { CLI, SERVER_CLI, runNode, tempTree } from './helpers.mjs';
import { initialize } from './mcp-messages.mjs';
import { SOON_MS, request, runCommand, serve, serveCommand, until } from './service.mjs';

/** The number of attempts to take a port that is in use, and the time between them. */
const [PORT_TRIES, PORT_TRY_MS] = [50, 100];
const TREE = { 'a.txt': 'needle TODO\n', 'guide.md': 'A needle TODO.\n' };

/** Takes a port of this machine, any or this one, until the end of the test; returns its number. */
function takePort(t, port = 0) {
  return new Promise((resolve) => {
    const server = createServer();
    t.after(() => server.close());
    const listen = () => server.listen(port, '127.0.0.1', () => resolve(server.address().port));
    let tries = 0;
    server.on('error', () => {
      tries += 1;
      // Another test gives it back soon. A port that another process keeps is taken too.
      if (tries < PORT_TRIES) setTimeout(listen, PORT_TRY_MS);
      else resolve(port);
    });
    listen();
  });
}

describe('the arguments of the command', { timeout: 120_000 }, () => {
  const wrong = [
    ['an unknown option', ['--prot', '1'], /unknown option '--prot'.*\n.*--port/],
    ['an extra argument', ['here'], /too many arguments/],
    ['an invalid port', ['--port', '70000'], /--port .*0 to 65535/],
    ['a port that is not a number', ['--port', '3000x'], /--port .*0 to 65535/],
    ['no calls at all', ['--calls-max', '0'], /--calls-max .*1 or more/],
    ['replies of no size', ['--reply-bytes-max', '-1'], /--reply-bytes-max .*1 or more/],
    ['an invalid index mode', ['--index', 'on'], /--index .*auto, off/],
    ['too little memory', ['--memory-bytes-max', '1000'], /--memory-bytes-max .*1048576 to 68719476736/],
    ['memory that is not a number', ['--memory-bytes-max', '256M'], /--memory-bytes-max .*whole number of bytes/],
    ['an invalid time', ['--grace', '5s'], /--grace .*seconds/],
    ['a time without end', ['--grace', '1e9'], /--grace .*86400/],
    ['an unknown form of results', ['--result', 'xml'], /--result .*text, json, structured, both/],
    ['an unknown tool', ['--tools', 'look,serch'], /'serch'; did you mean 'search'[^]*known: agent/],
    ['no tool', ['--tools', ''], /'tools' must not be empty: .*'agent', 'all'/],
    ['an unknown level', ['--log-level', 'loud'], /--log-level .*silent, error, warn, info, debug/],
    ['a host name with its port', ['--allow-host', 'my.machine:80'], /--allow-host .*port/],
    ['an origin that is a page', ['--allow-origin', 'http://a.b/c'], /--allow-origin .*scheme/],
    ['stdio with a port', ['--stdio', '--port', '1'], /'--stdio' cannot be used with .*'--port/],
    ['stdio with a host', ['--stdio', '--host', '::1'], /'--stdio' cannot be used with .*'--host/],
    ['a missing root', ['--root', 'gone'], /not_found: .*gone[^]*hint/],
    ['a missing root, stdio', ['--stdio', '--root', 'gone'], /not_found: .*gone/],
    ['a missing documents directory', ['--docs-root', 'gone'], /'gone'[^]*hint/],
  ];
  for (const [name, words, message] of wrong) {
    test(`${name}: exit 2, and why`, { timeout: SOON_MS }, async (t) => {
      const done = await runCommand(t, ['serve', ...words], { cwd: tempTree(t, TREE) }).ended;
      assert.match(done.stderr, message);
      assert.deepEqual([done.code, done.stdout], [2, '']);
      assert.doesNotMatch(done.stderr, /\n +at /);
    });
  }

  test('are explained', async () => {
    const { code, stdout } = await runNode([CLI, 'serve', '--help']);
    assert.equal(code, 0);
    const own = await runNode([SERVER_CLI, '--help']);
    assert.equal(own.stdout, stdout.replaceAll('searchscope serve', 'searchscope-server'));
    const words = ['--stdio', '--tools', '--docs-root', '--deny', '127.0.0.1', '3000', 'SIGTERM'];
    words.push('--index', '(default: auto)', '--memory-bytes-max', '268435456');
    for (const word of words) {
      assert.ok(stdout.includes(word), word);
    }
  });
});

test('searchscope-server serves as the verb does', { timeout: 120_000 }, async (t) => {
  const root = tempTree(t, TREE);
  const input = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
  const words = ['--stdio', '--root', root, '--log-level', 'silent'];
  const outcomes = [];
  for (const command of [[SERVER_CLI], [CLI, 'serve']]) {
    const { code, stdout, stderr } = await runNode([...command, ...words], { input });
    outcomes.push({ code, stdout, stderr });
  }
  assert.deepEqual(outcomes[0], outcomes[1]);
  assert.equal(outcomes[0].code, 0);
  assert.match(outcomes[0].stdout, /"id":1/);
  const { version } = createRequire(import.meta.url)('searchscope-server/package.json');
  assert.equal((await runNode([SERVER_CLI, '--version'])).stdout, `${version}\n`);
});

describe('a port that is in use', { timeout: 120_000 }, () => {
  test('is an error if requested explicitly', async (t) => {
    const port = await takePort(t);
    const done = await runNode([CLI, 'serve', '--port', String(port)], { cwd: tempTree(t, TREE) });
    assert.deepEqual([done.code, done.stdout], [1, '']);
    assert.match(done.stderr, new RegExp(`^searchscope: port ${port} is in use; .*--port`, 'm'));
  });

  test('is skipped with a warning if it is only the default', async (t) => {
    await takePort(t, 3000);
    const service = await serveCommand(t, ['--root', tempTree(t, TREE)]);
    assert.notEqual(new URL(service.url).port, '3000');
    assert.match(service.out.stderr, /"level":"warn".*"port":3000.*in use/);
    assert.equal((await request(`${service.url}/healthz`)).status, 200);
  });
});

test('an address of another machine is an error', { timeout: 120_000 }, async (t) => {
  const words = [CLI, 'serve', '--host', '192.0.2.1', '--port', '0'];
  const done = await runNode(words, { cwd: tempTree(t, TREE) });
  assert.equal(done.code, 1);
  assert.match(done.stderr, /192\.0\.2\.1 is not an address of this machine/);
});

describe('the address', { timeout: 120_000 }, () => {
  test('is local by default', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE) });
    assert.equal(new URL(url).hostname, '127.0.0.1');
  });

  test('may be an IPv6 address', async (t) => {
    const { url } = await serve(t, { root: tempTree(t, TREE), host: '::1' });
    assert.equal(new URL(url).hostname, '[::1]');
    assert.equal((await request(`${url}/healthz`)).status, 200);
  });
});

describe('the start-up message', { timeout: 120_000 }, () => {
  const INFO = { name: 'searchscope-test', version: '1.0.0' };

  /** Connects a client to the server of a configuration, and returns the names of its tools. */
  async function toolsOf(t, { mcpServers: { searchscope: server } }) {
    const client = new Client(INFO);
    const transport =
      server.type === 'http'
        ? new StreamableHTTPClientTransport(new URL(server.url))
        : new StdioClientTransport({ ...server, cwd: tempTree(t, {}) });
    await client.connect(transport);
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    const found = await client.callTool({
      name: 'search_in_files',
      arguments: { query: 'needle' },
    });
    await client.close();
    return { names, found: Number(/total_matches: (\d+)/.exec(found.content[0].text)[1]) };
  }

  test('has configurations that work unchanged from any directory', async (t) => {
    const root = tempTree(t, { ...TREE, 'secret dir/b.txt': 'needle\n' });
    const words = ['--port', '0', '--deny', 'secret dir/', '--deny', '*.bak', '--exclude', '-x'];
    words.push('--tools', 'all', '--index', 'off', '--memory-bytes-max', '1048576');
    const service = await serveCommand(t, words, { cwd: root });
    const configurations = service.out.stderr
      .split('\n')
      .filter((line) => line.startsWith('  {"mcpServers"'))
      .map((line) => JSON.parse(line));
    assert.equal(configurations.length, 2);
    const { args } = configurations[1].mcpServers.searchscope;
    assert.ok(args.includes('--index=off') && args.includes('--memory-bytes-max=1048576'), `${args}`);
    for (const configuration of configurations) {
      const { names, found } = await toolsOf(t, configuration);
      assert.deepEqual(
        names,
        tools().map((tool) => tool.name),
      );
      assert.equal(found, 2);
    }
  });

  test('has a curl command that returns results', async (t) => {
    const service = await serveCommand(t, ['--port', '0', '--root', tempTree(t, TREE)]);
    const [, url] = /^ {2}curl "(.*)"$/m.exec(service.out.stderr);
    assert.equal(JSON.parse((await request(url)).text).total_matches, 1);
  });

  test('goes to standard error alone', async (t) => {
    const service = await serveCommand(t, ['--port', '0', '--root', tempTree(t, TREE)]);
    assert.equal((await service.stop()).stdout, '');
  });
});

describe('over standard input and output', { timeout: 120_000 }, () => {
  const INITIALIZE = { jsonrpc: '2.0', id: 1, ...initialize('2025-06-18') };

  const start = (t, words = []) => {
    const root = tempTree(t, { ...TREE, 'docs/a.md': 'needle\n', 'docs/old.md': 'needle\n' });
    return runCommand(t, ['serve', '--stdio', '--tools', 'all', '--root', root, ...words]);
  };

  /** Sends messages in sequence, each after the answer to the previous one. */
  async function exchange(service, messages) {
    for (const [n, message] of messages.entries()) {
      const line = typeof message === 'string' ? message : JSON.stringify(message);
      service.child.stdin.write(`${line}\n`);
      await until(() => service.out.stdout.split('\n').length > n + 1);
    }
    service.child.stdin.end();
    const { code, stdout } = await service.ended;
    assert.equal(code, 0);
    return stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  const call = (id, name, args) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  });

  test('standard output carries only the protocol', async (t) => {
    const service = start(t, ['--log-level', 'debug', '--docs-root', 'docs', '--exclude', 'old.md']);
    const replies = await exchange(service, [
      INITIALIZE,
      call(2, 'search_documents', { query: 'needle' }),
      'no JSON',
      call(3, 'no_such_tool', {}),
      call(4, 'find_files_by_name', { name_pattern: '[' }),
    ]);
    for (const reply of replies) assert.equal(reply.jsonrpc, '2.0');
    assert.deepEqual(
      replies.map(({ id }) => id),
      [1, 2, null, 3, 4],
    );
    assert.match(replies[1].result.content[0].text, /total_files: 1;/);
    for (const line of service.out.stderr.trim().split('\n')) JSON.parse(line);
    assert.match(service.out.stderr, /tool called/);
  });

  test('little is logged by default', async (t) => {
    const service = start(t);
    await exchange(service, [INITIALIZE, call(2, 'find_files_by_name', { name_pattern: '*' })]);
    assert.equal(service.out.stderr, '');
  });

  test('it ends with the client', async (t) => {
    const service = start(t);
    service.child.stdin.end();
    assert.equal((await service.ended).code, 0);
  });
});
