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

/* Sums of 64 languages: the first and the last eight of every sixteen. */
typedef struct {
    __m512i first, last;
} short_sums;

/* Two bytes side by side are added by one instruction. */
NEWER static inline void add_two(short_sums *sums, __m512i one, __m512i other) {
    const __m512i ones = _mm512_set1_epi8(1);
    sums->first = _mm512_add_epi16(sums->first, _mm512_maddubs_epi16(ones, _mm512_unpacklo_epi8(one, other)));
    sums->last = _mm512_add_epi16(sums->last, _mm512_maddubs_epi16(ones, _mm512_unpackhi_epi8(one, other)));
}

NEWER static inline void write_32(int32_t *sums, __m512i shorts, int more) {
    __m512i low = _mm512_cvtepi16_epi32(_mm512_castsi512_si256(shorts));
    __m512i high = _mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64(shorts, 1));
    if (more) {
        low = _mm512_add_epi32(low, _mm512_loadu_si512(sums));
        high = _mm512_add_epi32(high, _mm512_loadu_si512(sums + 16));
    }
    _mm512_storeu_si512(sums, low);
    _mm512_storeu_si512(sums + 16, high);
}

/* In the order of the languages; added to what is there, or in its place. */
NEWER static inline void write_64(int32_t *sums, const short_sums *parts, int more) {
    const __m512i lower = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), upper = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    write_32(sums, _mm512_permutex2var_epi64(parts->first, lower, parts->last), more);
    write_32(sums + 32, _mm512_permutex2var_epi64(parts->first, upper, parts->last), more);
}

enum { MOST_MASKS = 4 };

NEWER static inline void sum_masked(const uint8_t *table, int32_t masks, const uint32_t *rows, int64_t count,
                                    int32_t *sums) {
    static const uint8_t NOTHING[ROW_ENTRIES + 8 * MOST_MASKS];
    const uint64_t bytes = (uint64_t)row_bytes(masks);
    int64_t first = 0;
    __m512i zeros = _mm512_setzero_si512();
    /* The compiler is not to know that these are zeros: the instruction that makes its own waits for the row before. */
    __asm__("" : "+v"(zeros));
    do {
        const int64_t last = first + GROUP < count ? first + GROUP : count;
        short_sums parts[MOST_MASKS];
        for (int32_t k = 0; k < masks; k++) parts[k] = (short_sums){_mm512_setzero_si512(), _mm512_setzero_si512()};
        for (int64_t i = first; i < last; i += 2) {
            const uint8_t *one = table + rows[i] * bytes, *other = i + 1 < last ? table + rows[i + 1] * bytes : NOTHING;
            for (int32_t k = 0; k < masks; k++)
                add_two(&parts[k], spread_weights(one, k, zeros), spread_weights(other, k, zeros));
        }
        for (int32_t k = 0; k < masks; k++) write_64(sums + 64 * k, &parts[k], first > 0);
        first = last;
    } while (first < count);
}

NEWER static void sum_entries_newer(const uint8_t *table, int32_t masks, const uint32_t *rows, int64_t count,
                                    int32_t languages, int32_t *sums) {
    if (masks == 2) sum_masked(table, 2, rows, count, sums);
    else if (masks == 3) sum_masked(table, 3, rows, count, sums);
    else if (masks) sum_masked(table, masks, rows, count, sums);
    else narrow.sum_entries(table, masks, rows, count, languages, sums);
}

NEWER static void spread_newer(const int32_t *numbers, const uint8_t *columns, int32_t width, int32_t *sums) {
    __m512i part[4];
    for (int k = 0; k < 4; k++) part[k] = _mm512_loadu_si512(numbers + 16 * k);
    for (int32_t j = 0; j < width; j += 16) {
        const __m128i some = _mm_maskz_loadu_epi8(first_of(width - j), columns + j);
        const __m512i column = _mm512_cvtepu8_epi32(some); /* its lower five bits choose among 32 */
        const __mmask16 upper = _mm512_test_epi32_mask(column, _mm512_set1_epi32(32));
        const __mmask16 said = _mm512_testn_epi32_mask(column, _mm512_set1_epi32(64));
        const __m512i first = _mm512_permutex2var_epi32(part[0], column, part[1]);
        const __m512i second = _mm512_permutex2var_epi32(part[2], column, part[3]);
        _mm512_storeu_si512(sums + j, _mm512_maskz_mov_epi32(said, _mm512_mask_mov_epi32(first, upper, second)));
    }
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

NEWER static int write_text_newer(const uint8_t *restrict raw, int64_t length, uint8_t *restrict text) {
    __mmask64 more = 0, colons = 0;
    for (int64_t base = 0; base < length; base += 64) {
        const __m512i bytes = _mm512_loadu_si512(raw + base), next = _mm512_loadu_si512(raw + base + 1);
        const __m512i lower = _mm512_or_si512(bytes, _mm512_set1_epi8(0x20)), hyphen = _mm512_set1_epi8('-');
        const __mmask64 beyond = _mm512_movepi8_mask(bytes);
        const __mmask64 letters = _mm512_cmplt_epu8_mask(_mm512_sub_epi8(lower, _mm512_set1_epi8('a')), _mm512_set1_epi8(26));
        const __m512i others = _mm512_mask_mov_epi8(_mm512_set1_epi8(BLANK), beyond, bytes);
        _mm512_storeu_si512(text + base, _mm512_mask_mov_epi8(others, letters, lower));
        more |= beyond | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('%'));
        more |= _mm512_cmpeq_epi8_mask(bytes, hyphen) & _mm512_cmpeq_epi8_mask(next, hyphen);
        colons |= _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(':'));
    }
    return (colons ? HAS_COLON : 0) | (more ? HAS_MORE : 0);
}

