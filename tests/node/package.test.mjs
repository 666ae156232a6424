// The published packages: their files and platforms, and the one that is loaded.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { TOP, suiteContext, tempTree } from './helpers.mjs';
import { PLATFORMS, VERSION, packageName, platformName, publishedPackages } from './package.mjs';
import {
  SERVER,
  makeMainPackage,
  makePlatformPackage,
  packedFiles,
  platformOf,
  withAbsoluteLinks,
} from '../../scripts/lib/packages.mjs';

const SOON = { timeout: 120_000 };

/** Sources and documents, and the table of vectors with 356,362 bytes; the native part is a separate package. */
const PACKED_BYTES_MAX = 4_400_000;
/** The package of the service. */
const SERVER_BYTES_MAX = 300_000;

const manifest = JSON.parse(readFileSync(join(TOP, 'package.json'), 'utf8'));
const read = (path) => readFileSync(join(TOP, path), 'utf8');

describe('the files of the package', SOON, () => {
  const files = packedFiles();

  test('are those required to run and build, and no others', () => {
    const expected = [
      /^(CHANGELOG|README)\.md$/,
      /^LICENSE-(APACHE|MIT)$/,
      /^package\.json$/,
      /^Cargo\.(toml|lock)$/,
      /^(cli|cli\/launcher|core|tools|memory|node|ffi|ffi\/install|tests|tests\/fuzz_targets|bench|examples\/rust)\/Cargo\.toml$/,
      /^(cli|cli\/launcher|core|tools|memory)\/src\/([a-z_]+\/)*[a-z_]+\.rs$/,
      /^core\/src\/([a-z_]+\/)*[a-z_.]+\.(bin|md|scm)$/,
      /^node\/(build|src\/[a-z_]+)\.rs$/,
      /^node\/([a-z]+\/)*[a-z-]+(\.d)?\.(js|mjs|ts|mts)$/,
      /^scripts\/(install|lib\/process|lib\/setup)\.mjs$/,
    ];
    const others = files.filter((path) => !expected.some((pattern) => pattern.test(path)));
    assert.deepEqual(others, []);
    const unused = expected.filter((pattern) => !files.some((path) => pattern.test(path)));
    assert.deepEqual(unused, []);
    assert.deepEqual(files.filter((path) => /tests(\/.*)?\.rs$|\bfuzz\b/.test(path)), []);
  });

  test('include all that the manifests name', () => {
    const named = [manifest.main, manifest.types, ...Object.values(manifest.bin)];
    const collect = (value) =>
      typeof value === 'string' ? named.push(value) : Object.values(value).forEach(collect);
    collect(manifest.exports);
    assert.ok(named.length > 10);
    for (const path of named) assert.ok(files.includes(path.replace(/^\.\//, '')), path);
    // Cargo reads the manifest of every member, whichever it builds.
    const members = JSON.parse(/^members = (\[[^\]]*\])/m.exec(read('Cargo.toml'))[1]);
    assert.ok(members.length >= 5);
    for (const member of members) assert.ok(files.includes(`${member}/Cargo.toml`), member);
  });

  test('include all modules that they load', () => {
    const sources = files.filter((path) => /^(node|scripts)\/.*\.m?js$/.test(path));
    let count = 0;
    for (const path of sources) {
      const loads = /(?:require\(|from )'(\.[^']+\.(?:m?js|json))'/g;
      for (const [, relative] of read(path).matchAll(loads)) {
        const loaded = join(path, '..', relative);
        assert.ok(files.includes(loaded), `${path} loads ${loaded}`);
        count += 1;
      }
    }
    assert.ok(count > 40, String(count));
  });

  test('include every module except for tests', () => {
    const modules = files.filter((path) => path.endsWith('mod.rs') || path.endsWith('lib.rs'));
    assert.ok(modules.length > 10);
    for (const path of modules) {
      const named = /^(#\[cfg\(.*\n)?(?:pub.*)?mod (\w+);/gm;
      for (const [, attribute, name] of read(path).matchAll(named)) {
        const below = [`${name}.rs`, `${name}/mod.rs`].map((file) => join(path, '..', file));
        const isTest = /\btest(ing)?\b/.test(attribute ?? '');
        assert.ok(isTest || below.some((file) => files.includes(file)), `${path}: ${name}`);
      }
    }
  });

  test('are small', () => {
    const bytes = files.reduce((sum, path) => sum + statSync(join(TOP, path)).size, 0);
    console.log(`the package has ${files.length} files, ${bytes} bytes`);
    assert.ok(bytes < PACKED_BYTES_MAX, String(bytes));
  });
});

const suite = suiteContext();
let made;

/** Returns the published packages, made once for all tests. */
const published = () => (made ??= publishedPackages(suite));

const builtIn = (out) => ({ library: join(out, 'library'), command: join(out, 'library') });

describe('the files of the package of the service', SOON, () => {
  const files = packedFiles(SERVER);

  test('are those required to run, and no others', () => {
    const expected = [
      /^README\.md$/,
      /^package\.json$/,
      /^([a-z]+\/)*[a-z-]+(\.d)?\.(js|mjs|ts)$/,
      /^page\/browser\/[a-z]+\.(html|css|svg)$/,
    ];
    assert.deepEqual(files.filter((path) => !expected.some((pattern) => pattern.test(path))), []);
  });

  test('include all that the manifest names', () => {
    const { bin, exports } = JSON.parse(read('server/package.json'));
    const named = [...Object.values(bin)];
    const collect = (value) =>
      typeof value === 'string' ? named.push(value) : Object.values(value).forEach(collect);
    collect(exports);
    assert.ok(named.length > 5);
    for (const path of named) assert.ok(files.includes(path.replace(/^\.\//, '')), path);
  });

  test('include all modules that they load, and load the engine by its public names', () => {
    const names = new Set(Object.keys(manifest.exports).map((path) => join('searchscope', path)));
    let count = 0;
    for (const path of files.filter((path) => path.endsWith('.js'))) {
      for (const [, name] of read(join('server', path)).matchAll(/require\('([^']+)'\)/g)) {
        if (name.startsWith('.')) assert.ok(files.includes(join(path, '..', name)), `${path} loads ${name}`);
        if (name.startsWith('searchscope')) assert.ok(names.has(name), `${path} loads ${name}`);
        count += 1;
      }
    }
    assert.ok(count > 80, String(count));
  });

  test('are small', () => {
    const bytes = files.reduce((sum, path) => sum + statSync(join(SERVER, path)).size, 0);
    console.log(`the package of the service has ${files.length} files, ${bytes} bytes`);
    assert.ok(bytes < SERVER_BYTES_MAX, String(bytes));
  });
});

describe('the dependencies', SOON, () => {
  test('of the engine are none', () => {
    assert.equal(manifest.dependencies, undefined);
    const lock = JSON.parse(read('package-lock.json'));
    assert.equal(lock.packages[''].dependencies, undefined);
  });

  test('of the service include the engine in the same version', () => {
    const { version, dependencies } = JSON.parse(read('server/package.json'));
    assert.deepEqual([version, dependencies.searchscope], [VERSION, VERSION]);
  });
});

describe('the package of a platform', SOON, () => {
  test('has the layout of napi`s packages, and the licences', (t) => {
    const out = tempTree(t, { library: 'x' });
    const folder = makePlatformPackage('linux-x64-musl', builtIn(out), out);
    assert.equal(folder, join(out, '@searchscope', 'linux-x64-musl'));
    assert.deepEqual(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), {
      name: '@searchscope/linux-x64-musl',
      version: VERSION,
      license: manifest.license,
      engines: manifest.engines,
      repository: manifest.repository,
      description: 'The native binaries of searchscope for x86_64-unknown-linux-musl',
      os: ['linux'],
      cpu: ['x64'],
      libc: ['musl'],
      main: 'searchscope.linux-x64-musl.node',
      files: [
        'searchscope.linux-x64-musl.node',
        'searchscope',
        'LICENSE-APACHE',
        'LICENSE-MIT',
        'THIRD_PARTY_NOTICES',
      ],
    });
    for (const name of ['searchscope.linux-x64-musl.node', 'searchscope', 'LICENSE-MIT', 'README.md']) {
      assert.ok(existsSync(join(folder, name)), name);
    }
    const notices = readFileSync(join(folder, 'THIRD_PARTY_NOTICES'), 'utf8');
    assert.equal(notices, read('THIRD_PARTY_NOTICES'));
  });

  test('without symbols differs in name and description only', (t) => {
    const out = tempTree(t, { library: 'x' });
    const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const whole = makePlatformPackage('linux-x64-gnu', builtIn(out), out);
    const lite = makePlatformPackage('linux-x64-gnu', builtIn(out), out, { withoutSymbols: true });
    assert.equal(lite, join(out, '@searchscope', 'linux-x64-gnu-lite'));
    const { description } = manifestOf(whole);
    assert.deepEqual(manifestOf(lite), {
      ...manifestOf(whole),
      name: '@searchscope/linux-x64-gnu-lite',
      description: `${description}, without symbols`,
    });
  });

  test('names a C library only if several exist', (t) => {
    const out = tempTree(t, { library: 'x' });
    const libcs = Object.keys(PLATFORMS).map((platform) => {
      const folder = makePlatformPackage(platform, builtIn(out), out);
      return [platform, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).libc?.[0]];
    });
    assert.deepEqual(Object.fromEntries(libcs), {
      'linux-x64-gnu': 'glibc',
      'linux-arm64-gnu': 'glibc',
      'linux-x64-musl': 'musl',
      'linux-arm64-musl': 'musl',
      'darwin-x64': undefined,
      'darwin-arm64': undefined,
      'win32-x64-msvc': undefined,
      'win32-arm64-msvc': undefined,
    });
  });

  test('is for a known platform', () => {
    assert.throws(() => platformOf('mips'), /unknown platform "mips"; known: linux-x64-gnu, /);
    assert.throws(() => platformOf('constructor'), /unknown platform/);
  });
});

describe('the main package', SOON, () => {
  let main;

  before(() => {
    main = published().main;
  });

  test('names the packages of all platforms, in this version, only when published', () => {
    const published = JSON.parse(readFileSync(join(main, 'package.json'), 'utf8'));
    const { optionalDependencies, ...rest } = published;
    const expected = Object.keys(PLATFORMS).map((platform) => [packageName(platform), VERSION]);
    assert.deepEqual(optionalDependencies, Object.fromEntries(expected));
    const { workspaces, devDependencies, ...kept } = manifest;
    assert.deepEqual(workspaces, ['server']);
    assert.deepEqual(rest, kept);
  });

  test('has a README whose links lead to this version of the repository', () => {
    const readme = readFileSync(join(main, 'README.md'), 'utf8');
    const targets = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
    assert.ok(targets.length > 20);
    assert.deepEqual(targets.filter((target) => !target.startsWith('https://')), []);
    const top = 'https://github.com/searchscope/searchscope';
    assert.ok(targets.includes(`${top}/blob/v${VERSION}/docs/tools.md`));
    const there = { repository: { url: 'git+https://x/y.git' }, version: '1.2.3' };
    assert.equal(
      withAbsoluteLinks('[a](../b.md)', { ...there, repository: { ...there.repository, directory: 's' } }),
      '[a](https://x/y/blob/v1.2.3/b.md)',
    );
    assert.equal(
      withAbsoluteLinks('[a](b.md#c) ![d](e.svg) [f](#g) [h](https://i)', there),
      '[a](https://x/y/blob/v1.2.3/b.md#c) ![d](https://x/y/raw/v1.2.3/e.svg) [f](#g) [h](https://i)',
    );
  });

  test('is not made before the packages of all platforms are', (t) => {
    const out = tempTree(t, { library: 'x' });
    for (const platform of Object.keys(PLATFORMS)) {
      assert.throws(() => makeMainPackage(out), /the package @searchscope\/[\w-]+ is not in/);
      makePlatformPackage(platform, builtIn(out), out);
      assert.throws(() => makeMainPackage(out), /the package @searchscope\/[\w-]+-lite is not in/);
      makePlatformPackage(platform, builtIn(out), out, { withoutSymbols: true });
    }
    const folder = join(out, packageName('darwin-x64'));
    rmSync(join(folder, 'searchscope'));
    assert.throws(() => makeMainPackage(out), /searchscope is not in/);
    rmSync(join(folder, 'searchscope.darwin-x64.node'));
    assert.throws(() => makeMainPackage(out), /searchscope\.darwin-x64\.node is not in/);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"version":"0.0.1"}');
    assert.throws(() => makeMainPackage(out), /darwin-x64 is version 0\.0\.1, not/);
  });
});

describe('the published package of the service', SOON, () => {
  test('has the manifest of the repository, the licences, and absolute links', () => {
    const { server } = published();
    const text = readFileSync(join(server, 'package.json'), 'utf8');
    assert.deepEqual(JSON.parse(text), JSON.parse(read('server/package.json')));
    const packed = packedFiles(server);
    for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) assert.ok(packed.includes(name), name);
    const readme = readFileSync(join(server, 'README.md'), 'utf8');
    const targets = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
    assert.ok(targets.length > 2);
    assert.deepEqual(targets.filter((target) => !target.startsWith('https://')), []);
  });
});

describe('the platforms', SOON, () => {
  test('each have a literal `require`, which bundlers need', () => {
    const source = read('node/addon.js');
    const named = [...source.matchAll(/case '(\S+)':\n.*'(\S+)\/package\.json'\)\);\n +return require\('(\S+)'\);/g)];
    const expected = Object.keys(PLATFORMS).map((name) => [name, packageName(name), packageName(name)]);
    assert.deepEqual(named.map(([, ...names]) => names), expected);
  });

  test('are detected from the report of Node', () => {
    const linux = (arch, header) => ({
      platform: 'linux',
      arch,
      report: { excludeNetwork: false, getReport: () => ({ header }) },
    });
    const glibc = { glibcVersionRuntime: '2.36' };
    const refuse = () => {
      throw new Error('Deno without --allow-sys');
    };
    const table = [
      [linux('x64', glibc), 'linux-x64-gnu'],
      [linux('arm64', glibc), 'linux-arm64-gnu'],
      [linux('x64', {}), 'linux-x64-musl'],
      [linux('arm64', {}), 'linux-arm64-musl'],
      [linux('riscv64', {}), 'linux-riscv64-musl'],
      [{ ...linux('x64', {}), report: { getReport: refuse } }, 'linux-x64-gnu'],
      [{ platform: 'darwin', arch: 'arm64' }, 'darwin-arm64'],
      [{ platform: 'win32', arch: 'x64' }, 'win32-x64-msvc'],
      [{ platform: 'win32', arch: 'arm64' }, 'win32-arm64-msvc'],
      [{ platform: 'freebsd', arch: 'x64' }, 'freebsd-x64'],
    ];
    for (const [system, expected] of table) assert.equal(platformName(system), expected);
    const asked = linux('x64', glibc);
    platformName(asked);
    assert.equal(asked.report.excludeNetwork, false);
  });

  test('are those of the release workflow, with the same targets', () => {
    const workflow = read('.github/workflows/release.yml');
    const built = [...workflow.matchAll(/- platform: (\S+)\n +target: (\S+)\n/g)];
    const targets = Object.entries(PLATFORMS).map(([name, { target }]) => [name, target]);
    assert.deepEqual(built.map(([, name, target]) => [name, target]), targets);
  });

  test('are those that the README names', () => {
    const readme = read('README.md');
    for (const name of Object.keys(PLATFORMS)) assert.ok(readme.includes(`\`${name}\``), name);
  });
});
