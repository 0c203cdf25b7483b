/* HTML becomes visible text with a map to the source, and rows of tags and attributes. The definition in plain Python is
   dragoman.identifiers.text.markup.tokenise; tests hold both equal. The source is UTF-8 (lone surrogates as three bytes each), positions
   that come out are counted in characters. One pass over the bytes, no recursion, no memory of its own: what comes out is
   written as far as there is room for it, and counted to the end, so that a caller can come back with enough room. */
#include "native.h"

#include <string.h>

enum { BLOCK = 1, RAW = 2, SHOWN = 4, CODED = 8, REST = 16, KEPT = 32, ABSENT = 64, FOREIGN = 128, TOLD = 256 };
enum { SAME = 0, REPLACED = 1, SEPARATOR = 2 };
enum { END = 1, CLOSED = 2 };
enum { LONGEST_OLD = 6, LONGEST = 32, TAG_COLUMNS = 7, ATTRIBUTE_COLUMNS = 3, SEGMENT_COLUMNS = 3 };

/* Names of up to 16 bytes in lower case as two numbers, in rising order, and what is known about each. */
typedef struct {
    const uint64_t *keys; /* two per name */
    const int32_t *values;
    int32_t count;
} lookup;

/* Texts behind each other: text i is bytes[starts[i] .. starts[i + 1]). */
typedef struct {
    const uint8_t *bytes;
    const int64_t *starts;
} texts;

typedef struct {
    const uint8_t *s;
    int64_t n;
    int xml, every;
    lookup elements, attributes;
    texts names, values;   /* of character references; names in rising order */
    int32_t references;
    int64_t byte_mark, char_mark; /* a position in bytes and the same in characters */
    /* what comes out, and how many rows there is room for; text has room for all */
    uint8_t *text, *kinds;
    int64_t *segments, *tags, *told;
    int64_t bytes, chars, segment_count, tag_count, told_count;
    int64_t segment_room, tag_room, told_room;
    int64_t most; /* the room that attributes need: those of a tag are written before it is known to be told */
    int last_kind;
    int64_t last_stop; /* where the source of the last segment ends, in characters */
    uint8_t pending;
    int64_t seen;
    int64_t kept, absent, foreign;
} reader;

static const uint16_t C1[32] = {
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
};

static inline int is_space(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v'); }
static inline int is_letter(uint8_t c) { return (uint8_t)((c | 32) - 'a') < 26; }
static inline int is_digit(uint8_t c) { return (uint8_t)(c - '0') < 10; }
static inline uint8_t lower(uint8_t c) { return (uint8_t)(c - 'A') < 26 ? c + 32 : c; }
static inline int ends_name(uint8_t c) { return is_space(c) || c == '/' || c == '>'; }

static int64_t characters(const uint8_t *bytes, int64_t count) {
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++) found += (bytes[i] & 0xC0) != 0x80;
    return found;
}

/* The character position of a byte position: counted on from the last one that was asked for. */
static int64_t place(reader *r, int64_t byte) {
    if (byte >= r->byte_mark) r->char_mark += characters(r->s + r->byte_mark, byte - r->byte_mark);
    else r->char_mark -= characters(r->s + byte, r->byte_mark - byte);
    r->byte_mark = byte;
    return r->char_mark;
}

static int64_t find_byte(const reader *r, uint8_t what, int64_t from) {
    const uint8_t *hit = from < r->n ? memchr(r->s + from, what, (size_t)(r->n - from)) : NULL;
    return hit ? hit - r->s : -1;
}

static int starts(const reader *r, int64_t at, const char *what) {
    int64_t length = (int64_t)strlen(what);
    return at + length <= r->n && memcmp(r->s + at, what, (size_t)length) == 0;
}

/* The number of a name, or -1. */
static int32_t named(const lookup *table, const uint8_t *name, int64_t length) {
    uint64_t low = 0, high = 0;
    if (length < 1 || length > 16) return -1;
    for (int64_t i = 0; i < length && i < 8; i++) low |= (uint64_t)lower(name[i]) << (8 * i);
    for (int64_t i = 8; i < length; i++) high |= (uint64_t)lower(name[i]) << (8 * (i - 8));
    int32_t first = 0, last = table->count;
    while (first < last) {
        int32_t middle = (first + last) / 2;
        uint64_t a = table->keys[2 * middle], b = table->keys[2 * middle + 1];
        if (a == low && b == high) return middle;
        if (a < low || (a == low && b < high)) first = middle + 1;
        else last = middle;
    }
    return -1;
}

