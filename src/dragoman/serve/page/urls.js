// URLs: the language of each, how sure, and what each part said.
import { get, post } from "./api.js";
import { at, copy, count, el, percent, save, unseen } from "./dom.js";
import { Hues, nameOf } from "./names.js";
import { slices } from "./offsets.js";

const EXAMPLE = [
  "http://www.wetter-in-kaernten.at/vorhersage/morgen.html",
  "http://www.recettes-faciles.net/gateau-au-chocolat",
  "http://cocina-casera.com/recetas/tortilla-de-patatas",
  "http://www.viaggi.example.it/offerte/ultimi-minuti",
  "http://www.gardening-tips.org/how-to/prune-roses.html",
  "http://www.nieuwbouw-utrecht.nl/woningen/huur/",
  "http://przepisy.example.pl/ciasta/sernik",
  "http://www.novosti-dnya.ru/politika/2024/",
  "http://example.com/x/17",
].join("\n");
const SHOWN = 100;
const BATCH = 2000;
const AT_A_TIME = 6;
const COLUMNS = 3;
const NEARLY = 2 / 3;
const LEAST = 0.25;

let rows = [];
let hues = new Hues();
let limit = SHOWN;
let turn = 0;

const lines = () => at("urls-in").value.split("\n").map((line) => line.trim()).filter((line) => line);

async function tell(event) {
  event?.preventDefault();
  const given = lines();
  const mine = ++turn;
  const status = at("urls-status");
  if (!given.length) {
    at("urls-out").hidden = true;
    status.textContent = "Paste one URL or more, or press Example.";
    return;
  }
  status.textContent = `Reading ${count(given.length)} URLs …`;
  const found = [];
  try {
    for (let start = 0; start < given.length; start += BATCH) {
      const told = await post("v1/urls", { urls: given.slice(start, start + BATCH) });
      if (mine !== turn) return;
      found.push(...told.results);
    }
  } catch (error) {
    if (mine === turn) status.textContent = error.message;
    return;
  }
  rows = found.map((one, place) => ({ ...one, place, why: null }));
  limit = SHOWN;
  const counts = tally(rows);
  hues = new Hues(counts.map(([language]) => language).filter((language) => language));
  languagesOf(counts);
  status.textContent = summary(counts);
  at("urls-find").value = "";
  at("urls-only").value = "";
  at("urls-out").hidden = false;
  draw();
}

function tally(found) {
  const counts = new Map();
  for (const { language } of found) counts.set(language ?? "", (counts.get(language ?? "") ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1]);
}

function summary(counts) {
  const said = counts.filter(([language]) => language);
  const first = said.slice(0, 4).map(([language, number]) => `${nameOf(language)} ${count(number)}`);
  if (said.length > 4) first.push(`${said.length - 4} more languages`);
  const silent = counts.find(([language]) => !language)?.[1] ?? 0;
  if (silent) first.push(`no answer ${count(silent)}`);
  return `${count(rows.length)} ${rows.length === 1 ? "URL" : "URLs"}: ${first.join(", ")}.`;
}

function languagesOf(counts) {
  const options = counts.map(([language, number]) =>
    el("option", { value: language || "-" }, `${language ? nameOf(language) : "No answer"} (${count(number)})`));
  at("urls-only").replaceChildren(el("option", { value: "" }, "All"), ...options);
}

function chosen() {
  const find = at("urls-find").value.trim().toLowerCase();
  const only = at("urls-only").value;
  const kept = rows.filter((row) =>
    (!find || row.url.toLowerCase().includes(find)) && (!only || (row.language ?? "-") === only));
  const sure = (row) => row.probability ?? -1;
  const orders = {
    given: (one, other) => one.place - other.place,
    language: (one, other) => nameOf(one.language).localeCompare(nameOf(other.language)) || sure(other) - sure(one),
    sure: (one, other) => sure(other) - sure(one),
    unsure: (one, other) => sure(one) - sure(other),
  };
  return kept.sort(orders[at("urls-sort").value]);
}

