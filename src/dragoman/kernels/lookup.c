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
   or not. Rows that are not web addresses score NaN. Returns 0, or -1 where memory ran out. */
EXPORT int32_t dragoman_linear(const uint8_t *data, const int64_t *offsets, int64_t rows, int32_t features,
                               int32_t scaling, const uint64_t *slots, uint64_t mask, const float *weights,
                               int32_t width, const float *bias, float *scores, uint8_t *kinds) {
    enum { WIDTH_LIMIT = 1024 };
    scratch memory = {0};
    double sums[WIDTH_LIMIT];
    int32_t result = width > WIDTH_LIMIT ? -1 : 0;
    for (int64_t row = 0; row < rows && result == 0; row++) {
        address url;
        float *out = scores + row * width;
        int64_t length = offsets[row + 1] - offsets[row];
        if (!scratch_reserve(&memory, length + 1)) {
            result = -1;
            break;
        }
        read_address(data + offsets[row], length, &memory, &url);
        kinds[row] = (uint8_t)url.kind;
        if (url.kind != WEB) {
            for (int32_t j = 0; j < width; j++) out[j] = NAN;
            continue;
        }
        uint64_t *keys = memory.keys;
        int64_t n = write_keys(&url, features, keys), known = 0;
        for (int64_t i = 0; i < n; i++) PREFETCH(&slots[2 * slot_of(keys[i], mask)]);
        for (int64_t i = 0; i < n; i++) {
            uint64_t at = slot_of(keys[i], mask);
            while (slots[2 * at] && slots[2 * at] != keys[i]) at = (at + 1) & mask;
            if (!slots[2 * at]) continue;
            keys[known] = slots[2 * at + 1];
            PREFETCH(weights + keys[known] * (uint64_t)width);
            known++;
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
EXPORT int32_t dragoman_custom(const uint8_t *data, const int64_t *offsets, int64_t rows, const uint64_t *slots,
                               uint64_t mask, int32_t width, float *out, uint8_t *kinds) {
    scratch memory = {0};
    const int32_t L = width, columns = 13 * width + 9;
    static const char *const GENERIC[] = {"com", "org", "net"};
    uint64_t generic[3];
    for (int i = 0; i < 3; i++) {
        uint32_t points[3] = {(uint32_t)GENERIC[i][0], (uint32_t)GENERIC[i][1], (uint32_t)GENERIC[i][2]};
        generic[i] = word_key(points, 3);
    }
    memset(out, 0, (size_t)(rows * columns) * sizeof *out);
    for (int64_t row = 0; row < rows; row++) {
        address url;
        float *f = out + row * columns;
        int64_t length = offsets[row + 1] - offsets[row], position = 0;
        if (!scratch_reserve(&memory, length + 1)) return -1;
        read_address(data + offsets[row], length, &memory, &url);
        kinds[row] = (uint8_t)url.kind;
        if (url.kind != WEB) continue;
        float *code = f, *flags = f + 3 * L, *dictionaries = flags + 3, *hyphens = dictionaries + 9 * L;
        float *merged = hyphens + 3, *nowhere = merged + L;
        token t;
        while (next_token(&url, &position, &t)) {
            uint64_t key = word_key(url.points + t.start, t.end - t.start), bits = 0, at = slot_of(key, mask);
            while (slots[2 * at] && slots[2 * at] != key) at = (at + 1) & mask;
            if (slots[2 * at]) bits = slots[2 * at + 1];
            int after = t.place == PATH;
            if (t.place == TLD)
                for (int i = 0; i < 3; i++)
                    if (key == generic[i]) flags[i] = 1;
            for (int32_t i = 0; i < L; i++) {
                if (bits >> i & 1) {
                    if (t.place == TLD) code[i] = 1;
                    code[(after ? 2 : 1) * L + i] = 1;
                }
                int any = 0;
                for (int32_t d = 0; d < 3; d++)
                    if (bits >> ((d + 1) * L + i) & 1) {
                        dictionaries[3 * d * L + i] += 1;
                        dictionaries[(3 * d + (after ? 2 : 1)) * L + i] += 1;
                        any = 1;
                    }
                merged[i] += (float)any;
            }
            if (!(bits >> L)) {
                nowhere[0] += 1;
                nowhere[after ? 2 : 1] += 1;
            }
        }
        for (int64_t i = 0; i < url.length; i++)
            if (url.points[i] == '-') {
                hyphens[0] += 1;
                hyphens[i >= url.host_length ? 2 : 1] += 1;
            }
    }
    scratch_free(&memory);
    return 0;
}
