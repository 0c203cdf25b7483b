// A text or a page, coloured by language, with a way from change to change.
import { post } from "./api.js";
import { at, count, el, percent, unseen } from "./dom.js";
import { Hues, nameOf } from "./names.js";
import { slices } from "./offsets.js";

const EXAMPLE = `Der Zug nach Triest war verspätet, also setzten wir uns ins Café am Bahnhof. “You could have taken the bus,” said the woman at the next table, and laughed. Mein Großvater antwortete ihr wie immer: « Il n'y a pas le feu, madame, on a tout le temps du monde. »

Am Abend rief meine Tante an. Il treno è arrivato finalmente, disse, e la cena è già pronta. Nobody was in a hurry any more.

كان الطقس جميلا في ذلك المساء، وجلسنا جميعا في الحديقة حتى منتصف الليل. 今日はとても楽しかったです。`;
const LONGEST = 300000;
const LARGEST = 8000000;

let places = [];
let place = -1;
let turn = 0;

const looksLikeHtml = (text) => /^\s*(<!doctype|<\?xml|<html|<head|<body)/i.test(text) || /<(p|div|span|a|h[1-6]|table|article|li|br)\b[^>]*>/i.test(text);

async function track(event) {
  event?.preventDefault();
  const given = at("text-in").value;
  const mine = ++turn;
  const status = at("text-status");
  if (!given.trim()) {
    at("text-out").hidden = true;
    status.textContent = "Paste a text, open a file, or press Example.";
    return;
  }
  const kind = at("text-kind").value;
  const html = kind === "html" || (kind === "auto" && looksLikeHtml(given));
  status.textContent = "Reading …";
  try {
    const told = await post("v1/track", html ? { html: given } : { text: given });
    if (mine !== turn) return;
    draw(told.text ?? given, told, html);
  } catch (error) {
    if (mine === turn) status.textContent = error.message;
  }
}

function draw(text, told, html) {
  const shares = told.languages;
  const hues = new Hues(shares.map((one) => one.language));
  const cut = text.length > LONGEST;
  const points = cut ? [...text.slice(0, LONGEST)].length : Infinity;
  const spans = told.spans.filter((span) => span.start < points);
  const shown = cut ? text.slice(0, LONGEST) : text;
  at("text-shown").replaceChildren(...paragraphs(shown, spans, hues));
  at("text-shown").classList.remove("only");
  at("text-legend").replaceChildren(...shares.map((one) => entry(one, hues)));
  places = [...at("text-shown").querySelectorAll("mark.first")];
  place = -1;
  const changes = Math.max(told.spans.length - 1, 0);
  const number = shares.filter((one) => one.language).length;
  const what = html ? "The visible text of the page" : "The text";
  const parts = told.spans.length ? `${count(number)} ${number === 1 ? "language" : "languages"}, ${count(changes)} ${changes === 1 ? "change" : "changes"}` : "no letters that tell a language";
  at("text-status").textContent = `${what}: ${parts}.${cut ? ` Shown: the first ${count(LONGEST)} characters.` : ""}`;
  at("text-place").textContent = places.length ? `${count(places.length)} spans` : "";
  for (const id of ["text-prev", "text-next"]) at(id).disabled = !places.length;
  at("text-out").hidden = false;
}

/** One block per line, each in its own direction; a span that crosses lines goes on in the next block. */
function paragraphs(text, spans, hues) {
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
      block.append(span ? mark(line, span, hues, first) : line);
      if (span) first = false;
    });
  }
  blocks.push(block);
  return blocks;
}

function mark(line, span, hues, first) {
  const hue = hues.of(span.language);
  const code = span.language ?? "und";
  const names = [hue === null ? "none" : "", first ? "first" : ""].join(" ").trim();
  return el("mark", {
    lang: code, class: names || undefined, title: nameOf(span.language), "data-code": first ? code : undefined,
    "data-language": code, tabindex: first ? "-1" : undefined, vars: hue === null ? {} : { "--hue": String(hue) },
  }, first ? el("span", { class: "sr", lang: "en", dir: "ltr" }, `${nameOf(span.language)}: `) : null, line);
}

function entry(one, hues) {
  const code = one.language ?? "und";
  const hue = hues.of(one.language);
  const button = el("button", {
    type: "button", "aria-pressed": "false", on: { click: () => only(code, button) },
    vars: hue === null ? {} : { "--hue": String(hue) }, class: hue === null ? "none" : undefined,
  }, el("span", { class: "swatch", "aria-hidden": "true" }), el("span", { class: "name" }, nameOf(one.language)),
  el("span", { class: "code" }, code), el("span", { class: "number" }, percent(one.share)),
  unseen(`, ${count(one.letters)} letters. Show it alone`));
  return el("li", {}, button);
}

/** Dim everything but one language. */
function only(code, button) {
  const on = button.getAttribute("aria-pressed") !== "true";
  for (const other of at("text-legend").querySelectorAll("button")) other.setAttribute("aria-pressed", "false");
  button.setAttribute("aria-pressed", String(on));
  at("text-shown").classList.toggle("only", on);
  for (const one of at("text-shown").querySelectorAll("mark")) one.classList.toggle("meant", on && one.dataset.language === code);
}

function go(step) {
  if (!places.length) return;
  places[place]?.classList.remove("here");
  place = Math.min(Math.max(place + step, 0), places.length - 1);
  const one = places[place];
  one.classList.add("here");
  one.focus({ preventScroll: true });
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  one.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
  at("text-place").textContent = `${nameOf(one.dataset.language)}: span ${count(place + 1)} of ${count(places.length)}`;
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
  track();
}

export const text = {
  start() {
    at("text-form").addEventListener("submit", track);
    at("text-in").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) track(event);
    });
    at("text-file").addEventListener("change", (event) => {
      open(event.target.files[0]);
      event.target.value = "";
    });
    at("text-example").addEventListener("click", () => {
      at("text-in").value = EXAMPLE;
      at("text-kind").value = "auto";
      track();
    });
    at("text-clear").addEventListener("click", () => {
      turn += 1;
      at("text-in").value = "";
      at("text-out").hidden = true;
      at("text-status").textContent = "";
      at("text-in").focus();
    });
    at("text-prev").addEventListener("click", () => go(-1));
    at("text-next").addEventListener("click", () => go(1));
  },
};
