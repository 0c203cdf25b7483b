// A badge with the language beside every link of the page this runs on, by asking a Dragoman service on this machine.
// Used in three ways: as a bookmarklet, as a user script (there it waits for Alt+Shift+L), and by a script element.
// Only the addresses of the links are sent, and only to the service. Running it again takes the badges away.
(() => {
  "use strict";
  const named = "__SERVICE__";
  const own = typeof document.currentScript?.src === "string" && /^https?:/.test(document.currentScript.src) ? new URL(document.currentScript.src).origin : "";
  const service = named.startsWith("http") ? named : own || "http://127.0.0.1:8321";
  const MARK = "data-dragoman-badge";
  const BATCH = 500;
  const names = typeof Intl === "object" && Intl.DisplayNames ? new Intl.DisplayNames(["en"], { type: "language" }) : null;

  function nameOf(language) {
    try {
      return names?.of(language) ?? language;
    } catch {
      return language;
    }
  }

  // A user script asks through its manager: neither the page's Content-Security-Policy nor CORS stand in the way there.
  function ask(urls) {
    const body = JSON.stringify({ urls });
    if (typeof GM_xmlhttpRequest === "function") {
      return new Promise((done, failed) => {
        GM_xmlhttpRequest({
          method: "POST", url: `${service}/v1/urls`, data: body, headers: { "Content-Type": "application/json" }, anonymous: true,
          onload: (answer) => (answer.status === 200 ? done(JSON.parse(answer.responseText)) : failed(new Error(String(answer.status)))),
          onerror: () => failed(new Error("no answer")), ontimeout: () => failed(new Error("no answer")),
        });
      });
    }
    return fetch(`${service}/v1/urls`, { method: "POST", body, headers: { "Content-Type": "application/json" }, credentials: "omit", referrerPolicy: "no-referrer" })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(String(answer.status)))));
  }

  function styled(node, style) {
    for (const [name, value] of Object.entries(style)) node.style.setProperty(name, value, "important");
    return node;
  }

  let told = null;
  function say(text) {
    told?.remove();
    told = document.createElement("div");
    told.setAttribute("role", "status");
    told.setAttribute(MARK, "status");
    styled(told, { all: "initial", position: "fixed", bottom: "16px", left: "16px", "max-width": "min(26rem, calc(100vw - 32px))", "z-index": "2147483647", "box-sizing": "border-box",
      padding: "10px 14px", "border-radius": "8px", background: "#12343b", color: "#ffffff", font: "14px/1.45 system-ui, sans-serif", "box-shadow": "0 4px 18px rgba(0,0,0,.3)" });
    told.textContent = text;
    document.body.append(told);
    const mine = told;
    setTimeout(() => mine.remove(), 8000);
  }

  function badge(link, language, probability) {
    const node = document.createElement("span");
    node.setAttribute(MARK, language);
    node.setAttribute("lang", "en");
    node.title = `${nameOf(language)}, ${(100 * probability).toFixed(0)} % by its URL`;
    const seen = document.createElement("span");
    seen.setAttribute("aria-hidden", "true");
    seen.textContent = language;
    const heard = document.createElement("span");
    heard.textContent = ` (${nameOf(language)})`;
    styled(heard, { position: "absolute", width: "1px", height: "1px", overflow: "hidden", "clip-path": "inset(50%)", "white-space": "nowrap" });
    styled(node, { all: "initial", display: "inline-block", position: "relative", margin: "0 0 0 .35em", padding: "0 .4em", "border-radius": ".6em", border: "1px solid #7a8f94",
      background: probability >= 0.8 ? "#e3f0f2" : "#ffffff", color: "#0d3138", font: "600 11px/1.5 ui-monospace, monospace", "vertical-align": "baseline", "white-space": "nowrap" });
    node.append(seen, heard);
    link.after(node);
  }

  async function run() {
    const there = document.querySelectorAll(`[${MARK}]`);
    if (there.length) {
      there.forEach((node) => node.remove());
      return;
    }
    const links = new Map();
    for (const link of document.querySelectorAll("a[href]")) {
      const url = typeof link.href === "string" ? link.href.split("#")[0] : "";
      if (!/^https?:/.test(url) || url === location.href.split("#")[0] || url.length > 8000) continue;
      if (!links.has(url)) links.set(url, []);
      links.get(url).push(link);
    }
    const urls = [...links.keys()];
    if (!urls.length) return say("Dragoman: this page has no links.");
    say(`Dragoman: asking about ${urls.length} links …`);
    let number = 0;
    try {
      for (let start = 0; start < urls.length; start += BATCH) {
        const part = urls.slice(start, start + BATCH);
        const { results } = await ask(part);
        results.forEach((one, place) => {
          if (!one.language) return;
          number += 1;
          for (const link of links.get(part[place])) badge(link, one.language, one.probability);
        });
      }
    } catch {
      return say(`Dragoman does not answer at ${service}. Start it with: dragoman serve --allow-origin ${location.origin}`);
    }
    return say(`Dragoman: ${number} of ${urls.length} links have a language.`);
  }

  if (typeof GM_xmlhttpRequest === "function") {
    if (typeof GM_registerMenuCommand === "function") GM_registerMenuCommand("Languages of the links", run);
    document.addEventListener("keydown", (event) => {
      if (event.altKey && event.shiftKey && event.code === "KeyL") run();
    });
  } else run();
})();
