/* The loops of vectors.c for vectors of 64 bytes: those of every processor that has them (AVX-512), and those of the newer
   ones, which spread and pack bytes and count bits in vectors. They give the same bits. */
#include "vectors.h"

#include <string.h>

#if defined(HAS_AVX2)
#include <immintrin.h>

/* What is there for all else. */
static vector_loops narrow;

#define AVX512 __attribute__((target("avx512f,avx512bw")))

AVX512 static inline void add_scaled_512(int32_t *sums, __m512i shorts, __m512i factor) {
    const __m512i low = _mm512_cvtepi16_epi32(_mm512_castsi512_si256(shorts));
    const __m512i high = _mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64(shorts, 1));
    _mm512_storeu_si512(sums, _mm512_add_epi32(_mm512_loadu_si512(sums), _mm512_mullo_epi32(low, factor)));
    _mm512_storeu_si512(sums + 16, _mm512_add_epi32(_mm512_loadu_si512(sums + 16), _mm512_mullo_epi32(high, factor)));
}

AVX512 static inline __m512i widened_512(const int8_t *bytes) {
    return _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)bytes));
}

AVX512 static void add_rows_avx512(const int8_t *weights, int32_t stride, const uint32_t *rows, int64_t count,
                                   int32_t factor, int32_t *sums) {
    if (stride != 64) {
        narrow.add_rows(weights, stride, rows, count, factor, sums);
        return;
    }
    const __m512i factors = _mm512_set1_epi32(factor);
    for (int64_t first = 0; first < count; first += GROUP) {
        const int64_t last = first + GROUP < count ? first + GROUP : count;
        __m512i a = _mm512_setzero_si512(), b = a, c = a, d = a;
        int64_t i = first;
        for (; i + 2 <= last; i += 2) { /* two rows at a time: their additions do not wait for each other */
            const int8_t *one = weights + (uint64_t)rows[i] * 64, *two = weights + (uint64_t)rows[i + 1] * 64;
            a = _mm512_add_epi16(a, widened_512(one));
            b = _mm512_add_epi16(b, widened_512(one + 32));
            c = _mm512_add_epi16(c, widened_512(two));
            d = _mm512_add_epi16(d, widened_512(two + 32));
        }
        if (i < last) {
            const int8_t *one = weights + (uint64_t)rows[i] * 64;
            a = _mm512_add_epi16(a, widened_512(one));
            b = _mm512_add_epi16(b, widened_512(one + 32));
        }
        add_scaled_512(sums, _mm512_add_epi16(a, c), factors);
        add_scaled_512(sums + 32, _mm512_add_epi16(b, d), factors);
    }
}

#define NEWER __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi,popcnt")))

/* The first `count` of sixteen. */
NEWER static inline __mmask16 first_of(int32_t count) { return (__mmask16)(count < 16 ? (1 << count) - 1 : 0xFFFF); }

NEWER static inline __m512 some_floats(const float *from, int32_t count) {
    return _mm512_maskz_loadu_ps(first_of(count), from);
}

NEWER static inline uint64_t mask_at(const uint8_t *row, int32_t number) {
    uint64_t mask;
    memcpy(&mask, row + ROW_ENTRIES + 8 * number, sizeof mask);
    return mask;
}

/* Of a row with masks, the weights of 64 languages: a byte each, `zeros` where the row says nothing. */
NEWER static inline __m512i spread_weights(const uint8_t *row, int32_t number, __m512i zeros) {
    int32_t before = 0;
    for (int32_t k = 0; k < number; k++) before += (int32_t)__builtin_popcountll(mask_at(row, k));
    const __m128i weights = _mm_loadu_si128((const __m128i *)(const void *)(row + before));
    return _mm512_mask_expand_epi8(zeros, mask_at(row, number), _mm512_castsi128_si512(weights));
}

