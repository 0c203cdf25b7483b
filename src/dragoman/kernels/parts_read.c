/* A URL becomes words, codes, a site and a top-level domain: dragoman/identifiers/url/parts/reading.py and codes.py. */
#include "parts.h"

#define START UINT64_C(0xA0761D6478BD642F)
#define CASE UINT64_C(0x2020202020202020)

static inline uint64_t next_state(uint64_t h, uint64_t chunk) {
    h = (h ^ chunk) * FIRST_FACTOR;
    return h ^ (h >> 32);
}

static inline uint64_t last_state(uint64_t h, uint64_t chunk) {
    h = (h ^ chunk) * FIRST_FACTOR;
    return (h ^ (h >> 32)) * SECOND_FACTOR;
}

/* The key of ASCII characters in any case; reads up to sixteen bytes beyond them. */
static inline uint64_t ascii_key(const uint8_t *p, int64_t length) {
    uint64_t h = START;
    for (; length > 16; length -= 8, p += 8) h = next_state(h, load(p) | CASE);
    /* More than eight is hard to foretell: both are computed, and one is taken, by bits, so that there is no branch. */
    const uint64_t more = (uint64_t)0 - (uint64_t)(length > 8);
    const uint64_t first = load(p) | CASE, second = load(p + 8) | CASE, state = next_state(h, first);
    const uint64_t last = first ^ ((first ^ second) & more);
    length -= 8 & (int64_t)more;
    return last_state(h ^ ((h ^ state) & more), length > 0 ? last & (UINT64_MAX >> (64 - 8 * length)) : 0);
}

/* The key of code points: that of their lower case in UTF-8. */
typedef struct {
    uint64_t h, chunk;
    int size;
} key_state;

static inline void add_byte(key_state *state, uint32_t byte) {
    if (state->size == 8) {
        state->h = next_state(state->h, state->chunk);
        state->chunk = 0;
        state->size = 0;
    }
    state->chunk |= (uint64_t)(byte < 0x80 ? byte | 0x20 : byte) << (8 * state->size++);
}

static uint64_t points_key(const uint32_t *points, int64_t length) {
    key_state state = {START, 0, 0};
    for (int64_t i = 0; i < length; i++) {
        const uint32_t lower = fold(points[i]), point = lower ? lower : points[i];
        if (point < 0x80) {
            add_byte(&state, point);
        } else if (point < 0x800) {
            add_byte(&state, 0xC0 | point >> 6);
            add_byte(&state, 0x80 | (point & 0x3F));
        } else if (point < 0x10000) {
            add_byte(&state, 0xE0 | point >> 12);
            add_byte(&state, 0x80 | (point >> 6 & 0x3F));
            add_byte(&state, 0x80 | (point & 0x3F));
        } else {
            add_byte(&state, 0xF0 | point >> 18);
            add_byte(&state, 0x80 | (point >> 12 & 0x3F));
            add_byte(&state, 0x80 | (point >> 6 & 0x3F));
            add_byte(&state, 0x80 | (point & 0x3F));
        }
    }
    return last_state(state.h, state.chunk);
}

static inline uint64_t key_of(const line *url, int64_t start, int64_t end) {
    return url->points ? points_key(url->points + start, end - start) : ascii_key(url->raw + start, end - start);
}

/* The keys of texts in lower case, as they stand in tables. */
EXPORT void dragoman_parts_text_keys(const uint8_t *data, const int64_t *offsets, int64_t rows, uint64_t *keys) {
    for (int64_t row = 0; row < rows; row++) {
        key_state state = {START, 0, 0};
        for (int64_t i = offsets[row]; i < offsets[row + 1]; i++) add_byte(&state, data[i]);
        keys[row] = last_state(state.h, state.chunk);
    }
}

/* The value of a key, or -1. */
static inline int32_t look_up(const small_table *table, uint64_t key) {
    uint64_t at = key >> 17 & table->mask;
    const uint64_t wanted = key >> 16 | 1;
    for (; table->slots[at]; at = (at + 1) & table->mask)
        if (table->slots[at] >> 16 == wanted) return (int32_t)(table->slots[at] & 0xFFFF);
    return -1;
}

