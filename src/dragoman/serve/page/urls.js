// URLs: the language of each, how sure, and what each part said; answered while somebody types.
import { post } from "./api.js";
import { at, copy, count, el, save, unseen } from "./dom.js";
import { keep, linkTo } from "./link.js";
import { codesOf, coloured, nameOf, namesIn, noLanguage, offerNames } from "./names.js";
import { explain, legible, meter, reasons, shade } from "./reasons.js";
import { drawWays, urlWays } from "./same.js";

const EXAMPLES = [
  ["a word", "https://example.com/aktuelles"],
  ["a country", "https://www.apple.com/br/iphone"],
  ["a code", "https://www.bbc.com/persian/"],
  ["escapes", "https://example.org/%D0%BD%D0%BE%D0%B2%D0%BE%D1%81%D1%82%D0%B8/%D0%BF%D0%BE%D0%B3%D0%BE%D0%B4%D0%B0"],
  ["a headline", "https://example.net/2024/05/como-hacer-una-tortilla-de-patatas.html"],
  ["a host", "http://www.wetter-in-kaernten.at/vorhersage/morgen.html"],
  ["no code", "https://example.com/it-services/"],
  ["nothing", "https://bit.ly/3xYz"],
];
const SHOWN = 100;
const BATCH = 2000;
const AT_A_TIME = 6;
/** Lines up to which every key is answered; more wait for the button. */
const WHILE_TYPING = 500;
const PAUSE = 60;

let rows = [];
let limit = SHOWN;
let turn = 0;
let timer = 0;
/** The language that an address asks to see alone, until there are answers. */
let carried = null;
/** What was asked: the URLs, the languages to choose among, the threshold (null: the model's own). */
let asked = { urls: [], codes: [], threshold: null };

const typed = () => at("urls-in").value.split("\n").map((line) => line.trim()).filter((line) => line);
const own = () => at("urls-threshold").dataset.own ?? "";

function settings() {
  const { codes, unknown } = codesOf(at("urls-languages").value);
  const slider = at("urls-threshold");
  return { codes, unknown, threshold: slider.dataset.moved ? Number(slider.value) / 100 : null };
}

/** True where these answers to this question are shown already: drawing them again would take a button from under a click. */
const shownAlready = (lines, codes, answers) => codes.join() === asked.codes.join() && lines.join("\n") === asked.urls.join("\n")
  && rows.length === answers.length && answers.every((answer, place) => JSON.stringify(answer) === rows[place].said);

async function tell() {
  clearTimeout(timer);
  const lines = typed();
  const mine = ++turn;
  const status = at("urls-status");
  const { codes, unknown, threshold } = settings();
  const urls = lines.length ? lines : EXAMPLES.map(([, url]) => url);
  if (unknown.length) {
    status.textContent = noLanguage(unknown[0]);
    return;
  }
  if (urls.length > BATCH) status.textContent = `Reading ${count(urls.length)} URLs …`;
  const answers = [];
  try {
    for (let start = 0; start < urls.length; start += BATCH) {
      const { results } = await post("v1/urls", { urls: urls.slice(start, start + BATCH), top: 1, ...(codes.length ? { languages: codes } : {}) });
      if (mine !== turn) return;
      answers.push(...results);
    }
  } catch (error) {
    if (mine === turn) status.textContent = error.message;
    return;
  }
  if (threshold === asked.threshold && carried === null && shownAlready(lines, codes, answers)) {
    tellSummary();
    return;
  }
  asked = { urls: lines, codes, threshold };
  rows = answers.map((answer, place) => ({ ...answer, said: JSON.stringify(answer), given: urls[place], place, why: null }));
  limit = SHOWN;
  at("h-urls-found").textContent = lines.length ? "Answers" : "For example";
  at("urls-tools").hidden = !lines.length;
  at("urls-out").hidden = false;
  decide();
}

/** Apply the threshold to what the model said, then draw: no question is needed for that. */
function decide() {
  const { threshold } = settings();
  asked.threshold = threshold;
  for (const row of rows) {
    const [best] = row.top ?? [];
    row.answer = threshold === null ? row.language : best && best.probability >= threshold ? best.language : null;
    row.perhaps = row.answer ? null : best?.language ?? null;
  }
  offerLanguages(tally());
  tellSummary();
  keep("urls", pairs());
  draw();
}

const pairs = () => [...asked.urls.map((url) => ["u", url]), ["languages", asked.codes.join(",")],
  ["threshold", asked.threshold === null ? "" : String(asked.threshold)],
  ["find", at("urls-find").value], ["only", at("urls-only").value], ["order", at("urls-sort").value === "given" ? "" : at("urls-sort").value]];

