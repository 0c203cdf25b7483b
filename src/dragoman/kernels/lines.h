/* URLs as lines of bytes, one per character. */
#ifndef DRAGOMAN_LINES_H
#define DRAGOMAN_LINES_H

#include "native.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* A URL as bytes, one per character: the host's, then those of everything from the first slash on. */
typedef struct {
    int kind;
    const uint8_t *raw;  /* as it is written */
    const uint8_t *text; /* letters in lower case, anything else BLANK, also for PAD bytes before and behind */
    uint32_t *points;    /* the code points, or NULL if all is ASCII */
    int64_t host_length; /* as in `address` */
    int64_t tld_start;
    int64_t length;
} line;

enum { BLANK = '_' };

void read_line(const uint8_t *bytes, int64_t length, scratch *memory, line *out);

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

#endif

