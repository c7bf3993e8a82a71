// Requests to the server. A refusal is an Error with the server's own sentence.

export class Refusal extends Error {
  constructor(code, sentence) {
    super(sentence);
    this.code = code;
  }
}

async function answer(request) {
  let response;
  try {
    response = await request;
  } catch {
    throw new Refusal("offline", "The server cannot be reached; it will be tried again.");
  }
  const json = (response.headers.get("content-type") || "").startsWith("application/json");
  const body = json ? await response.json() : await response.text();
  if (!response.ok) throw new Refusal(body.error || "error", body.message || `The server said ${response.status}.`);
  return body;
}

// The server-sent events of one answer, until it ends: each is handed to what `hears` it by its kind.
export async function follow(path, hears, signal) {
  let response;
  try {
    response = await fetch(path, { signal });
  } catch (error) {
    throw signal.aborted ? error : new Refusal("offline", "The server cannot be reached; it will be tried again.");
  }
  if (!response.ok) return answer(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
    const events = (rest + value).split("\n\n");
    rest = events.pop();
    for (const [, kind, data] of events.map((event) => event.match(/^event: (\w+)\ndata: (.*)$/))) hears[kind]?.(JSON.parse(data));
  }
  return undefined;
}

export const get = (path) => answer(fetch(path));

export const post = (path, body) =>
  answer(fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }));

export const remove = (path) => answer(fetch(path, { method: "DELETE" }));
