// The reading of `look`'s replies in text.

/**
 * Returns the rows of a reply, whether they match the question as written, whether it reports that the
 * topic is absent, the total (with `only: "count"`) and the next page.
 */
export function lookReply(text, only) {
  const lines = text.trimEnd().split('\n');
  const last = lines.at(-1);
  const rows = [];
  let path;
  for (const line of lines.slice(0, -1)) {
    const row = /^([> -])(\d+)(?:-(\d+))?(?:\[[^\]]*\])?: (.*)$/.exec(line);
    if (row) {
      if (rows.at(-1)?.path === path && rows.at(-1).line === undefined) rows.pop();
      const [, mark, from, to, shown] = row;
      rows.push({ path, line: Number(from), lineEnd: Number(to ?? from), text: shown, isDefinition: mark === '>' });
    } else if (!line.startsWith('#')) {
      path = line.split('\t')[0].replace(/ \(\d+\)$/, '');
      rows.push({ path });
    }
  }
  const remarks = lines.filter((line) => /^# (?:no |nothing |only )/.test(line));
  const total = only === 'count' ? (/(\d+) as written/.exec(last) ?? /(\d+) lines?/.exec(last)) : null;
  return {
    text,
    rows,
    isExact: remarks.length === 0,
    isAbsent: rows.length === 0 || remarks.some((line) => /^# no file has (?:both|all|any)/.test(line)),
    total: total ? Number(total[1]) : undefined,
    next: Number(/next: page (\d+)/.exec(last)?.[1]) || undefined,
  };
}
