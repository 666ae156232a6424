'use strict';

const { createHash } = require('node:crypto');

const DIGEST_CHARS = 8;

/**
 * Returns the version of a server with a digest of the lists that its clients may keep, as build metadata. Clients
 * that share a store of lists tell servers apart by name and version, and two servers of one version can have
 * different tools.
 */
function versionWith(version, lists) {
  const digest = createHash('sha256').update(JSON.stringify(lists)).digest('hex');
  return `${version}+${digest.slice(0, DIGEST_CHARS)}`;
}

module.exports = { versionWith };