/* --- text ------------------------------------------------------------------------------------------------------ */

static void segment(reader *r, int64_t start, int64_t stop, int kind) {
    if (kind == SAME && r->segment_count && r->last_kind == SAME && r->last_stop == start) {
        if (r->segment_count <= r->segment_room)
            r->segments[SEGMENT_COLUMNS * (r->segment_count - 1) + 2] += stop - start;
    } else {
        if (r->segment_count < r->segment_room) {
            int64_t *row = r->segments + SEGMENT_COLUMNS * r->segment_count;
            row[0] = r->chars, row[1] = start, row[2] = stop - start;
            r->kinds[r->segment_count] = (uint8_t)kind;
        }
        r->segment_count++;
    }
    r->last_kind = kind, r->last_stop = stop;
}

/* The text `value` for the bytes from..to of the source, after the separator that waits. */
static void put(reader *r, int64_t from, int64_t to, const uint8_t *value, int64_t bytes, int64_t chars, int kind) {
    int64_t start = place(r, from), stop = place(r, to);
    if (r->pending && r->chars) {
        segment(r, r->seen, start, start - r->seen > 1 ? SEPARATOR : SAME);
        r->text[r->bytes++] = r->pending;
        r->chars++;
    }
    r->pending = 0;
    segment(r, start, stop, kind);
    memcpy(r->text + r->bytes, value, (size_t)bytes);
    r->bytes += bytes;
    r->chars += chars >= 0 ? chars : stop - start;
    r->seen = stop;
}

/* The number of the reference name, or -1. */
static int32_t reference_name(const reader *r, const uint8_t *name, int64_t length) {
    int32_t first = 0, last = r->references;
    while (first < last) {
        int32_t middle = (first + last) / 2;
        const uint8_t *other = r->names.bytes + r->names.starts[middle];
        int64_t size = r->names.starts[middle + 1] - r->names.starts[middle];
        int order = memcmp(other, name, (size_t)(size < length ? size : length));
        if (order == 0 && size == length) return middle;
        if (order < 0 || (order == 0 && size < length)) first = middle + 1;
        else last = middle;
    }
    return -1;
}

static int64_t utf8(uint32_t point, uint8_t *out) {
    if (point < 0x80) return out[0] = (uint8_t)point, 1;
    if (point < 0x800) return out[0] = (uint8_t)(0xC0 | point >> 6), out[1] = (uint8_t)(0x80 | (point & 63)), 2;
    if (point < 0x10000)
        return out[0] = (uint8_t)(0xE0 | point >> 12), out[1] = (uint8_t)(0x80 | (point >> 6 & 63)),
               out[2] = (uint8_t)(0x80 | (point & 63)), 3;
    return out[0] = (uint8_t)(0xF0 | point >> 18), out[1] = (uint8_t)(0x80 | (point >> 12 & 63)),
           out[2] = (uint8_t)(0x80 | (point >> 6 & 63)), out[3] = (uint8_t)(0x80 | (point & 63)), 4;
}