/* Fills free slots with keys and values; what comes first stays. */
EXPORT void dragoman_parts_small(const uint64_t *keys, const uint16_t *values, int64_t n, uint64_t *slots, uint64_t mask) {
    const small_table table = {slots, mask};
    for (int64_t i = 0; i < n; i++) {
        if (look_up(&table, keys[i]) >= 0) continue;
        uint64_t at = keys[i] >> 17 & mask;
        while (slots[at]) at = (at + 1) & mask;
        slots[at] = (keys[i] >> 16 | 1) << 16 | values[i];
    }
}

/* The same for words, by the upper halves of their keys, which rise, with free slots of all ones. */
EXPORT void dragoman_parts_words(const uint32_t *keys, const uint32_t *values, int64_t n, uint64_t *slots, int64_t count) {
    for (int64_t i = 0; i < n; i++) {
        int64_t at = first_slot((uint64_t)keys[i] << 32, count);
        while (slots[at] != UINT64_MAX)
            if (++at == count) at = 0;
        slots[at] = (uint64_t)keys[i] << 32 | values[i];
    }
}

static inline int is_digit(uint8_t c) { return (uint8_t)(c - '0') < 10; }

/* Two or three ASCII letters as a number below 27^3, or -1. */
static inline int32_t packed(const line *url, int64_t start, int64_t end) {
    const int three = end - start == 3;
    if (!three && end - start != 2) return -1;
    const uint8_t *raw = url->raw + start;
    const int letters = is_ascii_letter(raw[0]) & is_ascii_letter(raw[1]) & is_ascii_letter(raw[1 + three]);
    const int32_t two = ((raw[0] | 0x20) - 'a' + 1) * 27 + (raw[1] | 0x20) - 'a' + 1;
    return letters ? three ? two * 27 + (raw[2] | 0x20) - 'a' + 1 : two : -1;
}

static inline int is_known(const part_reader *reader, int32_t code) {
    return code >= 0 && (reader->code_language[code] != NO_LANGUAGE || reader->code_country[code] != NO_LANGUAGE);
}

/* A language's code that alone means that language, mostly. */
static inline int is_sure(const part_reader *reader, int32_t code) {
    return code >= 0 && reader->code_language[code] != NO_LANGUAGE && reader->code_wordlike[code] <= A_WORD;
}

/* True if there is no small one among letters. */
static inline int all_capitals(const line *url, int64_t start, int64_t end) {
    uint8_t small = 0;
    for (int64_t i = start; i < end; i++) small |= url->raw[i] & 0x20;
    return !small;
}

/* True if there is a capital among them. */
static inline int has_capitals(const line *url, int64_t start, int64_t end) {
    uint8_t small = 0x20;
    for (int64_t i = start; i < end; i++) small &= url->raw[i];
    return !small;
}

/* True if two letters are among those of a list: pairs without anything between. */
static inline int is_listed(const char *pairs, const uint8_t *letters) {
    for (; *pairs; pairs += 2)
        if ((letters[0] | 0x20) == pairs[0] && (letters[1] | 0x20) == pairs[1]) return 1;
    return 0;
}

/* What sites offer in countries where hardly anybody speaks it, too. */
static int is_of_world(int32_t code) {
    const uint8_t letters[2] = {(uint8_t)('a' - 1 + code / 27), (uint8_t)('a' - 1 + code % 27)};
    return code < 27 * 27 && is_listed("ardeenesfritjakonlptruzh", letters);
}

/* The language of two codes of which one is a language's and the other a country's, either way round; -1 if not. `usual`:
   they are written as locales mostly are, `de-AT`. */