function tally() {
  const counts = new Map();
  for (const { answer } of rows) counts.set(answer ?? "", (counts.get(answer ?? "") ?? 0) + 1);
  return [...counts].sort((first, second) => second[1] - first[1]);
}

function tellSummary() {
  at("urls-status").textContent = asked.urls.length ? summary(tally()) : "";
}

function summary(counts) {
  const languages = counts.filter(([language]) => language);
  const parts = languages.slice(0, 4).map(([language, number]) => `${nameOf(language)} ${count(number)}`);
  if (languages.length > 4) parts.push(`${languages.length - 4} more languages`);
  const silent = counts.find(([language]) => !language)?.[1] ?? 0;
  if (silent) parts.push(`no answer ${count(silent)}`);
  return `${count(rows.length)} ${rows.length === 1 ? "URL" : "URLs"}: ${parts.join(", ")}.`;
}

function offerLanguages(counts) {
  const chosen = carried ?? at("urls-only").value;
  carried = null;
  const options = counts.map(([language, number]) =>
    el("option", { value: language || "-" }, `${language ? nameOf(language) : "No answer"} (${count(number)})`));
  at("urls-only").replaceChildren(el("option", { value: "" }, "All"), ...options);
  at("urls-only").value = counts.some(([language]) => (language || "-") === chosen) ? chosen : "";
}

function chosenRows() {
  const find = at("urls-find").value.trim().toLowerCase();
  const only = at("urls-only").value;
  const matching = rows.filter((row) => (!find || row.given.toLowerCase().includes(find) || legible(row.given).toLowerCase().includes(find))
    && (!only || (row.answer ?? "-") === only));
  const sure = (row) => row.probability ?? -1;
  const orders = {
    given: (first, second) => first.place - second.place,
    language: (first, second) => nameOf(first.answer).localeCompare(nameOf(second.answer)) || sure(second) - sure(first),
    sure: (first, second) => sure(second) - sure(first),
    unsure: (first, second) => sure(first) - sure(second),
  };
  return matching.sort(orders[at("urls-sort").value]);
}

function draw() {
  const matching = chosenRows();
  const shown = matching.slice(0, limit);
  at("urls-list").replaceChildren(...shown.map(item));
  at("urls-more").hidden = matching.length <= limit;
  at("urls-more").textContent = `Show more (${count(matching.length - shown.length)} left)`;
  if (!matching.length) at("urls-list").append(el("li", { class: "empty" }, "No URL here matches."));
  sight.disconnect();
  waiting.length = 0;
  for (const row of at("urls-list").querySelectorAll("[data-place]")) sight.observe(row);
  if (at("urls-same").open) ways();
}

function item(row) {
  const panel = el("div", { class: "why", id: `why-${row.place}`, hidden: true });
  const button = el("button", {
    type: "button", class: "quiet", "aria-expanded": "false", "aria-controls": panel.id,
    on: { click: () => open(row, button, panel) },
  }, "Why", unseen(` ${row.given}`));
  const url = el("p", { class: "url", dir: "ltr", title: row.given.slice(0, 2000) });
  row.draw = () => shade(url, row.given, row.why, row.answer ?? row.perhaps);
  row.draw();
  if (row.opened) open(row, button, panel);
  return el("li", { "data-place": row.place, vars: coloured(row.answer), class: row.answer ? "" : "silent" },
    el("div", { class: "said" }, verdict(row), meter(row.probability)), url, button, panel);
}

function verdict(row) {
  if (row.error) return el("p", { class: "language" }, "Not read", el("span", { class: "soft" }, ` ${row.error}`));
  if (row.answer) return el("p", { class: "language" }, nameOf(row.answer), el("span", { class: "code" }, row.answer));
  if (row.probability === null || !row.perhaps) return el("p", { class: "language" }, "No evidence");
  return el("p", { class: "language" }, "Unsure", el("span", { class: "soft" }, `, perhaps ${nameOf(row.perhaps)}`));
}

async function ask(row) {
  if (row.why || row.error) return;
  row.why = await explain(row.given, asked.codes);
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
    while (waiting.length) await ask(waiting.shift());
  } catch {
    waiting.length = 0;
  }
  busy -= 1;
}

async function open(row, button, panel) {
  const opening = panel.hidden;
  button.setAttribute("aria-expanded", String(opening));
  panel.hidden = !opening;
  row.opened = opening;
  if (!opening) return;
  if (!row.why) panel.replaceChildren(el("p", { class: "soft" }, "Asking …"));
  try {
    await ask(row);
    panel.replaceChildren(...reasons(row.why ?? { top: [], parts: [] }));
  } catch (error) {
    panel.replaceChildren(el("p", { class: "soft" }, error.message));
  }
}

