// Offsets of the service count characters as Python does (code points); strings here count UTF-16 units.

/** For sorted code point offsets the UTF-16 offsets in the text, in one pass. */
export function units(text, places) {
  const found = [];
  let points = 0;
  let unit = 0;
  for (const place of places) {
    while (points < place && unit < text.length) {
      unit += text.codePointAt(unit) > 0xffff ? 2 : 1;
      points += 1;
    }
    found.push(unit);
  }
  return found;
}

/** The text in order as [piece, span or null]; spans are sorted, half open, in code points, and do not overlap. */
export function slices(text, spans) {
  const sorted = [...spans].filter((span) => span.end > span.start).sort((one, other) => one.start - other.start);
  const bounds = units(text, sorted.flatMap((span) => [span.start, span.end]));
  const found = [];
  let done = 0;
  sorted.forEach((span, number) => {
    const [start, end] = [Math.max(bounds[2 * number], done), bounds[2 * number + 1]];
    if (end <= start) return;
    if (start > done) found.push([text.slice(done, start), null]);
    found.push([text.slice(start, end), span]);
    done = end;
  });
  if (done < text.length) found.push([text.slice(done), null]);
  return found;
}
