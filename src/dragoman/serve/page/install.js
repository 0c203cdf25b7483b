// How to put the badges into a browser: the bookmarklet, made here so that it knows where this service is.
import { at, attempt, copy, el, note } from "./dom.js";

const here = location.origin;

async function script() {
  const answer = await fetch("page/badges.js", { cache: "no-store" });
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`);
  return (await answer.text()).replace("__SERVICE__", here);
}

function ways(href) {
  const say = (text) => {
    at("badges-status").textContent = text;
  };
  const link = el("a", { class: "button primary", id: "bookmarklet", draggable: "true", href, on: { click: (event) => {
    event.preventDefault();
    say("Drag it to the bookmarks bar; there it works with a click.");
  } } }, "Link languages");
  const copied = el("button", { type: "button", on: { click: async () => say(await copy(href) ? "Copied. Make a bookmark and paste it as the address." : "The browser does not let this page copy: drag the button instead.") } }, "Copy its address");
  return [
    el("section", { class: "card flow" }, el("h2", {}, "Bookmarklet"),
      el("ol", {}, el("li", {}, "Drag this button to your bookmarks bar, or copy its address into a new bookmark."),
        el("li", {}, "Start the service so that pages may ask it. ", el("code", {}, "dragoman serve --allow-origin https://example.org"), " allows one site, ", el("code", {}, "--allow-origin '*'"), " all."),
        el("li", {}, "On any page click the bookmark. Once more, and the badges are gone.")),
      el("div", { class: "actions" }, link, copied),
      note("Chrome asks once per site whether it may reach this machine: allow it. Safari does not let https pages ask an http service, and a site with a strict Content-Security-Policy forbids any bookmarklet to ask: the user script works there.")),
    el("section", { class: "card flow" }, el("h2", {}, "User script"),
      el("ol", {}, el("li", {}, "With Violentmonkey, Tampermonkey or Greasemonkey in your browser, install the script."),
        el("li", {}, "On any page press ", el("kbd", {}, "Alt"), " + ", el("kbd", {}, "Shift"), " + ", el("kbd", {}, "L"), ", or choose it in the manager's menu.")),
      el("div", { class: "actions" }, el("a", { class: "button", href: "dragoman.user.js" }, "Install the user script")),
      note("It needs no --allow-origin: it asks through the manager, and nothing but this service.")),
    el("section", { class: "card flow" }, el("h2", {}, "What is sent"),
      el("p", {}, "The addresses of the links on the page, without what follows a #, in batches of 500, to ", el("code", {}, here), " and nowhere else. Nothing is stored and no link is followed.")),
  ];
}

export const badges = {
  reads: "urls",
  start() {
    attempt("badges", script, (text) => at("badges-out").replaceChildren(...ways(`javascript:${encodeURIComponent(text)}`)));
  },
};