function ways() {
  const urls = asked.urls.length ? asked.urls.slice(0, 20) : [EXAMPLES[0][1]];
  drawWays(at("urls-ways"), urlWays(urls, asked.codes, asked.threshold));
}

function tsv() {
  const clean = (text) => String(text ?? "").replace(/[\t\r\n]+/g, " ");
  const body = chosenRows().map((row) => [row.given, row.answer, row.probability].map(clean).join("\t"));
  return `${["url\tlanguage\tprobability", ...body].join("\n")}\n`;
}

function json() {
  return `${JSON.stringify(chosenRows().map(({ given, answer, probability, error }) =>
    ({ url: given, language: answer, probability, ...(error ? { error } : {}) })), null, 1)}\n`;
}

async function tellCopied(text, what, otherwise) {
  at("urls-status").textContent = (await copy(text)) ? what : otherwise;
}

function showThreshold() {
  const slider = at("urls-threshold");
  at("urls-threshold-now").textContent = `${slider.value} %${slider.dataset.moved ? "" : " (the model's own)"}`;
}

function ownThreshold() {
  delete at("urls-threshold").dataset.moved;
  at("urls-threshold").value = own();
  showThreshold();
}

/** Take what the address carries: URLs, languages, threshold. */
function take(question) {
  at("urls-in").value = question.getAll("u").join("\n");
  at("urls-languages").value = namesIn(question);
  at("urls-find").value = question.get("find") ?? "";
  carried = question.get("only") ?? "";
  const order = [...at("urls-sort").options].find(({ value }) => value === question.get("order"));
  at("urls-sort").value = order?.value ?? "given";
  ownThreshold();
  const threshold = Number(question.get("threshold") || NaN);
  if (threshold >= 0 && threshold <= 1) {
    at("urls-threshold").value = String(Math.round(100 * threshold));
    at("urls-threshold").dataset.moved = "yes";
    showThreshold();
  }
}

function typing() {
  clearTimeout(timer);
  const number = typed().length;
  if (number <= WHILE_TYPING) timer = setTimeout(tell, PAUSE);
  else at("urls-status").textContent = `${count(number)} URLs: press “Tell the languages”.`;
}

export const urls = {
  reads: "urls",
  start(model) {
    const slider = at("urls-threshold");
    slider.dataset.own = String(Math.round(100 * (model?.threshold ?? 0)));
    ownThreshold();
    offerNames();
    at("urls-chips").append(...EXAMPLES.map(([name, url]) => el("button", {
      type: "button", class: "chip", title: legible(url),
      on: { click: () => { at("urls-in").value = url; tell(); } },
    }, name)));
    at("urls-form").addEventListener("submit", (event) => { event.preventDefault(); tell(); });
    at("urls-in").addEventListener("input", typing);
    at("urls-in").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) tell();
    });
    at("urls-languages").addEventListener("change", tell);
    slider.addEventListener("input", () => { slider.dataset.moved = "yes"; showThreshold(); decide(); });
    at("urls-own").addEventListener("click", () => { ownThreshold(); decide(); });
    at("urls-example").addEventListener("click", () => { at("urls-in").value = EXAMPLES.map(([, url]) => url).join("\n"); tell(); });
    at("urls-clear").addEventListener("click", () => { at("urls-in").value = ""; tell(); at("urls-in").focus(); });
    for (const [id, event] of [["urls-find", "input"], ["urls-only", "change"], ["urls-sort", "change"]]) {
      at(id).addEventListener(event, () => { limit = SHOWN; draw(); keep("urls", pairs()); });
    }
    at("urls-more").addEventListener("click", () => {
      const before = limit;
      limit += SHOWN;
      draw();
      at("urls-list").children[before]?.querySelector("button")?.focus();
    });
    at("urls-same").addEventListener("toggle", () => { if (at("urls-same").open) ways(); });
    at("urls-copy").addEventListener("click", () => tellCopied(tsv(), `${count(chosenRows().length)} rows copied.`, "The browser does not let this page copy: use Save TSV."));
    at("urls-link").addEventListener("click", () => {
      const hash = linkTo("urls", pairs());
      if (hash === null) at("urls-status").textContent = "Too many URLs for a link: save them as TSV.";
      else tellCopied(new URL(hash, location.href).href, "Link copied: it opens with these URLs.", "The browser does not let this page copy: the address of this page is the link.");
    });
    at("urls-tsv").addEventListener("click", () => save("languages.tsv", "text/tab-separated-values", tsv()));
    at("urls-json").addEventListener("click", () => save("languages.json", "application/json", json()));
  },
  show(more, question) {
    if ([...question.keys()].length) take(question);
    tell();
  },
};
