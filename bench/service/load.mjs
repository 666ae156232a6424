// The program that `npm run bench -- service` measures: callers of `look` and `search` in a workspace with an
// index, with the heaps, the gate and the idle memory of the service. Prints its memory as JSON, in bytes.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { Workspace, limitHeaps } from 'searchscope';

const require = createRequire(import.meta.url);
const { Gate } = require('../../server/gate.js');
const { HEAPS, IdleMemory } = require('../../server/idle-memory.js');

/** Interval at which memory is read. */
const SAMPLE_MS = 20;
/** Time after the last call until the memory at rest is read: `IdleMemory` returns it after a second. */
const REST_MS = 3000;
const KIB = 1024;

const [root, callers, seconds] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];

/** Questions of agents: names, words that most files have, a message, a topic, a path. */
const QUESTIONS = [
  'mutex_lock',
  'where is the page cache invalidated',
  'static int error return',
  'tcp_v4_rcv',
  'how does the scheduler pick the next task',
  'kmalloc failed: out of memory',
  'struct device driver data',
  'drivers/net/ethernet/intel/e1000',
  'EXPORT_SYMBOL_GPL',
  'read the status register after reset',
];
const SEARCHES = [
  { patterns: ['PM_RESUME'] },
  { patterns: ['spin_lock_irqsave'], mode: 'count' },
  { patterns: ['struct', 'device', 'error'], order: 'relevance' },
  { patterns: ['Copyright'], mode: 'files' },
  { patterns: ['static\\s+int\\s+\\w+_probe'], order: 'relevance' },
  { patterns: ['zzqqxx_does_not_exist'] },
];

const alone = memory();
limitHeaps(HEAPS);
const workspace = Workspace.open(root, { index: 'auto' });
const idle = new IdleMemory(() => gate.inFlight);
const gate = new Gate(64, { onLeave: () => idle.look() });

const building = await underLoad();
await workspace.warm();
const ready = await underLoad();
await sleep(REST_MS);
const rest = { ...beside(), index: workspace.indexStatus().memory_bytes };
workspace.close();
await sleep(REST_MS);
console.log(JSON.stringify({ alone, building, ready, rest, closed: memory() }));

/** Lets the callers call and returns the number of calls and the most memory beside the index. */
async function underLoad() {
  const load = { calls: 0, resident: 0, private: 0, until: performance.now() + seconds * 1000 };
  const calling = Promise.all(Array.from({ length: callers }, (_, caller) => callUntilOver(caller, load)));
  let isBusy = true;
  const sampling = (async () => {
    while (isBusy) {
      const now = beside();
      load.resident = Math.max(load.resident, now.resident);
      load.private = Math.max(load.private, now.private);
      await sleep(SAMPLE_MS);
    }
  })();
  await calling.finally(() => (isBusy = false));
  await sampling;
  return load;
}

/** Callers begin at different places, so that they do not ask in step. */
async function callUntilOver(caller, load) {
  for (let n = caller * 7; performance.now() < load.until; n += 1) {
    const [tool, args] =
      n % 2 === 0
        ? ['look', { q: QUESTIONS[(n / 2) % QUESTIONS.length] }]
        : ['search', SEARCHES[((n - 1) / 2) % SEARCHES.length]];
    await gate.run(() => workspace.callText(tool, args));
    load.calls += 1;
  }
}

/** Returns the memory beside the index. */
function beside() {
  const index = workspace.indexStatus().memory_bytes;
  const { resident, private: own } = memory();
  return { resident: resident - index, private: own - index };
}

/** Returns the resident memory, and the part of it that is no page of a file, such as the code of Node. */
function memory() {
  const status = readFileSync('/proc/self/status', 'utf8');
  const bytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * KIB;
  return { resident: bytes('VmRSS'), private: bytes('RssAnon') };
}