static int32_t language_of_pair(const part_reader *reader, int32_t one, int32_t other, int usual) {
    if (one < 0 || other < 0) return -1;
    const int32_t width = reader->width;
    int32_t best = -1, most = -1, code = one;
    if (reader->code_language[one] != NO_LANGUAGE && reader->code_country[other] != NO_LANGUAGE) {
        best = reader->code_language[one];
        most = reader->shares[reader->code_country[other] * width + best];
    }
    if (reader->code_language[other] != NO_LANGUAGE && reader->code_country[one] != NO_LANGUAGE) {
        const int32_t language = reader->code_language[other], share = reader->shares[reader->code_country[one] * width + language];
        if (share > most) {
            best = language;
            most = share;
            code = other;
        }
    }
    /* am-pm, do-it, et-al: words, and nobody there speaks it */
    const uint8_t *wordlike = reader->code_wordlike;
    const int words = wordlike[one] == PHRASE || (wordlike[one] && wordlike[other] && !usual);
    return most == 0 && (words || !(usual || is_of_world(code))) ? -1 : best;
}

static inline void add_code(url_parts *out, int position, int32_t code, int64_t start, int64_t end) {
    if (out->codes < MOST_CODES) out->code[out->codes++] = (found_code){position, code, start, end};
}

/* Letters, three or four, that stand behind a language's code in place of a country: AREAS in codes.py. */
static int is_area(const uint8_t *letters, int64_t length) {
    static const char four[] = "apacarmnbengcyrldevaemeaethigeorgrekgujrhanshanthebrintljpan"
                               "khmrkndalaoolatnmenamlymmongmymrolckoryasinhtamltelutfngtibt";
    for (const char *area = length == 4 ? four : "intlammearow"; *area; area += length) {
        int equal = 0;
        while (equal < length && (letters[equal] | 0x20) == area[equal]) equal++;
        if (equal == length) return 1;
    }
    return 0;
}

/* -Latn-RS: letters, as many as a script has, and a country's. */
static inline int is_script_and_country(const line *url, int64_t at, int64_t end) {
    const uint8_t *raw = url->raw;
    return end - at == 7 && (raw[at + 4] == '-' || raw[at + 4] == '_') && letters_end(raw, at, end) == at + 4 &&
           letters_end(raw, at + 5, end) == end;
}

enum { LONGEST_LOCALE = 10 };

/* de-AT, pt_br, ch-fr, sr-Latn, sr-latn-rs, es-419, intl-de: the language, or -1. */
static int32_t language_of_locale(const part_reader *reader, const line *url, int64_t start, int64_t end) {
    if (end - start == 7 && ((load(url->raw + start) | CASE) & 0xFFFFFFFFFF) == UINT64_C(0x2D6C746E69)) { /* intl- */
        const int32_t code = packed(url, end - 2, end);
        return code < 0 || reader->code_language[code] == NO_LANGUAGE ? -1 : reader->code_language[code];
    }
    for (int64_t at = start + 2; at <= start + 3; at++) {
        if (url->raw[at] != '-' && url->raw[at] != '_') continue;
        const int32_t first = packed(url, start, at);
        if (is_script_and_country(url, at + 1, end)) end = at + 5;
        const int usual = !has_capitals(url, start, at) && all_capitals(url, at + 1, end);
        const int32_t language = language_of_pair(reader, first, packed(url, at + 1, end), usual);
        if (language >= 0) return language;
        if (first < 0 || reader->code_language[first] == NO_LANGUAGE) continue;
        int digits = 0;
        for (int64_t i = at + 1; i < end; i++) digits += is_digit(url->raw[i]);
        const int64_t rest = end - at - 1;
        if ((rest == 3 && digits == 3) || ((rest == 3 || rest == 4) && is_area(url->raw + at + 1, rest)))
            return reader->code_language[first];
    }
    return -1;
}

/* A stretch that is a code, a locale or (where `named`) a language's name, and nothing else; returns 1 if it is. */
static int add_stretch(const part_reader *reader, const line *url, int64_t start, int64_t end, int position, int named,
                       url_parts *out) {
    const int64_t length = end - start;
    const int32_t code = packed(url, start, end);
    if (is_known(reader, code)) {
        add_code(out, position, code, start, end);
        return 1;
    }
    if (length >= 5 && length <= LONGEST_LOCALE) {
        const int32_t language = language_of_locale(reader, url, start, end);
        if (language >= 0) {
            add_code(out, AT_LOCALE, language, start, end);
            return 1;
        }
    }
    if (named && length >= 4 && length <= 16) {
        const int32_t language = look_up(&reader->names, key_of(url, start, end));
        if (language >= 0) {
            add_code(out, AT_NAME, language, start, end);
            return 1;
        }
    }
    return 0;
}

