// The frame: which view is shown, light or dark, and whether the service answers.
import { get, onReach } from "./api.js";
import { badges } from "./install.js";
import { at } from "./dom.js";
import { loadNames } from "./names.js";
import { quiz } from "./quiz.js";
import { runs } from "./runs.js";
import { text } from "./text.js";
import { urls } from "./urls.js";

const VIEWS = { urls, text, runs, quiz, badges };
const TITLES = { urls: "URLs", text: "Text", runs: "Runs", quiz: "Quiz", badges: "Badges" };
const started = new Set();
let current = null;

/** `#runs/my-crawl` is the view "runs" with "my-crawl". */
function route() {
  const [name, ...rest] = location.hash.slice(1).split("/");
  let more = "";
  try {
    more = decodeURIComponent(rest.join("/"));
  } catch {
    more = "";
  }
  return [Object.hasOwn(VIEWS, name) ? name : "urls", more];
}

async function show() {
  const [name, more] = route();
  const moved = current !== null && current !== name;
  if (current !== name) {
    if (current) VIEWS[current].hide?.();
    for (const one of Object.keys(VIEWS)) at(`view-${one}`).hidden = one !== name;
    for (const link of document.querySelectorAll("nav a")) {
      if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.title = `${TITLES[name]} – Dragoman`;
    current = name;
  }
  if (moved) {
    window.scrollTo(0, 0);
    at("main").focus({ preventScroll: true });
  }
  if (!started.has(name)) {
    started.add(name);
    VIEWS[name].start();
  }
  VIEWS[name].show?.(more);
}

function themes() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const button = at("theme");
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const tell = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark() ? "Switch to light colours" : "Switch to dark colours");
  };
  button.addEventListener("click", () => {
    const next = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem("dragoman-theme", next);
    } catch {
      // It holds until the page is left.
    }
    tell();
  });
  dark.addEventListener("change", tell);
  tell();
}

function reach() {
  onReach((there) => {
    if (at("gone").hidden !== there) at("gone").hidden = there;
  });
  at("again").addEventListener("click", async () => {
    try {
      await get("health");
      await loadNames();
      VIEWS[current].show?.(route()[1]);
    } catch {
      // The line stays.
    }
  });
}

/** A key does what the button does that names it as its shortcut, if that button can be seen. */
function shortcuts() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("textarea, input, select")) return;
    const meant = [...document.querySelectorAll("button[aria-keyshortcuts]:enabled")]
      .find((one) => one.getAttribute("aria-keyshortcuts") === event.key && one.checkVisibility());
    if (!meant) return;
    event.preventDefault();
    meant.click();
  });
}

async function about() {
  try {
    const told = await get("v1/models");
    const one = told.models?.find((model) => model.name === told.default) ?? told.models?.[0];
    if (one) at("about").textContent = `Model “${one.name}”, ${one.languages?.length ?? "several"} languages.`;
  } catch {
    // It is only a line at the bottom.
  }
}

// A link to where the reader is would change the address and nothing else: the skip link keeps the view.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  at("main").focus();
});
themes();
reach();
shortcuts();
loadNames().then(() => {
  window.addEventListener("hashchange", show);
  show();
  about();
});
