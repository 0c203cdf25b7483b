/* The features of the production recipe, as dragoman/url/production.py defines them. */
#include "production.h"

/* One byte per character: ASCII as it is, another letter 0x80 and seven bits of it, what else there is OTHER_SIGN. */
enum { OTHER_SIGN = 1 };
static inline uint8_t byte_of(uint32_t point) {
    if (point < 0x80) return (uint8_t)point;
    uint32_t lower = fold(point);
    if (!lower) return OTHER_SIGN;
    return lower < 0x80 ? (uint8_t)lower : (uint8_t)(0x80 | ((lower ^ (lower >> 7) * 29) & 0x7F));
}

enum { BLOCK = 32 }; /* bytes that are done at once, also where fewer are left: no loops for the last few */

/* Letters in lower case, blanks for all else; without a branch, so that compilers do many at a time. */
static inline void write_text(uint8_t *restrict text, const uint8_t *restrict raw, int64_t length) {
    for (int64_t base = 0; base < length; base += BLOCK)
        for (int i = 0; i < BLOCK; i++) {
            const uint8_t byte = raw[base + i], lower = byte | 0x20, letter = (uint8_t)(lower - 'a') < 26;
            text[base + i] = letter ? lower : byte & 0x80 ? byte : BLANK;
        }
}

/* True if every byte stands for itself: no escapes, nothing beyond ASCII, no two hyphens that may belong to "xn--". */
static inline int is_plain(const uint8_t *raw, int64_t length) {
    uint8_t seen = 0;
    for (int64_t base = 0; base < length; base += BLOCK)
        for (int i = 0; i < BLOCK; i++) {
            const uint8_t byte = raw[base + i], next = raw[base + i + 1];
            seen |= (uint8_t)((byte & 0x80) | (byte == '%') | ((byte == '-') & (next == '-')));
        }
    return !seen;
}

/* True if "xn--" is somewhere in a host. */
static int has_punycode(const uint8_t *host, int64_t length) {
    for (int64_t i = 0; i + 4 <= length; i++)
        if (host[i + 2] == '-' && host[i + 3] == '-' && (host[i] | 0x20) == 'x' && (host[i + 1] | 0x20) == 'n') return 1;
    return 0;
}

/* The length of a host without the dots at its end. */
static inline int64_t trimmed(const uint8_t *host, int64_t length) {
    while (length > 0 && host[length - 1] == '.') length--;
    return length;
}

/* True if an escape or a byte beyond ASCII is somewhere. */
static int needs_points(const uint8_t *raw, int64_t length) {
    for (int64_t i = 0; i < length; i++)
        if (raw[i] == '%' || raw[i] & 0x80) return 1;
    return 0;
}

/* Nearly all URLs are ASCII without escapes: their bytes are the characters. The others go by way of code points. */
void read_line(const uint8_t *bytes, int64_t length, scratch *memory, line *out) {
    parts found;
    split_address(bytes, length, &found);
    out->kind = found.kind;
    out->points = NULL;
    out->host_length = out->tld_start = out->length = 0;
    uint8_t *raw = memory->raw + PAD, *text = memory->text + PAD;
    out->raw = raw;
    out->text = text;
    out->letters = memory->bits;
    if (found.kind != WEB) return;
    const int64_t host = trimmed(bytes + found.host, found.host_end - found.host), rest = found.end - found.rest;
    memcpy(raw, bytes + found.host, (size_t)host);
    memcpy(raw + host, bytes + found.rest, (size_t)rest);
    memset(raw + host + rest, 0, PAD);
    if (!is_plain(raw, host + rest) && (needs_points(raw, host + rest) || has_punycode(raw, host))) {
        address url;
        read_address(bytes, length, memory, &url);
        out->points = url.points;
        out->host_length = url.host_length;
        out->tld_start = url.tld_start;
        out->length = url.length;
        for (int64_t i = 0; i < url.length; i++) raw[i] = byte_of(url.points[i]);
    } else {
        out->host_length = out->tld_start = host;
        out->length = host + rest;
        for (int64_t i = host; i > 0; i--)
            if (raw[i - 1] == '.') {
                out->tld_start = i;
                break;
            }
    }
    write_text(text, raw, out->length);
    memset(text - PAD, BLANK, PAD);
    memset(text + out->length, BLANK, PAD);
}

static uint64_t text_key(int kind, const uint8_t *p, int64_t length) {
    uint64_t h = seed_of(kind);
    for (; length > 8; length -= 8, p += 8) {
        h = (h ^ load(p)) * FIRST_FACTOR;
        h ^= h >> 32;
    }
    h = (h ^ (load(p) & (UINT64_MAX >> (64 - 8 * length)))) * FIRST_FACTOR;
    return (((h ^ (h >> 32)) * SECOND_FACTOR) & ~UINT64_C(15)) | (uint64_t)kind;
}

