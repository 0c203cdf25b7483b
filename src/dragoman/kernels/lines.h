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

static inline int is_ascii_letter(uint8_t c) { return (uint8_t)((c | 0x20) - 'a') < 26; }

/* Which of sixteen bytes are ASCII letters, one bit each. */
static inline uint32_t ascii_letters_of(const uint8_t *p) {
    uint32_t letters = 0;
#if defined(__SSE2__)
    const __m128i part = _mm_loadu_si128((const __m128i *)(const void *)p);
    /* signed numbers are compared: 'a' is moved to the least */
    const __m128i moved = _mm_add_epi8(_mm_or_si128(part, _mm_set1_epi8(0x20)), _mm_set1_epi8((char)(0x80 - 'a')));
    letters = (uint32_t)_mm_movemask_epi8(_mm_cmplt_epi8(moved, _mm_set1_epi8((char)(0x80 + 26))));
#else
    for (int i = 0; i < 16; i++) letters |= (uint32_t)is_ascii_letter(p[i]) << i;
#endif
    return letters;
}

/* Which of sixteen bytes are this one. */
static inline uint32_t places_of(const uint8_t *p, uint8_t byte) {
    uint32_t places = 0;
#if defined(__SSE2__)
    const __m128i part = _mm_loadu_si128((const __m128i *)(const void *)p);
    places = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(part, _mm_set1_epi8((char)byte)));
#else
    for (int i = 0; i < 16; i++) places |= (uint32_t)(p[i] == byte) << i;
#endif
    return places;
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

static inline int highest_bit(uint32_t bits) {
#if defined(__GNUC__)
    return 31 - __builtin_clz(bits);
#else
    int place = 0;
    while (bits >>= 1) place++;
    return place;
#endif
}

/* Which of 64 bytes are digits. */
static inline uint64_t digits_of(const uint8_t *p) {
    uint64_t digits = 0;
#if defined(__SSE2__)
    for (int i = 0; i < 4; i++) {
        const __m128i part = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        const __m128i moved = _mm_add_epi8(part, _mm_set1_epi8((char)(0x80 - '0'))); /* '0' is the least */
        const __m128i few = _mm_cmplt_epi8(moved, _mm_set1_epi8((char)(0x80 + 10)));
        digits |= (uint64_t)(uint32_t)_mm_movemask_epi8(few) << (16 * i);
    }
#else
    for (int i = 0; i < 64; i++) digits |= (uint64_t)((uint8_t)(p[i] - '0') < 10) << i;
#endif
    return digits;
}

/* Which of 64 bytes, if they are letters, are capitals or beyond ASCII: those without the bit of small letters. */
static inline uint64_t capitals_of(const uint8_t *p) {
    uint64_t small = 0;
#if defined(__SSE2__)
    for (int i = 0; i < 4; i++) {
        const __m128i part = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        small |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_slli_epi16(part, 2)) << (16 * i);
    }
#else
    for (int i = 0; i < 64; i++) small |= (uint64_t)(p[i] >> 5 & 1) << i;
#endif
    return ~small;
}

/* Which of 32 bytes are this one. */
static inline uint32_t places_of_32(const uint8_t *p, uint8_t byte) {
    return places_of(p, byte) | places_of(p + 16, byte) << 16;
}

/* In a line of bytes, 16 or 32 at a time: so many less one are read beyond `end` or before `start`. */

/* The first place of a byte, or `end`. */
static inline int64_t find(const uint8_t *raw, int64_t from, int64_t end, uint8_t byte) {
    for (; from < end; from += 32) {
        const uint32_t places = places_of_32(raw + from, byte);
        if (!places) continue;
        from += lowest_bit(places);
        return from < end ? from : end;
    }
    return end;
}

/* The first place of either byte, or `end`. */
static inline int64_t find_either(const uint8_t *raw, int64_t from, int64_t end, uint8_t one, uint8_t other) {
    for (; from < end; from += 32) {
        const uint32_t places = places_of_32(raw + from, one) | places_of_32(raw + from, other);
        if (!places) continue;
        from += lowest_bit(places);
        return from < end ? from : end;
    }
    return end;
}

/* The last place of a byte, or `start` - 1. */
static inline int64_t find_last(const uint8_t *raw, int64_t start, int64_t end, uint8_t byte) {
    for (; end > start; end -= 16) {
        const uint32_t places = places_of(raw + end - 16, byte);
        if (!places) continue;
        end += highest_bit(places) - 16;
        return end >= start ? end : start - 1;
    }
    return start - 1;
}

/* Where ASCII letters from `from` on end. */
static inline int64_t letters_end(const uint8_t *raw, int64_t from, int64_t end) {
    for (; from < end; from += 16) {
        const uint32_t others = ~ascii_letters_of(raw + from) & 0xFFFF;
        if (!others) continue;
        from += lowest_bit(others);
        break;
    }
    return from < end ? from : end;
}

/* Where ASCII letters up to `end` begin. */
static inline int64_t letters_start(const uint8_t *raw, int64_t start, int64_t end) {
    for (; end > start; end -= 16) {
        const uint32_t others = ~ascii_letters_of(raw + end - 16) & 0xFFFF;
        if (!others) continue;
        end += highest_bit(others) - 15;
        break;
    }
    return end > start ? end : start;
}

#endif

