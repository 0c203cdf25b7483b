// Names and hues of languages. The hues are those of `dragoman track` (dragoman.identifiers.track.colours).
import { get } from "./api.js";

export const HUES = [210, 28, 130, 345, 265, 50, 180, 310, 95, 235];

const names = new Map();

/** Ask the service for the names once; without them the codes are shown. */
export async function loadNames() {
  if (names.size) return;
  try {
    const told = await get("v1/languages");
    for (const one of told.languages ?? []) names.set(one.code ?? one.language, one.name);
  } catch {
    // The codes will do.
  }
}

export function nameOf(language) {
  if (!language || language === "und") return "No language";
  return names.get(language) ?? language;
}

/** Hues for the languages, the most frequent first; then they repeat. */
export class Hues {
  constructor(languages = []) {
    this.places = new Map();
    for (const language of languages) this.of(language);
  }

  of(language) {
    if (!language || language === "und") return null;
    if (!this.places.has(language)) this.places.set(language, this.places.size);
    return HUES[this.places.get(language) % HUES.length];
  }
}