NEWER static inline void widen_512(int32_t *sums, __m512i shorts, int more) {
    __m512i low = _mm512_cvtepi16_epi32(_mm512_castsi512_si256(shorts));
    __m512i high = _mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64(shorts, 1));
    if (more) {
        low = _mm512_add_epi32(low, _mm512_loadu_si512(sums));
        high = _mm512_add_epi32(high, _mm512_loadu_si512(sums + 16));
    }
    _mm512_storeu_si512(sums, low);
    _mm512_storeu_si512(sums + 16, high);
}

NEWER static inline void sum_masked(const uint8_t *table, int32_t masks, const uint32_t *rows, int64_t count,
                                    int32_t *sums) {
    int64_t first = 0;
    __m512i zeros = _mm512_setzero_si512();
    /* The compiler is not to know that these are zeros: the instruction that makes its own waits for the row before. */
    __asm__("" : "+v"(zeros));
    do {
        const int64_t last = first + GROUP < count ? first + GROUP : count;
        for (int32_t number = 0; number < masks; number++) {
            __m512i a = _mm512_setzero_si512(), b = a;
            for (int64_t i = first; i < last; i++) {
                const uint8_t *row = table + (uint64_t)rows[i] * (uint64_t)row_bytes(masks);
                const __m512i bytes = spread_weights(row, number, zeros);
                a = _mm512_add_epi16(a, _mm512_cvtepi8_epi16(_mm512_castsi512_si256(bytes)));
                b = _mm512_add_epi16(b, _mm512_cvtepi8_epi16(_mm512_extracti64x4_epi64(bytes, 1)));
            }
            widen_512(sums + 64 * number, a, first > 0);
            widen_512(sums + 64 * number + 32, b, first > 0);
        }
        first = last;
    } while (first < count);
}

NEWER static void sum_entries_newer(const uint8_t *table, int32_t masks, const uint32_t *rows, int64_t count,
                                    int32_t languages, int32_t *sums) {
    if (masks == 2) sum_masked(table, 2, rows, count, sums);
    else if (masks) sum_masked(table, masks, rows, count, sums);
    else narrow.sum_entries(table, masks, rows, count, languages, sums);
}

NEWER static int mask_rows_newer(const uint8_t *rows, int64_t count, int32_t masks, uint8_t *out) {
    for (int64_t i = 0; i < count; i++, rows += 2 * ROW_ENTRIES, out += row_bytes(masks)) {
        const uint8_t *weight = rows + ROW_ENTRIES;
        uint64_t mask[4] = {0};
        int32_t before[4] = {0}, said = 0, marked = 0;
        uint8_t ordered[2 * ROW_ENTRIES] = {0};
        for (int k = 0; k < ROW_ENTRIES; k++) {
            mask[rows[k] >> 6] |= (uint64_t)(weight[k] != 0) << (rows[k] & 63);
            said += weight[k] != 0;
        }
        for (int32_t k = 0; k < 4; k++) {
            before[k] = marked;
            marked += (int32_t)__builtin_popcountll(mask[k]);
        }
        if (marked != said) return 0;
        for (int k = 0; k < ROW_ENTRIES; k++) { /* what says nothing goes behind */
            const uint64_t lower = mask[rows[k] >> 6] & ((UINT64_C(1) << (rows[k] & 63)) - 1);
            const int32_t rank = before[rows[k] >> 6] + (int32_t)__builtin_popcountll(lower);
            ordered[weight[k] ? rank : ROW_ENTRIES] = weight[k];
        }
        memcpy(out, ordered, ROW_ENTRIES);
        memcpy(out + ROW_ENTRIES, mask, (size_t)(8 * masks));
    }
    return 1;
}