static inline int begins_with_www(const line *url) {
    return (url->host_length > 4) & (((load(url->raw) | 0x202020) & 0xFFFFFFFF) == 0x2E777777);
}

/* cs.stanford.edu, it.ox.ac.uk: the label is a department. */
static int is_department(const line *url, int64_t start, int64_t end) {
    if (end - start != 2 || !is_listed("cseehrisitlamamemsse", url->raw + start)) return 0;
    const uint8_t *last = url->raw + url->tld_start;
    int64_t length = url->host_length - url->tld_start, at = url->tld_start;
    if (length == 3 && (last[0] | 0x20) == 'e' && (last[1] | 0x20) == 'd' && (last[2] | 0x20) == 'u') return 1;
    while (length--)
        if (!is_ascii_letter(*last++)) return 0;
    if (at < 4) return 0;
    const uint8_t *second = url->raw + at - 1; /* its end: the dot before the domain */
    if ((second[-1] | 0x20) == 'c' && (second[-2] | 0x20) == 'a' && second[-3] == '.') return 1;
    return at >= 5 && (second[-1] | 0x20) == 'u' && (second[-2] | 0x20) == 'd' && (second[-3] | 0x20) == 'e' && second[-4] == '.';
}

/* The first label of a host with three or more; the second, behind `www` or `m`, of one with four or more. */
static void find_label_code(const part_reader *reader, const line *url, int family, url_parts *out) {
    const int64_t host = url->host_length;
    int64_t start = 0, end = find(url->raw, 0, host, '.');
    const int64_t second = end < host ? find(url->raw, end + 1, host, '.') : host;
    if (second == host) return;
    if ((begins_with_www(url) || (end == 1 && (url->raw[0] | 0x20) == 'm')) &&
        find(url->raw, second + 1, host, '.') < host) {
        start = end + 1;
        end = second;
    }
    /* www.spa.gov.sa, cat.elpais.com */
    const int known = out->site_start >= 0 && start >= out->site_start;
    if (end + 1 >= out->suffix || known || is_department(url, start, end)) return;
    const int own = is_sure(reader, packed(url, start, end)) ? AT_FRONT : AT_LABEL;
    add_stretch(reader, url, start, end, family ? AT_FAMILY : own, 1, out);
}

/* sign_in.php and about_us.html have none. */
static inline int is_mark(const part_reader *reader, int32_t code) {
    return is_known(reader, code) && reader->code_wordlike[code] != PHRASE;
}

/* At most two. */
static int has_few_hyphens(const uint8_t *raw, int64_t start, int64_t end) {
    int hyphens = 0;
    for (; start < end; start++) hyphens += raw[start] == '-';
    return hyphens < 3;
}

/* de.html, index.html.de, index_de.html, datei.fr.pdf, seite-fr.html, words-in-hindi, fr_index.html: codes in the last
   segment. */
