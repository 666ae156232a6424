// Wine: the Windows in which tests for that system run, and the tests that it cannot run.

import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER } from './foreign.mjs';
import { TOP, output, run } from './process.mjs';

const WINE_PREFIX = join(TOP, FOLDER, 'wine');

const MANY_FILES = "it opens thousands of files, each with several requests to wine's server";

/**
 * Unit tests of a few seconds that take up to three minutes under wine, where each file operation and each
 * change of threads is a request to its server: part of their path, and the reason.
 */
export const SLOW_UNDER_WINE = {
  no_task_is_left_undone_while_results_wait_for_the_consumer: 'it changes threads for each of its tasks',
  a_deadline_leaves_a_cursor_that_makes_progress: MANY_FILES,
  a_deadline_makes_progress_through_unwanted_entries: MANY_FILES,
  a_deadline_returns_the_results_so_far_and_reports_it: MANY_FILES,
  a_deadline_with_nothing_found_is_an_error_of_find_and_grep: MANY_FILES,
  a_stopped_listing_returns_no_newest_files: MANY_FILES,
  a_stream_has_the_results_of_the_reply: MANY_FILES,
  a_summary_of_many_files_counts_them_all: MANY_FILES,
  pages_return_unchanged_files_once_while_others_change: MANY_FILES,
  the_number_of_threads_changes_nothing_and_limits_cut_prefixes: MANY_FILES,
  'document::tests::threads_do_not_change_the_reply': MANY_FILES,
  unchanged_files_are_returned_once_while_others_change: MANY_FILES,
};

/** Files of Node tests that run under wine, the likeliest to fail first. */
export const NODE_TESTS_UNDER_WINE = [
  'load',
  'call',
  'cli',
  'methods',
  'queue',
  'stream',
  'stream-signal',
  'signal',
  'exit',
  'index',
  'idle-memory',
  'index-log',
  'native',
  'launcher',
  'overlay',
  'parse',
  'gate',
  'printable',
  'tar',
  'worker',
];

const SERVES = 'it starts services, which do not end under wine';
const BUILDS = 'it starts cargo, npm or a browser, which are programs of this system';
const COMPARES = 'it compares paths, names and links of POSIX';
const THE_SAME = 'it tests files of the repository, not the platform';

/** The other files, each with the reason why it does not run under wine. */
export const NODE_TESTS_WITHOUT_WINE = {
  bench: BUILDS,
  'call-threads': BUILDS,
  'context-get': SERVES,
  'context-host': SERVES,
  'context-rpc': SERVES,
  'context-stateless': SERVES,
  'dead-mount': 'it mounts file systems of Linux',
  declarations: THE_SAME,
  docs: THE_SAME,
  'docs-examples': SERVES,
  'docs-facts': THE_SAME,
  'docs-guides': SERVES,
  documents: COMPARES,
  'documents-calls': COMPARES,
  'documents-differences': COMPARES,
  errors: THE_SAME,
  examples: SERVES,
  'mcp-clients': SERVES,
  'mcp-conformance': SERVES,
  'mcp-http': SERVES,
  'mcp-install': COMPARES,
  'mcp-peers': SERVES,
  'mcp-progress': SERVES,
  'mcp-sets': SERVES,
  'mcp-stateless': SERVES,
  'mcp-stdio': SERVES,
  node10: THE_SAME,
  package: BUILDS,
  page: BUILDS,
  'page-search': BUILDS,
  'page-parts': THE_SAME,
  'page-service': SERVES,
  panic: BUILDS,
  platforms: BUILDS,
  python: BUILDS,
  scripts: BUILDS,
  'serve-command': SERVES,
  'serve-guard': SERVES,
  'serve-hostile': SERVES,
  'serve-http': SERVES,
  'serve-log': SERVES,
  'serve-stop': SERVES,
  'server-layers': THE_SAME,
  soak: THE_SAME,
  'terminal-picture': COMPARES,
  workflows: THE_SAME,
};

/** Wine's program for 64 bits: its place on Debian, or its name where it is absent. */
export const WINE = ['/usr/lib/wine/wine64', '/usr/bin/wine64'].find(existsSync) ?? 'wine64';

export const WINE_ENVIRONMENT = {
  WINEPREFIX: WINE_PREFIX,
  WINEDEBUG: '-all',
  WINEDLLOVERRIDES: 'mscoree,mshtml,winemenubuilder.exe=',
};

/**
 * Random numbers for wine 8: Rust's standard library takes them from a library that this version lacks.
 */
const RANDOM_NUMBERS = `#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T n) {
  return SystemFunction036(bytes, (ULONG)n);
}
`;

/** Time after which a program that prepares wine hangs. */
const PREPARATION_MS_MAX = 180_000;

/** Makes a Windows of wine below the build folder. */
export function prepareWine() {
  if (existsSync(join(WINE_PREFIX, 'ready'))) return;
  mkdirSync(WINE_PREFIX, { recursive: true });
  const bound = { timeout: PREPARATION_MS_MAX, killSignal: 'SIGKILL' };
  const options = { env: { ...process.env, ...WINE_ENVIRONMENT }, ...bound };
  run(WINE, ['wineboot', '-i'], options);
  run(WINE, ['winecfg', '-v', 'win10'], options);
  const system = join(WINE_PREFIX, 'drive_c', 'windows', 'system32');
  const source = join(WINE_PREFIX, 'random.c');
  writeFileSync(source, RANDOM_NUMBERS);
  const library = join(system, 'bcryptprimitives.dll');
  run('x86_64-w64-mingw32-gcc', ['-shared', '-O2', '-o', library, source, '-ladvapi32']);
  const zlib = '/usr/x86_64-w64-mingw32/lib/zlib1.dll';
  if (existsSync(zlib)) copyFileSync(zlib, join(system, 'zlib1.dll'));
  writeFileSync(join(WINE_PREFIX, 'ready'), '');
}

/** Ends all programs of that Windows. */
export function endWine() {
  const server = '/usr/lib/wine/wineserver64';
  if (existsSync(server)) output(server, ['-k'], { env: { ...process.env, ...WINE_ENVIRONMENT } });
}
