/* The plain loops are the definition; the others give the same bits. */
#include "vectors.h"

#include <math.h>
#include <string.h>

static void add_rows_plain(const int8_t *weights, int32_t stride, const uint32_t *rows, int64_t count, int32_t factor,
                           int32_t *sums) {
    for (int64_t i = 0; i < count; i++) {
        const int8_t *row = weights + (uint64_t)rows[i] * (uint64_t)stride;
        for (int32_t j = 0; j < stride; j++) sums[j] += row[j] * factor;
    }
}

/* 2^x for x <= 0, to about seven digits: the whole part goes into the exponent, the rest into a polynomial. */
static inline float power_of_two(float x) {
    x = x > LEAST ? x : LEAST;
    int32_t whole = (int32_t)(x - 0.5f);
    float rest = x - (float)whole; /* in [-0.5, 0.5] */
    float value = 1.0f + rest * (C1 + rest * (C2 + rest * (C3 + rest * (C4 + rest * (C5 + rest * C6)))));
    union {
        int32_t bits;
        float number;
    } exponent = {(whole + 127) << 23};
    return value * exponent.number;
}

static inline float highest(const float *scores, int32_t width) {
    float most = scores[0];
    for (int32_t j = 1; j < width; j++) most = scores[j] > most ? scores[j] : most;
    return most;
}

/* The sum of `LANES` numbers: the halves are added, then the halves of those. */
static inline float total_of(float *parts) {
    for (int half = LANES / 2; half; half /= 2)
        for (int k = 0; k < half; k++) parts[k] += parts[k + half];
    return parts[0];
}

/* Sums side by side, as wide as the widest vectors, then together. */
static float sum_of_powers_plain(const float *scores, int32_t width, float factor, float *most) {
    float parts[LANES] = {0};
    *most = highest(scores, width);
    for (int32_t j = 0; j < width; j++) parts[j % LANES] += power_of_two((scores[j] - *most) * factor);
    return total_of(parts);
}

static int32_t place_of_plain(const float *scores, int32_t width, float value) {
    int32_t place = 0;
    while (place + 1 < width && scores[place] != value) place++;
    return place;
}

static inline void add_weighed_here(const int32_t *const *sums, const float *factors, int32_t parts, const float *row,
                                    float gate, int32_t first, int32_t width, float *scores) {
    for (int32_t j = first; j < width; j++) {
        float score = scores[j];
        for (int32_t part = 0; part < parts; part++) score += factors[part] * (float)sums[part][j];
        if (row) score += gate * row[j];
        scores[j] = score;
    }
}

static void add_weighed_plain(const int32_t *const *sums, const float *factors, int32_t parts, const float *row,
                              float gate, int32_t width, float *scores) {
    add_weighed_here(sums, factors, parts, row, gate, 0, width, scores);
}

static void spread_plain(const int32_t *numbers, const uint8_t *columns, int32_t width, int32_t *sums) {
    for (int32_t j = 0; j < width; j++) sums[j] = columns[j] < 64 ? numbers[columns[j]] : 0;
}

static void sum_entries_plain(const uint8_t *table, int32_t masks, const uint32_t *rows, int64_t count, int32_t languages,
                              int32_t *sums) {
    memset(sums, 0, (size_t)languages * sizeof *sums);
    for (int64_t i = 0; i < count; i++) {
        const uint8_t *row = table + (uint64_t)rows[i] * (uint64_t)row_bytes(masks), *weight = row;
        if (!masks)
            for (int k = 0; k < ROW_ENTRIES; k++) sums[row[k]] += (int8_t)row[ROW_ENTRIES + k];
        for (int32_t j = 0; j < 8 * masks; j++) /* as bytes, so that the order of a number's bytes is all one */
            for (int bit = 0; bit < 8; bit++)
                if (row[ROW_ENTRIES + j] >> bit & 1) sums[8 * j + bit] += (int8_t)*weight++;
    }
}

/* Without a branch: whether a bucket has a row is as good as chance. */
#define GRAM_ROWS(ones)                                                                                    \
    int64_t n = 0;                                                                                         \
    for (int length = SHORTEST; length <= LONGEST; length += four ? 1 : 2)                                 \
        for (int64_t k = 0; k < grams_in(bytes, length); k++) {                                            \
            const uint64_t gram = load(text + k) & (UINT64_MAX >> (64 - 8 * length));                      \
            const uint32_t bucket = (uint32_t)(gram * FIRST_FACTOR >> (64 - bits));                        \
            const uint64_t block = blocks[bucket >> 5];                                                    \
            const uint32_t place = bucket & 31, before = (uint32_t)block & ((UINT32_C(1) << place) - 1);   \
            rows[n] = (uint32_t)(block >> 32) + (uint32_t)ones(before);                                    \
            n += (int64_t)(block >> place & 1);                                                            \
        }                                                                                                  \
    return n

