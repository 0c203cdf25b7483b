// Runs: the crawls and simulations of the folders that the service was given.
import { get } from "./api.js";
import { Chart } from "./chart.js";
import { at, barLine, count, duration, el, percent, short, table } from "./dom.js";
import { coloured, hueOf, nameOf } from "./names.js";
import { legible } from "./reasons.js";

const SOON = 3000;
const LATER = 15000;
const STATES = { running: "running", quiet: "no news", ended: "ended", unreadable: "unreadable" };

let wanted = "";
let timer = 0;
let shown = null;
let hidden = true;
let listed = { time: 0, told: null };

async function look() {
  clearTimeout(timer);
  if (hidden) return;
  let wait = LATER;
  try {
    // The list changes rarely and means reading every folder: it is asked for less often than the run that is shown.
    if (Date.now() - listed.time > LATER - 500 || !listed.told) listed = { time: Date.now(), told: await get("v1/runs") };
    const told = listed.told;
    list(told);
    const name = wanted || told.runs[0]?.name;
    if (name) {
      const run = await get(`v1/runs/${encodeURIComponent(name)}`);
      if (name === (wanted || told.runs[0]?.name) && !hidden) draw(run);
      wait = run.state === "running" ? SOON : LATER;
    }
  } catch (error) {
    at("runs-status").textContent = error.message;
    if (!shown) at("runs-out").hidden = true;
    listed.told = null;
    wait = SOON;
  }
  clearTimeout(timer);
  if (!hidden) timer = setTimeout(() => (document.hidden ? null : look()), wait);
}

