/* The innermost loops of compact.c and parts.c, in the best form that the processor has: chosen when the library is loaded. */
#ifndef DRAGOMAN_VECTORS_H
#define DRAGOMAN_VECTORS_H

#include <stdint.h>

typedef struct {
    /* Adds the sum of rows of int8, times `factor`, to sums[stride]; stride is a multiple of 32. */
    void (*add_rows)(const int8_t *weights, int32_t stride, const uint32_t *rows, int64_t count, int32_t factor,
                     int32_t *sums);
    /* The sum of 2^((score - most) * factor), and in *most the highest score. */
    float (*sum_of_powers)(const float *scores, int32_t width, float factor, float *most);
    /* Adds sums[part * stride + j] * factors[part] of some parts, one after the other, then row[j] * gate, to each of
       scores[width]; a row may be NULL. */
    void (*add_weighed)(const int32_t *sums, int32_t stride, const float *factors, int32_t parts, const float *row,
                        float gate, int32_t width, float *scores);
    /* Buckets become rows, those that have none are left out; returns how many are left. By 32 buckets a block has the
       number of rows before them, and below that a bit for each that has one. */
    int64_t (*keep_rows)(const uint64_t *blocks, uint32_t *buckets, int64_t count);
    /* The first place of a value that is there. */
    int32_t (*place_of)(const float *scores, int32_t width, float value);
} vector_loops;

extern vector_loops vectors;
void choose_vectors(int plain);

#endif
