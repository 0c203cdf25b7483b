// Why a URL got its answer: the parts of the address that helped or hurt it, in the address itself and as a table.
import { get } from "./api.js";
import { el, note, percent, unseen } from "./dom.js";
import { coloured, nameOf } from "./names.js";
import { slices } from "./offsets.js";

const COLUMNS = 3;
const NEARLY = 2 / 3;
const LEAST = 0.25;
const SHOWN = 400;
/** No probability is shown as 100 %: none is. */
const NEVER_ALL = 0.999999;
const asked = new Map();

/** What the parts of a URL said, asked for once per URL and choice of languages. */
export async function explain(url, codes) {
  const query = new URLSearchParams({ u: url, why: "true", top: "5" });
  if (codes.length) query.set("languages", codes.join(","));
  const key = query.toString();
  if (!asked.has(key)) {
    if (asked.size > 500) asked.clear();
    asked.set(key, await get(`v1/url?${key}`));
  }
  return asked.get(key);
}

/** Percent-escapes as the letters they stand for; what is no UTF-8, or would not be seen, stays an escape. */
export function decoded(text) {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      const letters = decodeURIComponent(escapes);
      return /[\p{C}\p{Z}%/?#&=]/u.test(letters) ? escapes : letters;
    } catch {
      return escapes;
    }
  });
}

/** A URL for people: decoded, and cut where it is so long that it would bury the others. */
export const legible = (url) => {
  const text = decoded(url);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)} … ${url.length.toLocaleString("en")} characters` : text;
};

/**
 * What a part said: the language it spoke for most, or the answer's where that is nearly as loud (sisters share words);
 * null where it said little beside the loudest part.
 */
export function voice(part, answer, loudest) {
  const forAnswer = part.weights?.[answer] ?? 0;
  const [language, weight] = forAnswer >= NEARLY * part.weight ? [answer, forAnswer] : [part.language, part.weight];
  if (!language || weight < LEAST * loudest) return null;
  return { language, weight, strength: Math.min(4, Math.max(1, Math.ceil((4 * weight) / loudest))) };
}

const loudestOf = (why) => Math.max(...why.parts.map((part) => part.weight), 1);

function marked(piece, spoken) {
  if (!spoken) return decoded(piece);
  return el("mark", {
    class: `s${spoken.strength}`, "data-code": spoken.language, vars: coloured(spoken.language),
    title: `${nameOf(spoken.language)}, ${spoken.weight.toFixed(1)}`,
  }, decoded(piece), unseen(` (${nameOf(spoken.language)}) `));
}

/** The URL with its parts shaded by what they said; plain until that is known. */
export function shade(node, url, why, answer) {
  if (!why || url.length > SHOWN) {
    node.replaceChildren(legible(url));
    return;
  }
  const loudest = loudestOf(why);
  node.replaceChildren(...slices(why.url ?? url, why.parts)
    .map(([piece, part]) => (part ? marked(piece, voice(part, answer, loudest)) : decoded(piece))));
}

/** A bar as long as a probability, and the probability. */
export function meter(share) {
  if (share === null || share === undefined) return el("p", { class: "share" }, unseen("no probability"));
  return el("p", { class: "share" },
    el("span", { class: "track", "aria-hidden": "true" }, el("span", { class: "fill", vars: { "--part": String(share) } })),
    el("span", { class: "number" }, percent(Math.min(share, NEVER_ALL))));
}

/** The likeliest languages, each with its bar. */
export const likeliest = (top) => el("ul", { class: "likeliest" }, ...top.map(({ language, probability }) => el("li", { vars: coloured(language) },
  el("span", { class: "name" }, nameOf(language), " ", el("span", { class: "code" }, language)), meter(probability))));

/** The likeliest languages, and how much each part spoke for each; what moved the answer first, the rest on request. */
export function reasons(why) {
  const columns = why.top.slice(0, COLUMNS).map(({ language }) => language);
  const loudest = loudestOf(why);
  const others = (why.others ?? []).filter((other) => other.language).map((other) => ({ ...other, text: null }));
  const rows = [...why.parts, ...others].map((part) => ({ part, spoken: voice(part, why.language ?? columns[0], loudest) }));
  const moved = rows.filter(({ spoken }) => spoken);
  const quiet = rows.filter(({ spoken }) => !spoken);
  const weights = (part) => columns.map((language) => el("td", { class: "n" }, signed(part.weights?.[language] ?? (part.language === language ? part.weight : 0))));
  const line = ({ part, spoken }) => el("tr", {}, part.text === null
    ? el("th", { scope: "row", class: "soft" }, part.feature === "(prior)" ? "before reading" : part.feature)
    : el("th", { scope: "row", dir: "ltr", class: "url" }, marked(part.text, spoken)), ...weights(part));
  const head = ["Part", ...columns.map(nameOf)].map((name, place) => el("th", { scope: "col", class: place ? "n" : null }, name));
  const grid = (lines) => el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...lines.map(line))));
  const rest = () => el("details", { class: "rest" }, el("summary", {}, `${quiet.length} that said little`), grid(quiet).cloneNode(true));
  return [
    el("div", {}, el("h3", {}, "Likeliest"), why.top.length ? likeliest(why.top)
      : el("p", { class: "soft" }, "Nothing in this URL speaks for a language.")),
    el("div", {}, el("h3", {}, "What helped or hurt"), moved.length ? grid(moved) : el("p", { class: "soft" }, "No part of it said much."),
      moved.length ? note("Weights add up; 1 more makes a language 2.7 times likelier before calibration.") : null,
      quiet.length ? rest() : null),
  ];
}

const signed = (weight) => (Math.abs(weight) < 0.005 ? "0" : `${weight > 0 ? "+" : "−"}${Math.abs(weight).toFixed(2)}`);
