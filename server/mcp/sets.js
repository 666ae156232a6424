'use strict';

const { invalidParam, nearest } = require('searchscope/internal');

/**
 * The tools of the set `agent`: one searches, one reads. They cost an agent about 800 tokens of context,
 * and it need not choose between tools that do nearly the same.
 */
const AGENT = Object.freeze(['look', 'read']);
const AGENT_SET = 'agent';
const WHOLE_TABLE = 'all';

const FORMS = `give '${AGENT_SET}', '${WHOLE_TABLE}' or names of tools`;

/**
 * Returns the tools of the table that `wanted` names, in table order: `agent`, `all`, the name of a tool,
 * or several of these as an array or separated by commas.
 */
function chooseTools(table, wanted) {
  const known = table.map((tool) => tool.name);
  const chosen = new Set(wordsOf(wanted).flatMap((word) => namesOf(word, known)));
  return table.filter((tool) => chosen.has(tool.name));
}

/** Returns the words of a selection of tools, at least one. */
function wordsOf(wanted) {
  const items = Array.isArray(wanted) ? wanted : [wanted];
  if (!items.every((item) => typeof item === 'string')) {
    throw invalidParam('tools', `'tools' must be a string or an array of strings: ${FORMS}`);
  }
  const words = items.flatMap((item) => item.split(',')).map((word) => word.trim());
  if (words.length === 0 || words.includes('')) {
    throw invalidParam('tools', `'tools' must not be empty: ${FORMS}`);
  }
  return words;
}

function namesOf(word, known) {
  if (word === WHOLE_TABLE) return known;
  if (word === AGENT_SET) return AGENT;
  if (known.includes(word)) return [word];
  const choices = [AGENT_SET, WHOLE_TABLE, ...known];
  const near = nearest(word, choices).map((name) => `'${name}'`);
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}? ` : '';
  const message = `'tools' names an unknown tool '${word}'; ${hint}known: ${choices.join(', ')}`;
  throw invalidParam('tools', message);
}

/**
 * Returns the message for a call of `name`, which is not one of the `served` tools: either a tool of the
 * table that the operator can add, or an unknown name.
 */
function explainUnknown(name, served, table) {
  const names = (tools) => tools.map((tool) => tool.name);
  const set = names(served);
  const known = `known: ${set.join(', ')}`;
  if (served.length === table.length) return `unknown tool '${name}'; ${known}`;
  const exists = names(table).includes(name);
  const which = exists ? 'this service was started without it; ' : '';
  return (
    `unknown tool '${name}'; ${which}${known}; the operator widens the set with --tools ` +
    `${[...set, exists ? name : 'NAME'].join(',')} or --tools ${WHOLE_TABLE} ` +
    `(createMcpService: the option tools)`
  );
}

module.exports = { AGENT_SET, chooseTools, explainUnknown };
