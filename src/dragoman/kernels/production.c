/* The features of the production recipe, as dragoman/url/production.py defines them. */
#include "native.h"

#include <math.h>
#include <string.h>

/* The lowest two bits of a key say what the feature is; tables use the highest bits, training drops by the lowest. */
enum { OTHER = 0, HOST_WORD = 1, TLD_WORD = 2, PATH_WORD = 3 };

static inline uint64_t kept(uint64_t h, int kind) {
    return ((h ^ (h >> 32)) * UINT64_C(0x9E3779B97F4A7C15) & ~UINT64_C(3)) | (uint64_t)kind;
}

static inline uint64_t start(uint64_t namespace_) { return namespace_ * UINT64_C(0xD6E8FEB86659FD93); }
static inline uint64_t add(uint64_t h, uint32_t point) { return (h ^ point) * UINT64_C(0x100000001B3); }

enum {
    NS_HOST_WORD = 1,
    NS_TLD,
    NS_PATH_WORD,
    NS_HOST_GRAM,
    NS_PATH_GRAM,
    NS_SCRIPT,
    NS_CODE,
    NS_CODE_LABEL,
    NS_CODE_SEGMENT,
    NS_CODE_VALUE,
    NS_CODE_MARK
};

static inline uint64_t text_key(uint64_t namespace_, const uint32_t *p, int64_t length) {
    uint64_t h = start(namespace_);
    for (int64_t i = 0; i < length; i++) h = add(h, p[i]);
    return h;
}

/* What stands at a place; OUTSIDE, which no code point is, before the first and behind the last. */
#define OUTSIDE UINT32_MAX
static inline uint32_t at(const address *url, int64_t place) {
    return place >= 0 && place < url->length ? url->points[place] : OUTSIDE;
}

static inline int ends_segment(uint32_t c) { return c == OUTSIDE || c == '/' || c == '?' || c == '#'; }

/* How a token of two or three letters may be a language code: its namespace, or 0. */
static int code_place(const address *url, const token *t) {
    uint32_t before = t->start == url->host_length ? OUTSIDE : at(url, t->start - 1);
    uint32_t after = at(url, t->end);
    if (t->place != PATH) return t->start == 0 && after == '.' && t->place == HOST ? NS_CODE_LABEL : 0;
    if (before == '/') {
        if (ends_segment(after)) return NS_CODE_SEGMENT;
        /* en-us, pt_BR: a region of two letters follows and ends the segment */
        if ((after == '-' || after == '_') && fold(at(url, t->end + 1)) && fold(at(url, t->end + 2)) &&
            ends_segment(at(url, t->end + 3)))
            return NS_CODE_SEGMENT;
    }
    if (before == '=' && (after == OUTSIDE || after == '&' || after == ';' || after == '#' || after == '-' || after == '_'))
        return NS_CODE_VALUE;
    int marked = before == '_' || before == '-' || before == '.', marks = after == '_' || after == '-' || after == '.';
    if ((marked && (after == '.' || ends_segment(after))) || (before == '/' && marks)) return NS_CODE_MARK;
    return 0;
}

int64_t write_production_keys(const address *url, uint64_t *keys) {
    const uint32_t *p = url->points;
    int64_t n = 0, position = 0;
    token t;
    while (next_token(url, &position, &t)) {
        int64_t length = t.end - t.start;
        const uint32_t *word = p + t.start;
        int path = t.place == PATH;
        if (length <= 3) {
            int where = code_place(url, &t);
            if (where) {
                /* no word and no n-grams: what a code says must not rub off on words that begin like it */
                keys[n++] = kept(text_key((uint64_t)where, word, length), OTHER);
                keys[n++] = kept(text_key(NS_CODE, word, length), OTHER);
                continue;
            }
        }
        if (t.place == TLD) {
            keys[n++] = kept(text_key(NS_TLD, word, length), TLD_WORD);
            continue;
        }
        keys[n++] = kept(text_key(path ? NS_PATH_WORD : NS_HOST_WORD, word, length), path ? PATH_WORD : HOST_WORD);
        if (word[0] >= 0x250) keys[n++] = kept(add(start(NS_SCRIPT), word[0] >> 7), OTHER);
        /* 3- to 5-grams of _word_: the longer go on from the shorter */
        uint64_t empty = start(path ? NS_PATH_GRAM : NS_HOST_GRAM);
        for (int64_t i = -1; i + 3 <= length + 1; i++) {
            uint64_t h = empty;
            for (int64_t k = 0; k < 5 && i + k <= length; k++) {
                h = add(h, i + k < 0 || i + k == length ? '_' : word[i + k]);
                if (k >= 2) keys[n++] = kept(h, OTHER);
            }
        }
    }
    return n;
}