static int64_t gram_rows_plain(const uint8_t *text, int64_t bytes, int four, const uint64_t *blocks, int bits,
                               uint32_t *rows) {
    GRAM_ROWS(count_ones);
}

enum { BLOCK = 32 }; /* bytes that are done at once, also where fewer are left: no loops for the last few */

/* Without a branch, so that compilers do many at a time. */
static inline int write_text_here(const uint8_t *restrict raw, int64_t length, uint8_t *restrict text) {
    uint8_t more = 0, colons = 0;
    for (int64_t base = 0; base < length; base += BLOCK)
        for (int i = 0; i < BLOCK; i++) {
            const uint8_t byte = raw[base + i], next = raw[base + i + 1], lower = byte | 0x20;
            const uint8_t letter = (uint8_t)(lower - 'a') < 26;
            text[base + i] = letter ? lower : byte & 0x80 ? byte : BLANK;
            more |= (uint8_t)((byte & 0x80) | (byte == '%') | ((byte == '-') & (next == '-')));
            colons |= byte == ':';
        }
    return (colons ? HAS_COLON : 0) | (more ? HAS_MORE : 0);
}

static int write_text_plain(const uint8_t *restrict raw, int64_t length, uint8_t *restrict text) {
    return write_text_here(raw, length, text);
}

static void find_words_plain(const uint64_t *slots, int64_t size, const uint64_t *keys, int64_t step, int64_t count,
                             uint32_t *values) {
    for (int64_t i = 0; i < count; i++) values[i] = word_from(slots, size, keys[i * step], first_slot(keys[i * step], size));
}

#if defined(HAS_AVX2)
#include <immintrin.h>
#define AVX2 __attribute__((target("avx2,popcnt,bmi2")))

AVX2 static int write_text_avx2(const uint8_t *restrict raw, int64_t length, uint8_t *restrict text) {
    return write_text_here(raw, length, text);
}

AVX2 static int64_t gram_rows_avx2(const uint8_t *text, int64_t bytes, int four, const uint64_t *blocks, int bits,
                                   uint32_t *rows) {
    GRAM_ROWS(__builtin_popcount);
}

AVX2 static inline __m256i widened(const int8_t *bytes) {
    return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)bytes));
}

AVX2 static inline void add_scaled(int32_t *sums, __m256i shorts, __m256i factor) {
    __m256i *to = (__m256i *)(void *)sums;
    const __m256i low = _mm256_cvtepi16_epi32(_mm256_castsi256_si128(shorts));
    const __m256i high = _mm256_cvtepi16_epi32(_mm256_extracti128_si256(shorts, 1));
    _mm256_storeu_si256(to, _mm256_add_epi32(_mm256_loadu_si256(to), _mm256_mullo_epi32(low, factor)));
    _mm256_storeu_si256(to + 1, _mm256_add_epi32(_mm256_loadu_si256(to + 1), _mm256_mullo_epi32(high, factor)));
}

AVX2 static void add_rows_avx2(const int8_t *weights, int32_t stride, const uint32_t *rows, int64_t count,
                               int32_t factor, int32_t *sums) {
    const __m256i factors = _mm256_set1_epi32(factor);
    for (int64_t first = 0; first < count; first += GROUP) {
        const int64_t last = first + GROUP < count ? first + GROUP : count;
        int32_t column = 0;
        for (; column + 64 <= stride; column += 64) {
            __m256i a = _mm256_setzero_si256(), b = a, c = a, d = a;
            for (int64_t i = first; i < last; i++) {
                const int8_t *row = weights + (uint64_t)rows[i] * (uint64_t)stride + column;
                a = _mm256_add_epi16(a, widened(row));
                b = _mm256_add_epi16(b, widened(row + 16));
                c = _mm256_add_epi16(c, widened(row + 32));
                d = _mm256_add_epi16(d, widened(row + 48));
            }
            add_scaled(sums + column, a, factors);
            add_scaled(sums + column + 16, b, factors);
            add_scaled(sums + column + 32, c, factors);
            add_scaled(sums + column + 48, d, factors);
        }
        for (; column < stride; column += 32) {
            __m256i a = _mm256_setzero_si256(), b = a;
            for (int64_t i = first; i < last; i++) {
                const int8_t *row = weights + (uint64_t)rows[i] * (uint64_t)stride + column;
                a = _mm256_add_epi16(a, widened(row));
                b = _mm256_add_epi16(b, widened(row + 16));
            }
            add_scaled(sums + column, a, factors);
            add_scaled(sums + column + 16, b, factors);
        }
    }
}

