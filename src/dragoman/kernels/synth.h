/* Streams of random numbers: the same seed, purpose and number give the same ones. */
#ifndef DRAGOMAN_SYNTH_H
#define DRAGOMAN_SYNTH_H

#include <math.h>

#include "native.h"

typedef struct {
    uint64_t state;
} stream;

static inline uint64_t next(stream *s) {
    uint64_t number = splitmix(s->state);
    s->state += GOLDEN;
    return number;
}

static inline stream stream_of(uint64_t seed, uint64_t purpose, uint64_t number) {
    stream s = {seed * UINT64_C(0xD1342543DE82EF95) + purpose};
    s.state = next(&s) ^ number * GOLDEN;
    s.state = next(&s);
    return s;
}

static inline double uniform(stream *s) { return (double)(next(s) >> 11) * 0x1p-53; }

static inline int64_t below(stream *s, int64_t n) { return (int64_t)(uniform(s) * (double)n); }

static inline double normal(stream *s) {
    const double a = 1.0 - uniform(s), b = uniform(s);
    return sqrt(-2.0 * log(a)) * cos(6.283185307179586 * b);
}

#endif