/* Rows of a text's n-grams, eight at a time: bytes k to k + 7 as the k-th number, of which the first `length` count. */
NEWER static int64_t gram_rows_newer(const uint8_t *text, int64_t count, int length, const uint64_t *blocks, int bits,
                                     uint32_t *rows) {
    const __m512i pairs = _mm512_set_epi64(0x0E0D0C0B0A090807, 0x0D0C0B0A09080706, 0x0C0B0A0908070605, 0x0B0A090807060504,
                                           0x0A09080706050403, 0x0908070605040302, 0x0807060504030201, 0x0706050403020100);
    const __m512i bytes = _mm512_set1_epi64((int64_t)(UINT64_MAX >> (64 - 8 * length)));
    const __m512i factor = _mm512_set1_epi64((int64_t)FIRST_FACTOR), ones = _mm512_set1_epi64(1);
    const __m128i shift = _mm_cvtsi32_si128(64 - bits);
    int64_t n = 0;
    for (int64_t k = 0; k < count; k += 8) {
        const __mmask8 some = (__mmask8)(count - k < 8 ? (1 << (count - k)) - 1 : 0xFF);
        const __m512i sixteen = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)(text + k)));
        const __m512i grams = _mm512_and_si512(_mm512_shuffle_epi8(sixteen, pairs), bytes);
        const __m512i bucket = _mm512_srl_epi64(_mm512_mullo_epi64(grams, factor), shift);
        const __m512i block = _mm512_i64gather_epi64(_mm512_srli_epi64(bucket, 5), blocks, 8);
        const __m512i mark = _mm512_sllv_epi64(ones, _mm512_and_si512(bucket, _mm512_set1_epi64(31)));
        const __m512i lower = _mm512_and_si512(block, _mm512_sub_epi64(mark, ones));
        const __m512i row = _mm512_add_epi64(_mm512_srli_epi64(block, 32), _mm512_popcnt_epi64(lower));
        const __mmask8 said = _mm512_mask_test_epi64_mask(some, block, mark);
        const __m256i packed = _mm256_maskz_compress_epi32(said, _mm512_cvtepi64_epi32(row));
        _mm256_storeu_si256((__m256i *)(void *)(rows + n), packed);
        n += __builtin_popcount(said);
    }
    return n;
}

NEWER static void find_words_newer(const uint64_t *slots, int64_t size, const uint64_t *keys, int64_t step, int64_t count,
                                   uint32_t *values) {
    for (int64_t i = 0; i < count; i++) {
        const uint64_t key = keys[i * step];
        int64_t at = first_slot(key, size);
        if (at + 8 <= size) { /* nearly all words are among the first eight slots */
            const __m512i wanted = _mm512_set1_epi64((int64_t)(key >> 32 << 32));
            const __mmask8 reached = _mm512_cmpge_epu64_mask(_mm512_loadu_si512(slots + at), wanted);
            at += reached ? __builtin_ctz(reached) : 7;
        }
        values[i] = word_from(slots, size, key, at);
    }
}

NEWER static inline __m512 powers_of_two(__m512 x) {
    x = _mm512_max_ps(x, _mm512_set1_ps(LEAST));
    const __m512i whole = _mm512_cvttps_epi32(_mm512_sub_ps(x, _mm512_set1_ps(0.5f)));
    const __m512 rest = _mm512_sub_ps(x, _mm512_cvtepi32_ps(whole));
    __m512 value = _mm512_add_ps(_mm512_set1_ps(C5), _mm512_mul_ps(rest, _mm512_set1_ps(C6)));
    value = _mm512_add_ps(_mm512_set1_ps(C4), _mm512_mul_ps(rest, value));
    value = _mm512_add_ps(_mm512_set1_ps(C3), _mm512_mul_ps(rest, value));
    value = _mm512_add_ps(_mm512_set1_ps(C2), _mm512_mul_ps(rest, value));
    value = _mm512_add_ps(_mm512_set1_ps(C1), _mm512_mul_ps(rest, value));
    value = _mm512_add_ps(_mm512_set1_ps(1.0f), _mm512_mul_ps(rest, value));
    const __m512i exponent = _mm512_slli_epi32(_mm512_add_epi32(whole, _mm512_set1_epi32(127)), 23);
    return _mm512_mul_ps(value, _mm512_castsi512_ps(exponent));
}

