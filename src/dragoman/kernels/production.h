/* The production recipe: features (production.c) and scoring (compact.c). */
#ifndef DRAGOMAN_PRODUCTION_H
#define DRAGOMAN_PRODUCTION_H

#include "native.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* The kinds of features, in the lowest four bits of a key; their order is that of KINDS in dragoman/url/production.py.
   Three groups, each with a table of its own: n-grams, of which a URL has many; words; and what says more than words. */
enum {
    HOST_GRAM = 0,
    PATH_GRAM,
    HOST_WORD,
    PATH_WORD,
    TLD_WORD,
    SCRIPT,
    CODE,
    CODE_LABEL,
    CODE_SEGMENT,
    CODE_VALUE,
    CODE_MARK,
    KIND_BITS = 15
};
enum { GRAMS = 0, WORDS, CODES, GROUPS };

static inline int group_of(uint64_t key) {
    const int kind = (int)(key & KIND_BITS);
    return kind <= PATH_GRAM ? GRAMS : kind <= PATH_WORD ? WORDS : CODES;
}

/* A URL as bytes, one per character: the host's, then those of everything from the first slash on. */
typedef struct {
    int kind;
    const uint8_t *raw;  /* as it is written */
    const uint8_t *text; /* letters in lower case, anything else BLANK, also for PAD bytes before and behind */
    uint64_t *letters;   /* a bit for each letter that has n-grams, 64 to a word, and a word more */
    uint32_t *points;    /* the code points, or NULL if all is ASCII */
    int64_t host_length; /* as in `address` */
    int64_t tld_start;
    int64_t length;
} line;

enum { BLANK = '_' };

void read_line(const uint8_t *bytes, int64_t length, scratch *memory, line *out);

/* Keys of the words, codes and scripts; marks the letters that have n-grams. Returns the number of keys. */
int64_t write_word_keys(line *url, uint64_t *keys);

/* Up to eight bytes as a number, the first lowest. */
static inline uint64_t load(const uint8_t *p) {
    uint64_t value;
    memcpy(&value, p, sizeof value);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

#define FIRST_FACTOR UINT64_C(0x9E3779B97F4A7C15)
#define SECOND_FACTOR UINT64_C(0xD6E8FEB86659FD93)

static inline uint64_t seed_of(int kind) { return (uint64_t)(kind + 1) * UINT64_C(0xA0761D6478BD642F); }

/* The key of an n-gram of up to eight bytes. */
static inline uint64_t gram_key(uint64_t seed, uint64_t gram) { return (seed ^ gram) * FIRST_FACTOR; }

/* Which of 64 bytes are letters, one bit each. */
static inline uint64_t letters_of(const uint8_t *text) {
    uint64_t blanks = 0;
#if defined(__SSE2__)
    const __m128i blank = _mm_set1_epi8(BLANK);
    for (int i = 0; i < 4; i++) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)(text + 16 * i));
        blanks |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(part, blank)) << (16 * i);
    }
#else
    for (int i = 0; i < 64; i++) blanks |= (uint64_t)(text[i] == BLANK) << i;
#endif
    return ~blanks;
}

static inline int lowest_bit(uint64_t bits) {
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#else
    int place = 0;
    for (; !(bits & 1); bits >>= 1) place++;
    return place;
#endif
}

/* The n-grams: which there are (GRAM_LENGTHS in dragoman/url/production.py), and the bytes of eight that each takes. */
enum { GRAM_KINDS = 3 };
static const struct {
    int kind;
    uint64_t bytes;
} GRAM[GRAM_KINDS] = {{HOST_GRAM, 0xFFFFFF}, {HOST_GRAM, UINT64_C(0xFFFFFFFFFF)}, {PATH_GRAM, 0xFFFFFFFF}};

/* Where those of each kind are among 64 characters: a bit for the second character of each. Inside an n-gram are
   letters only; its first and its last character may be a boundary. */
typedef struct {
    uint64_t of[GRAM_KINDS];
} gram_places;

static inline void places_of_grams(const line *url, int64_t base, gram_places *out) {
    const uint64_t three = url->letters[base / 64], next = url->letters[base / 64 + 1];
    const uint64_t four = three & (three >> 1 | next << 63), five = four & (three >> 2 | next << 62);
    const int64_t left = url->host_length - base;
    const uint64_t host = left <= 0 ? 0 : left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;
    *out = (gram_places){{three & host, five & host, four & ~host}};
}

/* The key of the n-gram whose second character is at `place`, without its kind. */
static inline uint64_t gram_at(const line *url, int64_t place, int i) {
    return gram_key(seed_of(GRAM[i].kind), load(url->text + place - 1) & GRAM[i].bytes);
}

/* Where a key's weights are in training: a table of 2^bits rows for each group, one behind the other. */
static inline uint64_t bucket_of(uint64_t key, const int32_t *bits) {
    const int group = group_of(key);
    uint64_t first = 0;
    for (int i = 0; i < group; i++) first += UINT64_C(1) << bits[i];
    return first + (key >> (64 - bits[group]));
}

#endif

