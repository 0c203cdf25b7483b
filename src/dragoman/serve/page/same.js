// "The same with": the question of a view for the shell, for Python and for curl, ready to be pasted.
import { actions, button, copy, el } from "./dom.js";

/** Text as one word of a POSIX shell. */
export const shellWord = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Text as a literal that Python reads as the same text: JSON's form is one, but for what lies beyond the first plane. */
export const pythonText = (text) => JSON.stringify(text);

/** Keyword arguments for those that have a value. */
const keywords = (pairs) => pairs.filter(([, value]) => value !== null).map(([name, value]) => `, ${name}=${value}`).join("");

/** What a view asks about URLs, in each tongue. */
export function urlWays(urls, codes, threshold) {
  const origin = location.origin;
  const list = codes.length ? pythonText(codes.join(",")) : null;
  const options = [codes.length ? `--languages ${codes.join(",")}` : "", threshold === null ? "" : `--threshold ${threshold}`].filter((part) => part);
  const body = JSON.stringify({ urls, ...(codes.length ? { languages: codes } : {}), ...(threshold === null ? {} : { threshold }) });
  return [
    ["Shell", ["dragoman url", ...options, ...urls.map(shellWord)].join(" ")],
    ["Python", `import dragoman\n\nurls = ${JSON.stringify(urls, null, 4)}\nfor answer in dragoman.identify(urls${keywords([["languages", list], ["threshold", threshold]])}):\n    print(answer.language, answer.probability)`],
    ["curl", urls.length === 1 && !codes.length && threshold === null
      ? `curl -s --get ${origin}/v1/url --data-urlencode ${shellWord(`u=${urls[0]}`)}`
      : `curl -s ${origin}/v1/urls -H 'Content-Type: application/json' -d ${shellWord(body)}`],
  ];
}

/** What a view asks about a text, in each tongue. */
export function textWays(text, html, codes) {
  const member = html ? "html" : "text";
  const file = html ? "page.html" : "text.txt";
  const list = keywords([["languages", codes.length ? pythonText(codes.join(",")) : null]]);
  const option = codes.length ? ` --languages ${codes.join(",")}` : "";
  const python = html
    ? `from pathlib import Path\n\nimport dragoman\nfrom dragoman.identifiers.text.document import read_page\n\npage = read_page(Path("${file}").read_bytes(), "text/html")\nprint(dragoman.identify_page(page${list}))\nprint(dragoman.track(page${list}))`
    : `import dragoman\n\ntext = ${pythonText(text)}\nprint(dragoman.identify_text(text${list}))\nprint(dragoman.track(text${list}))`;
  const body = JSON.stringify({ [member]: text, ...(codes.length ? { languages: codes } : {}) });
  return [
    ["Shell", `dragoman page ${file}${option}\ndragoman track ${file}${option}`],
    ["Python", python],
    ["curl", `curl -s ${location.origin}/v1/track -H 'Content-Type: application/json' -d ${shellWord(body)}`],
  ];
}

/** The panel: one block per way, each with a button that copies it. */
export function drawWays(node, ways) {
  node.replaceChildren(...ways.map(([name, code]) => {
    const face = button("Copy", async () => {
      face.textContent = (await copy(code)) ? "Copied" : "Select and copy";
    }, { class: "quiet", "aria-label": `Copy for ${name}` });
    return el("div", { class: "way" }, el("h3", {}, name, actions(face)),
      el("pre", { tabindex: "0", role: "region", "aria-label": name, dir: "ltr" }, code));
  }));
}
