/* Keys meet tables: numbering a vocabulary, summing weights, counting dictionary hits. */
#include "native.h"

#include <math.h>
#include <string.h>

/* Gives every key a number, new keys the next one. slots holds mask + 1 pairs (key, number).
   Stops before the table is more than half full: returns how many keys were done; *used is the vocabulary's size. */
EXPORT int64_t dragoman_number(const uint64_t *keys, int64_t n, uint64_t *slots, uint64_t mask, int64_t *used,
                               int32_t *numbers) {
    int64_t size = *used, i = 0;
    for (; i < n; i++) {
        if (i + 8 < n) PREFETCH(&slots[2 * slot_of(keys[i + 8], mask)]);
        uint64_t at = slot_of(keys[i], mask);
        while (slots[2 * at] && slots[2 * at] != keys[i]) at = (at + 1) & mask;
        if (!slots[2 * at]) {
            if ((uint64_t)size * 2 > mask) break;
            slots[2 * at] = keys[i];
            slots[2 * at + 1] = (uint64_t)size++;
        }
        numbers[i] = (int32_t)slots[2 * at + 1];
    }
    *used = size;
    return i;
}

/* The value of every key, or -1. */
EXPORT void dragoman_find(const uint64_t *keys, int64_t n, const uint64_t *slots, uint64_t mask, int64_t *values) {
    for (int64_t i = 0; i < n; i++) {
        if (i + 8 < n) PREFETCH(&slots[2 * slot_of(keys[i + 8], mask)]);
        uint64_t at = slot_of(keys[i], mask);
        while (slots[2 * at] && slots[2 * at] != keys[i]) at = (at + 1) & mask;
        values[i] = slots[2 * at] ? (int64_t)slots[2 * at + 1] : -1;
    }
}

enum { COUNTS = 0, SHARES = 1, ROOTS = 2 };

/* One pass from bytes to scores: scale * (sum of the weights of the row's known keys) + bias, in double, in the
   order of the keys, so that the plain version gives the same bits. scale is 1, 1/n or 1/sqrt(n) for n keys, known
   or not. Rows that are not web addresses, or have no known key, score NaN. Returns 0, or -1 where memory ran out. */
EXPORT int32_t dragoman_linear(const uint8_t *data, const int64_t *offsets, int64_t rows, int32_t features,
                               int32_t scaling, const uint64_t *slots, uint64_t mask, const float *weights,
                               int32_t width, const float *bias, float *scores, uint8_t *kinds) {
    enum { WIDTH_LIMIT = 1024 };
    scratch memory = {0};
    double sums[WIDTH_LIMIT];
    int32_t result = width > WIDTH_LIMIT ? -1 : 0;
    for (int64_t row = 0; row < rows && result == 0; row++) {
        int kind;
        float *out = scores + row * width;
        int64_t length = offsets[row + 1] - offsets[row];
        if (!scratch_reserve(&memory, length + 1)) {
            result = -1;
            break;
        }
        uint64_t *keys = memory.keys;
        int64_t n = row_keys(data + offsets[row], length, features, &memory, keys, &kind), known = 0;
        kinds[row] = (uint8_t)kind;
        for (int64_t i = 0; i < n; i++) PREFETCH(&slots[2 * slot_of(keys[i], mask)]);
        for (int64_t i = 0; i < n; i++) {
            uint64_t at = slot_of(keys[i], mask);
            while (slots[2 * at] && slots[2 * at] != keys[i]) at = (at + 1) & mask;
            if (!slots[2 * at]) continue;
            keys[known] = slots[2 * at + 1];
            PREFETCH(weights + keys[known] * (uint64_t)width);
            known++;
        }
        if (known == 0) { /* nothing to judge by: the bias alone would be a guess */
            for (int32_t j = 0; j < width; j++) out[j] = NAN;
            continue;
        }
        for (int32_t j = 0; j < width; j++) sums[j] = 0;
        for (int64_t i = 0; i < known; i++) {
            const float *weight = weights + keys[i] * (uint64_t)width;
            for (int32_t j = 0; j < width; j++) sums[j] += (double)weight[j];
        }
        double scale = n == 0 || scaling == COUNTS ? 1.0 : scaling == SHARES ? 1.0 / (double)n : 1.0 / sqrt((double)n);
        for (int32_t j = 0; j < width; j++) out[j] = (float)(sums[j] * scale + (double)bias[j]);
    }
    scratch_free(&memory);
    return result;
}

/* The custom-made features of dragoman/url/custom.py. slots maps a word's key to a bit field: bit i says that the
   word is a country code of language i, then width bits each for spelling, city and trained dictionaries. */
typedef struct {
    const uint64_t *slots;
    uint64_t mask;
    int32_t width;
    uint64_t generic[3]; /* com, org, net */
} dictionaries;

static dictionaries open_dictionaries(const uint64_t *slots, uint64_t mask, int32_t width) {
    static const char *const GENERIC[] = {"com", "org", "net"};
    dictionaries found = {slots, mask, width, {0}};
    for (int i = 0; i < 3; i++) {
        uint32_t points[3] = {(uint32_t)GENERIC[i][0], (uint32_t)GENERIC[i][1], (uint32_t)GENERIC[i][2]};
        found.generic[i] = word_key(points, 3);
    }
    return found;
}

static int32_t custom_columns(int32_t width) { return 13 * width + 9; }

