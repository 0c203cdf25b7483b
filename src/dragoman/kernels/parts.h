/* What the parts of a URL say: reading (parts_read.c), scoring (parts.c), training (parts_train.c). The definition is
   dragoman/identifiers/url/parts. */
#ifndef DRAGOMAN_PARTS_H
#define DRAGOMAN_PARTS_H

#include "vectors.h"

/* How a code stands; the order is that of POSITIONS in dragoman/identifiers/url/parts/codes.py. */
enum {
    AT_LOCALE = 0,
    AT_FIRST,
    AT_LATER,
    AT_LABEL,
    AT_VALUE,
    AT_MARK,
    AT_NAME,
    AT_FAMILY,
    AT_CAPITALS,
    AT_DOUBTFUL,
    AT_FRONT,
    CODE_POSITIONS
};
/* Numbers of languages that are none. */
enum { NO_LANGUAGE = 255, PLATFORM = 254, FAMILY = 253, SHORTENER = 252 };
/* Codes that are words as well, those that phrases begin or end with, and those that are mostly something else or of
   several languages. */
enum { A_WORD = 1, PHRASE = 2, MIXED = 3 };
/* Scripts that are told apart within a word: what has kana is Japanese. */
enum { HAN = 1, KANA = 2 };
enum { MOST_CODES = 4, SITE_WORDS = 256, MOST_LETTERS = 40, MOST_SCRIPTS = 8, SITE_LABELS = 5, WIDEST = 256 };
/* The parts that are weighed, in the order in which they are added; contexts: path words, kind of domain, code. */
enum { HOST_GRAMS = 0, HOST_WORDS, PATH_WORDS, PATH_GRAMS, HOST_TEXT, DOMAIN, SITE, WEIGHED, CONTEXTS = 36 };
/* The languages that n-grams of the host speak for: a row of bytes is a line of the cache. */
enum { COMMON = 64 };

/* Keys and values: the upper 48 bits of a slot are the key's, the lower 16 the value; 0 is free. */
typedef struct {
    const uint64_t *slots;
    uint64_t mask;
} small_table;

/* Words: see `word_from`. */
typedef struct {
    const uint64_t *slots;
    int64_t count;
} word_table;

/* What is needed to read a URL; dragoman/kernels/parts.py has the same fields. */
typedef struct {
    const uint8_t *code_language, *code_country, *code_wordlike; /* by code: 27^3 */
    const int16_t *code_meaning;                                 /* by code: the row of its mixed meaning, or -1 */
    const uint8_t *shares;                                       /* countries * width: the share of a language, to 255 */
    small_table names, query_keys, sites, domains;
    const uint32_t *script_runs; /* first, last, script */
    int32_t script_run_count, width;
} part_reader;

typedef struct {
    int position;
    int32_t code; /* a code of letters, or a language at AT_LOCALE and AT_NAME */
    int64_t start, end;
} found_code;

typedef struct {
    int64_t start, end;
    uint64_t key;
} found_word;

/* What stands in a URL. The first `host_codes` of the codes are the host's; from `platform` on the host says nothing, from
   `suffix` on it is the domain. A known site begins at `site_start` (-1: none is known) and has the language `host_site`,
   or that of a part of it, `site`. The words of the path stand behind those of the host. */
typedef struct {
    int codes, host_codes, site, host_site, shortens, domain, host_words, path_words, scripts;
    int64_t platform, suffix, site_start;
    found_word *host, *path;
    found_code code[MOST_CODES];
    uint8_t script[MOST_SCRIPTS];
} url_parts;

/* A URL has at most so many words. */
enum { WORD_ROOM = 2 * SITE_WORDS };

/* Reads a URL; where what stands in one of the same host is given, only behind the host: its words are not listed then. */
void read_parts(const part_reader *reader, const line *url, const url_parts *same_host, found_word words[WORD_ROOM],
                url_parts *out);

/* The row of what a code means: a language alone, or behind those the mixed meanings; -1 for none. */
static inline int32_t meaning_of(const part_reader *reader, const found_code *found) {
    if (found->position == AT_LOCALE || found->position == AT_NAME) return found->code;
    const uint8_t language = reader->code_language[found->code];
    if (found->position == AT_FAMILY || found->position == AT_VALUE) {
        if (language != NO_LANGUAGE) return language;
        if (found->position == AT_FAMILY) return -1;
    }
    const int16_t row = reader->code_meaning[found->code];
    return row < 0 ? -1 : reader->width + row;
}

/* Kinds of domains: what URLs without one have. The others are of one language (0) or of several (2). */
enum { ANY_LANGUAGE = 1 };

static inline int context_of(int path_words, int kind, int coded) {
    const int bucket = path_words <= 2 ? path_words : path_words <= 4 ? 3 : path_words <= 7 ? 4 : 5;
    return (bucket * 3 + kind) * 2 + (coded != 0);
}

/* The value of a word, or UINT32_MAX. */
static inline uint32_t look_up_word(const word_table *table, uint64_t key) {
    return word_from(table->slots, table->count, key, first_slot(key, table->count));
}

/* Eight slots from the first on, which are in two lines of the cache, mostly. */
static inline void prefetch_word(const word_table *table, uint64_t key) {
    const uint64_t *slot = table->slots + first_slot(key, table->count);
    PREFETCH(slot);
    PREFETCH(slot + 7);
}

/* The buckets of a word's n-grams of one length. Behind MOST_LETTERS letters the text is cut (see `cut_word`). */
static inline int64_t gram_buckets(const line *url, const found_word *word, int length, int bits, uint32_t *buckets) {
    const uint64_t bytes = UINT64_MAX >> (64 - 8 * length);
    const int64_t end = word->end - word->start > MOST_LETTERS ? word->start + MOST_LETTERS : word->end;
    int64_t n = 0;
    for (int64_t at = word->start - 1; at + length <= end + 1; at++)
        buckets[n++] = (uint32_t)((load(url->text + at) & bytes) * FIRST_FACTOR >> (64 - bits));
    return n;
}

/* A boundary behind the last letter that counts; called when all words have been found. */
static inline void cut_word(const line *url, const found_word *word) {
    if (word->end - word->start > MOST_LETTERS) ((uint8_t *)(uintptr_t)url->text)[word->start + MOST_LETTERS] = BLANK;
}

/* At most so many n-grams come from the words of a host or a path. */
enum { HOST_ROOM = SITE_WORDS * (2 * MOST_LETTERS + 1), PATH_ROOM = SITE_WORDS * 3 * MOST_LETTERS };

/* Those of a word of the host, and one for the word itself. */
static inline int64_t host_gram_buckets(const line *url, const found_word *word, int bits, uint32_t *buckets) {
    cut_word(url, word);
    int64_t n = gram_buckets(url, word, 3, bits, buckets);
    n += gram_buckets(url, word, 5, bits, buckets + n);
    buckets[n++] = (uint32_t)(word->key * SECOND_FACTOR >> (64 - bits));
    return n;
}

static inline int64_t path_gram_buckets(const line *url, const found_word *word, int bits, uint32_t *buckets) {
    cut_word(url, word);
    int64_t n = 0;
    for (int length = 3; length <= 5; length++) n += gram_buckets(url, word, length, bits, buckets + n);
    return n;
}

#endif