function draw() {
  const kept = chosen();
  const shown = kept.slice(0, limit);
  at("urls-list").replaceChildren(...shown.map(item));
  at("urls-more").hidden = kept.length <= limit;
  at("urls-more").textContent = `Show more (${count(kept.length - shown.length)} left)`;
  if (!kept.length) at("urls-list").append(el("li", { class: "empty" }, "No URL here matches."));
  sight.disconnect();
  waiting.length = 0;
  for (const row of at("urls-list").querySelectorAll("[data-place]")) sight.observe(row);
}

function item(row) {
  const panel = el("div", { class: "why", id: `why-${row.place}`, hidden: true });
  const button = el("button", {
    type: "button", class: "quiet", "aria-expanded": "false", "aria-controls": panel.id,
    on: { click: () => open(row, button, panel) },
  }, "Why", unseen(` ${row.url}`));
  const url = el("p", { class: "url", dir: "ltr" });
  row.draw = () => shade(url, row);
  row.draw();
  return el("li", { "data-place": row.place, vars: { "--hue": String(hues.of(row.language) ?? 0) }, class: row.language ? "" : "silent" },
    el("div", { class: "said" }, verdict(row), meter(row.probability)), url, button, panel);
}

function verdict(row) {
  if (row.error) return el("p", { class: "language" }, "Not readable", el("span", { class: "soft" }, ` ${row.error}`));
  if (!row.language) return el("p", { class: "language" }, row.probability === null ? "No evidence" : "Unsure");
  return el("p", { class: "language" }, nameOf(row.language), el("span", { class: "code" }, row.language));
}

function meter(share) {
  if (share === null || share === undefined) return el("p", { class: "share" }, unseen("no probability"));
  return el("p", { class: "share" },
    el("span", { class: "track", "aria-hidden": "true" }, el("span", { class: "fill", vars: { "--part": String(share) } })),
    el("span", { class: "number" }, percent(share)));
}

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

function marked(piece, said) {
  if (!said) return piece;
  return el("mark", {
    class: `s${said.strength}`, "data-code": said.language, vars: { "--hue": String(hues.of(said.language)) },
    title: `${nameOf(said.language)}, ${said.weight.toFixed(1)}`,
  }, piece, unseen(` (${nameOf(said.language)}) `));
}

/** The URL with its parts shaded by what they said; plain until that is known. */
function shade(node, row) {
  if (!row.why) {
    node.replaceChildren(row.url);
    return;
  }
  const loudest = loudestOf(row.why);
  node.replaceChildren(...slices(row.why.url ?? row.url, row.why.parts)
    .map(([piece, part]) => (part ? marked(piece, voice(part, row.language, loudest)) : piece)));
}

async function explain(row) {
  if (row.why || row.error) return;
  row.why = await get(`v1/url?u=${encodeURIComponent(row.url)}&why=true&top=5`);
  row.draw?.();
}

/** Rows that have come into sight and whose parts are still to be asked for; a few are asked about at a time. */
const waiting = [];
let busy = 0;

const sight = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    sight.unobserve(entry.target);
    const row = rows[Number(entry.target.dataset.place)];
    if (row && !row.why && !row.error) waiting.push(row);
  }
  while (busy < AT_A_TIME && waiting.length) work();
}, { rootMargin: "200px" });

async function work() {
  busy += 1;
  try {
    while (waiting.length) await explain(waiting.shift());
  } catch {
    waiting.length = 0;
  }
  busy -= 1;
}

async function open(row, button, panel) {
  const opening = panel.hidden;
  button.setAttribute("aria-expanded", String(opening));
  panel.hidden = !opening;
  if (!opening) return;
  if (!row.why) panel.replaceChildren(el("p", { class: "soft" }, "Asking …"));
  try {
    await explain(row);
    panel.replaceChildren(...reasons(row.why ?? { top: [], parts: [] }));
  } catch (error) {
    panel.replaceChildren(el("p", { class: "soft" }, error.message));
  }
}

