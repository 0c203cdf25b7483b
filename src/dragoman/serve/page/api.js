// Questions to the service: JSON in, JSON out, and one line for people where something went wrong.

/** The service answered, and the answer was no. */
export class Refused extends Error {}
/** Nobody answered. */
export class Gone extends Error {}

const watchers = new Set();

/** Be told (true or false) whether the service answers. */
export const onReach = (call) => watchers.add(call);
const reached = (there) => watchers.forEach((call) => call(there));

async function ask(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { cache: "no-store", credentials: "omit", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    reached(false);
    throw new Gone("The service does not answer.");
  }
  reached(true);
  let body = null;
  try {
    body = await response.json();
  } catch {
    if (response.ok) throw new Refused("The service answered with something that is not JSON.");
  }
  if (!response.ok) throw new Refused(told(body) || `The service answered ${response.status}.`);
  return body;
}

function told(body) {
  if (body === null || typeof body !== "object") return "";
  if (typeof body.detail === "string") return body.detail;
  return typeof body.title === "string" ? body.title : "";
}

export const get = (path, signal) => ask(path, { signal });

export const post = (path, body, signal) =>
  ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });
