/* The text model: from UTF-8 bytes to scores in one pass. The definition is dragoman/page/grams.py (features) and
   dragoman/page/identifier.py (scores). */
#include "text.h"
#include "vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 512, LISTED = 2048, MOST_PAIRS = 8 };

/* Words that tell two close languages apart. A word's hash leads by its first bits to a place; if the next 16 bits are
   the print that is kept there, the word has that weight, above 0 for the first language. */
typedef struct {
    int32_t first, second, bits;
    float keep, step;
    const uint16_t *prints;
    const int8_t *weights;
} close_pair;

/* The model as it is handed over: dragoman/kernels/text.py has the same fields. Frequent features have a row of bytes
   with a weight for every language. Rare ones have a record in `sparse`: a count, then so many pairs of a column and a
   weight (0 to 255); all other languages have 0. */
typedef struct {
    int32_t bits, width, stride; /* of the index; languages; bytes of a row: a multiple of 32 */
    uint32_t rows;               /* of `dense`, row 0 included */
    float step, sharpness, slope;
    const uint32_t *index; /* bucket -> 0 (not known), a row, or `rows` and the place of a record */
    const int8_t *dense;
    const uint8_t *sparse;
    const int32_t *floor; /* what a known feature adds for every language, in steps */
    const float *bias;
    const close_pair *pairs;
    int32_t pair_count; /* MOST_PAIRS at most */
} text_model;

/* UTF-8 undone and letters in lower case, 0 for what is no letter; a byte that is not part of valid UTF-8 stands for
   its Latin-1 character. Returns the number of points. */
static int64_t read_letters(const uint8_t *bytes, int64_t length, uint32_t *points) {
    int64_t n = 0, at = 0;
    while (at < length) {
        const uint32_t lead = bytes[at++];
        if (lead < 0x80) {
            const uint32_t low = lead | 0x20;
            points[n++] = low >= 'a' && low <= 'z' ? low : 0;
            continue;
        }
        const int more = lead >= 0xC2 && lead <= 0xDF ? 1 : (lead & 0xF0) == 0xE0 ? 2 : lead >= 0xF0 && lead <= 0xF4 ? 3 : 0;
        uint32_t point = more == 1 ? lead & 0x1F : more == 2 ? lead & 0x0F : lead & 0x07;
        int good = more > 0 && at + more <= length;
        for (int i = 0; i < more && good; i++) {
            good = (bytes[at + i] & 0xC0) == 0x80;
            point = point << 6 | (bytes[at + i] & 0x3F);
        }
        if (good && ((more == 2 && (point < 0x800 || (point >= 0xD800 && point <= 0xDFFF))) ||
                     (more == 3 && (point < 0x10000 || point > 0x10FFFF))))
            good = 0;
        if (good) at += more;
        points[n++] = fold(good ? point : lead);
    }
    return n;
}

/* The features of the word points[start .. end), written as hashes. With `ends`, also the place that each belongs to:
   the last letter of an n-gram; the last of the word, where it ends behind it; the first, for the block. */
static inline int64_t word_features(const uint32_t *points, int64_t start, int64_t end, uint64_t *hashes, int64_t *ends) {
    int64_t n = 0;
    if (ends) ends[n] = start;
    hashes[n++] = longer(BLOCK_SEED, block_of(points[start]));
    for (int64_t last = start; last < end; last++) {
        const int64_t least = last - start + 1 < LONGEST_GRAM ? start : last - LONGEST_GRAM + 1;
        uint64_t hash = GRAM_SEED;
        for (int64_t i = last; i >= least; i--) {
            hash = longer(hash, points[i]);
            if (ends) ends[n] = last;
            hashes[n++] = hash;
        }
        if (last - start + 2 <= LONGEST_GRAM) {
            if (ends) ends[n] = last;
            hashes[n++] = longer(hash, BOUNDARY);
        }
    }
    uint64_t hash = longer(GRAM_SEED, BOUNDARY); /* what ends behind the word */
    const int64_t length = end - start;
    for (int64_t i = 1; i <= length && i <= LONGEST_WORD; i++) {
        hash = longer(hash, points[end - i]);
        if (i >= LONGEST_GRAM && i < length) continue;
        if (i < LONGEST_GRAM) {
            if (ends) ends[n] = end - 1;
            hashes[n++] = hash;
        }
        if (i == length) { /* the whole word with both its boundaries */
            if (ends) ends[n] = end - 1;
            hashes[n++] = longer(hash, BOUNDARY);
        }
    }
    return n;
}

/* The next run of letters from *at on; 0 where there is none. */
static inline int next_word(const uint32_t *points, int64_t length, int64_t *at, int64_t *start) {
    int64_t i = *at;
    while (i < length && !points[i]) i++;
    *start = i;
    while (i < length && points[i]) i++;
    *at = i;
    return i > *start;
}

