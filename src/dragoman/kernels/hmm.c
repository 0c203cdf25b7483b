/* Viterbi decoding of discrete hidden Markov models: the definition is dragoman/page/hmm/viterbi.py.

   A model has `states` emitting states; the first is entered from outside, and leaving costs a transition of its own.
   `table` has one row per cell of any stream and one column per model and state (logarithms, times the stream's
   exponent); an observation is one cell per stream. `moves` holds, for each model and state i, the logarithms of
   going from i to each state, and then of leaving. Sums are made in the order of the definition, and of equal paths
   the one from the lower state is kept, so that both give the same bits. */
#include "native.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* States of all models together. */
enum { WIDTH_LIMIT = 4096, NONE = 0xFFFF };

/* emitted[j]: the streams' logarithms of one observation, added up in their order. */
static inline void emit(const int32_t *cells, int32_t streams, const double *table, int32_t width, double *emitted) {
    memcpy(emitted, table + (int64_t)cells[0] * width, sizeof(double) * (size_t)width);
    for (int32_t s = 1; s < streams; s++) {
        const double *row = table + (int64_t)cells[s] * width;
        for (int32_t j = 0; j < width; j++) emitted[j] += row[j];
    }
}

/* The state before j on the best path into it, and that path's value. */
static inline int32_t best_from(const double *value, const double *moves, int32_t states, int32_t j, double *best) {
    int32_t from = 0;
    *best = value[0] + moves[j];
    for (int32_t i = 1; i < states; i++) {
        const double one = value[i] + moves[i * (states + 1) + j];
        if (one > *best) *best = one, from = i;
    }
    return from;
}

/* The log probability of the best path of each row through each model; -INFINITY where there is none.
   Row i has the observations offsets[i] .. offsets[i + 1). */
EXPORT int32_t dragoman_hmm_scores(const int32_t *cells, const int64_t *offsets, int64_t rows, int32_t streams,
                                   const double *table, const double *moves, int32_t models, int32_t states,
                                   double *out) {
    const int32_t width = models * states, block = states * (states + 1);
    if (width > WIDTH_LIMIT) return -1;
    double value[WIDTH_LIMIT], next[WIDTH_LIMIT], emitted[WIDTH_LIMIT];
    for (int64_t row = 0; row < rows; row++) {
        const int64_t start = offsets[row], end = offsets[row + 1];
        for (int32_t m = 0; m < models; m++) out[row * models + m] = -INFINITY;
        if (start == end) continue;
        emit(cells + start * streams, streams, table, width, emitted);
        for (int32_t j = 0; j < width; j++) value[j] = j % states == 0 ? emitted[j] : -INFINITY;
        for (int64_t t = start + 1; t < end; t++) {
            emit(cells + t * streams, streams, table, width, emitted);
            for (int32_t m = 0; m < models; m++)
                for (int32_t j = 0; j < states; j++) {
                    double best;
                    best_from(value + m * states, moves + m * block, states, j, &best);
                    next[m * states + j] = best + emitted[m * states + j];
                }
            memcpy(value, next, sizeof(double) * (size_t)width);
        }
        for (int32_t m = 0; m < models; m++) {
            double best;
            best_from(value + m * states, moves + m * block, states, states, &best);
            out[row * models + m] = best;
        }
    }
    return 0;
}

/* The best path of one sequence through one model; returns its log probability, NAN without memory. */
EXPORT double dragoman_hmm_align(const int32_t *cells, int64_t length, int32_t streams, const double *table,
                                 const double *moves, int32_t states, uint8_t *path) {
    if (length == 0) return -INFINITY;
    if (states > 255) return NAN;
    uint8_t *back = malloc((size_t)length * (size_t)states);
    if (!back) return NAN;
    double value[256], next[256], emitted[256], best;
    emit(cells, streams, table, states, emitted);
    for (int32_t j = 0; j < states; j++) value[j] = j == 0 ? emitted[j] : -INFINITY;
    for (int64_t t = 1; t < length; t++) {
        emit(cells + t * streams, streams, table, states, emitted);
        for (int32_t j = 0; j < states; j++) {
            back[t * states + j] = (uint8_t)best_from(value, moves, states, j, &best);
            next[j] = best + emitted[j];
        }
        memcpy(value, next, sizeof(double) * (size_t)states);
    }
    int32_t state = best_from(value, moves, states, states, &best);
    for (int64_t t = length - 1; t >= 0; t--) {
        path[t] = (uint8_t)state;
        if (t) state = back[t * states + state];
    }
    free(back);
    return best;
}

/* All models as a network: who leaves one may enter any, another one at the price `change` (0 or less). Observations
   follow on those of an earlier call with the same `value`, unless `first`. Writes, for each observation and state, the
   state before it. */
EXPORT int32_t dragoman_hmm_network(const int32_t *cells, int64_t length, int32_t streams, const double *table,
                                    const double *moves, int32_t models, int32_t states, double change,
                                    int32_t first, double *value, uint16_t *back) {
    const int32_t width = models * states, block = states * (states + 1);
    if (width > WIDTH_LIMIT) return -1;
    double next[WIDTH_LIMIT], emitted[WIDTH_LIMIT], leaving[WIDTH_LIMIT];
    int32_t left[WIDTH_LIMIT];
    for (int64_t t = 0; t < length; t++) {
        uint16_t *here = back + t * width;
        emit(cells + t * streams, streams, table, width, emitted);
        if (first && t == 0) {
            for (int32_t j = 0; j < width; j++) {
                value[j] = j % states == 0 ? emitted[j] : -INFINITY;
                here[j] = NONE;
            }
            continue;
        }
        int32_t other = 0;
        for (int32_t m = 0; m < models; m++) {
            left[m] = m * states + best_from(value + m * states, moves + m * block, states, states, &leaving[m]);
            if (leaving[m] > leaving[other]) other = m;
        }
        for (int32_t m = 0; m < models; m++)
            for (int32_t j = 0; j < states; j++) {
                double best;
                int32_t from = m * states + best_from(value + m * states, moves + m * block, states, j, &best);
                if (j == 0) {
                    if (leaving[m] > best) best = leaving[m], from = left[m];
                    if (leaving[other] + change > best) best = leaving[other] + change, from = left[other];
                }
                next[m * states + j] = best + emitted[m * states + j];
                here[m * states + j] = (uint16_t)from;
            }
        memcpy(value, next, sizeof(double) * (size_t)width);
    }
    return 0;
}

/* Walks back from every living state at the end. Writes the path of state `last` and returns how many observations
   from the start all paths share the path of: behind them nothing is certain yet. */
EXPORT int64_t dragoman_hmm_trace(const uint16_t *back, int64_t length, int32_t width, const double *value,
                                  int32_t last, uint16_t *path) {
    uint8_t alive[WIDTH_LIMIT], before[WIDTH_LIMIT];
    if (width > WIDTH_LIMIT || last < 0 || last >= width) return -1;
    int64_t certain = 0;
    int32_t state = last;
    for (int32_t j = 0; j < width; j++) alive[j] = value[j] > -INFINITY;
    for (int64_t t = length - 1; t >= 0; t--) {
        int32_t count = 0;
        memset(before, 0, (size_t)width);
        for (int32_t j = 0; j < width; j++)
            if (alive[j]) {
                count++;
                if (back[t * width + j] != NONE) before[back[t * width + j]] = 1;
            }
        if (count <= 1 && certain == 0) certain = t + 1;
        path[t] = (uint16_t)state;
        if (back[t * width + state] != NONE) state = back[t * width + state];
        memcpy(alive, before, (size_t)width);
    }
    return certain;
}
