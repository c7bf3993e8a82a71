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

export const get = (path) => answer(fetch(path));

export const post = (path, body) =>
  answer(fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }));

export const remove = (path) => answer(fetch(path, { method: "DELETE" }));
