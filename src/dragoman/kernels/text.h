/* Character n-grams of text: shared by scoring and by what gives the weights of every character. */
#ifndef DRAGOMAN_TEXT_H
#define DRAGOMAN_TEXT_H

#include "native.h"

enum {
    LONGEST_GRAM = 5,
    LONGEST_WORD = 20,   /* letters of a word that is a feature as a whole */
    GRAMS_PER_LETTER = 5, /* a word of m letters has at most 5 m features */
    SAMPLE = 1 << 15,    /* bytes of a text that are read: longer ones by PIECES pieces, evenly spread */
    PIECES = 32,
    LEAST_OTHERS = 64,   /* features of words that are not Latin, from which on these hold Latin ones down, ... */
    MOST_LATIN = 9,      /* ... unless there are more than so many Latin features to each of them */
    BOUNDARY = 0x20      /* stands before and behind a word */
};

#define GRAM_FACTOR UINT64_C(0x9E3779B97F4A7C15)
#define GRAM_SEED UINT64_C(0xA0761D6478BD642F)
#define BLOCK_SEED UINT64_C(0xD6E8FEB86659FD93)

static inline uint64_t longer(uint64_t hash, uint32_t point) { return (hash ^ point) * GRAM_FACTOR; }

/* The block of 128 code points that a letter belongs to; all of Han is one. */
static inline uint32_t block_of(uint32_t point) {
    return (point >= 0x3400 && point <= 0x9FFF) || point >= 0x20000 ? 0x3400 >> 7 : point >> 7;
}

/* 1 for a Latin letter: blocks up to Latin Extended-B, and Latin Extended Additional. */
static inline int is_latin(uint32_t point) { return point < 0x250 || (point >= 0x1E00 && point < 0x1F00); }

#endif
