// Writes tar archives (POSIX ustar, compressed by gzip) whose bytes depend on the contents alone: entries are
// sorted by name and have no times and no owner, and a mode is 755 or 644.

import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const BLOCK_BYTES = 512;
const NAME_BYTES_MAX = 100;
const FILE = '0';
const LINK = '2';
const DIRECTORY = '5';

/** Returns the archive of `name` in the directory `parent`. */
export function tarball(parent, name) {
  const end = Buffer.alloc(2 * BLOCK_BYTES);
  const archive = gzipSync(Buffer.concat([...entries(parent, name), end]), { level: 9 });
  // The byte of the header that names the operating system: unknown.
  archive[9] = 255;
  return archive;
}

/** Returns the blocks of an entry and of all below it. */
function entries(parent, name) {
  const path = join(parent, name);
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return [header({ name, type: LINK, mode: 0o777, link: readlinkSync(path) })];
  if (stat.isDirectory()) {
    const names = readdirSync(path).sort();
    const below = names.flatMap((child) => entries(parent, `${name}/${child}`));
    return [header({ name: `${name}/`, type: DIRECTORY, mode: 0o755 }), ...below];
  }
  const content = readFileSync(path);
  const mode = stat.mode & 0o100 ? 0o755 : 0o644;
  const padding = Buffer.alloc((BLOCK_BYTES - (content.length % BLOCK_BYTES)) % BLOCK_BYTES);
  return [header({ name, type: FILE, mode, size: content.length }), content, padding];
}

function header({ name, type, mode, size = 0, link = '' }) {
  const block = Buffer.alloc(BLOCK_BYTES);
  const put = (text, offset, max) => {
    if (Buffer.byteLength(text) > max) throw new Error(`"${text}" has more than ${max} bytes`);
    block.write(text, offset);
  };
  const putNumber = (value, offset, width) => put(value.toString(8).padStart(width - 1, '0'), offset, width - 1);
  put(name, 0, NAME_BYTES_MAX);
  putNumber(mode, 100, 8);
  putNumber(0, 108, 8);
  putNumber(0, 116, 8);
  putNumber(size, 124, 12);
  putNumber(0, 136, 12);
  put(type, 156, 1);
  put(link, 157, NAME_BYTES_MAX);
  put('ustar\u000000', 257, 8);
  // The checksum is calculated with spaces in its place.
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 8);
  return block;
}
