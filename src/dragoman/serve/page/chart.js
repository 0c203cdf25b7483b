// Line charts in SVG: drawn at the width they have, read by pointer, by arrow keys and as a table.
import { count, duration, el, percent, short, svg, table } from "./dom.js";

const HEIGHT = 260;
/** Room around the lines; half of a long moment ("1 h 15 min") has room at the right. */
const EDGE = { top: 14, right: 34, bottom: 40, left: 52 };
/** Strategies keep their colour in every chart. */
const PLACES = ["scout", "conservative-server", "soft-focused", "hard-focused", "bfs", "perfect", "aggressive-server",
  "conservative-directory", "perfect-fewest", "linguacrawl", "trafilatura"];

/** Round numbers from 0 to at least `most`, about `wanted` of them. */
export function ticks(most, wanted = 5) {
  if (!(most > 0)) return [0, 1];
  const raw = most / wanted;
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * size).find((one) => one >= raw - 1e-12);
  const found = [];
  for (let place = 0; place < most + step * 0.999; place += step) found.push(Number(place.toPrecision(12)));
  return found;
}

/** What can stand along the bottom: the values in a series, their axis, how a tick and a reading are written. */
const ALONG = {
  pages: { name: "pages", head: "Pages", tick: short, reading: (value) => `${count(Math.round(value))} pages`, ticks },
  seconds: { name: "time since the first page", head: "Time", tick: duration, reading: (value) => `After ${duration(value)}`, ticks: moments },
};
/** Steps of a clock, in seconds. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

/** Round times from 0 to at least `most`, about `wanted` of them. */
function moments(most, wanted = 5) {
  if (most / wanted < STEPS[0]) return ticks(most, wanted);
  const step = STEPS.find((one) => one >= most / wanted) ?? 86400 * Math.ceil(most / wanted / 86400);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, place) => place * step);
}