/* Adds one token to a row of features. */
static void count_token(const dictionaries *words, uint64_t key, int place, float *f) {
    const int32_t L = words->width;
    float *code = f, *flags = f + 3 * L, *counts = flags + 3, *merged = counts + 9 * L + 3, *nowhere = merged + L;
    uint64_t bits = 0, at = slot_of(key, words->mask);
    while (words->slots[2 * at] && words->slots[2 * at] != key) at = (at + 1) & words->mask;
    if (words->slots[2 * at]) bits = words->slots[2 * at + 1];
    int after = place == PATH;
    if (place == TLD)
        for (int i = 0; i < 3; i++)
            if (key == words->generic[i]) flags[i] = 1;
    if (!(bits >> L)) {
        nowhere[0] += 1;
        nowhere[after ? 2 : 1] += 1;
    }
    for (int32_t i = 0; i < L && bits >> i; i++) {
        if (bits >> i & 1) {
            if (place == TLD) code[i] = 1;
            code[(after ? 2 : 1) * L + i] = 1;
        }
        int any = 0;
        for (int32_t d = 0; d < 3; d++)
            if (bits >> ((d + 1) * L + i) & 1) {
                counts[3 * d * L + i] += 1;
                counts[(3 * d + (after ? 2 : 1)) * L + i] += 1;
                any = 1;
            }
        merged[i] += (float)any;
    }
}

/* One row of features. Tokens go through in groups, so that the memory of a group is fetched while it is hashed. */
static void custom_row(const dictionaries *words, const address *url, float *f) {
    enum { GROUP = 32 };
    uint64_t keys[GROUP];
    int places[GROUP], n = 0, more = 1;
    int64_t position = 0;
    token t;
    memset(f, 0, (size_t)custom_columns(words->width) * sizeof *f);
    while (more) {
        more = next_token(url, &position, &t);
        if (more) {
            keys[n] = word_key(url->points + t.start, t.end - t.start);
            places[n] = t.place;
            PREFETCH(&words->slots[2 * slot_of(keys[n], words->mask)]);
            n++;
        }
        if (n == GROUP || !more) {
            for (int i = 0; i < n; i++) count_token(words, keys[i], places[i], f);
            n = 0;
        }
    }
    float *hyphens = f + 3 * words->width + 3 + 9 * words->width;
    for (int64_t i = 0; i < url->length; i++)
        if (url->points[i] == '-') {
            hyphens[0] += 1;
            hyphens[i >= url->host_length ? 2 : 1] += 1;
        }
}

EXPORT int32_t dragoman_custom(const uint8_t *data, const int64_t *offsets, int64_t rows, const uint64_t *slots,
                               uint64_t mask, int32_t width, float *out, uint8_t *kinds) {
    scratch memory = {0};
    const dictionaries words = open_dictionaries(slots, mask, width);
    const int32_t columns = custom_columns(width);
    int32_t result = 0;
    for (int64_t row = 0; row < rows; row++) {
        address url;
        int64_t length = offsets[row + 1] - offsets[row];
        if (!scratch_reserve(&memory, length + 1)) {
            result = -1;
            break;
        }
        read_address(data + offsets[row], length, &memory, &url);
        kinds[row] = (uint8_t)url.kind;
        if (url.kind == WEB) custom_row(&words, &url, out + row * columns);
        else memset(out + row * columns, 0, (size_t)columns * sizeof *out);
    }
    scratch_free(&memory);
    return result;
}

/* Scores over chosen columns: scale * (sum of count * weight) + bias, the scale as in dragoman_linear for n the sum of
   the counts. At most 16 languages, so at most 217 columns. */
EXPORT int32_t dragoman_custom_linear(const uint8_t *data, const int64_t *offsets, int64_t rows, const uint64_t *slots,
                                      uint64_t mask, int32_t width, const int64_t *columns, int32_t chosen,
                                      int32_t scaling, const float *weights, const float *bias, int32_t languages,
                                      float *scores, uint8_t *kinds) {
    enum { MOST_LANGUAGES = 16 };
    scratch memory = {0};
    const dictionaries words = open_dictionaries(slots, mask, width);
    float f[13 * MOST_LANGUAGES + 9];
    double sums[MOST_LANGUAGES];
    int32_t result = width > MOST_LANGUAGES || languages > MOST_LANGUAGES ? -1 : 0;
    for (int64_t row = 0; row < rows && result == 0; row++) {
        address url;
        float *out = scores + row * languages;
        int64_t length = offsets[row + 1] - offsets[row];
        if (!scratch_reserve(&memory, length + 1)) {
            result = -1;
            break;
        }
        read_address(data + offsets[row], length, &memory, &url);
        kinds[row] = (uint8_t)url.kind;
        if (url.kind != WEB) {
            for (int32_t j = 0; j < languages; j++) out[j] = NAN;
            continue;
        }
        custom_row(&words, &url, f);
        double n = 0;
        for (int32_t j = 0; j < languages; j++) sums[j] = 0;
        for (int32_t c = 0; c < chosen; c++) {
            double count = f[columns[c]];
            n += count;
            for (int32_t j = 0; j < languages; j++) sums[j] += count * (double)weights[c * languages + j];
        }
        double scale = n == 0 || scaling == COUNTS ? 1.0 : scaling == SHARES ? 1.0 / n : 1.0 / sqrt(n);
        for (int32_t j = 0; j < languages; j++) out[j] = (float)(sums[j] * scale + (double)bias[j]);
    }
    scratch_free(&memory);
    return result;
}
