// The scripted agent: one policy for all systems. It begins with the plainest query, reads the reply as
// an agent would, and sends another query only where the reply does not decide the question.

import { distance, fold } from './slips.mjs';

const CALLS_MAX = 6;
const EDITS_MAX = 2;
/** Number of files that an agent opens, in the order of the reply, to find the right one. */
const FILES_READ = 3;

/**
 * Answers a question with a system.
 *
 * Returns the conclusion (undefined where the agent gives up), the number of calls and the replies.
 */
export async function answer(system, question) {
  const replies = [];
  let conclusion;
  for (const ask of asksOf(question)) {
    if (conclusion !== undefined || replies.length === CALLS_MAX) break;
    let reply = await system.ask(ask);
    if (reply === undefined) continue;
    replies.push(reply);
    conclusion = judge(question, reply, replies);
    while (conclusion === undefined && reply.next && replies.length < CALLS_MAX) {
      reply = await system.ask({ ...ask, next: reply.next });
      replies.push(reply);
      conclusion = judge(question, reply, replies);
    }
  }
  conclusion ??= replies.every(({ rows }) => rows.length === 0) ? { nothing: true } : undefined;
  return { conclusion, replies };
}

/**
 * Returns the queries to try in turn until the question is decided. A system skips those that its replies
 * cover already.
 */
function asksOf({ kind, ask, dir = '.' }) {
  const looser = [
    { find: 'text', text: ask, anyCase: true },
    { find: 'pattern', pattern: anyNaming(ask) },
    { find: 'text', text: ask.slice(0, Math.ceil((ask.length * 2) / 3)), anyCase: true },
  ];
  switch (kind) {
    case 'definition':
      return [{ find: 'definition', text: ask }, { find: 'text', text: ask }, ...looser];
    case 'text':
      return [
        { find: 'text', text: ask },
        { find: 'text', text: ask, anyCase: true },
        { find: 'text', text: ask.split(' ').slice(0, 3).join(' '), anyCase: true },
        { find: 'text', text: ask.split(' ').slice(-3).join(' '), anyCase: true },
      ];
    case 'file':
      return [
        { find: 'file', text: ask },
        { find: 'file', text: ask.slice(0, Math.ceil(ask.length / 2)) },
        { find: 'file', text: ask.slice(Math.floor(ask.length / 2)) },
      ];
    case 'count':
      return [{ find: 'count', text: ask }];
    case 'uses':
      return [{ find: 'files', text: ask, dir }];
    case 'words':
      return [{ find: 'words', words: ask.split(' ') }];
    case 'rough':
      return [{ find: 'question', text: ask }];
    default:
      return [{ find: 'text', text: ask }, ...looser];
  }
}

/** Returns a regular expression for the name in any naming style. */
function anyNaming(name) {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[ _-]+/);
  return words.map((word) => word.replace(/\W/g, '\\$&')).join('[_-]?');
}

/** Returns the conclusion of an agent from the replies so far; undefined where it needs another query. */
function judge(question, reply, replies) {
  const { kind, ask } = question;
  const [first] = reply.rows;
  switch (kind) {
    case 'definition':
      return definitionIn(ask, reply);
    case 'count':
      return reply.total === undefined ? undefined : { number: reply.total };
    case 'uses':
      if (reply.next) return undefined;
      return { files: [...new Set(replies.flatMap(({ rows }) => rows.map(({ path }) => path)))] };
    case 'absent':
      return reply.isExact && first && reply.rows.some(({ text }) => has(text, ask)) ? { place: first } : undefined;
    case 'file':
      return first && isLike(ask, first.path) ? { place: first } : undefined;
    case 'text':
      return phraseIn(ask, reply);
    case 'rough':
      return (reply.isAbsent ?? reply.rows.length === 0) ? { nothing: true } : { rows: reply.rows };
    default:
      return first && { files: [...new Set(reply.rows.map(({ path }) => path))].slice(0, FILES_READ) };
  }
}

function has(text, wanted) {
  return (text ?? '').toLowerCase().includes(wanted.toLowerCase());
}

const DEFINES =
  /\b(?:fn|struct|enum|trait|class|function|interface|type|const|static|let|var|def|define|void|unsafe)\b[\w\s*<>&]*?\b([A-Za-z_]\w*)/g;

/**
 * Returns the first row that defines the name, or one that differs by a slip. The row is marked as a
 * definition or has the form of one.
 */
function definitionIn(name, { rows }) {
  const names = (text) => (text ?? '').match(/[A-Za-z_]\w*/g) ?? [];
  const fits = (row, isLikeIt) =>
    (row.isDefinition && names(row.text).some(isLikeIt)) ||
    [...(row.text ?? '').matchAll(DEFINES)].some(([, defined]) => isLikeIt(defined));
  const steps = [
    (other) => other === name,
    (other) => fold(other) === fold(name),
    (other) => distance(fold(other), fold(name)) <= EDITS_MAX,
  ];
  for (const isLikeIt of steps) {
    const row =
      rows.find((row) => row.isDefinition && fits(row, isLikeIt)) ?? rows.find((row) => fits(row, isLikeIt));
    if (row) return { place: row };
  }
  return undefined;
}

function isLike(ask, path) {
  const name = path.split('/').at(-1).replace(/\..*$/, '');
  return fold(name).includes(fold(ask.replace(/\..*$/, ''))) || distance(fold(name), fold(ask)) <= EDITS_MAX;
}

/** Returns the first row with the phrase, or with its first words at the end of a line and its last in the next. */
function phraseIn(phrase, { rows }) {
  const whole = rows.find(({ text }) => has(text, phrase));
  if (whole) return { place: whole };
  const words = phrase.split(' ');
  const begins = rows.find(({ text }) => has((text ?? '').trimEnd().slice(-phrase.length), words.slice(0, 3).join(' ')));
  const ends = rows.find(({ text }) => has(text, words.slice(-3).join(' ')));
  return begins || ends ? { place: begins ?? ends } : undefined;
}

/** Reports whether the conclusion is right. */
export function isRight({ kind, answer }, conclusion) {
  if (conclusion === undefined) return false;
  const { place, nothing, number, files } = conclusion;
  switch (kind) {
    case 'rough':
      return isRoughlyRight(answer, conclusion);
    case 'absent':
      return nothing === true;
    case 'count':
      return number === answer.number;
    case 'uses':
      return files !== undefined && [...files].sort().join('\n') === [...answer.files].sort().join('\n');
    case 'file':
      return answer.files.includes(place?.path);
    case 'words':
      return files !== undefined && files.some((file) => answer.files.includes(file));
    case 'text':
      return place !== undefined && answer.places.includes(`${place.path}:${place.line}`);
    default:
      return place?.path === answer.file && answer.lines.includes(place.line);
  }
}

/** Judges the reply to a rough question by the answer that rough.mjs describes. */
function isRoughlyRight({ files, within, line, places, nothing }, conclusion) {
  if (nothing || conclusion.nothing) return nothing === true && conclusion.nothing === true;
  const { rows } = conclusion;
  if (places) return places.includes(`${rows[0].path}:${rows[0].line}`);
  const first = [...new Set(rows.map(({ path }) => path))].slice(0, within);
  const right = rows.filter(({ path }) => first.includes(path) && files.includes(path));
  const numbered = right.filter((row) => row.line !== undefined);
  if (line === undefined || numbered.length === 0) return right.length > 0;
  return numbered.some((row) => row.line <= line && line <= (row.lineEnd ?? row.line));
}
