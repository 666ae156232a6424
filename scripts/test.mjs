// `npm test`, and `npm run test:long` with `--long`: sets up, runs every step, and ends with a summary
// of failed and skipped parts.
//
// --long        runs all parts of the long run instead
// --part NAME   runs one of them; may be repeated
// --parts       lists the parts
// --turn        prints the name of the part whose turn it is at this commit
// --peers       lists the programs that the tests compare with, one a line: PROGRAM apt|cargo PACKAGE [VERSION]

import { Advice, argumentsOf, main, runAndListen, say } from './lib/process.mjs';
import { PARTS, TEST_PEERS, partInTurn, partOf } from './lib/parts.mjs';
import { TEST_BUILD, setUp } from './lib/setup.mjs';
import { testSteps } from './lib/steps.mjs';

const USAGE = 'npm run test:long [-- --part NAME … | --parts | --turn]';

const SKIPPED = /SKIPPED: .*/;

/** The start of a line about a failure, from the tests of both languages and the compiler. */
const FAILED = /^\s*(✖ |test .* FAILED$|error(\[|:)|AssertionError|thread '.*' .*panicked at)/;
/** Maximum number of such lines that the summary repeats for a failed step. */
const FAILED_LINES_MAX = 20;

await main(async () => {
  const { parts, peers, isTurn } = asked();
  if (isTurn) return print([partInTurn().name]);
  if (peers) return print(peers.map((peer) => peer.join(' ')));
  if (!parts) return print(PARTS.map(({ name, steps }) => `${name}: ${steps().map((step) => step.name).join('; ')}`));
  const results = [];
  for (const { addon, steps, nBefore = Infinity } of parts) {
    await prepare(addon);
    const all = steps();
    const before = await inTurn(all.slice(0, nBefore), { isLive: true });
    // The next step beside the ones after it: a processor is idle where one long test runs alone. Not after a failed
    // build, which the next step tries again while others build.
    const rest = all.slice(nBefore);
    const count = before.every(({ ok }) => ok) ? 1 : rest.length;
    const [next, others] = await Promise.all([
      inTurn(rest.slice(0, count), { isLive: true }),
      inTurn(rest.slice(count), { isLive: false }),
    ]);
    results.push(...before, ...next, ...others);
  }
  summarise(results);
});

/**
 * Reads the arguments. Returns the `parts` to run, or the `peers` to list, or `isTurn` to name the part in turn, or
 * none of them to list the parts.
 */
function asked() {
  const flag = { type: 'boolean', default: false };
  const options = { long: flag, part: { type: 'string', multiple: true }, parts: flag, peers: flag, turn: flag };
  const { long, part = [], parts: isList, peers, turn: isTurn } = argumentsOf(USAGE, { options }).values;
  if (part.length > 0 && !long) throw new Advice(`--part is for the long run\n${USAGE}`);
  const named = part.map(partOf);
  const chosen = named.length > 0 ? named : PARTS;
  if (peers) return { peers: [...TEST_PEERS, ...(long ? chosen.flatMap((each) => each.peers ?? []) : [])] };
  if (isList || isTurn) return { isTurn };
  return { parts: long ? chosen : [{ addon: 'test', steps: testSteps, nBefore: 1 }] };
}

/** Makes the native part that the tests need, and lets those that build it make the same. */
async function prepare(addon) {
  if (addon === undefined) return;
  if (addon === 'test') process.env[TEST_BUILD] = '1';
  else delete process.env[TEST_BUILD];
  await setUp();
}

function print(lines) {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

/**
 * Runs steps one after the other and returns their results. A failed step does not stop the others: one run shows
 * all failures. The output of steps that are not live is written when they end, because others run beside them.
 */
async function inTurn(steps, { isLive }) {
  const results = [];
  for (const step of steps) {
    const heading = `\n=== ${step.name}`;
    if (isLive) say(step.skipped ? `${heading}\n${step.skipped}` : heading);
    const { lines, ...outcome } = await outcomeOf(step, { isQuiet: !isLive });
    if (!isLive) say([heading, ...lines].join('\n'));
    results.push({ name: step.name, ...outcome });
  }
  return results;
}

async function outcomeOf(step, options) {
  if (step.skipped) return { ok: true, skipped: [step.skipped], lines: [step.skipped] };
  const started = Date.now();
  const { ok, lines } = await runAndListen(step.program, step.args, options);
  const seconds = Math.round((Date.now() - started) / 1000);
  const skipped = lines.map((line) => SKIPPED.exec(line)?.[0]).filter(Boolean);
  const failed = ok ? [] : lines.filter((line) => FAILED.test(line)).slice(0, FAILED_LINES_MAX);
  return { ok, skipped, seconds, failed, lines };
}

function summarise(results) {
  say('\n=== Summary');
  for (const { name, ok, seconds = 0, failed = [] } of results) {
    say(`${ok ? 'passed' : 'FAILED'}  ${String(seconds).padStart(4)} s  ${name}`);
    for (const line of failed) say(`        ${line.trim()}`);
  }
  const skipped = new Set(results.flatMap((result) => result.skipped));
  for (const line of skipped) say(line);
  say(skipped.size === 0 ? 'Nothing was skipped.' : `${skipped.size} skipped.`);
  if (results.some((result) => !result.ok)) process.exitCode = 1;
}
