/* Stochastic gradient descent for a softmax over hashed features: the definition is dragoman/models/production.py. */
#include "production.h"

#include <math.h>

static inline uint64_t next_random(uint64_t *state) { /* xorshift64* */
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545F4914F6CDD1D);
}

/* One pass. Row i has the keys[indptr[i] .. indptr[i + 1]); a key's weights are found by `bucket_of`. The rate falls
   from rate_start to rate_end, times rates[kind]. dropout[kind] is the chance that a key of that kind is left out of a
   row. Where kept[bucket] is 0 (if kept is not NULL), a key counts but weighs nothing and learns nothing. Returns the
   mean log loss. */
EXPORT double dragoman_descend(const int64_t *indptr, const uint64_t *keys, const int32_t *labels,
                               const float *importance, int64_t n, const int64_t *order, const int32_t *bits,
                               int32_t width, float *weights, float *bias, float rate_start,
                               float rate_end, const float *dropout, const float *rates,
                               const uint8_t *kept, uint64_t seed) {
    enum { WIDTH_LIMIT = 1024, ROW_LIMIT = 4096 };
    float logits[WIDTH_LIMIT], values[ROW_LIMIT];
    float *rows[ROW_LIMIT];
    uint64_t state = seed | 1, chance[16];
    for (int kind = 0; kind < 16; kind++) chance[kind] = (uint64_t)((double)dropout[kind] * 4294967296.0);
    double loss = 0;
    for (int64_t step = 0; step < n; step++) {
        int64_t row = order[step], count = 0, all = 0;
        if (step + 2 < n)
            for (int64_t i = indptr[order[step + 2]]; i < indptr[order[step + 2] + 1]; i++)
                PREFETCH(weights + bucket_of(keys[i], bits) * (uint64_t)width);
        for (int64_t i = indptr[row]; i < indptr[row + 1] && count < ROW_LIMIT; i++) {
            int kind = keys[i] & KIND_BITS;
            if (chance[kind] && (next_random(&state) >> 32) < chance[kind]) continue;
            const uint64_t bucket = bucket_of(keys[i], bits);
            all++;
            if (kept && !kept[bucket]) continue;
            values[count] = rates[kind];
            rows[count++] = weights + bucket * (uint64_t)width;
        }
        if (count == 0) continue;
        float scale = 1.0f / sqrtf((float)all);
        for (int32_t j = 0; j < width; j++) logits[j] = 0;
        for (int64_t i = 0; i < count; i++)
            for (int32_t j = 0; j < width; j++) logits[j] += rows[i][j];
        float most = -INFINITY, total = 0;
        for (int32_t j = 0; j < width; j++) {
            logits[j] = logits[j] * scale + bias[j];
            if (logits[j] > most) most = logits[j];
        }
        for (int32_t j = 0; j < width; j++) {
            logits[j] = expf(logits[j] - most);
            total += logits[j];
        }
        float rate = (rate_start + (rate_end - rate_start) * (float)((double)step / (double)n)) * importance[row];
        loss -= (double)(logf(logits[labels[row]] / total + 1e-30f) * importance[row]);
        for (int32_t j = 0; j < width; j++) logits[j] = rate * (logits[j] / total - (j == labels[row] ? 1.0f : 0.0f));
        for (int32_t j = 0; j < width; j++) bias[j] -= 0.1f * logits[j];
        for (int32_t j = 0; j < width; j++) logits[j] *= scale;
        for (int64_t i = 0; i < count; i++)
            for (int32_t j = 0; j < width; j++) rows[i][j] -= values[i] * logits[j];
    }
    return n ? loss / (double)n : 0;
}