/* Sums of int8 rows, times `factor`, added to sums. Columns go in blocks of 32 whose sums stay in registers; int16
   holds 256 rows of int8. The vectors are spelt out because GCC 12, left alone, unrolls the outer loop and makes this
   eight times slower; other compilers take the plain loop. */
enum { BLOCK = 32, MOST_COLUMNS = 1024, GROUP = 256 };

#if defined(__GNUC__)
typedef int8_t bytes16 __attribute__((vector_size(16)));
typedef int16_t shorts16 __attribute__((vector_size(32)));
#if defined(__x86_64__) && !defined(__clang__) && defined(__linux__)
#define CHOSEN_AT_START __attribute__((target_clones("avx2", "default")))
#endif
#endif
#ifndef CHOSEN_AT_START
#define CHOSEN_AT_START
#endif

CHOSEN_AT_START
static void sum_rows(const int8_t *weights, const uint32_t *rows, int64_t count, int32_t stride, int32_t factor,
                     int32_t *sums) {
    for (int32_t block = 0; block < stride; block += BLOCK)
        for (int64_t first = 0; first < count; first += GROUP) {
            int64_t last = first + GROUP < count ? first + GROUP : count;
            int16_t part[BLOCK] = {0};
#if defined(__GNUC__)
            shorts16 low = {0}, high = {0};
            for (int64_t i = first; i < last; i++) {
                bytes16 a, b;
                const int8_t *w = weights + (uint64_t)rows[i] * (uint64_t)stride + block;
                memcpy(&a, w, sizeof a);
                memcpy(&b, w + sizeof a, sizeof b);
                low += __builtin_convertvector(a, shorts16);
                high += __builtin_convertvector(b, shorts16);
            }
            memcpy(part, &low, sizeof low);
            memcpy(part + BLOCK / 2, &high, sizeof high);
#else
            for (int64_t i = first; i < last; i++)
                for (int j = 0; j < BLOCK; j++)
                    part[j] = (int16_t)(part[j] + weights[(uint64_t)rows[i] * (uint64_t)stride + block + j]);
#endif
            for (int j = 0; j < BLOCK; j++) sums[block + j] += part[j] * factor;
        }
}

/* Rows up to `fine` weigh one step, the others COARSE steps: few features have large weights, and one step for all
   would leave the rest three bits. */
enum { COARSE = 8 };

typedef struct {
    int32_t bits, width, stride, fine;
    const uint32_t *index; /* bucket -> row + 1; 0: not kept */
    const int8_t *weights;
    float step;
    const float *bias;
} compact;

/* Scores of one row into out[width]; NaN for what is no web address. Returns how many of its keys the table holds. */
static int64_t compact_row(const compact *model, const uint8_t *bytes, int64_t length, scratch *memory, address *url,
                           float *out) {
    int32_t sums[MOST_COLUMNS];
    read_address(bytes, length, memory, url);
    if (url->kind != WEB) {
        for (int32_t j = 0; j < model->width; j++) out[j] = NAN;
        return 0;
    }
    uint64_t *keys = memory->keys;
    uint32_t *rows = (uint32_t *)keys; /* a row's number is written where its key was read */
    int64_t n = write_production_keys(url, keys), known = 0, coarse = 0;
    const int shift = 64 - model->bits;
    for (int64_t i = 0; i < n; i++) PREFETCH(&model->index[keys[i] >> shift]);
    uint32_t *large = (uint32_t *)(keys + memory->room * KEYS_PER_BYTE); /* the room behind the keys */
    for (int64_t i = 0; i < n; i++) {
        uint32_t row = model->index[keys[i] >> shift];
        if (!row) continue;
        if ((int32_t)row <= model->fine) rows[known++] = row - 1;
        else large[coarse++] = row - 1;
        const int8_t *w = model->weights + (uint64_t)(row - 1) * (uint64_t)model->stride;
        PREFETCH(w);
        if (model->stride > 64) PREFETCH(w + 64);
    }
    memset(sums, 0, (size_t)model->stride * sizeof *sums);
    sum_rows(model->weights, rows, known, model->stride, 1, sums);
    sum_rows(model->weights, large, coarse, model->stride, COARSE, sums);
    double scale = n ? (double)model->step / sqrt((double)n) : 0;
    for (int32_t j = 0; j < model->width; j++) out[j] = (float)((double)sums[j] * scale + (double)model->bias[j]);
    return known + coarse;
}