static void find_marks(const part_reader *reader, const line *url, int64_t start, int64_t end, url_parts *out) {
    const uint8_t *raw = url->raw;
    int64_t last = end;
    const int64_t dot = letters_start(raw, start < end - 6 ? end - 6 : start, end);
    const int extension = dot > start && raw[dot - 1] == '.' && dot < end;
    if (extension && end - dot == 2 && dot - start > 6 && (load(raw + dot - 6) & 0xFFFFFFFFFF) == UINT64_C(0x6C6D74682E) &&
        is_sure(reader, packed(url, dot, end))) { /* .html */
        add_code(out, AT_MARK, packed(url, dot, end), dot, end);
        return;
    }
    if (extension) last = dot - 1;
    if (extension && is_sure(reader, packed(url, start, last))) {
        add_code(out, AT_MARK, packed(url, start, last), start, last);
        return;
    }
    if (extension && last - start >= 5 && last - start <= LONGEST_LOCALE) {
        const int32_t language = language_of_locale(reader, url, start, last);
        if (language >= 0) {
            add_code(out, AT_LOCALE, language, start, last);
            return;
        }
    }
    const int64_t mark = letters_start(raw, start, last);
    if (mark > start && mark < last) {
        const uint8_t before = raw[mark - 1];
        const int32_t code = packed(url, mark, last);
        if (is_mark(reader, code) &&
            (before == '_' || before == '.' || (before == '-' && extension && has_few_hyphens(raw, start, last)))) {
            add_code(out, before == '.' && extension ? AT_VALUE : AT_MARK, code, mark, last);
        } else if (mark >= start + 4 && before == '-' && raw[mark - 2] == 'n' && raw[mark - 3] == 'i' && raw[mark - 4] == '-') {
            const int32_t language = look_up(&reader->names, key_of(url, mark, last));
            if (language >= 0) add_code(out, AT_NAME, language, mark, last);
        }
    }
    const int64_t first = letters_end(raw, start, last);
    if (first > start && first < last && raw[first] == '_' && out->codes == 0) {
        const int32_t code = packed(url, start, first);
        if (is_mark(reader, code)) /* before words, what is a word as well says less: la_casa.html */
            add_code(out, reader->code_wordlike[code] ? AT_LATER : AT_MARK, code, start, first);
    }
}

/* /manuals-jp/, /shop_fr/, /imprint-en: codes behind a name; of those that are words as well none. */
static void find_folder_mark(const part_reader *reader, const line *url, int64_t start, int64_t end, url_parts *out) {
    const int64_t at = end - 2;
    if (at < start + 2) return;
    const int32_t code = packed(url, at, end);
    if (code < 0 || reader->code_wordlike[code]) return;
    int believed = url->raw[at - 1] == '_' && is_sure(reader, code);
    if (url->raw[at - 1] == '-' && at - 1 - start >= 2)
        believed = find(url->raw, start, end, '-') == at - 1 && is_listed("cndeenfrjajpkrnlplptruzh", url->raw + at);
    if (believed) add_code(out, AT_MARK, code, at, end);
}

/* en, de, fr: in capitals they are as often codes as in small letters. */
static inline int is_usual(int32_t code) { return code == 5 * 27 + 14 || code == 4 * 27 + 5 || code == 6 * 27 + 18; }

/* A capital, then small letters: /wiki/Cat. */
static inline int is_title(const line *url, int64_t start, int64_t end) {
    return !(url->raw[start] & 0x20) && url->raw[start + 1] & url->raw[end - 1] & 0x20;
}

enum { SEGMENTS = 6, ENGLISH = 5 * 27 + 14 }; /* codes stand in the first of them; `en` */

static void find_segment_codes(const part_reader *reader, const line *url, int64_t path_end, url_parts *out) {
    int number = 0;
    int64_t at = url->host_length;
    while (at < path_end && number < SEGMENTS) {
        if (url->raw[at] == '/') {
            at++;
            continue;
        }
        const int64_t end = find(url->raw, at, path_end, '/');
        if (end - at == 1 && url->raw[at] == '-') { /* amazon.de/-/en/ */
            at = end;
            continue;
        }
        const int32_t code = packed(url, at, end);
        const int later = code == ENGLISH ? AT_FIRST : AT_LATER;
        const int position = number > 0 ? later : is_sure(reader, code) ? AT_FIRST : AT_DOUBTFUL;
        int taken = 0;
        if (is_known(reader, code)) {
            if (number == 0 && end + 1 < path_end) {
                const int64_t next = find(url->raw, end + 1, path_end, '/');
                const int32_t second = packed(url, end + 1, next);
                const int32_t language = is_known(reader, second) ? language_of_pair(reader, code, second, 0) : -1;
                if (language >= 0) {
                    add_code(out, AT_LOCALE, language, at, next);
                    at = next;
                    number += 2;
                    continue;
                }
            }
            taken = 1;
            const int before_number = end + 1 < path_end && is_digit(url->raw[end + 1]);
            const int word = reader->code_wordlike[code] && !is_of_world(code); /* /de/3/ is German */
            if (!(number > 0 && is_title(url, at, end)) && !(before_number && word))
                add_code(out, all_capitals(url, at, end) && !is_usual(code) ? AT_CAPITALS : position, code, at, end);
        } else {
            taken = add_stretch(reader, url, at, end, position, number <= 1, out);
        }
        const int found = out->codes;
        if (!taken && end + 1 >= path_end) find_marks(reader, url, at, end, out);
        if (!taken && out->codes == found) find_folder_mark(reader, url, at, end, out);
        at = end;
        number++;
    }
}

