// A text or a page: its language as a whole, and where it changes, with a way from change to change.
import { post } from "./api.js";
import { at, copy, count, el, note, percent, unseen } from "./dom.js";
import { keep, linkTo } from "./link.js";
import { codesOf, coloured, hueOf, nameOf, namesIn, noLanguage, offerNames } from "./names.js";
import { slices } from "./offsets.js";
import { likeliest, meter } from "./reasons.js";
import { drawWays, textWays } from "./same.js";

const EXAMPLES = [
  ["six languages", `Der Zug nach Triest war verspätet, also setzten wir uns ins Café am Bahnhof. “You could have taken the bus,” said the woman at the next table, and laughed. Mein Großvater antwortete ihr wie immer: « Il n'y a pas le feu, madame, on a tout le temps du monde. »

Am Abend rief meine Tante an. Il treno è arrivato finalmente, disse, e la cena è già pronta. Nobody was in a hurry any more.

كان الطقس جميلا في ذلك المساء، وجلسنا جميعا في الحديقة حتى منتصف الليل. 今日はとても楽しかったです。`],
  ["a greeting", "Dobro jutro, kako si danas?"],
  ["a page", "<html lang=\"en\"><body><nav>English Deutsch Français Español Italiano</nav><p>Am Wochenende öffnet das Museum erst um elf Uhr, der Eintritt ist frei.</p></body></html>"],
  ["noise", "asdf qwer 2024-11-05"],
];
const LONGEST = 300000;
const LARGEST = 8000000;
/** Characters up to which every pause in typing is answered; longer texts wait for the button. */
const WHILE_TYPING = 20000;
const PAUSE = 150;
/** From this share of the letters on, a text counts as one in that language. */
const MOSTLY = 0.6;
/** Below this probability another language is nearly as likely, and the answer is that nobody can be sure. */
const SURE = 0.6;
/** Longest text that its own commands are shown for. */
const QUOTED = 2000;

let changes = [];
let current = -1;
let turn = 0;
let timer = 0;
let asked = { text: "", html: false, codes: [] };

const looksLikeHtml = (text) => /^\s*(<!doctype|<\?xml|<html|<head|<body)/i.test(text) || /<(p|div|span|a|h[1-6]|table|article|li|br)\b[^>]*>/i.test(text);

async function tell() {
  clearTimeout(timer);
  const text = at("text-in").value;
  const mine = ++turn;
  const status = at("text-status");
  if (!text.trim()) {
    at("text-out").hidden = true;
    status.textContent = "Paste a text, open a file, or press an example.";
    keep("text", []);
    return;
  }
  const kind = at("text-kind").value;
  const html = kind === "html" || (kind === "auto" && looksLikeHtml(text));
  const { codes, unknown } = codesOf(at("text-languages").value);
  if (unknown.length) {
    status.textContent = noLanguage(unknown[0]);
    return;
  }
  const question = { ...(html ? { html: text } : { text }), ...(codes.length ? { languages: codes } : {}) };
  if (text.length > WHILE_TYPING) status.textContent = "Reading …";
  try {
    const [whole, tracked] = await Promise.all([post("v1/page", question), post("v1/track", question)]);
    if (mine !== turn) return;
    asked = { text, html, codes };
    answer(whole, tracked);
    draw(tracked.text ?? text, tracked, html);
    keep("text", pairs());
    if (at("text-same").open) ways();
  } catch (error) {
    if (mine === turn) status.textContent = error.message;
  }
}

const pairs = () => [["t", asked.text], ["as", at("text-kind").value === "auto" ? "" : at("text-kind").value], ["languages", asked.codes.join(",")]];

