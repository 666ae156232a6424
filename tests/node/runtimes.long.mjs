// The published packages in other versions of Node, in Bun and Deno, installed by other package managers,
// and in bundles.

import assert from 'node:assert/strict';
import { copyFileSync, cpSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { TOP, addonFile, endlessTree, suiteContext, tempTree } from './helpers.mjs';
import * as shared from './package.mjs';
import { startRegistry } from './registry.mjs';
import {
  USED,
  USED_AND_TERMINATED,
  fetchRuntimes,
  fetched,
  fetchedVersion,
  writeScripts,
} from './runtimes.mjs';

const { PLATFORM, emptyProject, packageName, publishedPackages, runProgram } = shared;

const skip = shared.noInstallations() ?? fetchRuntimes();
if (skip) console.log(skip);

const COLD = { timeout: 900_000, skip };

const suite = suiteContext();
let registry, endless, installed;

before(async () => {
  if (skip) return;
  const { main, platforms } = publishedPackages(suite);
  registry = await startRegistry(suite, [main, ...Object.values(platforms)]);
  endless = endlessTree(suite);
  installed = await projectWith(suite, ['npm', 'install', '--no-audit', '--no-fund', 'searchscope']);
});

/** Makes a project with the scripts, and installs the package with a command of the project's `bin`. */
async function projectWith(t, [program, ...words], env = {}) {
  const project = emptyProject(t, registry);
  writeScripts(project.folder);
  const runIn = (program, words, more = {}) =>
    runProgram(program, words, { cwd: project.folder, env: { ...project.env, ...env, ...more } });
  const done = await runIn(program, words);
  assert.equal(done.code, 0, done.stdout + done.stderr);
  return { ...project, runIn };
}

/** Runs a program in a project; fails unless it prints `expected` and succeeds. */
async function prints(expected, project, program, ...words) {
  const { code, stdout, stderr } = await project.runIn(program, [...words, endless]);
  assert.deepEqual({ code, stdout }, { code: 0, stdout: expected }, stderr);
}

describe('a runtime uses the installed package', COLD, () => {
  const runtimes = {
    node: [process.execPath],
    node22: [fetched('node22', 'bin', 'node')],
    node24: [fetched('node24', 'bin', 'node')],
    node26: [fetched('node26', 'bin', 'node')],
    bun: [fetched('bun', 'bin', 'bun.exe')],
    deno: [fetched('deno', 'deno'), 'run', '--allow-all'],
  };
  for (const [name, [program, ...words]] of Object.entries(runtimes)) {
    test(name, COLD, async (t) => {
      for (const script of ['all.mjs', 'all.cjs']) {
        await prints(USED_AND_TERMINATED, installed, program, ...words, script);
      }
      const { stdout } = await installed.runIn(program, ['--version']);
      t.diagnostic(stdout.split('\n')[0]);
    });
  }
});

describe('Deno needs one permission', COLD, () => {
  const deno = fetched('deno', 'deno');
  const script = "console.log(require('searchscope').tools().length > 9)";

  test('--allow-ffi', COLD, async () => {
    writeFileSync(join(installed.folder, 'tools.cjs'), script);
    const done = await installed.runIn(deno, ['run', '--no-prompt', '--allow-ffi', 'tools.cjs']);
    assert.deepEqual([done.code, done.stdout], [0, 'true\n'], done.stderr);
  });

  test('and says so without it', COLD, async () => {
    writeFileSync(join(installed.folder, 'tools.cjs'), script);
    const done = await installed.runIn(deno, ['run', '--no-prompt', 'tools.cjs'], { NO_COLOR: '1' });
    assert.notEqual(done.code, 0);
    assert.match(done.stderr, /Requires ffi access [^]*\nAllow Deno to load it: {2}deno run --allow-ffi …/);
    assert.doesNotMatch(done.stderr, /Install the prebuilt one/);
  });
});

describe('a package manager installs the package', COLD, () => {
  const works = async (t, words, env) => {
    const project = await projectWith(t, ['node', ...words], env);
    for (const script of ['all.mjs', 'all.cjs']) {
      await prints(USED_AND_TERMINATED, project, 'node', script);
    }
  };

  test('pnpm', COLD, async (t) => {
    await works(t, [fetched('pnpm', 'bin', 'pnpm.cjs'), 'add', 'searchscope']);
    t.diagnostic(fetchedVersion('pnpm'));
  });

  test('yarn 1', COLD, async (t) => {
    const words = [fetched('yarn', 'bin', 'yarn.js'), 'add', '--no-progress', '--registry', registry];
    // The cache of the user refuses packages of the same version with other bytes.
    const cache = tempTree(t, {});
    await works(t, [...words, '--cache-folder', cache, 'searchscope']);
    t.diagnostic(fetchedVersion('yarn'));
  });

  const BERRY = fetched('@yarnpkg', 'cli-dist', 'bin', 'yarn.js');
  const berry = (linker) => ({
    YARN_NODE_LINKER: linker,
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_TELEMETRY: '0',
    YARN_PNP_ENABLE_ESM_LOADER: '1',
    // By default yarn installs only versions whose time of publication it knows.
    YARN_NPM_MINIMAL_AGE_GATE: '0',
  });

  test('yarn 4 with node_modules', COLD, async (t) => {
    await works(t, [BERRY, 'add', 'searchscope'], berry('node-modules'));
    t.diagnostic(fetchedVersion('@yarnpkg/cli-dist'));
  });

  test("yarn 4 with Plug'n'Play", COLD, async (t) => {
    const project = await projectWith(t, ['node', BERRY, 'add', 'searchscope'], berry('pnp'));
    for (const script of ['all.mjs', 'all.cjs']) {
      await prints(USED_AND_TERMINATED, project, 'node', BERRY, 'node', script);
    }
  });

  test('bun', COLD, async (t) => {
    const project = await projectWith(t, [fetched('bun', 'bin', 'bun.exe'), 'add', 'searchscope']);
    await prints(USED_AND_TERMINATED, project, 'node', 'all.mjs');
  });

  test('npm with --ignore-scripts', COLD, async (t) => {
    const project = await projectWith(t, ['npm', 'install', '--ignore-scripts', 'searchscope']);
    await prints(USED_AND_TERMINATED, project, 'node', 'all.mjs');
  });
});

const ESBUILD = fetched('esbuild', 'bin', 'esbuild');

/** Moves what a bundler wrote to a directory with nothing else, so that only the bundle can be loaded. */
function alone(t, name) {
  const project = emptyProject(t, registry);
  writeScripts(project.folder);
  const runIn = (program, words) => runProgram(program, words, { cwd: project.folder, env: project.env });
  const from = join(installed.folder, name);
  for (const file of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const folder = file.parentPath ?? file.path;
    if (file.isFile()) copyFileSync(join(folder, file.name), join(project.folder, file.name));
  }
  rmSync(from, { recursive: true });
  return { ...project, runIn };
}

/** Option of esbuild that gives an ES module the `require` that it lacks, as the documentation has it. */
const BANNER = /^--banner:js="(.+)"$/m.exec(readFileSync(join(TOP, 'docs', 'node.md'), 'utf8'))[1];

/** Bundles scripts of the installed project into the directory `name` of it. */
async function bundle(name, words) {
  const all = ['--bundle', '--platform=node', `--outdir=${name}`, '--loader:.node=copy'];
  const done = await installed.runIn(ESBUILD, [...all, '--log-level=warning', ...words]);
  assert.equal(done.code, 0, done.stderr);
}

describe('a bundle uses the package', COLD, () => {
  test('of esbuild in CommonJS', COLD, async (t) => {
    await bundle('esbuild-cjs', ['use.cjs', '--format=cjs']);
    await prints(USED, alone(t, 'esbuild-cjs'), 'node', 'use.js');
    t.diagnostic(fetchedVersion('esbuild'));
  });

  test('of esbuild as an ES module', COLD, async (t) => {
    const words = ['--format=esm', '--out-extension:.js=.mjs', `--banner:js=${BANNER}`];
    await bundle('esbuild-esm', ['use.mjs', ...words]);
    await prints(USED, alone(t, 'esbuild-esm'), 'node', 'use.mjs');
  });

  test('of ncc', COLD, async (t) => {
    const cli = fetched('@vercel', 'ncc', 'dist', 'ncc', 'cli.js');
    for (const script of ['use.cjs', 'use.mjs']) {
      const done = await installed.runIn('node', [cli, 'build', script, '--out', 'ncc', '--no-cache']);
      assert.equal(done.code, 0, done.stdout + done.stderr);
      await prints(USED, alone(t, 'ncc'), 'node', script === 'use.cjs' ? 'index.cjs' : 'index.mjs');
    }
    t.diagnostic(fetchedVersion('@vercel/ncc'));
  });
});

describe('a single executable application uses the package', COLD, () => {
  // The asset is the addon, because an application cannot load one from memory.
  const MAIN = `const { getRawAsset } = require('node:sea');
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const folder = mkdtempSync('addon-');
writeFileSync(folder + '/searchscope.node', new Uint8Array(getRawAsset('searchscope.node')));
require('searchscope/load').load(folder + '/searchscope.node');
rmSync(folder, { recursive: true });
require('./use.cjs');
`;

  const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

  const succeeds = async (project, program, words) => {
    const done = await project.runIn(program, words);
    assert.equal(done.code, 0, done.stdout + done.stderr);
  };

  /** Bundles the script and writes the description of the application, whose file is `output`. */
  const described = async (t, script, output, assets) => {
    await bundle('sea', [script, '--format=cjs']);
    const project = alone(t, 'sea');
    const settings = { main: 'main.js', output, assets, disableExperimentalSEAWarning: true };
    renameSync(join(project.folder, script.replace('.cjs', '.js')), join(project.folder, 'main.js'));
    writeFileSync(join(project.folder, 'sea.json'), JSON.stringify(settings));
    return project;
  };

  /** Makes the application with Node 22, which needs another program to insert the script. */
  const injected = async (t, script, assets) => {
    const project = await described(t, script, 'sea.blob', assets);
    const node = fetched('node22', 'bin', 'node');
    await succeeds(project, node, ['--experimental-sea-config', 'sea.json']);
    copyFileSync(node, join(project.folder, 'app'));
    const postject = fetched('postject', 'dist', 'cli.js');
    const words = [postject, 'app', 'NODE_SEA_BLOB', 'sea.blob', '--sentinel-fuse', FUSE];
    await succeeds(project, 'node', words);
    return project;
  };

  /** Makes the application with Node 26, which does so by itself. */
  const built = async (t, script, assets) => {
    const project = await described(t, script, 'app', assets);
    await succeeds(project, fetched('node26', 'bin', 'node'), ['--build-sea', 'sea.json']);
    return project;
  };

  for (const [version, make] of Object.entries({ 22: injected, 26: built })) {
    test(`of Node ${version}, with the addon as an asset`, COLD, async (t) => {
      writeFileSync(join(installed.folder, 'asset.cjs'), MAIN);
      const project = await make(t, 'asset.cjs', { 'searchscope.node': addonFile() });
      for (const name of readdirSync(project.folder)) {
        if (name.endsWith('.node')) rmSync(join(project.folder, name));
      }
      await prints(USED, project, join(project.folder, 'app'));
    });

    test(`of Node ${version}, beside the package of the platform`, COLD, async (t) => {
      const project = await make(t, 'use.cjs', {});
      const name = join('node_modules', packageName(PLATFORM));
      cpSync(join(installed.folder, name), join(project.folder, name), { recursive: true });
      await prints(USED, project, join(project.folder, 'app'));
    });
  }
});
