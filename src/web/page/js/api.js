// The server: questions and answers as JSON, and the events of a search.

/** What the server says of a request that it does not answer. */
export class ApiError extends Error {
  constructor({ message, field, line, column, help }, status) {
    super(message);
    Object.assign(this, { field, line, column, help, status });
  }

  /** The message with its place and what to do about it. */
  get inFull() {
    const place = this.line ? `line ${this.line}, column ${this.column}: ` : '';
    return place + this.message + (this.help ? `\n${this.help}` : '');
  }
}

async function failure(response) {
  try {
    return new ApiError((await response.json()).error, response.status);
  } catch {
    return new ApiError({ message: `the server answered with status ${response.status}` }, response.status);
  }
}

function request(path, body, signal, accept = 'application/json') {
  const headers = { accept, 'content-type': 'application/json' };
  return fetch(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
}

export async function get(path) {
  const response = await fetch(path);
  if (!response.ok) throw await failure(response);
  return response.json();
}

export async function post(path, body, signal) {
  const response = await request(path, body, signal);
  if (!response.ok) throw await failure(response);
  return response.json();
}

/** The events of a search, each with a name and a value; the last one is its record. */
export async function* searching(body, signal) {
  const response = await request('/api/solve', body, signal, 'text/event-stream');
  if (!response.ok) throw await failure(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop();
    for (const block of blocks) {
      const event = readEvent(block);
      if (event?.name === 'error') throw new ApiError(event.value.error, 422);
      if (event) yield event;
    }
  }
}

function readEvent(block) {
  const fields = Object.fromEntries(block.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
  }));
  return fields.event && { name: fields.event, value: JSON.parse(fields.data) };
}
