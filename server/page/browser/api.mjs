// Client of the service: its tools, its state, and calls whose responses arrive line by line.

/** A call or request that the service refused, or that did not reach it. */
export class ServiceError extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, { cache: 'no-store', redirect: 'error', ...options });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ServiceError('the service does not respond; was it stopped?', 'unreachable');
  }
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  throw new ServiceError(error?.message ?? `the service responded with status ${response.status}`, error?.code);
}

export async function getTools() {
  return (await (await request('/page/tools')).json()).tools;
}

export async function getState(signal) {
  return (await request('/page/state', { signal })).json();
}

/** Calls a tool; `onEvent` gets each event of the response in order. */
export async function call(tool, args, { signal, onEvent, text = true }) {
  const response = await request('/page/call', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ tool, arguments: args, text }),
    signal,
  });
  let isWhole = false;
  for await (const event of eventsOf(response)) {
    if (event.event === 'end') isWhole = true;
    else onEvent(event);
  }
  if (!isWhole) throw new ServiceError('the service closed the connection before the end of the response', 'unreachable');
}

async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  // Parts of one line, joined at its end: joining at each part is quadratic in the length of the line.
  let parts = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = value.split('\n');
    parts.push(lines[0]);
    for (const line of lines.slice(1)) {
      yield JSON.parse(parts.join(''));
      parts = [line];
    }
  }
}

/** Calls a tool and returns its parsed reply; throws its error. For small replies that are not shown. */
export async function ask(tool, args, signal) {
  const results = [];
  let reply;
  let failed;
  await call(tool, args, {
    signal,
    text: false,
    onEvent(event) {
      if (event.event === 'reply') reply = JSON.parse(event.json);
      else if (event.event === 'results') results.push(...event.results);
      else if (event.event === 'report') reply = { results, ...event.report };
      else if (event.event === 'error' && event.form === 'json') failed = event.error;
    },
  });
  if (failed !== undefined) throw new ServiceError(failed.message, failed.code);
  return reply;
}