/* Where the reference with its & at `at` ends, and what it stands for; -1 if there is none. */
static int64_t reference(const reader *r, int64_t at, int64_t end, uint8_t *made, const uint8_t **value, int64_t *bytes) {
    const uint8_t *s = r->s;
    int64_t stop = ++at;
    if (at < end && s[at] == '#') {
        int hex = at + 1 < end && (s[at + 1] | 32) == 'x';
        uint32_t number = 0;
        int64_t digits = at + 1 + hex;
        for (stop = digits; stop < end; stop++) {
            uint8_t c = s[stop], letter = (uint8_t)((c | 32) - 'a');
            uint32_t digit = is_digit(c) ? (uint32_t)(c - '0') : hex && letter < 6 ? letter + 10u : 99;
            if (digit == 99) break;
            number = number * (hex ? 16 : 10) + digit;
            if (number > 0x110000) number = 0x110000;
        }
        if (stop == digits) return -1;
        if (number == 0 || (number >= 0xD800 && number <= 0xDFFF) || number > 0x10FFFF) number = 0xFFFD;
        else if (number >= 0x80 && number <= 0x9F && C1[number - 0x80]) number = C1[number - 0x80];
        *bytes = utf8(number, made), *value = made;
        return stop + (stop < end && s[stop] == ';');
    }
    while (stop < end && stop - at < LONGEST && (is_letter(s[stop]) || is_digit(s[stop]))) stop++;
    int32_t found = -1;
    if (stop > at && stop < end && s[stop] == ';') found = reference_name(r, s + at, ++stop - at);
    if (found < 0) {
        if (stop > at + LONGEST_OLD) stop = at + LONGEST_OLD;
        for (; stop > at + 1; stop--)
            if ((found = reference_name(r, s + at, stop - at)) >= 0) break;
    }
    if (found < 0) return -1;
    *value = r->values.bytes + r->values.starts[found];
    *bytes = r->values.starts[found + 1] - r->values.starts[found];
    return stop;
}

/* 1 for the bytes at which a run of ordinary text ends: white space, & and NUL. */
static const uint8_t SPECIAL[256] = {[0] = 1, ['\t'] = 1, ['\n'] = 1, ['\f'] = 1, ['\r'] = 1, [' '] = 1, ['&'] = 1};

/* The text at..stop of the source, which holds no markup. */
static void write_text(reader *r, int64_t at, int64_t stop, int coded, int kept) {
    const uint8_t *s = r->s;
    if (r->absent) return;
    while (at < stop) {
        int64_t run = at;
        int broken = 0;
        for (;; run++) {
            while (run < stop && !SPECIAL[s[run]]) run++;
            /* A single space between words maps to itself: words and spaces go over in one piece. */
            if (kept || run == at || run + 1 >= stop || !is_space(s[run]) || SPECIAL[s[run + 1]]) break;
            broken |= s[run] != ' ';
        }
        if (run > at) {
            put(r, at, run, s + at, run - at, -1, SAME);
            if (broken)
                for (uint8_t *c = r->text + r->bytes - (run - at), *last = r->text + r->bytes; c < last; c++)
                    if (is_space(*c)) *c = ' ';
            at = run;
            continue;
        }
        uint8_t c = s[at];
        if (c == '&') {
            uint8_t made[4];
            const uint8_t *value = s + at;
            int64_t bytes = 1, after = coded ? reference(r, at, stop, made, &value, &bytes) : -1;
            int found = after >= 0;
            if (!found) after = at + 1;
            if (bytes == 1 && is_space(*value) && !kept) r->pending = r->pending ? r->pending : ' ';
            else put(r, at, after, value, bytes, characters(value, bytes), found ? REPLACED : SAME);
            at = after;
        } else if (c == 0) {
            at++;
        } else if (!kept) {
            r->pending = r->pending ? r->pending : ' ';
            at++;
        } else if (c == '\r' && at + 1 < stop && s[at + 1] == '\n') {
            put(r, at, at + 2, s + at + 1, 1, 1, REPLACED);
            at += 2;
        } else {
            const uint8_t line = '\n';
            put(r, at, at + 1, c == '\r' ? &line : s + at, 1, 1, SAME);
            at++;
        }
    }
}

/* --- markup ---------------------------------------------------------------------------------------------------- */

static int64_t after(const reader *r, uint8_t what, int64_t from) {
    int64_t stop = find_byte(r, what, from);
    return stop < 0 ? r->n : stop + 1;
}

static int64_t comment(const reader *r, int64_t at) {
    if (starts(r, at, ">")) return at + 1;
    if (starts(r, at, "->")) return at + 2;
    while ((at = find_byte(r, '-', at)) >= 0) {
        if (starts(r, at, "-->")) return at + 3;
        if (starts(r, at, "--!>")) return at + 4;
        at++;
    }
    return r->n;
}

/* True if the name stands at `at`, in any case, and ends there. */
static int has_name(const reader *r, int64_t at, const uint8_t *name, int64_t length) {
    if (at + length >= r->n || !ends_name(r->s[at + length])) return 0;
    for (int64_t i = 0; i < length; i++)
        if (lower(r->s[at + i]) != lower(name[i])) return 0;
    return 1;
}