AVX2 static inline __m256 powers_of_two_avx2(__m256 x) {
    x = _mm256_max_ps(x, _mm256_set1_ps(LEAST));
    const __m256i whole = _mm256_cvttps_epi32(_mm256_sub_ps(x, _mm256_set1_ps(0.5f)));
    const __m256 rest = _mm256_sub_ps(x, _mm256_cvtepi32_ps(whole));
    __m256 value = _mm256_add_ps(_mm256_set1_ps(C5), _mm256_mul_ps(rest, _mm256_set1_ps(C6)));
    value = _mm256_add_ps(_mm256_set1_ps(C4), _mm256_mul_ps(rest, value));
    value = _mm256_add_ps(_mm256_set1_ps(C3), _mm256_mul_ps(rest, value));
    value = _mm256_add_ps(_mm256_set1_ps(C2), _mm256_mul_ps(rest, value));
    value = _mm256_add_ps(_mm256_set1_ps(C1), _mm256_mul_ps(rest, value));
    value = _mm256_add_ps(_mm256_set1_ps(1.0f), _mm256_mul_ps(rest, value));
    const __m256i exponent = _mm256_slli_epi32(_mm256_add_epi32(whole, _mm256_set1_epi32(127)), 23);
    return _mm256_mul_ps(value, _mm256_castsi256_ps(exponent));
}

AVX2 static float sum_of_powers_avx2(const float *scores, int32_t width, float factor, float *most) {
    if (width < 8) return sum_of_powers_plain(scores, width, factor, most);
    __m256 best = _mm256_loadu_ps(scores);
    int32_t j = 8;
    for (; j + 8 <= width; j += 8) best = _mm256_max_ps(best, _mm256_loadu_ps(scores + j));
    float parts[LANES];
    _mm256_storeu_ps(parts, best);
    float highest_score = highest(parts, 8);
    for (; j < width; j++) highest_score = scores[j] > highest_score ? scores[j] : highest_score;
    *most = highest_score;
    const __m256 shift = _mm256_set1_ps(*most), scale = _mm256_set1_ps(factor);
    __m256 sums[2] = {_mm256_setzero_ps(), _mm256_setzero_ps()};
    for (j = 0; j + LANES <= width; j += LANES)
        for (int half = 0; half < 2; half++) {
            const __m256 less = _mm256_sub_ps(_mm256_loadu_ps(scores + j + 8 * half), shift);
            sums[half] = _mm256_add_ps(sums[half], powers_of_two_avx2(_mm256_mul_ps(less, scale)));
        }
    _mm256_storeu_ps(parts, sums[0]);
    _mm256_storeu_ps(parts + 8, sums[1]);
    for (int k = 0; j + k < width; k++) parts[k] += power_of_two((scores[j + k] - *most) * factor);
    return total_of(parts);
}

AVX2 static void add_weighed_avx2(const int32_t *const *sums, const float *factors, int32_t parts, const float *row,
                                  float gate, int32_t width, float *scores) {
    int32_t j = 0;
    for (; j + 8 <= width; j += 8) {
        __m256 score = _mm256_loadu_ps(scores + j);
        for (int32_t part = 0; part < parts; part++) {
            const __m256i sum = _mm256_loadu_si256((const __m256i *)(const void *)(sums[part] + j));
            score = _mm256_add_ps(score, _mm256_mul_ps(_mm256_set1_ps(factors[part]), _mm256_cvtepi32_ps(sum)));
        }
        if (row) score = _mm256_add_ps(score, _mm256_mul_ps(_mm256_set1_ps(gate), _mm256_loadu_ps(row + j)));
        _mm256_storeu_ps(scores + j, score);
    }
    add_weighed_here(sums, factors, parts, row, gate, j, width, scores);
}

AVX2 static int32_t place_of_avx2(const float *scores, int32_t width, float value) {
    const __m256 wanted = _mm256_set1_ps(value);
    int32_t j = 0;
    for (; j + 8 <= width; j += 8) {
        const int equal = _mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(scores + j), wanted, _CMP_EQ_OQ));
        if (equal) return j + __builtin_ctz((unsigned)equal);
    }
    return j + place_of_plain(scores + j, width - j, value);
}
#endif

#define LOOPS(form)                                                                                                  \
    (vector_loops){add_rows_##form,  sum_of_powers_##form, add_weighed_##form, write_text_##form, gram_rows_##form,   \
                   find_words_plain, sum_entries_plain,    NULL,               spread_plain,      place_of_##form}
vector_loops vectors;

void choose_vectors(int plain) {
    vectors = LOOPS(plain);
#if defined(HAS_AVX2)
    if (!plain && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi2"))
        vectors = LOOPS(avx2);
    if (!plain) choose_wide_vectors(&vectors);
#endif
    (void)plain;
}

/* For tests: the plain loops, or again the best that there are. Returns 1 if those are other than the plain ones. */
EXPORT int32_t dragoman_choose(int32_t plain) {
    choose_vectors(plain);
    return vectors.add_rows != add_rows_plain;
}