/* Sixteen at a time, but added as vectors of eight, and what is left over one by one: the order of the plain loop. */
NEWER static float sum_of_powers_newer(const float *scores, int32_t width, float factor, float *most) {
    __m512 best = _mm512_set1_ps(scores[0]);
    for (int32_t j = 0; j < width; j += 16)
        best = _mm512_mask_max_ps(best, first_of(width - j), best, some_floats(scores + j, width - j));
    *most = _mm512_reduce_max_ps(best);
    const __m512 shift = _mm512_set1_ps(*most), scale = _mm512_set1_ps(factor);
    const int32_t even = width & ~7;
    float values[16];
    __m256 sums = _mm256_setzero_ps();
    int32_t j = 0, left = 0;
    for (; j < width; j += 16) {
        const __m512 less = _mm512_sub_ps(some_floats(scores + j, width - j), shift);
        const __m512 power = powers_of_two(_mm512_mul_ps(less, scale));
        if (j + 8 <= even) sums = _mm256_add_ps(sums, _mm512_castps512_ps256(power));
        if (j + 16 <= even) sums = _mm256_add_ps(sums, _mm512_extractf32x8_ps(power, 1));
        else {
            _mm512_storeu_ps(values, power);
            left = even - j;
        }
    }
    float parts[8], total = 0;
    _mm256_storeu_ps(parts, sums);
    for (int k = 0; k < 8; k++) total += parts[k];
    for (int32_t k = 0; k < width - even; k++) total += values[left + k];
    return total;
}

NEWER static void add_weighed_newer(const int32_t *const *sums, const float *factors, int32_t parts, const float *row,
                                    float gate, int32_t width, float *scores) {
    for (int32_t j = 0; j < width; j += 16) {
        const __mmask16 some = first_of(width - j);
        __m512 score = _mm512_maskz_loadu_ps(some, scores + j);
        for (int32_t part = 0; part < parts; part++) {
            const __m512 sum = _mm512_cvtepi32_ps(_mm512_maskz_loadu_epi32(some, sums[part] + j));
            score = _mm512_add_ps(score, _mm512_mul_ps(_mm512_set1_ps(factors[part]), sum));
        }
        if (row) score = _mm512_add_ps(score, _mm512_mul_ps(_mm512_set1_ps(gate), _mm512_maskz_loadu_ps(some, row + j)));
        _mm512_mask_storeu_ps(scores + j, some, score);
    }
}

/* From the last to the first, without a branch: where the best stands is as good as chance. */
NEWER static int32_t place_of_newer(const float *scores, int32_t width, float value) {
    const __m512 wanted = _mm512_set1_ps(value);
    int32_t place = width - 1;
    for (int32_t j = (width - 1) & ~15; j >= 0; j -= 16) {
        const __m512 some = some_floats(scores + j, width - j);
        const __mmask16 equal = _mm512_mask_cmp_ps_mask(first_of(width - j), some, wanted, _CMP_EQ_OQ);
        place = equal ? j + __builtin_ctz(equal) : place;
    }
    return place;
}

void choose_wide_vectors(vector_loops *loops) {
    narrow = *loops;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw")) return;
    loops->add_rows = add_rows_avx512;
    if (!__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl") ||
        !__builtin_cpu_supports("avx512vbmi2") || !__builtin_cpu_supports("avx512vpopcntdq") ||
        !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("popcnt"))
        return;
    *loops = (vector_loops){add_rows_avx512,  sum_of_powers_newer, add_weighed_newer, gram_rows_newer, find_words_newer,
                            sum_entries_newer, mask_rows_newer,    place_of_newer};
}
#else
void choose_wide_vectors(vector_loops *loops) { (void)loops; }
#endif