/* The rows of those of eight n-grams that count and have one; returns how many. */
NEWER static inline int64_t rows_of_eight(__m512i grams, int64_t count, const uint64_t *blocks, __m128i shift,
                                          uint32_t *rows) {
    const __m512i factor = _mm512_set1_epi64((int64_t)FIRST_FACTOR), ones = _mm512_set1_epi64(1);
    const __mmask8 some = (__mmask8)first_of((int32_t)(count < 0 ? 0 : count < 8 ? count : 8));
    const __m512i bucket = _mm512_srl_epi64(_mm512_mullo_epi64(grams, factor), shift);
    const __m512i block = _mm512_i64gather_epi64(_mm512_srli_epi64(bucket, 5), blocks, 8);
    const __m512i mark = _mm512_sllv_epi64(ones, _mm512_and_si512(bucket, _mm512_set1_epi64(31)));
    const __m512i lower = _mm512_and_si512(block, _mm512_sub_epi64(mark, ones));
    const __m512i row = _mm512_add_epi64(_mm512_srli_epi64(block, 32), _mm512_popcnt_epi64(lower));
    const __mmask8 said = _mm512_mask_test_epi64_mask(some, block, mark);
    const __m256i packed = _mm256_maskz_compress_epi32(said, _mm512_cvtepi64_epi32(row));
    _mm256_storeu_si256((__m256i *)(void *)rows, packed);
    return __builtin_popcount(said);
}

/* Those that begin at eight bytes at a time: bytes k to k + 7 as the k-th number, of which the first few count. */
NEWER static int64_t gram_rows_newer(const uint8_t *text, int64_t bytes, int four, const uint64_t *blocks, int bits,
                                     uint32_t *rows) {
    const __m512i pairs = _mm512_set_epi64(0x0E0D0C0B0A090807, 0x0D0C0B0A09080706, 0x0C0B0A0908070605, 0x0B0A090807060504,
                                           0x0A09080706050403, 0x0908070605040302, 0x0807060504030201, 0x0706050403020100);
    const __m128i shift = _mm_cvtsi32_si128(64 - bits);
    uint32_t *free_row = rows;
    for (int64_t k = 0; k + SHORTEST <= bytes; k += 8) {
        const __m512i sixteen = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)(text + k)));
        const __m512i grams = _mm512_shuffle_epi8(sixteen, pairs);
        const __m512i three = _mm512_and_si512(grams, _mm512_set1_epi64(0xFFFFFF));
        free_row += rows_of_eight(three, bytes - k - 2, blocks, shift, free_row);
        const __m512i five = _mm512_and_si512(grams, _mm512_set1_epi64(0xFFFFFFFFFF));
        free_row += rows_of_eight(five, bytes - k - 4, blocks, shift, free_row);
        if (!four) continue;
        const __m512i some = _mm512_and_si512(grams, _mm512_set1_epi64(0xFFFFFFFF));
        free_row += rows_of_eight(some, bytes - k - 3, blocks, shift, free_row);
    }
    return free_row - rows;
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

NEWER static inline float total_of_512(__m512 parts) {
    const __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(parts), _mm512_extractf32x8_ps(parts, 1));
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    four = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(four, _mm_movehdup_ps(four)));
}

NEWER static float sum_of_powers_newer(const float *scores, int32_t width, float factor, float *most) {
    const int32_t whole = width & ~(LANES - 1);
    const __mmask16 rest = first_of(width - whole);
    const __m512 last = _mm512_mask_loadu_ps(_mm512_set1_ps(scores[0]), rest, scores + whole);
    __m512 best = last, sums = _mm512_setzero_ps();
    for (int32_t j = 0; j < whole; j += LANES) best = _mm512_max_ps(best, _mm512_loadu_ps(scores + j));
    *most = _mm512_reduce_max_ps(best);
    const __m512 shift = _mm512_set1_ps(*most), scale = _mm512_set1_ps(factor);
    for (int32_t j = 0; j < whole; j += LANES)
        sums = _mm512_add_ps(sums, powers_of_two(_mm512_mul_ps(_mm512_sub_ps(_mm512_loadu_ps(scores + j), shift), scale)));
    sums = _mm512_mask_add_ps(sums, rest, sums, powers_of_two(_mm512_mul_ps(_mm512_sub_ps(last, shift), scale)));
    return total_of_512(sums);
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
    *loops = (vector_loops){add_rows_avx512,   sum_of_powers_newer, add_weighed_newer, write_text_newer, gram_rows_newer,
                            find_words_newer, sum_entries_newer,   mask_rows_newer,   spread_newer,     place_of_newer};
}
#else
void choose_wide_vectors(vector_loops *loops) { (void)loops; }
#endif