/* Where a piece may begin or end: not inside a character. */
static int64_t between(const uint8_t *bytes, int64_t length, int64_t at) {
    for (int i = 0; i < 3 && at < length && (bytes[at] & 0xC0) == 0x80; i++) at++;
    return at;
}

/* Piece number i of a text: all of it, if it is short. */
static int piece(const uint8_t *bytes, int64_t length, int i, int64_t *start, int64_t *end) {
    *start = 0;
    *end = length;
    if (length <= SAMPLE) return i == 0;
    if (i >= PIECES) return 0;
    const int64_t size = SAMPLE / PIECES, place = (length - size) / (PIECES - 1) * i;
    *start = between(bytes, length, place);
    *end = between(bytes, length, place + size);
    return 1;
}

/* Memory for the letters of a piece, and for the features of its longest word. */
typedef struct {
    uint32_t *points;
    uint64_t *hashes;
} room;

static int reserve(room *memory) {
    const size_t most = SAMPLE + 8;
    memory->points = malloc(most * sizeof *memory->points);
    memory->hashes = malloc((most * GRAMS_PER_LETTER + 8) * sizeof *memory->hashes);
    return memory->points && memory->hashes;
}

static void release(room *memory) {
    free(memory->points);
    free(memory->hashes);
}

/* The buckets of every row's features. Row i has buckets[indptr[i] .. indptr[i + 1]); at most GRAMS_PER_LETTER for each
   byte. Returns their number, or -1 where memory ran out. */
EXPORT int64_t dragoman_text_buckets(const uint8_t *data, const int64_t *offsets, int64_t rows, int32_t bits,
                                     int64_t *indptr, uint32_t *buckets) {
    room memory = {0};
    int64_t n = 0;
    const int ready = reserve(&memory);
    indptr[0] = 0;
    for (int64_t row = 0; row < rows && ready; row++) {
        const uint8_t *bytes = data + offsets[row];
        const int64_t length = offsets[row + 1] - offsets[row];
        int64_t from, to;
        for (int i = 0; piece(bytes, length, i, &from, &to); i++) {
            const int64_t letters = read_letters(bytes + from, to - from, memory.points);
            for (int64_t at = 0, start; next_word(memory.points, letters, &at, &start);) {
                const int64_t found = word_features(memory.points, start, at, memory.hashes, NULL);
                for (int64_t k = 0; k < found; k++) buckets[n++] = (uint32_t)(memory.hashes[k] >> (64 - bits));
            }
        }
        indptr[row + 1] = n;
    }
    release(&memory);
    return ready ? n : -1;
}

/* Adds the record at `record` to the sums. */
static inline void add_record(const uint8_t *record, int32_t *sums) {
    const uint8_t *end = record + 1 + 2 * record[0];
    for (record++; record < end; record += 2) sums[record[0]] += record[1];
}

/* Features that are looked up, and not yet added. */
typedef struct {
    uint32_t dense[LISTED], sparse[LISTED];
    int64_t dense_count, sparse_count;
} pending;

static void add_pending(const text_model *model, pending *list, int32_t *sums) {
    vectors.add_rows(model->dense, model->stride, list->dense, list->dense_count, 1, sums);
    for (int64_t i = 0; i < list->sparse_count; i++) add_record(model->sparse + list->sparse[i], sums);
    list->dense_count = list->sparse_count = 0;
}

/* What a text's features add up to: those of words in Latin letters apart from all others. */
typedef struct {
    int32_t sums[2][MOST_COLUMNS];
    int64_t features[2], known[2];
    int32_t words[MOST_PAIRS];
} total;

/* Adds what a whole word says about each close pair. */
static inline void add_word(const text_model *model, uint64_t hash, int32_t *words) {
    for (int32_t i = 0; i < model->pair_count; i++) {
        const close_pair *pair = model->pairs + i;
        const uint64_t place = hash >> (64 - pair->bits);
        if (pair->prints[place] == (uint16_t)(hash >> (48 - pair->bits))) words[i] += pair->weights[place];
    }
}

/* Between the languages of a close pair whole words have a say; the better of the two keeps its score. */
static void settle(const text_model *model, const int32_t *words, float root, float *out) {
    for (int32_t i = 0; i < model->pair_count; i++) {
        const close_pair *pair = model->pairs + i;
        const float first = out[pair->first], second = out[pair->second], most = first > second ? first : second;
        const float apart = (first - second) * pair->keep + (float)words[i] * (pair->step / root);
        out[pair->first] = apart < 0 ? most + apart : most;
        out[pair->second] = apart < 0 ? most : most - apart;
    }
}

/* Sums of the weights of a text's features, words of other scripts in [1]. */
static void add_text(const text_model *model, const uint8_t *bytes, int64_t length, room *memory, pending *list,
                     total *text) {
    int64_t from, to;
    int other = 0; /* what is pending belongs to text->sums[other] */
    const int shift = 64 - model->bits;
    for (int k = 0; k < 2; k++) {
        memset(text->sums[k], 0, (size_t)model->stride * sizeof **text->sums);
        text->features[k] = text->known[k] = 0;
    }
    memset(text->words, 0, sizeof text->words);
    list->dense_count = list->sparse_count = 0;
    for (int i = 0; piece(bytes, length, i, &from, &to); i++) {
        const int64_t letters = read_letters(bytes + from, to - from, memory->points);
        for (int64_t at = 0, start; next_word(memory->points, letters, &at, &start);) {
            const int64_t found = word_features(memory->points, start, at, memory->hashes, NULL);
            if (other == is_latin(memory->points[start])) {
                add_pending(model, list, text->sums[other]);
                other = !other;
            }
            text->features[other] += found;
            if (!other && at - start <= LONGEST_WORD) add_word(model, memory->hashes[found - 1], text->words);
            for (int64_t k = 0; k < found; k++) PREFETCH(model->index + (memory->hashes[k] >> shift));
            for (int64_t k = 0; k < found; k++) {
                const uint32_t place = model->index[memory->hashes[k] >> shift];
                if (!place) continue;
                text->known[other]++;
                if (place < model->rows) {
                    PREFETCH(model->dense + (uint64_t)place * (uint64_t)model->stride);
                    list->dense[list->dense_count++] = place;
                } else {
                    PREFETCH(model->sparse + (place - model->rows));
                    list->sparse[list->sparse_count++] = place - model->rows;
                }
                if (list->dense_count == LISTED || list->sparse_count == LISTED)
                    add_pending(model, list, text->sums[other]);
            }
        }
    }
    add_pending(model, list, text->sums[other]);
    for (int k = 0; k < 2; k++)
        for (int32_t j = 0; j < model->width; j++) text->sums[k][j] += (int32_t)text->known[k] * model->floor[j];
}

/* How many of a text's Latin features count: all, or half as many as there are others, where there are enough. */
static int64_t latin_counted(int64_t latin, int64_t others) {
    const int64_t most = others / 2;
    return others >= LEAST_OTHERS && others * MOST_LATIN >= latin && latin > most ? most : latin;
}

/* Scores of every row and language, NaN where nothing is known, and the number of its features that count. Or, where `scores` is
   NULL, the best of the chosen languages (all, if `chosen` is NULL) and its probability, a softmax over them; -1 and
   NaN where nothing is known. Of one chosen language: 0 if it is the best of all, else 1, and its probability among
   all. Returns 0, or -1 where memory ran out. */
EXPORT int32_t dragoman_text(const uint8_t *data, const int64_t *offsets, int64_t rows, const text_model *model,
                             const int32_t *chosen, int32_t choices, float *scores, int32_t *features, int32_t *best,
                             float *probability) {
    room memory = {0};
    float own[MOST_COLUMNS], some[MOST_COLUMNS];
    pending list;
    total text;
    const int ready = model->stride <= MOST_COLUMNS && reserve(&memory);
    for (int64_t row = 0; row < rows && ready; row++) {
        add_text(model, data + offsets[row], offsets[row + 1] - offsets[row], &memory, &list, &text);
        const int64_t latin = text.features[0], counted = latin_counted(latin, text.features[1]);
        const int64_t n = counted + text.features[1], known = text.known[0] + text.known[1];
        const float root = sqrtf((float)n), scale = n ? model->step / root : 0;
        const float share = counted < latin ? (float)counted / (float)latin : 1;
        const int32_t *mine = text.sums[0], *others = text.sums[1];
        float *out = scores ? scores + row * model->width : own;
        if (counted < latin)
            for (int32_t j = 0; j < model->width; j++)
                out[j] = ((float)mine[j] * share + (float)others[j]) * scale + model->bias[j];
        else
            for (int32_t j = 0; j < model->width; j++) out[j] = (float)(mine[j] + others[j]) * scale + model->bias[j];
        if (known) settle(model, text.words, root, out);
        if (scores) {
            features[row] = (int32_t)n;
            if (!known)
                for (int32_t j = 0; j < model->width; j++) out[j] = NAN;
            continue;
        }
        best[row] = -1;
        probability[row] = NAN;
        if (!known) continue;
        int32_t width = model->width;
        const float factor = (model->sharpness + model->slope / root) * 1.44269504f;
        float most;
        if (choices == 1) { /* a question: this one, among all? */
            const float total = vectors.sum_of_powers(out, width, factor, &most);
            best[row] = vectors.place_of(out, width, most) != chosen[0];
            probability[row] = exp2f((out[chosen[0]] - most) * factor) / total;
            continue;
        }
        if (chosen) {
            width = choices;
            for (int32_t j = 0; j < width; j++) some[j] = out[chosen[j]];
            out = some;
        }
        const float total = vectors.sum_of_powers(out, width, factor, &most);
        best[row] = vectors.place_of(out, width, most);
        probability[row] = 1.0f / total;
    }
    release(&memory);
    return ready ? 0 : -1;
}
