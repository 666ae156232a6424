// Formatting of numbers for people.

const encoder = new TextEncoder();

/** Bytes per token, measured on replies about code with a current vocabulary; accurate to 30 %. */
const TOKEN_BYTES = 3.4;

export function bytesOf(text) {
  return encoder.encode(text).length;
}

export function estimateTokens(bytes) {
  return Math.ceil(bytes / TOKEN_BYTES);
}

export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

export function bytes(number) {
  if (number < 1000) return `${number} B`;
  if (number < 1_000_000) return `${(number / 1000).toFixed(number < 10_000 ? 1 : 0)} kB`;
  return `${(number / 1_000_000).toFixed(1)} MB`;
}

export function duration(ms) {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([number]) => number > 0);
  return parts.slice(first, first + 2).map(([number, unit]) => `${number} ${unit}`).join(' ');
}

/** Returns the size of a form of the reply, such as `1.7 kB ≈ 506 tokens`. */
export function sizeOf(text) {
  const size = bytesOf(text);
  return `${bytes(size)} ≈ ${count(estimateTokens(size), 'token')}`;
}
