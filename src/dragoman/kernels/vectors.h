/* The innermost loops of text.c and parts.c, in the best form that the processor has: chosen when the library is loaded. */
#ifndef DRAGOMAN_VECTORS_H
#define DRAGOMAN_VECTORS_H

#include "lines.h"

#if defined(__GNUC__) && defined(__x86_64__)
#define HAS_AVX2
#endif

typedef struct {
    /* Adds the sum of rows of int8, times `factor`, to sums[stride]; stride is a multiple of 32. */
    void (*add_rows)(const int8_t *weights, int32_t stride, const uint32_t *rows, int64_t count, int32_t factor,
                     int32_t *sums);
    /* The sum of 2^((score - most) * factor), and in *most the highest score. */
    float (*sum_of_powers)(const float *scores, int32_t width, float factor, float *most);
    /* Adds sums[part][j] * factors[part] of some parts, one after the other, then row[j] * gate, to each of
       scores[width]; a row may be NULL. */
    void (*add_weighed)(const int32_t *const *sums, const float *factors, int32_t parts, const float *row, float gate,
                        int32_t width, float *scores);
    /* Writes a line's letters in lower case, and blanks for all else; up to 64 bytes more are read and written. Returns
       what else there is: HAS_COLON, HAS_MORE (escapes, bytes beyond ASCII, two hyphens that may belong to "xn--"). */
    int (*write_text)(const uint8_t *restrict raw, int64_t length, uint8_t *restrict text);
    /* The rows of a text's n-grams of three and five bytes, or of four as well; those that have none are left out. Returns
       how many are left; seven more may be written. A bucket is the upper `bits` bits of a product; by 32 buckets a block
       has the number of rows before them, and below that a bit for each that has one. */
    int64_t (*gram_rows)(const uint8_t *text, int64_t bytes, int four, const uint64_t *blocks, int bits, uint32_t *rows);
    /* The values of words (see `word_from`); their keys are `step` numbers apart. */
    void (*find_words)(const uint64_t *slots, int64_t size, const uint64_t *keys, int64_t step, int64_t count,
                       uint32_t *values);
    /* Writes to sums[0] to sums[languages - 1] what rows of sixteen languages and their weights say together. Without
       `masks` a row is sixteen languages and sixteen weights; else the weights of the languages that are marked, in their
       order, then so many masks of 64 languages each, and `languages` rounded up to 64 are written. */
    void (*sum_entries)(const uint8_t *table, int32_t masks, const uint32_t *rows, int64_t count, int32_t languages,
                        int32_t *sums);
    /* Rows of languages and weights become rows with masks; returns 0 where one speaks for a language twice. NULL where
       rows with masks are not the faster ones. */
    int (*mask_rows)(const uint8_t *rows, int64_t count, int32_t masks, uint8_t *out);
    /* Writes to sums[width] what stands in the columns of 64 numbers, 0 for column 64; rounded up to 16 are written. */
    void (*spread)(const int32_t *numbers, const uint8_t *columns, int32_t width, int32_t *sums);
    /* The first place of a value that is there. */
    int32_t (*place_of)(const float *scores, int32_t width, float value);
} vector_loops;

/* Languages and weights of a row, and how many bytes a row takes. Weights stand before masks: sixteen bytes from any of
   them on are in the row, and so in the same line of the cache. */
enum { ROW_ENTRIES = 16 };
static inline int32_t row_bytes(int32_t masks) { return masks ? 8 * masks + ROW_ENTRIES : 2 * ROW_ENTRIES; }

/* The number of ones among 32 bits: in pairs, in fours, in bytes, all of them. */
static inline uint32_t count_ones(uint32_t bits) {
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    return ((bits + (bits >> 4)) & 0x0F0F0F0F) * 0x01010101 >> 24;
}

enum { HAS_COLON = 1, HAS_MORE = 2 };

/* The lengths of n-grams; in texts of so many bytes so many begin. */
enum { SHORTEST = 3, LONGEST = 5 };
static inline int64_t grams_in(int64_t bytes, int length) { return bytes < length ? 0 : bytes - length + 1; }

enum { GROUP = 256 }; /* rows of int8 whose sum int16 holds */
enum { LANES = 16 };  /* floats that are added side by side */

/* 2^x: the least x, and the polynomial for what is behind its point. */
#define LEAST (-126.0f)
#define C1 0.69314718f
#define C2 0.24022650f
#define C3 0.05550411f
#define C4 0.00961813f
#define C5 0.00133336f
#define C6 0.00015469f

/* Words: the upper 32 bits of a slot are the key's, the lower the value; all ones are free. Where the search for a word
   begins: */
static inline int64_t first_slot(uint64_t key, int64_t size) { return (int64_t)((key >> 32) * (uint64_t)size >> 32); }

/* The value of a word, searched from a slot on, or UINT32_MAX. Words were put in by rising keys, so the first slot with as
   large a key is that of the word, or the word is not there: what is larger, or nothing, came later. */
static inline uint32_t word_from(const uint64_t *slots, int64_t size, uint64_t key, int64_t at) {
    const uint64_t wanted = key >> 32 << 32;
    while (slots[at] < wanted)
        if (++at == size) at = 0;
    return slots[at] >> 32 == wanted >> 32 ? (uint32_t)slots[at] : UINT32_MAX;
}

extern vector_loops vectors;
void choose_vectors(int plain);
/* Puts in the loops for vectors of 64 bytes, where the processor has them. */
void choose_wide_vectors(vector_loops *loops);

#endif