enum { LONGEST_KEY = 12 };

static void find_query_codes(const part_reader *reader, const line *url, int64_t start, url_parts *out) {
    const int64_t query_end = find(url->raw, start, url->length, '#');
    for (int64_t at = start, end; at < query_end; at = end + 1) {
        end = at;
        while (end < query_end && url->raw[end] != '&' && url->raw[end] != ';') end++;
        const int64_t equals = find(url->raw, at, end, '=');
        if (equals < end && equals - at <= LONGEST_KEY && look_up(&reader->query_keys, key_of(url, at, equals)) >= 0)
            add_stretch(reader, url, equals + 1, end, AT_VALUE, 1, out);
    }
}

/* The longest suffix of the host that is in the table: its value, and in *start where it begins; or -1. */
static int32_t find_site(const part_reader *reader, const line *url, int64_t *start) {
    const int64_t host = url->host_length, first = begins_with_www(url) ? 4 : 0;
    int64_t starts[SITE_LABELS];
    int n = 0;
    for (int64_t at = host; at > first && n < SITE_LABELS;) starts[n++] = at = find_last(url->raw, first, at - 1, '.') + 1;
    for (int i = n - 1; i > 0; i--) {
        const int32_t value = look_up(&reader->sites, key_of(url, starts[i], host));
        if (value >= 0) {
            *start = starts[i];
            return value;
        }
    }
    return -1;
}

static inline int is_stop_word(const uint8_t *p, int64_t length) {
    /* Each stands where a product of its letters leads. */
    static const uint8_t STOP[32][8] = {
        [0] = "php", [2] = "aspx", [3] = "asp", [4] = "index", [7] = "htm", [13] = "cgi", [14] = "shtml",
        [15] = "html", [17] = "xhtml", [21] = "jsp", [23] = "http", [28] = "https", [29] = "www",
    };
    const uint64_t word = load(p) & (UINT64_MAX >> (64 - 8 * (length < 8 ? length : 8)));
    return word == load(STOP[word * FIRST_FACTOR >> 59]);
}

static int script_of(const part_reader *reader, uint32_t point) {
    for (int32_t i = 0; i < reader->script_run_count; i++)
        if (point >= reader->script_runs[3 * i] && point <= reader->script_runs[3 * i + 1])
            return (int)reader->script_runs[3 * i + 2];
    return 0;
}

/* The script of a word beyond Latin, once for each URL. */
static void add_script(const part_reader *reader, const uint32_t *points, int64_t length, url_parts *out) {
    int script = script_of(reader, points[0]);
    if (script == HAN)
        for (int64_t i = 1; i < length && script == HAN; i++)
            if (script_of(reader, points[i]) == KANA) script = KANA;
    for (int i = 0; i < out->scripts; i++)
        if (out->script[i] == script) return;
    if (script && out->scripts < MOST_SCRIPTS) out->script[out->scripts++] = (uint8_t)script;
}

static inline int is_letter_or_digit(uint8_t c) { return is_ascii_letter(c) || is_digit(c); }

/* Among 64 bytes, the letters beside digits and, behind the first letter of a word, the capitals and letters beyond ASCII:
   in most words there is none. */
static inline uint64_t drawn_letters(const uint8_t *raw, uint64_t letters, uint64_t before) {
    const uint64_t digits = digits_of(raw), first = is_digit(raw[-1]), last = is_digit(raw[64]);
    const uint64_t beside = digits << 1 | first | digits >> 1 | last << 63, behind = letters << 1 | before;
    return letters & (beside | (behind & capitals_of(raw)));
}

