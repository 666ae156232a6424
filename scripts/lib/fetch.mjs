// Packages of npm's registry that are fetched into a directory below `target`.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NPM } from './process.mjs';

/** Longer than a download of 250 MB takes. */
const FETCH_MS_MAX = 900_000;

/** Longer than the registry takes to answer one request. */
const QUESTION_MS_MAX = 60_000;

/**
 * Installs the dependencies into `folder`, unless exactly these are there already, and without their scripts if
 * they are for other platforms. Returns why the registry cannot be reached, or undefined; throws if it answers
 * and the installation fails.
 */
export function fetchPackages(folder, dependencies, { otherPlatforms = false } = {}) {
  const manifest = JSON.stringify({ private: true, dependencies });
  const marker = join(folder, 'complete.json');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === manifest) return undefined;
  mkdirSync(folder, { recursive: true });
  const [[name, version]] = Object.entries(dependencies);
  const known = version.startsWith('npm:') ? version.slice('npm:'.length) : `${name}@${version}`;
  const question = ['view', known, 'version', '--fetch-retries=0'];
  if (npm(folder, question, QUESTION_MS_MAX).status !== 0) {
    return `npm's registry cannot be reached: "npm ${question.join(' ')}" failed`;
  }
  writeFileSync(join(folder, 'package.json'), manifest);
  const options = ['--no-audit', '--no-fund', '--no-package-lock'];
  if (otherPlatforms) options.push('--force', '--ignore-scripts');
  const done = npm(folder, ['install', ...options], FETCH_MS_MAX);
  if (done.status !== 0) throw new Error(`the packages in ${folder} cannot be installed: ${done.stderr}`);
  writeFileSync(marker, manifest);
  return undefined;
}

function npm(cwd, words, timeout) {
  return spawnSync(NPM, words, { cwd, encoding: 'utf8', timeout, shell: process.platform === 'win32' });
}