/** The place of the last x that is not beyond `value`. */
function upTo(values, value) {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (values[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

export class Chart {
  /** `key` names the values in a series, `share` says that they are shares. */
  constructor({ title, note, key, share = false, widest = null }) {
    Object.assign(this, { key, share, title, widest, series: [], cursor: null, width: 0, along: "pages" });
    this.picture = svg("svg", { role: "img", tabindex: "0", class: "chart" });
    this.said = el("p", { class: "reading", "aria-live": "polite" });
    this.keys = el("ul", { class: "keys" });
    this.table = el("details", { class: "numbers" }, el("summary", {}, "As a table"), table(`${title} as a table`, [], []));
    this.node = el("figure", {}, el("figcaption", {}, el("h3", {}, title), note ? el("p", {}, note) : null),
      this.keys, this.picture, this.said, this.table);
    this.picture.addEventListener("pointermove", (event) => this.point(event));
    this.picture.addEventListener("pointerleave", () => this.move(null));
    this.picture.addEventListener("blur", () => this.move(null));
    this.picture.addEventListener("keydown", (event) => this.key_(event));
    this.table.addEventListener("toggle", () => this.rows());
    new ResizeObserver(() => {
      const width = Math.round(this.picture.clientWidth);
      if (width && width !== this.width) {
        this.width = width;
        this.draw();
      }
    }).observe(this.picture);
  }

  /** New values; where the reader was, they stay. */
  update(series, widest = this.widest, along = "pages") {
    if (along !== this.along) this.move(null);
    this.along = along;
    this.series = series.filter((one) => one[this.key]?.length && one[this.along]?.length);
    this.widest = widest;
    this.node.hidden = !this.series.length;
    this.draw();
    this.rows();
  }

  shown(value) {
    if (value === null || value === undefined) return "unknown";
    return this.share ? percent(value) : count(value);
  }

  draw() {
    if (!this.width || !this.series.length) return;
    const far = Math.min(Math.max(...this.series.map((one) => one[this.along].at(-1) ?? 0), this.along === "pages" ? 1 : 0.1), this.widest ?? Infinity);
    let high = 1;
    if (!this.share) {
      high = 1;
      for (const one of this.series) {
        one[this.key].forEach((value, place) => {
          if (one[this.along][place] <= far && value > high) high = value;
        });
      }
    }
    const along = ALONG[this.along];
    const marks = along.ticks(far, this.width < 300 ? 3 : this.width < 460 ? 4 : 6).filter((tick) => tick <= far);
    const up = this.share ? [0, 0.25, 0.5, 0.75, 1] : ticks(high, 4);
    high = this.share ? 1 : up.at(-1);
    const [right, bottom] = [this.width - EDGE.right, HEIGHT - EDGE.bottom];
    this.far = far;
    this.x = (value) => EDGE.left + ((right - EDGE.left) * value) / far;
    this.y = (value) => bottom - ((bottom - EDGE.top) * value) / high;
    const label = (value) => (this.share ? `${Math.round(100 * value)} %` : short(value));
    const grid = up.map((value) => svg("g", {},
      svg("line", { class: "grid", x1: EDGE.left, x2: right, y1: this.y(value), y2: this.y(value) }),
      svg("text", { x: EDGE.left - 8, y: this.y(value) + 4, "text-anchor": "end" }, label(value))));
    const foot = marks.map((value) => svg("text", { x: this.x(value), y: bottom + 18, "text-anchor": value ? "middle" : "start" }, along.tick(value)));
    const lines = this.series.map((one, number) => this.line(one, number));
    this.hair = svg("line", { class: "hair", y1: EDGE.top, y2: bottom, hidden: true });
    this.dots = svg("g", { class: "dots" });
    this.picture.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    this.picture.setAttribute("height", String(HEIGHT));
    this.picture.setAttribute("aria-label", this.words());
    this.picture.replaceChildren(...grid, svg("line", { class: "axis", x1: EDGE.left, x2: right, y1: bottom, y2: bottom }), ...foot,
      svg("text", { class: "axis-name", x: right, y: HEIGHT - 4, "text-anchor": "end" }, along.name), ...lines, this.hair, this.dots);
    this.keys.replaceChildren(...(this.series.length > 1 ? this.series.map((one, number) => el("li", {},
      svg("svg", { class: "key", viewBox: "0 0 28 8", width: 28, height: 8, "aria-hidden": "true" }, svg("path", { class: this.style(one, number), d: "M1 4H27" })),
      one.name)) : []));
    if (this.cursor !== null) this.move(this.cursor, false);
  }

  style(one, number) {
    const place = PLACES.indexOf(one.strategy);
    return `line c${place < 0 ? number % PLACES.length : place}${one.again ? " again" : ""}`;
  }

  line(one, number) {
    const points = [];
    one[this.along].forEach((where, place) => {
      const value = one[this.key][place];
      if (value !== null && value !== undefined && where <= this.far) points.push(`${this.x(where).toFixed(1)} ${this.y(value).toFixed(1)}`);
    });
    const style = this.style(one, number);
    const group = svg("g", { "data-name": one.name }, svg("path", { class: style, d: points.length ? `M${points.join("L")}` : "" }));
    if (points.length && one[this.along].at(-1) <= this.far) {
      const [cx, cy] = points.at(-1).split(" ");
      group.append(svg("circle", { class: `end ${style}`, cx, cy, r: 3.5 }));
    }
    return group;
  }

  words() {
    const ends = this.series.map((one) => `${one.name}: ${this.shown(one[this.key].at(-1))} after ${count(one.pages.at(-1))} pages`);
    return `${this.title}. ${ends.join("; ")}. Arrow keys read the values.`;
  }

  point(event) {
    const box = this.picture.getBoundingClientRect();
    const place = (event.clientX - box.left - EDGE.left) / (box.width - EDGE.left - EDGE.right);
    this.move(Math.min(Math.max(place, 0), 1) * this.far);
  }

  key_(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const now = this.cursor ?? (step > 0 ? 0 : this.far);
    this.move(Math.min(Math.max(Number.isFinite(step) ? now + (step * this.far) / 40 : step < 0 ? 0 : this.far, 0), this.far));
  }

  move(value) {
    this.cursor = value;
    if (!this.hair) return;
    if (value === null) {
      this.hair.setAttribute("hidden", "");
      this.dots.replaceChildren();
      this.said.textContent = "";
      return;
    }
    this.hair.removeAttribute("hidden");
    for (const name of ["x1", "x2"]) this.hair.setAttribute(name, this.x(value));
    const told = [];
    const dots = [];
    this.series.forEach((one, number) => {
      const place = upTo(one[this.along], value);
      if (one[this.along][place] > value || (value > one[this.along].at(-1) && place === one[this.along].length - 1 && value - one[this.along].at(-1) > this.far / 60)) return;
      const height = one[this.key][place];
      if (height === null || height === undefined) return;
      dots.push(svg("circle", { class: `end ${this.style(one, number)}`, cx: this.x(Math.min(one[this.along][place], value)), cy: this.y(height), r: 4 }));
      told.push(this.series.length > 1 ? `${one.name} ${this.shown(height)}` : this.shown(height));
    });
    this.dots.replaceChildren(...dots);
    this.said.textContent = `${ALONG[this.along].reading(value)}: ${told.join(" · ") || "nothing yet"}`;
  }

  /** The numbers, twelve rows of them, when somebody opens the table. */
  rows() {
    if (!this.table.open || !this.series.length) return;
    const far = Math.max(...this.series.map((one) => one[this.along].at(-1)));
    const timed = this.along === "seconds";
    const rows = Array.from({ length: 12 }, (_, row) => (far * (row + 1)) / 12).map((where) => [timed ? duration(where) : count(Math.round(where)),
      ...this.series.map((one) => (where > one[this.along].at(-1) ? "" : this.shown(one[this.key][upTo(one[this.along], where)])))]);
    this.table.lastChild.replaceChildren(...table("", [ALONG[this.along].head, ...this.series.map((one) => one.name)], rows).children);
  }
}