/** The likeliest languages, and how much each part spoke for each of them. */
function reasons(why) {
  const top = why.top.map((one) => el("li", { vars: { "--hue": String(hues.of(one.language) ?? 0) } },
    el("span", { class: "name" }, nameOf(one.language), " ", el("span", { class: "code" }, one.language)),
    meter(one.probability)));
  const columns = why.top.slice(0, COLUMNS).map((one) => one.language);
  const cells = (one) => columns.map((language) => el("td", { class: "n" }, signed(one.weights?.[language] ?? (one.language === language ? one.weight : 0))));
  const loudest = loudestOf(why);
  const rows = why.parts.map((part) => el("tr", {},
    el("th", { scope: "row", dir: "ltr", class: "url" }, marked(part.text, voice(part, why.language, loudest))), ...cells(part)));
  const others = (why.others ?? []).filter((one) => one.language).map((one) => el("tr", {},
    el("th", { scope: "row", class: "soft" }, one.feature === "(prior)" ? "before reading" : one.feature), ...cells(one)));
  const head = ["Part", ...columns.map(nameOf)].map((one, place) => el("th", { scope: "col", class: place ? "n" : null }, one));
  return [
    el("div", {}, el("h3", {}, "Likeliest"), top.length ? el("ul", { class: "likeliest" }, ...top)
      : el("p", { class: "soft" }, "Nothing in this URL speaks for a language.")),
    el("div", {}, el("h3", {}, "What each part said"), rows.length
      ? el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows, ...others)))
      : el("p", { class: "soft" }, "No part of it said anything."),
    rows.length ? el("p", { class: "note" }, "Weights add up; 1 more makes a language 2.7 times likelier before calibration.") : null),
  ];
}

const signed = (weight) => (Math.abs(weight) < 0.005 ? "0" : `${weight > 0 ? "+" : "−"}${Math.abs(weight).toFixed(2)}`);

function tsv() {
  const clean = (text) => String(text ?? "").replace(/[\t\r\n]+/g, " ");
  const body = chosen().map((row) => [row.url, row.language, row.probability].map(clean).join("\t"));
  return `${["url\tlanguage\tprobability", ...body].join("\n")}\n`;
}

function json() {
  return `${JSON.stringify(chosen().map(({ url, language, probability, error }) =>
    ({ url, language, probability, ...(error ? { error } : {}) })), null, 1)}\n`;
}

export const urls = {
  start() {
    at("urls-form").addEventListener("submit", tell);
    at("urls-in").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) tell(event);
    });
    at("urls-example").addEventListener("click", () => {
      at("urls-in").value = EXAMPLE;
      tell();
    });
    at("urls-clear").addEventListener("click", () => {
      turn += 1;
      at("urls-in").value = "";
      at("urls-out").hidden = true;
      at("urls-status").textContent = "";
      at("urls-in").focus();
    });
    for (const [id, event] of [["urls-find", "input"], ["urls-only", "change"], ["urls-sort", "change"]]) {
      at(id).addEventListener(event, () => {
        limit = SHOWN;
        draw();
      });
    }
    at("urls-more").addEventListener("click", () => {
      const before = limit;
      limit += SHOWN;
      draw();
      at("urls-list").children[before]?.querySelector("button")?.focus();
    });
    at("urls-copy").addEventListener("click", async () => {
      const done = await copy(tsv());
      at("urls-status").textContent = done ? `${count(chosen().length)} rows copied.`
        : "The browser does not let this page copy: use Save TSV.";
    });
    at("urls-tsv").addEventListener("click", () => save("languages.tsv", "text/tab-separated-values", tsv()));
    at("urls-json").addEventListener("click", () => save("languages.json", "application/json", json()));
  },
};
