// Evaluates samples of a process: whether its memory, handles or threads keep growing.

/** Minimum number of samples: with fewer, calls in flight decide the median. */
const SAMPLES_MIN = 60;
/** Tolerated difference of the memory medians, in kilobytes and as a fraction of the whole. */
const MEMORY_NOISE = { kilobytes: 2048, part: 0.02 };
/** Tolerated difference in the minimum number of handles or threads, however long the soak was. */
const FEWEST_NOISE = 1;

/** Parses a line of a program's output as a sample; null if it is not one. */
export function sampleOf(line) {
  const numbers = line.trim().split(/\s+/).map(Number);
  if (numbers.length !== 4 || numbers.some(Number.isNaN)) return null;
  const [memory, handles, threads, calls] = numbers;
  return { memory, handles, threads, calls };
}

/**
 * Compares the middle third of the samples with the last; the first third is for warming up. For handles
 * and threads the minimum of each third counts: temporary ones do not change it, and each leaked one
 * raises it for good, however many calls there are per leak.
 */
export function trendOf(samples) {
  const third = Math.floor(samples.length / 3);
  if (third < 1) return { problems: ['fewer than three samples'] };
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(-third)];
  const both = (name, choose) => [middle, last].map((part) => choose(part.map((sample) => sample[name])));
  const memory = both('memory', median);
  const [handles, threads] = [both('handles', fewest), both('threads', fewest)];
  const calls = samples.at(-1).calls;
  const problems = [];
  if (calls <= samples[0].calls) problems.push('no calls were made');
  const isJudged = samples.length >= SAMPLES_MIN;
  if (isJudged) {
    const room = Math.max(MEMORY_NOISE.kilobytes, memory[0] * MEMORY_NOISE.part);
    if (memory[1] - memory[0] > room) problems.push(`memory grows: ${memory} KB`);
    if (handles[1] - handles[0] > FEWEST_NOISE) problems.push(`open handles grow: ${handles}`);
    if (threads[1] - threads[0] > FEWEST_NOISE) problems.push(`threads grow: ${threads}`);
  }
  return { memory, handles, threads, calls, isJudged, problems };
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function fewest(numbers) {
  return numbers.reduce((least, number) => Math.min(least, number));
}
