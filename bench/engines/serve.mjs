// What the programs that stay and are written in JavaScript share: they are asked by lines, as
// `src/protocol.rs` says.

import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Where the kernel counts CPU time in other units than `getrusage`: 100 a second. */
const TICK_NS = 1e7;

const [, , ROOT, OPTIONS] = process.argv;

/** The tree that is asked about, and how a workspace on it is opened. */
export const root = ROOT;
export const options = JSON.parse(OPTIONS);

/**
 * Answers until the input ends. `answer(mode, calls)` gets names with arguments, and gives what it
 * takes to write each answer: text, or what is JSON.
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

/** Of this process and of those that it has started and that have ended. */
function cpuNs() {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  // The 16th and 17th field of the line, of which two are in front of the parenthesis.
  const children = Number(fields[13]) + Number(fields[14]);
  return (userCPUTime + systemCPUTime) * 1e3 + children * TICK_NS;
}

function memoryKib(field) {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}

/** Lets the peak begin anew, where the kernel offers it. */
function resetPeak() {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // The peak is that of the whole life then, which is never too little.
  }
}
