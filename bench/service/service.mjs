// `npm run bench -- service`: the memory of a service under load. bench/README.md explains the method.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Advice, TOP, say } from '../../scripts/lib/process.mjs';

const CALLERS = 8;
const SECONDS = 36;
const MIB = 1024 * 1024;
/** Goals: MiB beside the index, under load and at rest. */
const GOALS = { load: 100, rest: 60 };

/** Measures the service on the Linux source and prints the table. Returns whether it reaches its goals. */
export function measureService({ corpora, seconds = SECONDS }) {
  if (!corpora.linux.root) throw new Advice(corpora.linux.version);
  const program = join(TOP, 'bench', 'service', 'load.mjs');
  const done = spawnSync(process.execPath, [program, corpora.linux.root, `${CALLERS}`, `${seconds}`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (done.status !== 0) throw new Advice('the service could not be measured; the reason is above.');
  const { alone, building, ready, rest, closed } = JSON.parse(done.stdout);
  console.log(
    `Memory of a service with ${CALLERS} callers of look and search for ${seconds} seconds each, with an index ` +
      `of ${mib(rest.index)} MiB; Node alone has ${mib(alone.resident)} MiB, ${mib(alone.private)} of them private.\n`,
  );
  console.log('| state | calls | MiB beside the index | private | goal | |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  const rows = [
    row('under load, the index being built', building.calls, building, GOALS.load),
    row('under load, with the index', ready.calls, ready, GOALS.load),
    row('at rest', '', rest, GOALS.rest),
  ];
  console.log(`| closed | | ${mib(closed.resident)} | ${mib(closed.private)} | | |`);
  const isReached = rows.every(Boolean);
  if (!isReached) say('searchscope: the service does not reach its goals for memory.');
  return isReached;
}

/** Prints a row and returns whether it reaches its goal. */
function row(state, calls, memory, goal) {
  const missing = memory.resident - goal * MIB;
  const verdict = missing <= 0 ? 'goal' : `missed by ${mib(missing)}`;
  console.log(`| ${state} | ${calls} | ${mib(memory.resident)} | ${mib(memory.private)} | ${goal} | ${verdict} |`);
  return missing <= 0;
}

function mib(bytes) {
  return (bytes / MIB).toFixed(0);
}
