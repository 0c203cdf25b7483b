// Names and hues of languages, as the service tells them: a language has the same colour in every view and every report.
import { get } from "./api.js";

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

/** All languages that can be told, for a list to choose from. */
export const allNames = () => [...known.values()].map(({ name }) => name).sort();
