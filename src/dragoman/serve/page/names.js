// Names and hues of languages, as the service tells them: a language has the same colour in every view and every report.
import { get } from "./api.js";
import { at, el } from "./dom.js";

const known = new Map();

/** Ask the service once; without an answer the codes are shown, in one hue. */
export async function loadNames() {
  if (known.size) return;
  try {
    const { languages } = await get("v1/languages");
    for (const language of languages) known.set(language.code, language);
  } catch {
    // The codes will do.
  }
}

export function nameOf(language) {
  if (!language || language === "und") return "No language";
  return known.get(language)?.name ?? language;
}

/** The hue of a language in degrees; null for no language. */
export function hueOf(language) {
  if (!language || language === "und") return null;
  return known.get(language)?.hue ?? 210;
}

/** The CSS variable that colours something by a language. */
export const coloured = (language) => ({ "--hue": String(hueOf(language) ?? 0) });

/** Codes for what somebody typed: "de, French" → ["de", "fr"]; and what none was found for. */
export function codesOf(typed) {
  const codes = [];
  const unknown = [];
  for (const word of typed.split(/[,;]+|\s{2,}/).map((part) => part.trim()).filter((part) => part)) {
    const wanted = word.toLowerCase();
    const match = [...known.values()].find(({ code, name }) => code.toLowerCase() === wanted || name.toLowerCase() === wanted);
    if (match) codes.push(match.code);
    else unknown.push(word);
  }
  return { codes: [...new Set(codes)], unknown };
}

/** What is said where somebody typed a language that is not there. */
export const noLanguage = (word) => `No language '${word}' here: give codes or English names, as in de, French.`;

/** The languages that an address carries, as somebody would type them. */
export const namesIn = (question) => (question.get("languages") ?? "").split(",").filter((code) => code).map(nameOf).join(", ");

/** Offer all languages that can be told where one is typed. */
export function offerNames() {
  const names = [...known.values()].map(({ name }) => name).sort();
  at("language-names").replaceChildren(...names.map((name) => el("option", { value: name })));
}
