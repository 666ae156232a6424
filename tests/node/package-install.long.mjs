// Installs the published packages with npm into empty projects.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { TOP, addonFile, suiteContext } from './helpers.mjs';
import * as shared from './package.mjs';
import { startRegistry } from './registry.mjs';

const { PLATFORM, VERSION, emptyProject, packageName } = shared;
const { publishedPackages, runProgram } = shared;

const skip = shared.noInstallations();
if (skip) console.log(skip);

const COLD = { timeout: 900_000, skip };

// Shared by the tests, because packing takes a while: the packages, a registry with all of them, and one
// without the package for this platform.
const suite = suiteContext();
let published, complete, incomplete;

before(async () => {
  if (skip) return;
  published = publishedPackages(suite);
  const { main, server, platforms, lite } = published;
  const { [PLATFORM]: ours, ...others } = platforms;
  complete = await startRegistry(suite, [main, server, lite, ours, ...Object.values(others)]);
  incomplete = await startRegistry(suite, [main, server, ...Object.values(others)]);
});

// A project that uses the package in both kinds of modules.
const IMPORTS = `import { Workspace } from 'searchscope';
import { searchDocuments } from 'searchscope/documents';`;
const REQUIRES = `const { Workspace } = require('searchscope');
const { searchDocuments } = require('searchscope/documents');`;
const SEARCHES = `const workspace = Workspace.open('docs');
const found = await workspace.call('search_in_files', { query: 'needle' });
console.log(found.matches.map((match) => match.file_path).join());
const logger = { info() {}, warn() {} };
const reply = await searchDocuments({ docsRoot: 'docs' }, logger, 'needle', { path: '/' });
console.log(reply.results.map((result) => result.name).join());`;

const SERVICES = `import { contextRouter } from 'searchscope-server/context';
import { createMcpService } from 'searchscope-server/mcp';
console.log(typeof contextRouter, typeof createMcpService);`;

const TYPED = `import { SearchscopeError, Workspace } from 'searchscope';
import { searchDocuments } from 'searchscope/documents';
import { contextRouter } from 'searchscope-server/context';
import { createMcpService } from 'searchscope-server/mcp';
import { load } from 'searchscope/load';
export const places: Promise<number[]> = Workspace.open('.')
  .call('search_in_files', { query: 'x' }, { signal: AbortSignal.timeout(9) })
  .then((reply) => reply.matches.map((match) => match.line_number));
export const code = (error: SearchscopeError): string => error.code;
export const rest = [searchDocuments, contextRouter, createMcpService, load];
// @ts-expect-error: a query is a text
Workspace.open('.').call('search_in_files', { query: 1 });
`;
const TSCONFIG = JSON.stringify({
  compilerOptions: {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    noEmit: true,
    types: ['node'],
  },
  files: ['types.cts', 'types.mts'],
});