static int64_t raw_end(const reader *r, const uint8_t *name, int64_t length, int64_t at) {
    const uint8_t *s = r->s;
    int script = length == 6 && has_name(r, name - s, (const uint8_t *)"script", 6);
    int hidden = 0, inner = 0;
    if (!script) {
        while ((at = find_byte(r, '<', at)) >= 0) {
            if (at + 1 < r->n && s[at + 1] == '/' && has_name(r, at + 2, name, length)) return at;
            at++;
        }
        return r->n;
    }
    for (; at < r->n; at++) {
        if (s[at] == '<') {
            if (starts(r, at, "<!--")) hidden = 1, at++;
            else if (has_name(r, at + 1, name, length)) inner = inner || hidden, at += length;
            else if (starts(r, at, "</") && has_name(r, at + 2, name, length)) {
                if (!inner) return at;
                inner = 0, at += length + 1;
            }
        } else if (s[at] == '-' && starts(r, at, "-->")) {
            hidden = inner = 0, at += 2;
        }
    }
    return r->n;
}

/* One attribute; returns where it ends, or -1 if the page ends first. Told ones are written behind `*count`. */
static int64_t attribute(reader *r, int64_t at, int tell, int64_t *count, int *speaks) {
    const uint8_t *s = r->s;
    int64_t start = at++, n = r->n;
    while (at < n && !ends_name(s[at]) && s[at] != '=') at++;
    int64_t name_end = at, value = at, value_end = at, stop = at;
    while (at < n && is_space(s[at])) at++;
    if (at < n && s[at] == '=') {
        at++;
        while (at < n && is_space(s[at])) at++;
        if (at >= n) return -1;
        if (s[at] == '"' || s[at] == '\'') {
            value = at + 1, value_end = find_byte(r, s[at], value);
            if (value_end < 0) return -1;
            stop = value_end + 1;
        } else {
            for (stop = at; stop < n && !is_space(s[stop]) && s[stop] != '>';) stop++;
            value = at, value_end = stop;
        }
    }
    int32_t number = named(&r->attributes, s + start, name_end - start);
    if (number >= 0 && tell) {
        if (*count < r->told_room) {
            int64_t *row = r->told + ATTRIBUTE_COLUMNS * *count;
            row[0] = r->attributes.values[number] >> 1;
            row[1] = place(r, value), row[2] = place(r, value_end);
        }
        if (++*count > r->most) r->most = *count;
        *speaks |= r->attributes.values[number] & 1;
    }
    return stop;
}

/* What a start tag that ends at `at` does; returns where to go on. */
static int64_t opened(reader *r, const uint8_t *name, int64_t length, int does, int kind, int64_t at) {
    if (does & BLOCK) r->pending = '\n';
    if ((kind & CLOSED) && (r->xml || r->foreign)) return at;
    r->absent += (does & ABSENT) != 0;
    r->foreign += (does & FOREIGN) != 0;
    int64_t first = at;
    if (does & KEPT) {
        if (starts(r, at, "\r\n")) first = at + 2;
        else if (starts(r, at, "\n") || starts(r, at, "\r")) first = at + 1;
        if (!(does & RAW)) return r->kept++, first;
    }
    if (!(does & RAW)) return at;
    int64_t stop = does & REST ? r->n : raw_end(r, name, length, at);
    if (does & SHOWN) write_text(r, first < stop ? first : stop, stop, (does & CODED) != 0, 1);
    return stop;
}

