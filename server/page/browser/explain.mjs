// Notes on a reply: skipped entries with reasons, warnings, and possible actions.

import { bytes, count } from './sizes.mjs';

/** Texts for the reasons of skipping, each with the argument that includes such entries. */
const SKIPPED = {
  ignored: ['excluded by ignore files', 'no_ignore'],
  hidden: ['hidden', 'hidden'],
  binary: ['binary'],
  too_large: ['larger than file_bytes_max'],
  symlink: ['symlinks not followed', 'follow'],
  unreadable: ['unreadable'],
  undecodable_name: ['names that are not UTF-8'],
  special: ['special files, such as sockets'],
  too_deep: ['too deep'],
  denied: ['denied, such as possible credentials'],
  worktree: ['git worktrees inside the root', 'worktrees'],
};

/** Reasons that are highlighted. */
const BAD = ['unreadable', 'too_deep'];

/** Returns notes `{text, include?, label?, isBad?}`; `include` are arguments for another call. */
export function explainReply(tool, reply, args) {
  const skipped = reply.skipped ?? reply.stats?.skipped ?? {};
  return [
    ...texts(reply.why_nothing).map((text) => ({ text, isBad: true })),
    ...Object.entries(skipped).flatMap(([reason, number]) => skippedNote(tool, reason, number, args)),
    ...looked(reply),
    ...texts(reply.warnings).map((text) => ({ text, isBad: true })),
    ...texts(reply.diagnostics ?? reply.scope?.diagnostics).map((text) => ({ text })),
    ...(reply.tree_changed === true ? [{ text: 'Files on earlier pages have changed since.', isBad: true }] : []),
    ...languages(reply.no_grammar),
    ...(timedOut(reply) ? [{ text: 'The time ran out; there may be more results.', isBad: true }] : []),
    ...(hasMore(reply) ? [{ text: 'There are more results than the limit of this call allows.' }] : []),
  ];
}

/** Texts for the states of the index. */
const INDEX = {
  off: 'off; each call reads the tree',
  cold: 'cold; the first calls build it',
  building: 'building',
  ready: 'ready',
};

/** Returns the state of the index as pairs of a name and a text. */
export function explainIndex({ state, directories, files, memory_bytes: memory, left_out: left, not_watched: why }) {
  const pairs = [['State', INDEX[state] ?? state]];
  if (state === 'off') return pairs;
  pairs.push(['Contents', `${count(files, 'file')} in ${count(directories, 'directory', 'directories')}`]);
  pairs.push(['Memory', bytes(memory)]);
  if (left > 0) pairs.push(['Not indexed', `${count(left, 'directory', 'directories')}: memory limit reached`]);
  if (why) pairs.push(['Not watched', `${why}; each call checks every file`]);
  return pairs;
}

function skippedNote(tool, reason, number, args) {
  if (typeof number !== 'number' || number === 0) return [];
  const [words, param] = SKIPPED[reason] ?? [reason.replaceAll('_', ' ')];
  const canInclude = param !== undefined && ['search', 'find'].includes(tool) && args.scope === undefined;
  const include = canInclude ? { [param]: true, cursor: undefined } : undefined;
  const text = `Skipped ${count(number, 'entry', 'entries')}: ${words}`;
  return [{ text, include, label: `Include (${param})`, isBad: BAD.includes(reason) }];
}

function looked(reply) {
  const files = reply.searched_files ?? reply.files_searched ?? reply.stats?.searched_files;
  if (typeof files !== 'number' || files === 0) return [];
  const filtered = reply.filtered_files > 0 ? `; ${count(reply.filtered_files, 'file')} excluded by filters` : '';
  return [{ text: `Searched ${count(files, 'file')}${filtered}` }];
}

function languages(noGrammar) {
  if (noGrammar === undefined || noGrammar.files === 0) return [];
  const names = (noGrammar.first ?? []).join(', ');
  return [{ text: `No grammar for ${count(noGrammar.files, 'file')}, such as ${names}` }];
}

function timedOut({ timed_out: a, timedOut: b, data }) {
  return a === true || b === true || data?.aborted_reason !== undefined;
}

function hasMore(reply) {
  const { probablyHasMoreMatchingEntries: a, probablyHasMoreMatchingFiles: b, truncated, meta, data } = reply;
  return [a, b, truncated, meta?.truncated, data?.truncated].includes(true);
}

function texts(list) {
  if (!Array.isArray(list)) return [];
  return list.map((one) => (typeof one === 'string' ? one : (one.message ?? JSON.stringify(one))));
}