test('with the platform package, without Rust', COLD, async (t) => {
  // A cargo that fails, and records whether it was called.
  const cargo = '#!/bin/sh\n: > "$HOME/asked"\nexit 1\n';
  const project = emptyProject(t, complete, { cargo });
  const { folder, run } = project;
  const write = (name, text) => writeFileSync(join(folder, name), text);
  const succeeds = async (program, ...words) => {
    const { code, stdout, stderr } = await run(program, words);
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };

  await t.test('npm installs only the package of this platform', async () => {
    const done = await project.install('searchscope', '@types/node');
    assert.equal(done.code, 0, done.stdout + done.stderr);
    const modules = join(folder, 'node_modules');
    assert.deepEqual(readdirSync(join(modules, '@searchscope')), [PLATFORM]);
    const names = readdirSync(modules).filter((name) => !name.startsWith('.'));
    assert.deepEqual(names.sort(), ['@searchscope', '@types', 'searchscope', 'undici-types']);
    assert.equal(existsSync(join(project.root, 'home', 'asked')), false, 'nothing is built');
  });

  mkdirSync(join(folder, 'docs'));
  write('docs/notes.md', '----\nname: Notes\n----\nneedle\n');

  await t.test('require, import and the documents work', async () => {
    write('use.mjs', `${IMPORTS}\n${SEARCHES}`);
    write('use.cjs', `${REQUIRES}\n(async () => {\n${SEARCHES}\n})();`);
    for (const name of ['use.mjs', 'use.cjs']) {
      assert.equal(await succeeds('node', name), 'notes.md\nNotes\n');
    }
  });

  await t.test('the command works', async () => {
    const command = (...words) => succeeds('npx', '--no-install', 'searchscope', ...words);
    const args = '{"query":"needle","path":"docs"}';
    assert.equal(JSON.parse(await command('call', 'search_in_files', args)).total_matches, 1);
    assert.equal(await command('--version'), `${VERSION}\n`);
  });

  await t.test('serve names the package that it needs', async () => {
    const done = await run('npx', ['--no-install', 'searchscope', 'serve']);
    assert.equal(done.code, 2);
    assert.match(done.stderr, /'serve' needs the npm package searchscope-server/);
  });

  await t.test('the services load once their package is installed', async () => {
    const done = await project.install('searchscope-server');
    assert.equal(done.code, 0, done.stdout + done.stderr);
    write('services.mjs', SERVICES);
    assert.equal(await succeeds('node', 'services.mjs'), 'function function\n');
  });

  await t.test('serve and the command of the service are the same', async () => {
    for (const words of [['searchscope', 'serve'], ['searchscope-server']]) {
      const help = await succeeds('npx', '--no-install', ...words, '--help');
      assert.ok(help.startsWith(`Usage: ${words.join(' ')} [options]\n`), help);
      assert.match(help, /--reply-bytes-max/);
    }
    assert.equal(await succeeds('npx', '--no-install', 'searchscope-server', '--version'), `${VERSION}\n`);
  });

  await t.test('the types resolve in ES modules and CommonJS', async () => {
    for (const name of ['types.cts', 'types.mts']) write(name, TYPED);
    write('tsconfig.json', TSCONFIG);
    const tsc = join(TOP, 'node_modules', 'typescript', 'bin', 'tsc');
    assert.equal(await succeeds('node', tsc, '--project', 'tsconfig.json'), '');
  });

  await t.test('a platform package of another version is refused', async () => {
    const file = join(folder, 'node_modules', packageName(PLATFORM), 'package.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(`"version": "${VERSION}"`, '"version": "0.0.9"'));
    const done = await run('node', ['use.cjs']);
    writeFileSync(file, text);
    assert.equal(done.code, 1);
    const refusal = `${packageName(PLATFORM)}: version 0.0.9 does not match the required ${VERSION}`;
    assert.ok(done.stderr.includes(refusal), done.stderr);
  });
});

test('with the package without symbols in the place of the whole one', COLD, async (t) => {
  const project = emptyProject(t, complete);
  const name = packageName(PLATFORM);
  const overrides = { [name]: `npm:${name}-lite@${VERSION}` };
  writeFileSync(join(project.folder, 'package.json'), JSON.stringify({ private: true, overrides }));
  const done = await project.install('searchscope');
  assert.equal(done.code, 0, done.stdout + done.stderr);
  const modules = join(project.folder, 'node_modules');
  assert.deepEqual(readdirSync(join(modules, '@searchscope')), [PLATFORM]);
  const installed = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
  assert.equal(installed.name, `${name}-lite`);
  const used = await project.run('node', ['-p', "require('searchscope').tools().length > 9"]);
  assert.equal(used.stdout, 'true\n', used.stderr);
  const called = await project.run('npx', ['--no-install', 'searchscope', 'search', 'private']);
  assert.equal(called.code, 0, called.stdout + called.stderr);
});

test('without a platform package and without Rust', COLD, async (t) => {
  const project = emptyProject(t, incomplete);
  const explanation = new RegExp(
    `searchscope: cannot load the native addon for ${PLATFORM}; tried:\\n` +
      `  .*searchscope\\.node: not found\\n` +
      `  ${packageName(PLATFORM)}: not found\\n` +
      `Install the prebuilt one:  npm install ${packageName(PLATFORM)}@${VERSION}\\n` +
      `Or build it, which needs Rust .*:  node ".*install\\.mjs"\\]?\\n`,
  );

  await t.test('the installation succeeds and reports what is missing', async () => {
    const done = await project.install('--foreground-scripts', 'searchscope');
    assert.equal(done.code, 0, done.stdout + done.stderr);
    assert.match(done.stdout + done.stderr, explanation);
  });

  await t.test('calls that need the native addon report it again', async () => {
    const required = await project.run('node', ['-e', "require('searchscope')"]);
    assert.equal(required.code, 1);
    assert.match(required.stderr, explanation);
    const words = ['--no-install', 'searchscope', 'call', 'search_in_files'];
    const called = await project.run('npx', words);
    assert.equal(called.code, 2);
    assert.match(
      called.stderr,
      /'call' needs the native command of version .*, which is not installed for .*\nInstall the prebuilt one: /,
    );
    assert.doesNotMatch(called.stderr, /\n +at /);
  });

  await t.test('a platform without a package gets the list of supported ones', async () => {
    const pretend = "Object.defineProperty(process, 'arch', { value: 'mips' })";
    const done = await project.run('node', ['-e', `${pretend}; require('searchscope')`]);
    assert.match(done.stderr, /cannot load the native addon for [a-z]+-mips(-\w+)?; tried:/);
    assert.match(done.stderr, /\nPrebuilt addons exist only for linux-x64-gnu, .*\.\nOr build it/);
  });

  await t.test('commands without the native addon work', async () => {
    const done = await project.run('npx', ['--no-install', 'searchscope', '--version']);
    assert.equal(done.stdout, `${VERSION}\n`);
  });
});

test('with Rust and no platform package, it is built once', COLD, async (t) => {
  // Compiling takes minutes, and the next test shows whether the package compiles. This test therefore
  // has a cargo that records its arguments and has already built.
  const cargo = `#!/bin/sh
if [ "$1" = --version ]; then echo 'cargo 1.95.0'; exit; fi
echo "$PWD $* in $CARGO_TARGET_DIR" >> "$HOME/asked"
target='"target":{"name":"searchscope_node"}'
echo '{"reason":"compiler-artifact",'"$target"',"filenames":["'"$HOME"'/built.so"]}'
target='"target":{"name":"searchscope-launcher"}'
echo '{"reason":"compiler-artifact",'"$target"',"executable":"'"$HOME"'/built"}'
`;
  const project = emptyProject(t, incomplete, { cargo });
  const home = join(project.root, 'home');
  copyFileSync(addonFile(), join(home, 'built.so'));
  writeFileSync(join(home, 'built'), '#!/bin/sh\necho searchscope', { mode: 0o755 });
  const done = await project.install('searchscope');
  assert.equal(done.code, 0, done.stdout + done.stderr);
  const installed = join(project.folder, 'node_modules', 'searchscope');
  const [asked, ...more] = readFileSync(join(home, 'asked'), 'utf8').trim().split('\n');
  assert.deepEqual(more, []);
  const [, where, words, target] = /^(\S+) (.*) in (\S+)$/.exec(asked);
  assert.equal(where, installed);
  assert.match(words, /^build --release --locked -p searchscope-node -p searchscope-launcher /);
  assert.ok(target.startsWith(project.root), target);
  assert.equal(existsSync(target), false, 'the build directory remains');
  const used = await project.run('node', ['-p', "require('searchscope').tools().length > 9"]);
  assert.equal(used.stdout, 'true\n', used.stderr);
  assert.deepEqual(
    readdirSync(join(installed, 'node')).filter((name) => name.endsWith('.node')),
    ['searchscope.node'],
  );
});

test('a build that fails fails the installation', COLD, async (t) => {
  const cargo = `#!/bin/sh
if [ "$1" = --version ]; then echo 'cargo 1.80.0'; exit; fi
echo 'error: rustc 1.80.0 is not supported' >&2
exit 101
`;
  const project = emptyProject(t, incomplete, { cargo });
  const done = await project.install('searchscope');
  assert.notEqual(done.code, 0);
  const told = done.stdout + done.stderr;
  assert.match(told, /rustc 1\.80\.0 is not supported/);
  assert.match(told, /the native addon could not be built; cargo reports why above/);
});

test('the packed sources compile with the committed lock file', { timeout: 900_000 }, async (t) => {
  if (spawnSync('cargo', ['--version']).status !== 0) {
    const reason = 'SKIPPED: compiling what is packed: cargo is not installed';
    console.log(reason);
    return t.skip(reason);
  }
  const { main } = published ?? publishedPackages(t);
  const targetDir = process.env.CARGO_TARGET_DIR ?? join(TOP, 'target');
  // One directory for all runs, because cargo caches builds by path.
  const folder = join(targetDir, 'npm-package');
  rmSync(folder, { recursive: true, force: true });
  cpSync(main, folder, { recursive: true, preserveTimestamps: true });
  // `check` instead of `build`: it takes a fraction of the time, and skips only linking.
  const words = ['check', '--locked', '--offline', '-p', 'searchscope-node', '-p', 'searchscope-launcher'];
  const done = await runProgram('cargo', [...words, '--target-dir', targetDir], { cwd: folder });
  assert.equal(done.code, 0, done.stderr);
});