enum { NEARBY = 64, FEWEST_CHANGES = 2 };

/* youtu.be/dQw4w9WgXcQ: letters and digits that change between capitals, small letters and digits are drawn, not written. */
static int is_identifier(const line *url, int64_t start) {
    const uint8_t *raw = url->raw;
    int64_t from = start, to = start, changes = 0;
    while (from > url->host_length && start - from < NEARBY && is_letter_or_digit(raw[from - 1])) from--;
    while (to < url->length && to - start < NEARBY && is_letter_or_digit(raw[to])) to++;
    for (int64_t i = from + 1; i < to; i++)
        changes += is_digit(raw[i]) != is_digit(raw[i - 1]) || (raw[i - 1] >= 'a' && raw[i] >= 'A' && raw[i] <= 'Z');
    return changes >= FEWEST_CHANGES && 2 * (to - from) <= 5 * (changes + 1);
}

/* True if it is one of the codes that were found. */
static inline int is_code(const url_parts *found, int64_t start, int64_t end) {
    for (int i = 0; i < found->codes; i++)
        if (start >= found->code[i].start && end <= found->code[i].end) return 1;
    return 0;
}

/* The script of a word, where it has one beyond Latin. */
static inline void read_script(const part_reader *reader, const line *url, int64_t start, int64_t end, url_parts *out) {
    for (int64_t i = start; i < end; i++)
        if (url->points[i] >= 0x250) {
            add_script(reader, url->points + i, end - i, out);
            return;
        }
}

/* Words of the host, and the domain; words of the host come first. */
static inline void add_host_word(const part_reader *reader, const line *url, int64_t start, int64_t end, int drawn,
                                 url_parts *out) {
    (void)drawn;
    if (is_stop_word(url->text + start, end - start) || is_code(out, start, end)) return;
    if (start >= url->tld_start && out->domain < 0 && !out->shortens)
        out->domain = look_up(&reader->domains, key_of(url, start, end));
    if (start >= out->suffix || start >= out->platform || out->host_words == SITE_WORDS) return;
    out->host[out->host_words++] = (found_word){start, end, key_of(url, start, end)};
    out->path++;
    if (url->points) read_script(reader, url, start, end, out);
}

/* Words of the path; `drawn`: it may be part of an identifier. */
static inline void add_path_word(const part_reader *reader, const line *url, int64_t start, int64_t end, int drawn,
                                 url_parts *out) {
    if (is_stop_word(url->text + start, end - start) || is_code(out, start, end)) return;
    if ((drawn && is_identifier(url, start)) || out->path_words == SITE_WORDS) return;
    out->path[out->path_words++] = (found_word){start, end, key_of(url, start, end)};
    if (url->points) read_script(reader, url, start, end, out);
}

typedef void (*word_adder)(const part_reader *, const line *, int64_t, int64_t, int, url_parts *);

/* So many ones. */
static inline uint64_t ones(int64_t count) { return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX; }

/* Words of two letters or more between two places, of which the second is a boundary: 64 bytes at a time. */
static inline void add_words(const part_reader *reader, const line *url, int64_t from, int64_t to, word_adder add,
                             url_parts *out) {
    int64_t start = -1;
    int drawn_before = 0;
    uint64_t before = 0;
    for (int64_t base = from; base < to; base += 64) {
        const uint64_t behind = base + 64 < to && url->text[base + 64] != BLANK;
        const uint64_t all = letters_of(url->text + base) & ones(to - base);
        const uint64_t letters = all & (before | all << 1 | all >> 1 | behind << 63); /* single ones are no words */
        const uint64_t drawn = drawn_letters(url->raw + base, letters, before);
        uint64_t edges = letters ^ (letters << 1 | before);
        before = letters >> 63;
        for (int64_t first = 0, last;; edges &= edges - 1) {
            if (start < 0) {
                if (!edges) break;
                first = lowest_bit(edges);
                start = base + first;
                edges &= edges - 1;
            }
            if (!edges) { /* the word goes on */
                drawn_before |= (drawn & ~ones(first)) != 0;
                break;
            }
            last = lowest_bit(edges);
            add(reader, url, start, base + last, drawn_before | ((drawn & ones(last) & ~ones(first)) != 0), out);
            start = -1;
            drawn_before = 0;
        }
    }
    if (start >= 0) add(reader, url, start, to, drawn_before, out);
}

