// `node foreign.mjs PLATFORM ADDON PROGRAM [ARGUMENT …]`: uses the published package with an addon that was built
// for another platform, in a runtime of that platform, and fails unless it does what it does elsewhere.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endlessTree } from './helpers.mjs';
import { USED_AND_TERMINATED, writeScripts } from './runtimes.mjs';
import { makeMainPackage, makePlatformPackage } from '../../scripts/lib/packages.mjs';

const { PLATFORMS } = createRequire(import.meta.url)('../../node/platforms.js');

/** Longer than an emulated runtime takes. */
const RUN_MS_MAX = 300_000;

const [platform, addon, program, ...words] = process.argv.slice(2);
const cleanUps = [];
try {
  const folder = mkdtempSync(join(tmpdir(), 'searchscope-foreign-'));
  cleanUps.push(() => rmSync(folder, { recursive: true }));
  install(join(folder, 'node_modules'));
  writeScripts(folder);
  const endless = endlessTree({ after: (run) => cleanUps.push(run) });
  for (const script of ['all.mjs', 'all.cjs']) {
    const options = { cwd: folder, encoding: 'utf8', timeout: RUN_MS_MAX };
    const { status, signal, stdout, stderr } = spawnSync(program, [...words, script, endless], options);
    assert.deepEqual({ status, signal, stdout }, { status: 0, signal: null, stdout: USED_AND_TERMINATED }, stderr);
    console.log(`${platform}: ${script} passed`);
  }
} finally {
  for (const cleanUp of cleanUps) cleanUp();
}

/** Installs the package, which depends on those of all platforms; only one of them has an addon. */
function install(modules) {
  mkdirSync(modules);
  const absent = { library: process.argv[1], command: process.argv[1] };
  for (const name of Object.keys(PLATFORMS)) {
    const built = name === platform ? { ...absent, library: addon } : absent;
    makePlatformPackage(name, built, modules);
    makePlatformPackage(name, absent, modules, { withoutSymbols: true });
  }
  makeMainPackage(modules);
}
