'use strict';

/** Maximum edit distance of a suggestion, as a share of the letters. */
const EDITS_SHARE = 0.4;
const NAMES_MAX = 3;
/** Longer words are not misspelt names, and comparing them costs the product of the lengths. */
const WORD_LENGTH_MAX = 100;

/**
 * Returns up to three of `names` as suggestions for `word`, nearest first: names that differ by a few
 * edits, or that contain the word.
 */
function nearest(word, names) {
  if (word.length > WORD_LENGTH_MAX) return [];
  const wanted = word.toLowerCase();
  return names
    .map((name) => ({ name, edits: distance(wanted, name.toLowerCase()) }))
    .filter(({ name, edits }) => {
      const isPart = wanted.length > 2 && name.toLowerCase().includes(wanted);
      return isPart || edits <= Math.max(name.length, word.length) * EDITS_SHARE;
    })
    .sort((a, b) => a.edits - b.edits)
    .slice(0, NAMES_MAX)
    .map(({ name }) => name);
}

/** Returns the Levenshtein distance of two words. */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[b.length];
}

module.exports = { nearest };