/* The words that the paper drops. */
static inline int is_stop_word(const uint8_t *p, int64_t length) {
    if (length < 3 || length > 5) return 0;
    static const uint8_t STOP[6][8] = {"www", "index", "html", "htm", "http", "https"};
    uint64_t word = load(p) & (UINT64_MAX >> (64 - 8 * length));
    int found = 0;
    for (int i = 0; i < 6; i++) found |= word == load(STOP[i]);
    return found;
}

/* What stands at a place; OUTSIDE before the first and behind the last. */
enum { OUTSIDE = -1 };
static inline int at(const line *url, int64_t place) {
    return place >= 0 && place < url->length ? url->raw[place] : OUTSIDE;
}

static inline int ends_segment(int c) { return c == OUTSIDE || c == '/' || c == '?' || c == '#'; }

/* How a token of two or three letters may be a language code: its kind, or 0. */
static int code_place(const line *url, int64_t start, int64_t end) {
    int before = start == url->host_length ? OUTSIDE : at(url, start - 1), after = at(url, end);
    if (start < url->host_length) return start == 0 && after == '.' ? CODE_LABEL : 0;
    if (before == '/') {
        if (ends_segment(after)) return CODE_SEGMENT;
        /* en-us, pt_BR: a region of two letters follows and ends the segment */
        if ((after == '-' || after == '_') && url->text[end + 1] != BLANK && url->text[end + 2] != BLANK &&
            ends_segment(at(url, end + 3)))
            return CODE_SEGMENT;
    }
    if (before == '=' && (after == OUTSIDE || after == '&' || after == ';' || after == '#' || after == '-' || after == '_'))
        return CODE_VALUE;
    int marked = before == '_' || before == '-' || before == '.', marks = after == '_' || after == '-' || after == '.';
    if ((marked && (after == '.' || ends_segment(after))) || (before == '/' && marks)) return CODE_MARK;
    return 0;
}

/* The letters in [start, end) have no n-grams. */
static inline void leave_out(line *url, int64_t start, int64_t end) {
    for (int64_t word = start / 64; word <= (end - 1) / 64; word++) {
        const int64_t from = start - 64 * word, to = end - 64 * word;
        const uint64_t behind = from > 0 ? UINT64_MAX << from : UINT64_MAX, before = to < 64 ? ~(UINT64_MAX << to) : UINT64_MAX;
        url->letters[word] &= ~(behind & before);
    }
}

/* The keys of the letters in [start, end). */
static inline int64_t token_keys(line *url, int64_t start, int64_t end, uint64_t *keys) {
    int64_t length = end - start, n = 0;
    const uint8_t *word = url->text + start;
    int path = start >= url->host_length, tld = !path && start >= url->tld_start;
    if (length < 2 || is_stop_word(word, length)) {
        leave_out(url, start, end);
        return 0;
    }
    if (length <= 3) {
        int where = code_place(url, start, end);
        if (where) {
            /* no word and no n-grams: what a code says must not rub off on words that begin like it */
            keys[0] = text_key(where, word, length);
            keys[1] = text_key(CODE, word, length);
            leave_out(url, start, end);
            return 2;
        }
    }
    if (tld) {
        keys[0] = text_key(TLD_WORD, word, length);
        leave_out(url, start, end);
        return 1;
    }
    keys[n++] = text_key(path ? PATH_WORD : HOST_WORD, word, length);
    if (url->points && fold(url->points[start]) >= 0x250) {
        const uint32_t block = fold(url->points[start]) >> 7;
        uint8_t number[8 + 8] = {(uint8_t)block, (uint8_t)(block >> 8)};
        keys[n++] = text_key(SCRIPT, number, 2);
    }
    return n;
}

int64_t write_word_keys(line *url, uint64_t *keys) {
    int64_t n = 0, start = -1;
    uint64_t before = 0;
    for (int64_t base = 0; base <= url->length; base += 64) { /* one more than the length: the blank behind it */
        const uint64_t letters = letters_of(url->text + base);
        uint64_t edges = letters ^ (letters << 1 | before);
        before = letters >> 63;
        url->letters[base / 64] = letters;
        for (; edges; edges &= edges - 1) {
            int64_t place = base + lowest_bit(edges);
            if (start < 0) {
                start = place;
            } else {
                n += token_keys(url, start, place, keys + n);
                start = -1;
            }
        }
    }
    url->letters[url->length / 64 + 1] = 0;
    return n;
}

int64_t write_production_keys(const uint8_t *bytes, int64_t length, scratch *memory, uint64_t *keys, int *kind) {
    line url;
    read_line(bytes, length, memory, &url);
    *kind = url.kind;
    if (url.kind != WEB) return 0;
    int64_t n = write_word_keys(&url, keys);
    gram_places places;
    for (int i = 0; i < GRAM_KINDS; i++)
        for (int64_t base = 0; base < url.length; base += 64) {
            places_of_grams(&url, base, &places);
            for (uint64_t left = places.of[i]; left; left &= left - 1)
                keys[n++] = (gram_at(&url, base + lowest_bit(left), i) & ~UINT64_C(15)) | (uint64_t)GRAM[i].kind;
        }
    return n;
}