/** The language of all of it, and how sure; never the share of one language in place of that. */
function answer(whole, tracked) {
  const [most] = tracked.languages.filter(({ language }) => language);
  const mixed = most && most.share < MOSTLY;
  const sure = whole.language && whole.probability >= SURE;
  const name = mixed ? "Several languages" : sure ? nameOf(whole.language) : whole.letters ? "Unsure" : "No language";
  const language = mixed || !sure ? null : whole.language;
  const perhaps = !mixed && !sure && whole.language ? el("span", { class: "soft" }, `, perhaps ${nameOf(whole.language)}`) : null;
  const notes = [];
  if (mixed) notes.push(`${nameOf(most.language)} has the largest share of the letters, ${percent(most.share)}.`);
  else if (!language) notes.push(whole.letters ? "Too little to tell, or nothing that a language is known by." : "There are no letters in it.");
  if (whole.declared) {
    notes.push(!mixed && whole.agreement.declared === false ? `It declares ${nameOf(whole.declared)}, which its text does not bear out.` : `It declares ${nameOf(whole.declared)}.`);
  }
  at("text-whole").replaceChildren(el("div", { class: language ? "whole" : "whole silent", vars: coloured(language) },
    el("div", { class: "said" }, el("p", { class: "language" }, name, perhaps, language ? el("span", { class: "code" }, language) : null),
      mixed || whole.probability === null ? null : meter(whole.probability)),
    ...notes.map((line) => note(line)),
    mixed || !whole.top.length ? null : el("details", { class: "rest", open: !sure }, el("summary", {}, "Likeliest languages"), likeliest(whole.top))));
}

function draw(text, told, html) {
  const shares = told.languages;
  const cut = text.length > LONGEST;
  const points = cut ? [...text.slice(0, LONGEST)].length : Infinity;
  const spans = told.spans.filter((span) => span.start < points);
  const shown = cut ? text.slice(0, LONGEST) : text;
  at("text-shown").replaceChildren(...paragraphs(shown, spans));
  at("text-shown").classList.remove("only");
  at("text-legend").replaceChildren(...shares.map(entry));
  changes = [...at("text-shown").querySelectorAll("mark.first")];
  current = -1;
  const number = shares.filter(({ language }) => language).length;
  // A text in one language has no shares to compare and no change to go to: "100 %" there would read as certainty.
  at("text-aside").hidden = shares.length < 2;
  at("text-tracked").classList.toggle("alone", shares.length < 2);
  const turns = Math.max(told.spans.length - 1, 0);
  const length = text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, "_").length;
  const what = `${html ? "The visible text of the page" : "The text"}, ${count(length)} ${length === 1 ? "character" : "characters"}`;
  const parts = number ? `${count(number)} ${number === 1 ? "language" : "languages"}, ${count(turns)} ${turns === 1 ? "change" : "changes"}` : "no letters that tell a language";
  at("text-status").textContent = `${what}: ${parts}.${cut ? ` Shown: the first ${count(LONGEST)} characters.` : ""}`;
  at("text-place").textContent = changes.length ? `${count(changes.length)} ${changes.length === 1 ? "span" : "spans"}` : "";
  for (const id of ["text-prev", "text-next"]) at(id).disabled = !changes.length;
  at("text-out").hidden = false;
}

/** One block per line, each in its own direction; a span that crosses lines goes on in the next block. */
function paragraphs(text, spans) {
  const blocks = [];
  let block = el("p", { dir: "auto" });
  for (const [piece, span] of slices(text, spans)) {
    let first = true;
    piece.split("\n").forEach((line, number) => {
      if (number) {
        blocks.push(block);
        block = el("p", { dir: "auto" });
      }
      if (!line) return;
      block.append(span ? mark(line, span, first) : line);
      if (span) first = false;
    });
  }
  blocks.push(block);
  return blocks;
}

function mark(line, span, first) {
  const code = span.language ?? "und";
  const sure = span.probability === undefined || span.probability === null ? "" : `, ${percent(span.probability)}`;
  const names = [hueOf(span.language) === null ? "none" : "", first ? "first" : ""].join(" ").trim();
  return el("mark", {
    lang: code, class: names || undefined, title: `${nameOf(span.language)}${sure}`, "data-code": first ? code : undefined,
    "data-language": code, tabindex: first ? "-1" : undefined, vars: coloured(span.language),
  }, first ? el("span", { class: "sr", lang: "en", dir: "ltr" }, `${nameOf(span.language)}: `) : null, line);
}

