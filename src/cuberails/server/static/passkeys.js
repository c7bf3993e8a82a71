// Passkeys: what the browser wants as bytes comes and goes as base64url.

import { post } from "./ask.js";

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

// Browsers want https, or localhost, and a name: an address of numbers has no passkeys.
export const possible = Boolean(window.PublicKeyCredential) && isSecureContext && !/^(\d+(\.\d+){3}|\[.*\])$/.test(location.hostname);

// Only what is possible here is offered; true if passkeys are.
export function offer() {
  for (const node of document.querySelectorAll("[data-passkeys]")) node.hidden = !possible;
  for (const node of document.querySelectorAll("[data-no-passkeys]")) node.hidden = possible;
  return possible;
}

async function answered(question) {
  try {
    return await question;
  } catch (error) {
    if (error.name === "InvalidStateError") throw new Error("This device has a passkey for your account already.");
    if (error.name === "NotAllowedError" || error.name === "AbortError") throw new Error("No passkey was used; try again.");
    throw error;
  }
}

// A new passkey for an account with this name, or, to "add", for one's own
export async function makePasskey(purpose, name = "") {
  const { state, options } = await post("/api/account/passkey/ask", { for: purpose, name });
  const excluded = (options.excludeCredentials || []).map((key) => ({ ...key, id: bytes(key.id) }));
  const publicKey = { ...options, challenge: bytes(options.challenge), user: { ...options.user, id: bytes(options.user.id) }, excludeCredentials: excluded };
  const made = await answered(navigator.credentials.create({ publicKey }));
  const response = { clientDataJSON: text(made.response.clientDataJSON), attestationObject: text(made.response.attestationObject) };
  return { state, credential: { id: made.id, rawId: text(made.rawId), type: made.type, response } };
}

// Any passkey that this device has for this server
export async function usePasskey() {
  const { state, options } = await post("/api/account/passkey/ask", { for: "sign-in" });
  const publicKey = { ...options, challenge: bytes(options.challenge), allowCredentials: [] };
  const found = await answered(navigator.credentials.get({ publicKey }));
  const { clientDataJSON, authenticatorData, signature, userHandle } = found.response;
  const response = { clientDataJSON: text(clientDataJSON), authenticatorData: text(authenticatorData), signature: text(signature) };
  if (userHandle) response.userHandle = text(userHandle);
  return { state, credential: { id: found.id, rawId: text(found.rawId), type: found.type, response } };
}