/* A tag with its < at `start` and its name at `at`. */
static int64_t tag(reader *r, int64_t start, int64_t at, int kind) {
    const uint8_t *s = r->s, *name = s + at;
    int64_t n = r->n, stop = at, count = r->told_count, before = count;
    while (stop < n && !ends_name(s[stop])) stop++;
    int64_t length = stop - at;
    int32_t number = named(&r->elements, name, length);
    int does = number >= 0 ? r->elements.values[number] & 0xFFFF : 0, speaks = 0;
    int64_t first = place(r, start);
    for (at = stop;;) {
        while (at < n && is_space(s[at])) at++;
        if (at >= n) return n;
        if (s[at] == '>') {
            at++;
            break;
        }
        if (s[at] == '/') {
            if (++at < n && s[at] == '>') {
                kind |= CLOSED, at++;
                break;
            }
            continue;
        }
        at = attribute(r, at, !(kind & END) && !r->absent, &count, &speaks);
        if (at < 0) return n;
    }
    int64_t last = place(r, at), written = r->chars, go_on = at;
    if (!(kind & END)) go_on = opened(r, name, length, does, kind, at);
    else {
        if (does & BLOCK) r->pending = '\n';
        if ((does & ABSENT) && r->absent) r->absent--;
        if ((does & FOREIGN) && r->foreign) r->foreign--;
        if ((does & KEPT) && !(does & RAW) && r->kept) r->kept--;
    }
    if ((r->every || (does & TOLD) || speaks) && !r->absent) {
        if (r->tag_count < r->tag_room) {
            int64_t *row = r->tags + TAG_COLUMNS * r->tag_count;
            row[0] = number < 0 ? -1 : r->elements.values[number] >> 16;
            row[1] = kind, row[2] = first, row[3] = last;
            row[4] = (does & RAW) && !(kind & END) ? place(r, go_on) : last;
            row[5] = written, row[6] = before;
        }
        r->tag_count++;
        r->told_count = count;
    }
    return go_on;
}

static int64_t markup(reader *r, int64_t start) {
    const uint8_t *s = r->s;
    uint8_t next = start + 1 < r->n ? s[start + 1] : 0;
    if (is_letter(next)) return tag(r, start, start + 1, 0);
    if (next == '/' && start + 2 < r->n) {
        if (is_letter(s[start + 2])) return tag(r, start, start + 2, END);
        return after(r, '>', start + 2);
    }
    if (next == '!') {
        if (starts(r, start + 2, "--")) return comment(r, start + 4);
        if ((r->xml || r->foreign) && starts(r, start + 2, "[CDATA[")) {
            int64_t stop = start + 9;
            while ((stop = find_byte(r, ']', stop)) >= 0 && !starts(r, stop, "]]>")) stop++;
            if (stop < 0) stop = r->n;
            write_text(r, start + 9, stop, 0, r->kept > 0);
            return stop + 3 < r->n ? stop + 3 : r->n;
        }
        return after(r, '>', start + 2);
    }
    if (next == '?') return after(r, '>', start + 2);
    write_text(r, start, start + 1, 0, r->kept > 0);
    return start + 1;
}

/* `room`: rows for segments, tags and attributes; `text` has room for 6 bytes for every 5 of the source, and 8 more (what
   &nGt; stands for is that long, and nothing grows more). `sizes` receives bytes, segments, tags, attributes, and the
   room that attributes need. */
EXPORT void dragoman_markup(const uint8_t *source, int64_t length, int32_t flags, const uint64_t *element_keys,
                            const int32_t *element_values, int32_t elements, const uint64_t *attribute_keys,
                            const int32_t *attribute_values, int32_t attributes, const uint8_t *reference_names,
                            const int64_t *name_starts, const uint8_t *reference_values, const int64_t *value_starts,
                            int32_t references, uint8_t *text, int64_t *segments, uint8_t *kinds, int64_t *tags,
                            int64_t *told, const int64_t *room, int64_t *sizes) {
    reader r = {0};
    r.s = source, r.n = length, r.xml = flags & 1, r.every = flags >> 1 & 1;
    r.elements = (lookup){element_keys, element_values, elements};
    r.attributes = (lookup){attribute_keys, attribute_values, attributes};
    r.names = (texts){reference_names, name_starts}, r.values = (texts){reference_values, value_starts};
    r.references = references;
    r.text = text, r.segments = segments, r.kinds = kinds, r.tags = tags, r.told = told;
    r.segment_room = room[0], r.tag_room = room[1], r.told_room = room[2];
    for (int64_t at = 0; at < length;) {
        int64_t start = find_byte(&r, '<', at);
        if (start < 0) start = length;
        write_text(&r, at, start, 1, r.kept > 0);
        at = start < length ? markup(&r, start) : length;
    }
    sizes[0] = r.bytes, sizes[1] = r.segment_count, sizes[2] = r.tag_count, sizes[3] = r.told_count;
    sizes[4] = r.most;
}
