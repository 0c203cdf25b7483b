// The frame: which view is shown, light or dark, and whether the service answers.
import { get, onReach } from "./api.js";
import { badges } from "./install.js";
import { at } from "./dom.js";
import { route } from "./link.js";
import { loadNames } from "./names.js";
import { quiz } from "./quiz.js";
import { runs } from "./runs.js";
import { text } from "./text.js";
import { urls } from "./urls.js";

const VIEWS = { urls, text, runs, quiz, badges };
const TITLES = { urls: "URLs", text: "Text", runs: "Runs", quiz: "Quiz", badges: "Badges" };
const started = new Set();
let current = null;
let described = { default: "default", models: [] };

async function show() {
  const { view: wanted, more, question } = route();
  const name = Object.hasOwn(VIEWS, wanted) ? wanted : "urls";
  const moved = current !== null && current !== name;
  if (current !== name) {
    if (current) VIEWS[current].hide?.();
    for (const view of Object.keys(VIEWS)) at(`view-${view}`).hidden = view !== name;
    for (const link of document.querySelectorAll("nav a")) {
      if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.title = `${TITLES[name]} – Dragoman`;
    current = name;
    about(VIEWS[name].reads);
  }
  if (moved) {
    window.scrollTo(0, 0);
    at("main").focus({ preventScroll: true });
  }
  if (!started.has(name)) {
    started.add(name);
    VIEWS[name].start(modelOf(VIEWS[name].reads));
  }
  VIEWS[name].show?.(more, question);
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
      const { more, question } = route();
      VIEWS[current].show?.(more, question);
    } catch {
      // The line stays.
    }
  });
}

/** "/" goes to where the view is asked, as on other pages. */
function slash() {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("textarea, input, select")) return;
    const field = [...document.querySelectorAll("textarea")].find((one) => one.checkVisibility());
    if (!field) return;
    event.preventDefault();
    field.focus();
  });
}

/** A key does what the button does that names it as its shortcut, if that button can be seen. */
function shortcuts() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("textarea, input, select")) return;
    const meant = [...document.querySelectorAll("button[aria-keyshortcuts]:enabled")]
      .find((button) => button.getAttribute("aria-keyshortcuts") === event.key && button.checkVisibility());
    if (!meant) return;
    event.preventDefault();
    meant.click();
  });
}

/** The model that a view asks: of URLs the service's default, of texts the one for texts. */
function modelOf(reads) {
  const name = reads === "text" ? "text" : described.default;
  return described.models.find((model) => model.name === name);
}

function about(reads) {
  const model = reads && modelOf(reads);
  at("about").textContent = model ? `Model “${model.name}” (${model.algorithm}), ${model.languages.length} languages.` : "Dragoman";
}

async function loadModels() {
  try {
    described = await get("v1/models");
  } catch {
    // It is only a line at the bottom, and where the slider begins.
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
slash();
Promise.all([loadNames(), loadModels()]).then(() => {
  window.addEventListener("hashchange", show);
  show();
});
