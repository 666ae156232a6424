// Code shared by the resident programs in JavaScript. They read one request per line; `src/protocol.rs`
// has the format.

import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Nanoseconds of a tick: for children the kernel counts CPU time at 100 ticks a second. */
const TICK_NS = 1e7;

const [, , ROOT, OPTIONS] = process.argv;

/** The tree to search, and the options of its workspace. */
export const root = ROOT;
export const options = JSON.parse(OPTIONS);

/**
 * Answers until the input ends. `answer(mode, calls)` receives names with arguments and returns the
 * answer to each call: text, or a value to write as JSON.
 */
export async function serve(answer) {
  const baseline = memoryKib('VmRSS');
  for await (const line of createInterface({ input: process.stdin })) {
    const [mode, file, ...rest] = line.split('\t');
    const calls = [];
    for (let n = 0; n < rest.length; n += 2) calls.push([rest[n], JSON.parse(rest[n + 1])]);
    console.log(JSON.stringify(await sample(() => answer(mode, calls), file, baseline)));
  }
}

async function sample(answer, file, baseline) {
  try {
    resetPeak();
    const cpu = cpuNs();
    const started = process.hrtime.bigint();
    const answers = await answer();
    const wall = Number(process.hrtime.bigint() - started);
    const sample = {
      wall_ns: wall,
      cpu_ns: Math.round(cpuNs() - cpu),
      peak_kib: Math.max(0, memoryKib('VmHWM') - baseline),
    };
    if (file !== '') {
      for (const [n, answer] of answers.entries()) {
        writeFileSync(`${file}.${n}`, typeof answer === 'string' ? answer : JSON.stringify(answer));
      }
    }
    return sample;
  } catch (error) {
    return { error: String(error.message) };
  }
}

/** Returns the CPU time of this process and of its children that have ended. */
function cpuNs() {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  // Fields 16 and 17 of the line; two are before the parenthesis.
  const children = Number(fields[13]) + Number(fields[14]);
  return (userCPUTime + systemCPUTime) * 1e3 + children * TICK_NS;
}

function memoryKib(field) {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}

/** Resets the peak memory, where the kernel supports it. */
function resetPeak() {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // The peak is then that of the whole life of the process, which is never too little.
  }
}
