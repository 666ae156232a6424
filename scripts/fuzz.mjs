// `npm run fuzz -- --minutes N [TARGETS]`: runs the fuzz targets one after the other, N minutes in all,
// or each for N seconds with `--seconds N`. Exits with 1 if one of them found something.

import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FUZZ_TOOLCHAIN, fuzzTargets, missingForFuzzing } from './lib/fuzz.mjs';
import { Advice, TOP, argumentsOf, main, output, run, runAndListen, say } from './lib/process.mjs';

const USAGE = 'npm run fuzz -- (--minutes N | --seconds N) [TARGET …]';

// An input that takes longer, or more memory, is a finding. The limits are generous: oracles and
// sanitizer take most of the time, and the machine may be busy.
const LIMITS = ['-timeout=120', '-report_slow_units=120', '-rss_limit_mb=2048'];

/** Targets would only truncate larger inputs. */
const INPUT_BYTES_MAX = 4096;

await main(async () => {
  const { targets, seed, secondsOf } = asked();
  const missing = missingForFuzzing();
  if (missing) throw new Advice(missing);
  say(`searchscope: building ${targets.length} targets …`);
  run('cargo', [FUZZ_TOOLCHAIN, 'fuzz', 'build', '--fuzz-dir', 'fuzz'], { env: environment() });
  const seconds = secondsOf(targets.length);
  const results = [];
  for (const target of targets) {
    say(`\n=== ${target}: ${seconds} s`);
    results.push({ target, ...(await fuzz(target, seconds, seed)) });
  }
  summarise(results);
});

/**
 * Returns the environment that makes the address sanitizer check the parsers too, which are C. Linux
 * only: elsewhere the sanitizer of the C compiler is not always the one of Rust.
 */
function environment() {
  if (process.platform !== 'linux') return process.env;
  return { ...process.env, CFLAGS: `${process.env.CFLAGS ?? ''} -fsanitize=address`.trim() };
}

function asked() {
  const number = { type: 'string' };
  const options = { minutes: number, seconds: number };
  const { values, positionals } = argumentsOf(USAGE, { options, allowPositionals: true });
  const [unit, ...others] = Object.keys(values);
  const amount = Number(values[unit]);
  if (!unit || others.length > 0 || !(amount > 0)) throw new Advice(USAGE);
  const known = fuzzTargets();
  const unknown = positionals.find((target) => !known.includes(target));
  if (unknown) throw new Advice(`unknown target "${unknown}"; known: ${known.join(', ')}`);
  const targets = positionals.length > 0 ? positionals : known;
  const shared = (n) => Math.max(1, Math.floor((amount * 60) / n));
  // A short run draws the same inputs each time, so its findings come from the change under test.
  const seed = unit === 'minutes' ? [] : ['-seed=1'];
  return { targets, seed, secondsOf: unit === 'minutes' ? shared : () => Math.ceil(amount) };
}

/** Runs one target and reads its statistics from the output of libFuzzer. */
async function fuzz(target, seconds, seed) {
  const of = (folder) => join('fuzz', folder, target);
  const [grown, artifacts] = [of('grown'), of('artifacts')];
  for (const folder of [grown, artifacts]) mkdirSync(join(TOP, folder), { recursive: true });
  const before = new Set(readdirSync(join(TOP, artifacts)));
  // libFuzzer writes new inputs to the first folder, which is not committed.
  const inputs = [grown, of('corpus'), of('regressions')].filter((path) => existsSync(join(TOP, path)));
  const { ok, end, lines } = await runAndListen(program(target), [
    ...inputs,
    ...LIMITS,
    ...seed,
    `-max_total_time=${seconds}`,
    `-max_len=${INPUT_BYTES_MAX}`,
    `-artifact_prefix=${artifacts}/`,
    '-print_final_stats=1',
  ], { isQuiet: true });
  const findings = readdirSync(join(TOP, artifacts)).filter((name) => !before.has(name));
  const result = { ...statistics(lines, seconds), findings: findings.map((name) => join(artifacts, name)) };
  if (!ok && findings.length === 0) result.findings.push(`exited with ${end}`);
  for (const line of ok ? [] : lines.filter(tells)) say(line);
  say(`${result.executions} executions, ${result.perSecond} a second, coverage ${result.coverage}, ${result.inputs} inputs`);
  return result;
}

/** Returns the path of the program that cargo built. */
function program(target) {
  const host = /^host: (.*)$/m.exec(output('rustc', ['-vV']) ?? '')?.[1];
  const folder = process.env.CARGO_TARGET_DIR ?? join('fuzz', 'target');
  return join(folder, host ?? '', 'release', target);
}

/** Returns whether a line describes a failure rather than progress. */
function tells(line) {
  return line.trim() !== '' && !/^(#\d|INFO:|stat::|\s*#\d+ 0x)/.test(line);
}

function statistics(lines, seconds) {
  const last = (pattern) => {
    const found = lines.findLast((line) => pattern.test(line));
    return found ? pattern.exec(found)[1] : '0';
  };
  const executions = Number(last(/^(?:stat::number_of_executed_units: +|#)(\d+)/));
  return {
    executions,
    perSecond: Math.round(executions / seconds),
    coverage: last(/cov: (\d+)/),
    inputs: last(/corp: (\d+)/),
  };
}

function summarise(results) {
  const rows = results.map((result) => [
    result.target,
    String(result.executions),
    String(result.perSecond),
    result.coverage,
    result.inputs,
    result.findings.length === 0 ? 'none' : String(result.findings.length),
  ]);
  const table = [['target', 'executions', 'a second', 'coverage', 'inputs', 'findings'], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  say('');
  for (const row of table) {
    const cells = row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at])));
    say(cells.join('  '));
  }
  const found = results.filter((result) => result.findings.length > 0);
  if (found.length === 0) return;
  process.exitCode = 1;
  for (const { target, findings } of found) say(`FOUND by ${target}: ${findings.join(', ')}`);
  say('Move each to fuzz/regressions/TARGET/ under a name that describes it; "cargo test" replays it there.');
}