EXPORT int32_t dragoman_compact(const uint8_t *data, const int64_t *offsets, int64_t rows, int32_t bits,
                                const uint32_t *index, const int8_t *weights, int32_t width, int32_t stride, int32_t fine,
                                float step, const float *bias, float *scores, int32_t *known) {
    const compact model = {bits, width, stride, fine, index, weights, step, bias};
    scratch memory = {0};
    int32_t result = stride > MOST_COLUMNS || stride % BLOCK || width > stride ? -1 : 0;
    for (int64_t row = 0; row < rows && result == 0; row++) {
        address url;
        int64_t length = offsets[row + 1] - offsets[row];
        if (!scratch_reserve(&memory, length + 1)) {
            result = -1;
            break;
        }
        known[row] = (int32_t)compact_row(&model, data + offsets[row], length, &memory, &url, scores + row * width);
    }
    scratch_free(&memory);
    return result;
}

/* 2^x for x <= 0, to about seven digits: the whole part goes into the exponent, the rest into a polynomial. */
static inline float power_of_two(float x) {
    x = x < -126.0f ? -126.0f : x;
    int32_t whole = (int32_t)(x - 0.5f);
    float rest = x - (float)whole; /* in [-0.5, 0.5] */
    float value = 1.0f + rest * (0.69314718f + rest * (0.24022650f + rest * (0.05550411f + rest * (0.00961813f +
                  rest * (0.00133336f + rest * 0.00015469f)))));
    union {
        int32_t bits;
        float number;
    } exponent = {(whole + 127) << 23};
    return value * exponent.number;
}

CHOSEN_AT_START
static float sum_of_powers(const float *scores, int32_t width, float best, float factor) {
    float parts[8] = {0};
    int32_t j = 0;
    for (; j + 8 <= width; j += 8)
        for (int k = 0; k < 8; k++) parts[k] += power_of_two((scores[j + k] - best) * factor);
    float total = 0;
    for (; j < width; j++) total += power_of_two((scores[j] - best) * factor);
    for (int k = 0; k < 8; k++) total += parts[k];
    return total;
}

/* The best language of each row and its probability, exp(best / temperature) over the sum for all; -1 and NaN where
   there is no score or no key is known. The same decision as the highest score of dragoman_compact, first of equals. */
EXPORT int32_t dragoman_compact_best(const uint8_t *data, const int64_t *offsets, int64_t rows, int32_t bits,
                                     const uint32_t *index, const int8_t *weights, int32_t width, int32_t stride,
                                     int32_t fine, float step, const float *bias, float temperature, int32_t *best,
                                     float *probability) {
    const compact model = {bits, width, stride, fine, index, weights, step, bias};
    scratch memory = {0};
    float scores[MOST_COLUMNS];
    const float factor = 1.44269504f / temperature;
    int32_t result = stride > MOST_COLUMNS || stride % BLOCK || width > stride || width < 1 ? -1 : 0;
    for (int64_t row = 0; row < rows && result == 0; row++) {
        address url;
        int64_t length = offsets[row + 1] - offsets[row];
        if (!scratch_reserve(&memory, length + 1)) {
            result = -1;
            break;
        }
        best[row] = -1;
        probability[row] = NAN;
        if (compact_row(&model, data + offsets[row], length, &memory, &url, scores) == 0) continue;
        int32_t most = 0;
        for (int32_t j = 1; j < width; j++)
            if (scores[j] > scores[most]) most = j;
        best[row] = most;
        probability[row] = 1.0f / sum_of_powers(scores, width, scores[most], factor);
    }
    scratch_free(&memory);
    return result;
}
