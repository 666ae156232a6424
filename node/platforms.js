'use strict';

// Which systems have a package with the native part built for them, and which of them this is.

/** By the name of the platform, as napi names them; `target` is Rust's name of it. */
const PLATFORMS = Object.freeze({
  'linux-x64-gnu': { target: 'x86_64-unknown-linux-gnu', os: 'linux', cpu: 'x64', libc: 'glibc' },
  'linux-arm64-gnu': {
    target: 'aarch64-unknown-linux-gnu',
    os: 'linux',
    cpu: 'arm64',
    libc: 'glibc',
  },
  'linux-x64-musl': { target: 'x86_64-unknown-linux-musl', os: 'linux', cpu: 'x64', libc: 'musl' },
  'darwin-x64': { target: 'x86_64-apple-darwin', os: 'darwin', cpu: 'x64' },
  'darwin-arm64': { target: 'aarch64-apple-darwin', os: 'darwin', cpu: 'arm64' },
  'win32-x64-msvc': { target: 'x86_64-pc-windows-msvc', os: 'win32', cpu: 'x64' },
});

/** The package that has the native part for the platform. */
function packageName(platform) {
  return `@searchscope/${platform}`;
}

/** The name of the file with the command for people, beside the native part. */
function commandName(platform) {
  return platform.startsWith('win32') ? 'searchscope.exe' : 'searchscope';
}

/** The name of the system that runs, whether or not there is a package for it. */
function platformName({ platform, arch, report } = process) {
  if (platform === 'linux') return `linux-${arch}-${isGlibc(report) ? 'gnu' : 'musl'}`;
  return platform === 'win32' ? `win32-${arch}-msvc` : `${platform}-${arch}`;
}

/** Node itself says which C library it runs on, so nothing has to be started or read to know. */
function isGlibc(report) {
  const { excludeNetwork } = report;
  // Otherwise the report looks up the names of open connections, which can take seconds.
  report.excludeNetwork = true;
  try {
    return report.getReport().header.glibcVersionRuntime !== undefined;
  } finally {
    report.excludeNetwork = excludeNetwork;
  }
}

module.exports = { PLATFORMS, commandName, packageName, platformName };
