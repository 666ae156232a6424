'use strict';

// The platforms with a prebuilt native package, and the name of the current one.

/** The platforms by their napi names; `target` is Rust's name. */
const PLATFORMS = Object.freeze({
  'linux-x64-gnu': { target: 'x86_64-unknown-linux-gnu', os: 'linux', cpu: 'x64', libc: 'glibc' },
  'linux-arm64-gnu': {
    target: 'aarch64-unknown-linux-gnu',
    os: 'linux',
    cpu: 'arm64',
    libc: 'glibc',
  },
  'linux-x64-musl': { target: 'x86_64-unknown-linux-musl', os: 'linux', cpu: 'x64', libc: 'musl' },
  'linux-arm64-musl': {
    target: 'aarch64-unknown-linux-musl',
    os: 'linux',
    cpu: 'arm64',
    libc: 'musl',
  },
  'darwin-x64': { target: 'x86_64-apple-darwin', os: 'darwin', cpu: 'x64' },
  'darwin-arm64': { target: 'aarch64-apple-darwin', os: 'darwin', cpu: 'arm64' },
  'win32-x64-msvc': { target: 'x86_64-pc-windows-msvc', os: 'win32', cpu: 'x64' },
  'win32-arm64-msvc': { target: 'aarch64-pc-windows-msvc', os: 'win32', cpu: 'arm64' },
});

/** Returns the name of the package with the native addon of the platform. */
function packageName(platform) {
  return `@searchscope/${platform}`;
}

/** Returns the file name of the native command, which is beside the addon. */
function commandName(platform) {
  return platform.startsWith('win32') ? 'searchscope.exe' : 'searchscope';
}

/** Returns the name of the current platform, whether or not a package exists for it. */
function platformName({ platform, arch, report } = process) {
  if (platform === 'linux') return `linux-${arch}-${isGlibc(report) ? 'gnu' : 'musl'}`;
  return platform === 'win32' ? `win32-${arch}-msvc` : `${platform}-${arch}`;
}

/** Reads the C library from Node's own report, which needs no other process or file. */
function isGlibc(report) {
  const { excludeNetwork } = report;
  // Otherwise the report resolves the names of open connections, which can take seconds.
  report.excludeNetwork = true;
  try {
    return report.getReport().header.glibcVersionRuntime !== undefined;
  } catch {
    // Deno has a report only with --allow-sys; its programs for Linux use glibc.
    return true;
  } finally {
    report.excludeNetwork = excludeNetwork;
  }
}

module.exports = { PLATFORMS, commandName, packageName, platformName };