enum { REGISTRY_LETTERS = 4 };

/* True for what stands before a country's domain where sites are registered: REGISTRIES in reading.py. */
static int is_registry(const uint8_t *letters, int64_t length) {
    static const char *const names[] = {"ac", "co", "com", "edu", "go", "gob", "gouv", "gov", "mil", "ne", "net", "or", "org"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int64_t equal = 0;
        while (equal < length && names[i][equal] && (letters[equal] | 0x20) == names[i][equal]) equal++;
        if (equal == length && !names[i][equal]) return 1;
    }
    return 0;
}

/* Where the domain begins below which the host is registered, and its number, if the table has it: `qc.ca`, `com.co`. */
static void find_registry(const part_reader *reader, const line *url, url_parts *out) {
    out->domain = -1;
    out->suffix = url->tld_start;
    if (url->tld_start >= url->host_length) return;
    const int64_t start = find_last(url->raw, 0, url->tld_start - 1, '.') + 1, length = url->tld_start - 1 - start;
    if (length < 1 || length > REGISTRY_LETTERS) return;
    if (start > 0) out->domain = look_up(&reader->domains, key_of(url, start, url->host_length));
    if (out->domain >= 0 || (url->host_length - url->tld_start == 2 && is_registry(url->raw + start, length)))
        out->suffix = start;
}

static void read_host(const part_reader *reader, const line *url, url_parts *out) {
    out->site_start = -1;
    const int32_t site = find_site(reader, url, &out->site_start);
    out->codes = out->host_words = 0;
    find_registry(reader, url, out);
    out->shortens = site == SHORTENER;
    if (out->shortens) out->domain = -1;
    out->platform = site == PLATFORM || out->shortens ? out->site_start : url->host_length;
    out->host_site = site >= 0 && site < reader->width ? site : -1;
    find_label_code(reader, url, site == FAMILY, out);
    out->host_codes = out->codes;
}

/* The language of a known site: of its part that the first folder is, where the table has it (`asahi.com/ajw`). */
static int part_of_site(const part_reader *reader, const line *url, int64_t path_end, const url_parts *found) {
    const int64_t first = url->host_length + 1;
    if (found->site_start < 0 || first >= path_end || url->raw[first - 1] != '/') return found->host_site;
    const int64_t end = find(url->raw, first, path_end, '/');
    const int32_t part = end > first ? look_up(&reader->sites, key_of(url, found->site_start, end)) : -1;
    return part >= 0 && part < reader->width ? part : found->host_site;
}

static inline void copy_host(const url_parts *from, url_parts *out) {
    out->codes = out->host_codes = from->host_codes;
    for (int i = 0; i < from->host_codes; i++) out->code[i] = from->code[i];
    out->host_site = from->host_site;
    out->site_start = from->site_start;
    out->domain = from->domain;
    out->host_words = from->host_words;
    out->platform = from->platform;
}

void read_parts(const part_reader *reader, const line *url, const url_parts *same_host, found_word words[WORD_ROOM],
                url_parts *out) {
    out->codes = out->host_codes = out->host_words = out->path_words = out->scripts = 0;
    out->host = out->path = words;
    out->site = out->domain = -1;
    if (url->kind != WEB) return;
    if (same_host) copy_host(same_host, out);
    else read_host(reader, url, out);
    const int64_t host = url->host_length, path_end = find_either(url->raw, host, url->length, '?', '#');
    out->site = part_of_site(reader, url, path_end, out);
    find_segment_codes(reader, url, path_end, out);
    if (path_end < url->length && url->raw[path_end] == '?') find_query_codes(reader, url, path_end + 1, out);
    if (!same_host) add_words(reader, url, 0, host, add_host_word, out);
    add_words(reader, url, host, url->length, add_path_word, out);
}
