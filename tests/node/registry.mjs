// A local registry for npm: it serves the installed packages and others that a test adds, so that a real
// installation needs no network.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TOP } from './helpers.mjs';

/** Larger than any of our tarballs. */
const TARBALL_BYTES_MAX = 1 << 27;

/** Starts a registry; `folders` contain the additional packages. */
export async function startRegistry(t, folders) {
  const temporary = mkdtempSync(join(tmpdir(), 'searchscope-registry-'));
  const packages = new Map();
  for (const folder of [...installedFolders(), ...folders]) addPackage(packages, folder);
  const server = http.createServer((request, response) => {
    answer(packages, temporary, request).then(
      ({ status, body }) => response.writeHead(status).end(body),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    rmSync(temporary, { recursive: true, force: true });
  });
  return `http://127.0.0.1:${server.address().port}`;
}

function installedFolders() {
  const lock = JSON.parse(readFileSync(join(TOP, 'package-lock.json'), 'utf8'));
  // The others are links to the packages of this repository, and these packages.
  const isForeign = ([path, { link }]) => path.startsWith('node_modules/') && !link;
  const paths = Object.entries(lock.packages).filter(isForeign).map(([path]) => path);
  return paths.map((path) => join(TOP, path)).filter((folder) => existsSync(folder));
}

function addPackage(packages, folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const versions = packages.get(manifest.name) ?? new Map();
  versions.set(manifest.version, { folder, manifest });
  packages.set(manifest.name, versions);
}

/**
 * Answers a request: `/name` is the description of a package in all its versions, `/-/name/version` its
 * tarball.
 */
async function answer(packages, temporary, { url, headers }) {
  const [tarball, name, version] = /^\/(-\/)?(@[^/]+\/[^/]+|[^/]+)(?:\/(.+))?$/
    .exec(decodeURIComponent(url))
    .slice(1);
  const versions = packages.get(name);
  if (versions === undefined) return { status: 404, body: '{"error":"not found"}' };
  if (tarball) return { status: 200, body: await tarballOf(versions.get(version), temporary) };
  const described = {};
  for (const [version, { manifest }] of versions) {
    const integrity = await integrityOf(versions.get(version), temporary);
    const dist = { tarball: `http://${headers.host}/-/${name}/${version}`, integrity };
    const hasInstallScript = manifest.scripts?.install !== undefined;
    described[version] = { ...manifest, hasInstallScript, dist };
  }
  const latest = [...versions.keys()].at(-1);
  const body = JSON.stringify({ name, 'dist-tags': { latest }, versions: described });
  return { status: 200, body };
}

async function integrityOf(entry, temporary) {
  const hash = createHash('sha512').update(await tarballOf(entry, temporary));
  return `sha512-${hash.digest('base64')}`;
}

/** By folder, shared by the registries of a test: packing takes time and might produce other bytes. */
const tarballs = new Map();

function tarballOf({ folder }, temporary) {
  const packed = tarballs.get(folder) ?? pack(folder, mkdtempSync(join(temporary, 'package-')));
  tarballs.set(folder, packed);
  return packed;
}

/** Packs a folder. An npm tarball contains a directory `package`, whatever the name. */
async function pack(folder, work) {
  symlinkSync(folder, join(work, 'package'));
  const words = ['-chz', '--exclude=package/node_modules', '-C', work, '-f', '-', 'package'];
  const options = { encoding: 'buffer', maxBuffer: TARBALL_BYTES_MAX };
  return (await promisify(execFile)('tar', words, options)).stdout;
}
