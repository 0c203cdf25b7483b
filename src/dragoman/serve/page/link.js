// The address of the page carries what was asked: #urls?u=...&threshold=.8 shows the same answers to whoever opens it.

const LONGEST = 6000;

/** The view that the address names, what stands behind its slash ("runs/my-crawl"), and the question it carries. */
export function route() {
  const [path, query = ""] = location.hash.slice(1).split(/\?(.*)/s);
  const [view, ...rest] = path.split("/");
  let more = "";
  try {
    more = decodeURIComponent(rest.join("/"));
  } catch {
    more = "";
  }
  return { view, more, question: new URLSearchParams(query) };
}

/** The address that asks this; null where it would be too long for the places that links are pasted into. */
export function linkTo(view, pairs) {
  const query = new URLSearchParams(pairs.filter(([, value]) => value !== "" && value !== null)).toString();
  const hash = query ? `#${view}?${query}` : `#${view}`;
  return hash.length > LONGEST ? null : hash;
}

/** Keep the address in step with the view without a new entry in the history; not if somebody has gone on to another. */
export function keep(view, pairs) {
  if ((route().view || "urls") !== view) return;
  const hash = linkTo(view, pairs) ?? `#${view}`;
  if (location.hash !== hash) history.replaceState(null, "", hash);
}