function entry({ language, share, letters }) {
  const code = language ?? "und";
  const button = el("button", {
    type: "button", "aria-pressed": "false", on: { click: () => only(code, button) },
    vars: coloured(language), class: hueOf(language) === null ? "none" : undefined,
  }, el("span", { class: "swatch", "aria-hidden": "true" }), el("span", { class: "name" }, nameOf(language)),
  el("span", { class: "code" }, code), el("span", { class: "number" }, percent(share)),
  unseen(` of the letters, ${count(letters)}. Show it alone`));
  return el("li", {}, button);
}

/** Dim everything but one language. */
function only(code, button) {
  const on = button.getAttribute("aria-pressed") !== "true";
  for (const other of at("text-legend").querySelectorAll("button")) other.setAttribute("aria-pressed", "false");
  button.setAttribute("aria-pressed", String(on));
  at("text-shown").classList.toggle("only", on);
  for (const span of at("text-shown").querySelectorAll("mark")) span.classList.toggle("meant", on && span.dataset.language === code);
}

function go(step) {
  if (!changes.length) return;
  changes[current]?.classList.remove("here");
  current = Math.min(Math.max(current + step, 0), changes.length - 1);
  const span = changes[current];
  span.classList.add("here");
  span.focus({ preventScroll: true });
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  span.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
  at("text-place").textContent = `${nameOf(span.dataset.language)}: span ${count(current + 1)} of ${count(changes.length)}`;
}

async function open(file) {
  if (!file) return;
  if (file.size > LARGEST) {
    at("text-status").textContent = `'${file.name}' has ${count(file.size)} bytes; up to ${count(LARGEST)} can be read here. Use dragoman track.`;
    return;
  }
  const bytes = await file.arrayBuffer();
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    text = new TextDecoder("windows-1252").decode(bytes);
  }
  at("text-in").value = text;
  at("text-kind").value = /\.(x?html?)$/i.test(file.name) ? "html" : "auto";
  tell();
}

const ways = () => drawWays(at("text-ways"), textWays(asked.text.slice(0, QUOTED), asked.html, asked.codes));

function typing() {
  clearTimeout(timer);
  const length = at("text-in").value.length;
  if (length <= WHILE_TYPING) timer = setTimeout(tell, PAUSE);
  else at("text-status").textContent = `${count(length)} characters: press “Find the languages”.`;
}

export const text = {
  reads: "text",
  start() {
    at("text-chips").append(...EXAMPLES.map(([name, example]) => el("button", {
      type: "button", class: "chip",
      on: { click: () => { at("text-in").value = example; at("text-kind").value = "auto"; tell(); } },
    }, name)));
    at("text-form").addEventListener("submit", (event) => { event.preventDefault(); tell(); });
    at("text-in").addEventListener("input", typing);
    // The example is there to be looked at: whoever types replaces it.
    at("text-in").addEventListener("focus", () => { if (at("text-in").value === EXAMPLES[0][1]) at("text-in").select(); });
    at("text-in").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) tell();
    });
    offerNames();
    for (const id of ["text-kind", "text-languages"]) at(id).addEventListener("change", tell);
    at("text-file").addEventListener("change", (event) => {
      open(event.target.files[0]);
      event.target.value = "";
    });
    at("text-clear").addEventListener("click", () => {
      at("text-in").value = "";
      tell();
      at("text-status").textContent = "";
      at("text-in").focus();
    });
    at("text-link").addEventListener("click", async () => {
      const hash = linkTo("text", pairs());
      const link = hash && new URL(hash, location.href).href;
      at("text-status").textContent = !link ? "The text is too long for a link."
        : (await copy(link)) ? "Link copied: it opens with this text." : "The browser does not let this page copy: the address of this page is the link.";
    });
    at("text-same").addEventListener("toggle", () => { if (at("text-same").open) ways(); });
    at("text-prev").addEventListener("click", () => go(-1));
    at("text-next").addEventListener("click", () => go(1));
  },
  show(more, question) {
    if (question.has("t")) {
      at("text-in").value = question.get("t");
      at("text-kind").value = ["text", "html"].includes(question.get("as")) ? question.get("as") : "auto";
      at("text-languages").value = namesIn(question);
    } else if (!at("text-in").value && !asked.text) {
      // A first look shows what there is to see; what somebody cleared stays cleared.
      [[, at("text-in").value]] = EXAMPLES;
    }
    if (at("text-in").value) tell();
  },
};
