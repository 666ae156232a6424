// A web server that searches in two ways: the documents of a directory below /context, for people,
// programs and agents, and one route of its own, GET /places?text=…
//
//   node express.mjs DIRECTORY [PORT]

import { once } from 'node:events';
import express from 'express';
import { SearchscopeError, Workspace } from 'searchscope';
import { contextRouter } from 'searchscope-server/context';

const [directory = '.', port = '3000'] = process.argv.slice(2);
const workspace = Workspace.open(directory);
const app = express();

app.use('/context', contextRouter({ docsRoot: directory }, console));

app.get('/places', async (req, res) => {
  // A client that hangs up does not need the rest of the search.
  const hungUp = new AbortController();
  res.on('close', () => hungUp.abort());
  const request = { patterns: [String(req.query.text ?? '')], matches_max: 100, deadline_ms: 2000 };
  try {
    const reply = await workspace.call('search', request, { signal: hungUp.signal });
    const places = reply.matches.map(({ path, line, text }) => ({ path, line, text }));
    res.json({ places, complete: reply.complete });
  } catch (error) {
    if (hungUp.signal.aborted) return;
    if (!(error instanceof SearchscopeError)) throw error;
    const { code, message } = error;
    res.status(code === 'internal' ? 500 : 400).json({ code, message });
  }
});

// Any client of this server can read the directory, so it listens on the loopback interface only.
const server = app.listen(Number(port), '127.0.0.1');
await once(server, 'listening');
console.log(`http://127.0.0.1:${server.address().port}`);
