// Elements from values. Text only ever goes in as text: nothing here reads HTML, so no URL or page can bring markup in.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, call] of Object.entries(value)) node.addEventListener(event, call);
    else if (name === "vars") for (const [key, one] of Object.entries(value)) node.style.setProperty(key, one);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return node;
}

/** An HTML element with attributes ("on": listeners, "vars": CSS variables) and children (nodes or text). */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A button: its face (nodes or text), and what a click does. */
export const button = (face, click, attributes = {}) => el("button", { type: "button", on: { click }, ...attributes }, face);

/** What is said below something, smaller than it. */
export const note = (...text) => el("p", { class: "note" }, ...text);

/** Buttons in a row. */
export const actions = (...buttons) => el("div", { class: "actions" }, ...buttons);

/** A table that scrolls for itself: heads, and rows of cells of which the first is a heading. A cell is text or a node of its own. */
export function table(label, heads, rows, numbers = true) {
  const cell = (value, place) => (value instanceof HTMLTableCellElement ? value
    : place ? el("td", { class: numbers ? "n" : null }, value) : el("th", { scope: "row" }, value));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, el("table", {},
    el("thead", {}, el("tr", {}, ...heads.map((head, place) => el("th", { scope: "col", class: numbers && place ? "n" : null }, head)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map(cell))))));
}

/** A line of a list: a name, a bar as long as `part` of the whole, what stands behind it; the colour is one of CSS. */
export const barLine = (name, part, number, more, colour = "var(--fill)") => el("li", {}, el("span", { class: "name" }, name),
  el("span", { class: "track", "aria-hidden": "true" }, part ? el("span", { class: "fill", vars: { "--part": String(part), background: colour } }) : null),
  el("span", { class: "number" }, number), more);

/** Go on with what comes of a question to the service; where nothing does, say why and offer to ask again. */
export async function attempt(view, question, then) {
  const again = () => attempt(view, question, then);
  at(`${view}-status`).textContent = "Asking …";
  try {
    then(await question());
    at(`${view}-status`).textContent = "";
  } catch (error) {
    at(`${view}-status`).textContent = error.message;
    at(`${view}-out`).replaceChildren(actions(button("Try again", again, { class: "primary" })));
  }
}

export const at = (id) => document.getElementById(id);

/** Text for screen readers alone. */
export const unseen = (text) => el("span", { class: "sr" }, text);

/** A share as people read it: 97.3 %, and > 99.9 % rather than a 100.0 % that is not true. */
export function percent(share, digits = 1) {
  if (share === null || share === undefined || Number.isNaN(share)) return "unknown";
  const full = (100).toFixed(digits);
  const text = (100 * share).toFixed(digits);
  if (share > 0 && Number(text) === 0) return `< ${(10 ** -digits).toFixed(digits)} %`;
  if (text === full && share < 1) return `> ${(100 - 10 ** -digits).toFixed(digits)} %`;
  return `${text} %`;
}

export const count = (number) => (number === null || number === undefined ? "unknown" : number.toLocaleString("en"));

/** Seconds as people say them: 45 s, 12 min, 3 h 20 min, 2 d 5 h. */
export function duration(seconds) {
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  const parts = [[Math.floor(minutes / 1440), "d"], [Math.floor(minutes / 60) % 24, "h"], [minutes % 60, "min"]];
  const first = parts.findIndex(([number]) => number);
  return parts.slice(first, first + 2).filter(([number]) => number).map(([number, unit]) => `${number} ${unit}`).join(" ");
}

/** 12000 as 12k. */
export function short(number) {
  for (const [size, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (Math.abs(number) >= size) return `${Number((number / size).toPrecision(3))}${letter}`;
  }
  return String(Number(number.toPrecision(3)));
}

/** Give somebody a file. */
export function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Put text on the clipboard; false where the browser does not let us. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
