// The quiz: URLs one by one, answered by key or by click; then F of the reader, the model and the people of 2008.
import { get, post } from "./api.js";
import { actions, at, attempt, barLine, button, el, percent, table } from "./dom.js";
import { nameOf } from "./names.js";

const show = (...nodes) => at("quiz-out").replaceChildren(...nodes);
const note = (text) => el("p", { class: "note" }, text);
const figure = (value) => value?.toFixed(2).replace(/^0/, "") ?? "–";
const start = (size) => attempt("quiz", () => get(`v1/quiz?n=${size}`), (questions) => question(questions, []));
const finish = (answers) => attempt("quiz", () => post("v1/quiz", { answers }), result);

function begin() {
  show(el("div", { class: "card quiz flow" }, el("h2", {}, "How many?"),
    actions(...[10, 20, 50].map((size) => button(`${size} URLs`, () => start(size), { class: size === 20 ? "primary" : null }))),
    note("Answer with the number keys. 0 is “don't know”, Backspace takes the last answer back. The two people of the paper reached an F of .75, the mean over five languages.")));
}

function question(asked, answers) {
  const next = (all) => (all.length < asked.urls.length ? question(asked, all) : finish(all));
  const choices = [...asked.choices, { language: null, name: "Don't know" }].map(({ language, name }, place, { length }) => {
    const [key, given] = [String((place + 1) % length), { url: asked.urls[answers.length], answer: language }];
    return button([el("kbd", { "aria-hidden": "true" }, key), name], () => next([...answers, given]), { class: "choice", "aria-keyshortcuts": key });
  });
  const quiet = { class: "quiet", disabled: !answers.length };
  const heading = el("h2", { tabindex: "-1", class: "asked", dir: "ltr" }, asked.urls[answers.length]);
  show(el("div", { class: "card quiz flow" }, el("p", { class: "soft" }, `${answers.length + 1} of ${asked.urls.length}`), heading,
    el("div", { class: "choices", role: "group", "aria-label": "Which language?" }, ...choices),
    actions(button("Back", () => question(asked, answers.slice(0, -1)), { ...quiet, "aria-keyshortcuts": "Backspace" }), button("Stop and score", () => finish(answers), quiet))));
  heading.focus({ preventScroll: true });
}

function result({ n, few = n < 10, judges: { you, model }, published: { human_f: people }, languages, urls }) {
  const heading = el("h2", { tabindex: "-1" }, `You ${you.right} of ${n}, the model ${model.right} of ${n}`);
  const lead = few ? "So few say little: F takes several URLs of each language." : "The two people of 2008 had .75.";
  const between = ([low, high]) => (low === null || few ? "" : `95 % interval ${figure(low)} to ${figure(high)}`);
  const bar = (name, colour, f, more) => barLine(name, f ?? 0, el("strong", {}, figure(f)), el("span", { class: "soft" }, more), colour);
  const verdict = (tag, truth) => el("td", { class: tag === truth ? "right" : "wrong" }, tag ? nameOf(tag) : "don't know", tag === truth ? " ✓" : " ✗");
  show(el("div", { class: "beside" }, el("div", { class: "card quiz flow" }, heading, el("p", {}, `${you.macro_f === null ? "" : `Your F is ${figure(you.macro_f)}, with `}${percent(you.right / n, 0)} right. ${lead}`),
    el("ul", { class: "scores" }, bar("You", "var(--c0)", you.macro_f, between(you.macro_f_interval)), bar("The model", "var(--c1)", model.macro_f, between(model.macro_f_interval)), bar("Two people, 2008", "var(--c4)", people, "on the URLs of the paper")), actions(button("Once more", begin, { class: "primary" }))),
  el("section", { class: "flow" }, el("h2", {}, "F by language"), table("F by language", ["Language", "URLs", "You", "Model", "2008"],
    languages.map((row) => [row.name, String(row.n), figure(row.you), figure(row.model), figure(row.humans)])))),
  el("section", { class: "flow" }, el("h2", {}, "Where somebody was wrong"), table("Where somebody was wrong", ["URL", "Is", "You", "Model"],
    urls.filter(({ answers, language }) => answers.you !== language || answers.model !== language).map((row) => [el("th", { scope: "row", dir: "ltr", class: "url" }, row.url), nameOf(row.language), verdict(row.answers.you, row.language), verdict(row.answers.model, row.language)]), false)),
  note("F as in the paper: the harmonic mean of recall and of the precision of a balanced test; yes to everything gives .667. The URLs that ship are pages of well-known sites, many of which the model has seen: that flatters it. For a fair match give your own: dragoman serve --quiz FILE."));
  heading.focus({ preventScroll: true });
}

export const quiz = { reads: "urls", start: begin };
