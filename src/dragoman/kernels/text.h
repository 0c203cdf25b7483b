/* Words of a text and their n-grams: shared by scoring (text.c) and training (text_train.c). */
#ifndef DRAGOMAN_TEXT_H
#define DRAGOMAN_TEXT_H

#include "native.h"

enum {
    LONGEST_GRAM = 5,
    LONGEST_WORD = 20,    /* letters of a word that is a feature as a whole */
    GRAMS_PER_LETTER = 5, /* a word of m letters has at most 5 m features */
    SAMPLE = 1 << 15,     /* bytes of a text that are read: longer ones by PIECES pieces, evenly spread */
    PIECES = 32,
    BOUNDARY = 0x20,      /* stands before and behind a word */
    SCRIPT_POINTS = 0x30000, /* code points from here on have no script */
    NO_SCRIPT = 255,
    LATIN_SCRIPT = 0,
    CYRILLIC_SCRIPT = 3,
    MOST_SCRIPTS = 64,
    LENGTHS = 6,          /* classes of length, each with its own bias */
    MOST_CLASSES = 1024,
    DIMENSIONS = 64,      /* of the vector of a feature */
    WORD_BITS = 18        /* of a word's key that lead to where it is listed */
};

#define GRAM_FACTOR UINT64_C(0x9E3779B97F4A7C15)
#define GRAM_SEED UINT64_C(0xA0761D6478BD642F)

static inline uint64_t longer(uint64_t hash, uint32_t point) { return (hash ^ point) * GRAM_FACTOR; }

static inline int script_at(const uint8_t *scripts, uint32_t point) {
    return point < SCRIPT_POINTS ? scripts[point] : NO_SCRIPT;
}

/* Which bias a text of so many letters has. */
static inline int length_class(int64_t letters) {
    return letters <= 3 ? 0 : letters <= 6 ? 1 : letters <= 12 ? 2 : letters <= 25 ? 3 : letters <= 50 ? 4 : 5;
}

typedef struct {
    int64_t start, end;
} text_word;

/* Frequent words, each with the classes that it says something about. */
typedef struct {
    const uint32_t *keys;    /* rising */
    const uint32_t *bucket;  /* the first key with each value of the upper WORD_BITS bits, and the number of keys behind them */
    const uint32_t *entries; /* the first entry of each word, and the number of entries behind them */
    const uint16_t *classes; /* of each entry */
} word_list;

/* The number of the word whose features these are, the last being the word itself; -1 where it is not listed. */
static inline int64_t listed_word(const word_list *list, text_word word, const uint64_t *hashes, int64_t features) {
    if (word.end - word.start > LONGEST_WORD) return -1;
    const uint32_t key = (uint32_t)(hashes[features - 1] >> 32), bucket = key >> (32 - WORD_BITS);
    for (uint32_t i = list->bucket[bucket]; i < list->bucket[bucket + 1]; i++)
        if (list->keys[i] == key) return i;
    return -1;
}

/* Memory for the letters and words of a text, and for the features of its longest word. */
typedef struct {
    uint32_t *points;
    uint8_t *marks;
    uint64_t *hashes;
    text_word *words;
} text_room;

/* Marks of what was read: a capital letter; what is no letter, and ends a sentence, quotes or lists. */
enum { CAPITAL = 1, BREAK = 2 };

int text_reserve(text_room *memory);
void text_release(text_room *memory);
/* The letters of what is read of a text, in lower case, 0 for everything else, and their marks; Latin letters in Cyrillic
   words are Cyrillic where they look like it. Returns their number. */
int64_t text_letters(const uint8_t *scripts, const uint8_t *bytes, int64_t length, text_room *memory);
/* The script that letters are written in; -1 where there is none. */
int text_script(const uint8_t *scripts, const uint32_t *points, int64_t count);
/* The words of a script. Returns their number. */
int64_t text_words(const uint8_t *scripts, const uint32_t *points, int64_t count, int script, text_word *words);
/* The features of a word, written as hashes. Returns their number. */
int64_t word_features(const uint32_t *points, text_word word, uint64_t *hashes);

#endif
