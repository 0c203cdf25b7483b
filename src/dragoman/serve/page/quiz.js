// The quiz: URLs one by one, answered by key or by click; then F of the reader, the model and the people of 2008.
import { get, post } from "./api.js";
import { actions, at, attempt, barLine, button, el, note, percent, table } from "./dom.js";

const show = (...nodes) => at("quiz-out").replaceChildren(...nodes);
const card = (...nodes) => el("div", { class: "card quiz flow" }, ...nodes);
const start = (size) => attempt("quiz", () => get(`v1/quiz?n=${size}`), (questions) => question(questions, []));

function begin() {
  const sizes = [10, 20, 50].map((size) => button(`${size} URLs`, () => start(size), { class: size === 20 ? "primary" : null }));
  show(card(el("h2", {}, "How many?"), actions(...sizes),
    note("Answer with the number keys. 0 is “don't know”, Backspace takes the last answer back. The two people of the paper reached an F of .75, the mean over five languages.")));
}

function question(asked, answers) {
  const finish = (all) => attempt("quiz", () => post("v1/quiz", { answers: all }), (judged) => result(judged, asked.own));
  const next = (all) => (all.length < asked.urls.length ? question(asked, all) : finish(all));
  const choices = [...asked.choices, { language: null, name: "Don't know" }].map(({ language, name }, place, { length }) => {
    const [key, given] = [String((place + 1) % length), { url: asked.urls[answers.length], answer: language }];
    return button([el("kbd", { "aria-hidden": "true" }, key), name], () => next([...answers, given]), { class: "choice", "aria-keyshortcuts": key });
  });
  const quiet = { class: "quiet", disabled: !answers.length };
  const heading = el("h2", { tabindex: "-1", class: "asked", dir: "ltr" }, asked.urls[answers.length]);
  show(card(el("p", { class: "soft" }, `${answers.length + 1} of ${asked.urls.length}`), heading,
    el("div", { class: "choices", role: "group", "aria-label": "Which language?" }, ...choices),
    actions(button("Back", () => question(asked, answers.slice(0, -1)), { ...quiet, "aria-keyshortcuts": "Backspace" }), button("Stop and score", () => finish(answers), quiet))));
  heading.focus({ preventScroll: true });
}

function result({ n, judges: { you, model }, humans, tables }, own) {
  const heading = el("h2", { tabindex: "-1" }, `You ${you.right} of ${n}, the model ${model.right} of ${n}`);
  const lead = n < 10 ? "So few say little: F takes several URLs of each language." : "The two people of 2008 had .75.";
  const figure = (f) => f?.toFixed(2).replace(/^0/, "") ?? "–";
  const bar = (name, colour, { f }) => barLine(name, f ?? 0, el("strong", {}, figure(f)), null, colour);
  const cell = (text) => (/^https?:/.test(text) ? el("td", { dir: "ltr", class: "url" }, text) : text);
  show(el("div", { class: "beside" }, card(heading, el("p", {}, `${you.f === null ? "" : `Your F is ${figure(you.f)}, with `}${percent(you.right / n, 0)} right. ${lead}`),
    el("ul", { class: "bars scores" }, bar("You", "var(--c0)", you), bar("The model", "var(--c1)", model), bar("Two people, 2008", "var(--c4)", humans)), actions(button("Once more", begin, { class: "primary" }))),
  ...tables.map(({ title, columns, rows, note: below }) => el("section", { class: "flow" }, el("h2", {}, title), table(title, columns, rows.map((row) => row.map(cell)), false), below ? note(below) : null))),
  note(own ? "The URLs are those of the table that the service was given." : "The URLs that ship are pages of well-known sites, many of which the model has seen: that flatters it. For a fair match give your own: dragoman serve --quiz FILE."));
  heading.focus({ preventScroll: true });
}

export const quiz = { reads: "urls", start: begin };