function list(told) {
  const status = at("runs-status");
  if (!told.folders) status.textContent = "No folder was given. Start the service with: dragoman serve --folder DIR";
  else if (!told.runs.length) status.textContent = "There is no crawl and no simulation in the folder yet. This page looks again by itself.";
  else status.textContent = "";
  if (!told.runs.length) at("runs-out").hidden = true;
  const name = wanted || told.runs[0]?.name;
  const items = told.runs.map((run) => el("li", {}, el("a", { href: `#runs/${encodeURIComponent(run.name)}`, "aria-current": run.name === name ? "true" : null },
    el("span", { class: "name" }, run.name), el("span", { class: "soft" }, sentence(run)), pill(run.state))));
  const focused = at("runs-list").contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  at("runs-list").replaceChildren(...items);
  if (focused) [...at("runs-list").querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
}

function sentence(run) {
  if (run.state === "unreadable") return run.error;
  const languages = run.wanted.map(nameOf).join(", ");
  return `${run.kind === "crawl" ? "Crawl" : "Simulation"}${languages ? ` for ${languages}` : ""}, ${count(run.pages)} pages`;
}

const pill = (state) => el("span", { class: `pill is-${state}` }, STATES[state] ?? state);

function draw(run) {
  if (shown?.name !== run.name || shown.kind !== run.kind) {
    shown = run.kind === "crawl" ? new Crawl(run) : new Simulation(run);
    at("runs-out").replaceChildren(shown.node);
  }
  shown.update(run);
  at("runs-out").hidden = false;
}

const tile = (name) => {
  const value = el("dd", {});
  const more = el("dd", { class: "soft" });
  return { node: el("div", {}, el("dt", {}, name), value, more), set: (text, extra = "") => {
    if (value.textContent !== text) value.textContent = text;
    if (more.textContent !== extra) more.textContent = extra;
  } };
};

function bars(title, rows, name = (one) => one, colour = () => undefined) {
  if (!rows.length) return null;
  const total = rows.reduce((sum, [, number]) => sum + number, 0) || 1;
  const figures = (number) => [count(number), el("span", { class: "soft" }, ` ${percent(number / total)}`)];
  return el("section", { class: "bars" }, el("h3", {}, title), el("ul", {},
    ...rows.slice(0, 12).map(([one, number]) => barLine(name(one), number / total, figures(number), null, colour(one))), rows.length > 12 ? el("li", { class: "soft" }, `and ${count(rows.length - 12)} more`) : null));
}

/** The colour of a language's bar. */
const inkOf = (language) => (hueOf(language) === null ? "var(--strong-line)" : `hsl(${hueOf(language)} 50% var(--bar))`);

/** Some of the wanted pages that were fetched lately. */
function found(pages) {
  if (!pages?.length) return null;
  return el("section", { class: "found" }, el("h3", {}, "Some of the wanted pages"), el("ul", {}, ...pages.map(({ url, language }) =>
    el("li", { vars: coloured(language) }, el("span", { class: "code" }, language ?? "?"), " ",
      /^https?:/.test(url) ? el("a", { href: url, rel: "noreferrer noopener", class: "url" }, legible(url)) : url))));
}

class Crawl {
  constructor(run) {
    Object.assign(this, { name: run.name, kind: run.kind });
    this.head = el("div", { class: "head" });
    this.tiles = Object.fromEntries(["Pages", "Wanted", "Harvest", "Coverage", "Queue", "URL model"].map((name) => [name, tile(name)]));
    this.charts = [
      new Chart({ title: "Wanted pages", key: "relevant", note: "Pages in a wanted language that were fetched." }),
      new Chart({ title: "Harvest", key: "harvest", share: true, note: "The share of wanted pages among those fetched." }),
      new Chart({ title: "Coverage, estimated", key: "coverage", share: true, note: "The share found of what links are expected to lead to." }),
      new Chart({ title: "Queue", key: "queue", note: "URLs that wait." }),
    ];
    this.lists = el("div", { class: "columns" });
    this.along = el("select", { id: "runs-along", on: { change: () => this.draw() } }, el("option", { value: "pages" }, "pages fetched"), el("option", { value: "seconds" }, "time"));
    this.choice = el("div", { class: "field inline" }, el("label", { for: "runs-along" }, "Along the bottom"), this.along);
    this.node = el("div", {}, this.head, el("dl", { class: "tiles" }, ...Object.values(this.tiles).map((one) => one.node)),
      this.choice, el("div", { class: "charts" }, ...this.charts.map((one) => one.node)), this.lists);
  }

  draw() {
    // A crawl of an earlier version does not say when it had how many pages.
    this.choice.hidden = !this.curves.some((one) => one.seconds?.length);
    const along = this.choice.hidden ? "pages" : this.along.value;
    for (const chart of this.charts) chart.update(this.curves, null, along);
  }

  update(run) {
    const ago = Math.max(0, Date.now() / 1000 - run.changed);
    const news = { running: "It is running.", quiet: `No news for ${duration(ago)}: it waits for its hosts, or was stopped. The same command goes on with it.`,
      ended: `It ended: ${run.ended}.` }[run.state];
    const how = run.strategy ? `Strategy ${run.strategy}, tolerance ${run.tolerance}. ` : "";
    const line = `${run.wanted.length ? `Pages in ${run.wanted.map(nameOf).join(", ")}. ` : ""}${how}${news}`;
    this.head.replaceChildren(el("h2", {}, run.name, pill(run.state)), el("p", {}, line));
    const speed = run.seconds ? `${(run.pages / run.seconds).toFixed(1)} a second, ${duration(run.seconds)}` : "";
    this.tiles.Pages.set(count(run.pages), speed);
    this.tiles.Wanted.set(count(run.relevant), `${short(run.bytes).replace(/(?=[kMG]?$)/, " ")}B fetched`);
    this.tiles.Harvest.set(percent(run.harvest), "of the pages fetched");
    this.tiles.Coverage.set(run.coverage === null ? "unknown" : percent(run.coverage, 0).replace(/^(?=\d)/, "≈ "), "estimated");
    this.tiles.Queue.set(count(run.waiting), "URLs");
    this.tiles["URL model"].set(percent(run.url_model.precision, 0), `precision; recall ${percent(run.url_model.recall, 0)}`);
    this.curves = run.curves;
    this.draw();
    this.lists.replaceChildren(...[
      bars("Servers by status", Object.entries(run.servers)), bars("Languages of the pages", run.languages, (one) => (one ? nameOf(one) : "No language told"), inkOf),
      bars("Links, and what was decided", run.reasons), bars("What came of requests", run.answers), bars("Servers with most pages", run.largest),
      found(run.found),
    ].filter((one) => one));
  }
}

class Simulation {
  constructor(run) {
    Object.assign(this, { name: run.name, kind: run.kind });
    this.head = el("div", { class: "head" });
    this.charts = [
      new Chart({ title: "Coverage", key: "coverage", share: true, note: "The share of all wanted pages that were found." }),
      new Chart({ title: "Harvest", key: "harvest", share: true, note: "The share of wanted pages among those fetched." }),
      new Chart({ title: "Queue", key: "queue", note: "URLs that wait." }),
      new Chart({ title: "Servers", key: "servers", note: "Servers that were asked." }),
    ];
    this.table = table("Strategies", [], []);
    this.lists = el("div", { class: "columns" });
    this.node = el("div", {}, this.head, this.table, el("div", { class: "charts" }, ...this.charts.map((one) => one.node)), this.lists);
  }

  update(run) {
    const size = run.vertices ? ` A web of ${count(run.vertices)} URLs.` : "";
    this.head.replaceChildren(el("h2", {}, run.name, pill(run.state)),
      el("p", {}, `${run.wanted.length ? `Pages in ${run.wanted.map(nameOf).join(", ")}.` : ""}${size}${run.state === "running" ? " More strategies may come." : ""}`));
    const columns = ["Strategy", "T", "Coverage", "Harvest", "Pages", "Longest queue", "Servers", "Harvest at 90 %"];
    this.table.replaceChildren(...table("Strategies", columns, run.strategies.map((one) => [
      [one.strategy, one.finished ? null : el("span", { class: "soft" }, " stopped")],
      String(one.tolerance), percent(one.coverage), percent(one.harvest), count(one.pages), count(one.max_queue), count(one.servers),
      one.harvest_at["0.9"] === null || one.harvest_at["0.9"] === undefined ? "never" : percent(one.harvest_at["0.9"])])).children);
    // The others go on for long after the good ones have ended: as in `dragoman simulate`, they are cut off.
    const ends = run.curves.filter((one) => !["bfs", "soft-focused"].includes(one.strategy)).map((one) => one.pages.at(-1) ?? 0);
    const widest = ends.length ? 1.6 * Math.max(...ends) : null;
    const seen = new Set();
    const series = run.curves.map((one) => {
      const again = seen.has(one.strategy);
      seen.add(one.strategy);
      return { ...one, again };
    });
    for (const chart of this.charts) chart.update(series, widest);
    this.lists.replaceChildren(...run.strategies.map((one) => bars(`Links, ${one.strategy}`, one.reasons)).filter((one) => one));
  }
}

export const runs = {
  start() {
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && !hidden) look();
    });
  },
  show(name) {
    hidden = false;
    wanted = name;
    listed.told = null;
    if (!shown) at("runs-status").textContent = "Looking …";
    look();
  },
  hide() {
    hidden = true;
    clearTimeout(timer);
  },
};
