// The quiz: URLs one by one, answered by key or by click; then F of the reader, the model and the people of 2008.
import { get, post } from "./api.js";
import { at, el, percent } from "./dom.js";
import { nameOf } from "./names.js";

const SIZES = [10, 20, 50];

let asked = null;
let given = [];
let own = false;

const out = (...nodes) => at("quiz-out").replaceChildren(...nodes);
const say = (text) => {
  at("quiz-status").textContent = text;
};
const figure = (value) => (value === null || value === undefined ? "–" : value.toFixed(2).replace(/^0/, ""));

function begin() {
  asked = null;
  const sizes = SIZES.map((size) => el("button", { type: "button", class: size === 20 ? "primary" : null, on: { click: () => start(size) } }, `${size} URLs`));
  out(el("div", { class: "card quiz" }, el("h2", {}, "How many?"), el("div", { class: "actions" }, ...sizes),
    el("p", { class: "note" }, "Answer with the number keys. 0 is “don't know”, Backspace takes the last answer back. The two people of the paper reached an F of .75, the mean over five languages.")));
}

async function start(size) {
  say("Drawing URLs …");
  try {
    asked = await get(`v1/quiz?n=${size}`);
  } catch (error) {
    say(error.message);
    return;
  }
  own = asked.own;
  given = [];
  say("");
  question();
}

function question() {
  const place = given.length;
  const url = asked.urls[place];
  const choices = asked.choices.map((one, number) => el("button", { type: "button", class: "choice", "aria-keyshortcuts": String(number + 1), on: { click: () => answer(one.language) } },
    el("kbd", { "aria-hidden": "true" }, String(number + 1)), one.name));
  const unknown = el("button", { type: "button", class: "choice", "aria-keyshortcuts": "0", on: { click: () => answer(null) } }, el("kbd", { "aria-hidden": "true" }, "0"), "Don't know");
  const heading = el("h2", { tabindex: "-1", class: "asked", dir: "ltr" }, url);
  out(el("div", { class: "card quiz" },
    el("p", { class: "soft" }, `${place + 1} of ${asked.urls.length}`),
    el("progress", { max: asked.urls.length, value: place, "aria-label": "Questions answered" }),
    heading,
    el("div", { class: "choices", role: "group", "aria-label": "Which language?" }, ...choices, unknown),
    el("div", { class: "actions" },
      el("button", { type: "button", class: "quiet", disabled: !place, on: { click: back } }, "Back"),
      el("button", { type: "button", class: "quiet", disabled: !place, on: { click: finish } }, "Stop and score"))));
  heading.focus({ preventScroll: true });
}

function answer(language) {
  given.push({ url: asked.urls[given.length], answer: language });
  if (given.length < asked.urls.length) question();
  else finish();
}

function back() {
  if (!given.length) return;
  given.pop();
  question();
}

async function finish() {
  const answers = given;
  asked = null;
  out(el("p", { class: "empty" }, "Scoring …"));
  try {
    result(await post("v1/quiz", { answers }));
  } catch (error) {
    say(error.message);
    out(el("div", { class: "actions" }, el("button", { type: "button", class: "primary", on: { click: finish } }, "Score again"), el("button", { type: "button", on: { click: begin } }, "Start anew")));
  }
}

function bar(name, value, kind, more = "") {
  return el("li", { class: kind }, el("span", { class: "name" }, name), el("span", { class: "track", "aria-hidden": "true" }, el("span", { class: "fill", vars: { "--part": String(value ?? 0) } })),
    el("span", { class: "number" }, figure(value)), el("span", { class: "soft" }, more));
}

function result(told) {
  const { you, model } = told.judges;
  const between = ([low, high]) => (low === null ? "" : `95 % interval ${figure(low)} to ${figure(high)}`);
  const heading = el("h2", { tabindex: "-1" }, `Your F is ${figure(you.f)}`);
  const lead = you.f > told.humans.f ? "Better than the two people of 2008." : "The two people of 2008 had .75.";
  const table = el("table", {}, el("thead", {}, el("tr", {}, ...["Language", "URLs", "You", "Model", "2008"].map((one, place) => el("th", { scope: "col", class: place ? "n" : null }, one)))),
    el("tbody", {}, ...told.languages.map((one) => el("tr", {}, el("th", { scope: "row" }, one.name), el("td", { class: "n" }, String(one.n)),
      ...[one.you, one.model, one.humans].map((value) => el("td", { class: "n" }, figure(value)))))));
  const missed = told.urls.filter((one) => one.you !== one.language || one.model !== one.language);
  const word = (said, truth) => el("td", { class: said === truth ? "right" : "wrong" }, said === null ? "don't know" : nameOf(said), el("span", { class: "sign" }, said === truth ? " ✓" : " ✗"));
  const wrong = el("table", {}, el("thead", {}, el("tr", {}, ...["URL", "Is", "You", "Model"].map((one) => el("th", { scope: "col" }, one)))),
    el("tbody", {}, ...missed.map((one) => el("tr", {}, el("th", { scope: "row", dir: "ltr", class: "url" }, one.url), el("td", {}, nameOf(one.language)), word(one.you, one.language), word(one.model, one.language)))));
  const fair = own ? "The URLs are those of the table that the service was given."
    : "The URLs ship with Dragoman: pages of well-known sites, many of which the model has seen. That flatters it; people know them too. For a fair match give your own: dragoman serve --quiz FILE.";
  out(el("div", { class: "card quiz" }, heading,
    el("p", {}, `${you.right} of ${told.n} right (${percent(you.right / told.n, 0)}). ${lead}`),
    el("ul", { class: "scores" }, bar("You", you.f, "you", between(you.interval)), bar("The model", model.f, "model", between(model.interval)), bar("Two people, 2008", told.humans.f, "humans", "on the URLs of the paper")),
    el("div", { class: "actions" }, el("button", { type: "button", class: "primary", on: { click: begin } }, "Once more"))),
  el("section", {}, el("h2", {}, "F by language"), el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "F by language" }, table),
    el("p", { class: "note" }, "F as in the paper: the harmonic mean of recall and of the precision of a balanced test. Saying yes to everything gives .667.")),
  missed.length ? el("section", {}, el("h2", {}, "Where somebody was wrong"), el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Where somebody was wrong" }, wrong)) : el("p", {}, "Nobody was wrong anywhere."),
  el("p", { class: "note" }, fair));
  heading.focus({ preventScroll: true });
  say("");
}

function key(event) {
  if (at("view-quiz").hidden || !asked || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Backspace") back();
  else if (event.key === "0") answer(null);
  else if (/^[1-9]$/.test(event.key) && Number(event.key) <= asked.choices.length) answer(asked.choices[Number(event.key) - 1].language);
  else return;
  event.preventDefault();
}

export const quiz = {
  start() {
    document.addEventListener("keydown", key);
    begin();
  },
};
