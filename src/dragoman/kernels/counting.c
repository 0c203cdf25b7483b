/* Text becomes counted n-grams, and counts become scores: the compiled twin of dragoman/page/ngrams.py, rank_order.py
   and fisher_cosine.py. Tests hold both equal to the last bit. */
#include "native.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How the ends of a text meet: its last letter and its first, a space between them, or every word on its own. */
enum { WRAP = 0, SPACE = 1, WORDS = 2 };
enum { LONGEST = 8, WIDTH_LIMIT = 4096 };

/* The different n-grams of a text in the order of their first appearance, shorter ones first. */
typedef struct {
    uint32_t *points; /* the folded text */
    int64_t room;
    uint64_t *slots; /* mask + 1 pairs (key, number) */
    uint64_t mask;
    uint64_t *keys; /* by number */
    int64_t *counts;
    int64_t *order; /* numbers by rank */
    int64_t used, all;
} counter;

static void counter_free(counter *c) {
    free(c->points);
    free(c->slots);
    free(c->keys);
    free(c->counts);
    free(c->order);
    memset(c, 0, sizeof *c);
}

/* Room for `capacity` slots, half of which may be used; what was counted is kept. */
static int counter_grow(counter *c, uint64_t capacity) {
    uint64_t *slots = calloc((size_t)capacity * 2, sizeof *slots);
    uint64_t *keys = realloc(c->keys, (size_t)(capacity / 2 + 1) * sizeof *keys);
    if (keys) c->keys = keys;
    int64_t *counts = realloc(c->counts, (size_t)(capacity / 2 + 1) * sizeof *counts);
    if (counts) c->counts = counts;
    int64_t *order = realloc(c->order, (size_t)(capacity / 2 + 1) * sizeof *order);
    if (order) c->order = order;
    if (!slots || !keys || !counts || !order) {
        free(slots);
        return 0;
    }
    free(c->slots);
    c->slots = slots;
    c->mask = capacity - 1;
    for (int64_t i = 0; i < c->used; i++) {
        uint64_t at = slot_of(keys[i], c->mask);
        while (slots[2 * at]) at = (at + 1) & c->mask;
        slots[2 * at] = keys[i];
        slots[2 * at + 1] = (uint64_t)i;
    }
    return 1;
}

static int counter_add(counter *c, uint64_t key) {
    uint64_t at = slot_of(key, c->mask);
    while (c->slots[2 * at] && c->slots[2 * at] != key) at = (at + 1) & c->mask;
    c->all++;
    if (c->slots[2 * at]) {
        c->counts[c->slots[2 * at + 1]]++;
        return 1;
    }
    if ((uint64_t)c->used * 2 >= c->mask) {
        if (!counter_grow(c, (c->mask + 1) * 4)) return 0;
        at = slot_of(key, c->mask);
        while (c->slots[2 * at]) at = (at + 1) & c->mask;
    }
    c->slots[2 * at] = key;
    c->slots[2 * at + 1] = (uint64_t)c->used;
    c->keys[c->used] = key;
    c->counts[c->used++] = 1;
    return 1;
}

/* One code point of UTF-8; a byte that is not part of valid UTF-8 stands for its Latin-1 character. */
static inline uint32_t next_point(const uint8_t *bytes, int64_t length, int64_t *at) {
    uint32_t lead = bytes[(*at)++];
    if (lead < 0x80) return lead;
    int more = lead >= 0xC2 && lead <= 0xDF ? 1 : (lead & 0xF0) == 0xE0 ? 2 : lead >= 0xF0 && lead <= 0xF4 ? 3 : 0;
    if (!more || *at + more > length) return lead;
    uint32_t point = more == 1 ? lead & 0x1F : more == 2 ? lead & 0x0F : lead & 0x07;
    for (int i = 0; i < more; i++) {
        if ((bytes[*at + i] & 0xC0) != 0x80) return lead;
        point = point << 6 | (bytes[*at + i] & 0x3F);
    }
    if ((more == 2 && (point < 0x800 || (point >= 0xD800 && point <= 0xDFFF))) ||
        (more == 3 && (point < 0x10000 || point > 0x10FFFF)))
        return lead;
    *at += more;
    return point;
}

/* Words in lower case, one space between two of them: the number of points, or -1 where memory ran out. */
static int64_t read_words(counter *c, const uint8_t *bytes, int64_t length) {
    if (length + LONGEST + 2 > c->room) {
        int64_t room = length + length / 2 + LONGEST + 256;
        uint32_t *points = realloc(c->points, (size_t)room * sizeof *points);
        if (!points) return -1;
        c->points = points;
        c->room = room;
    }
    int64_t n = 0, at = 0;
    int space = 0;
    while (at < length) {
        uint32_t lower = fold(next_point(bytes, length, &at));
        if (!lower) {
            space = n > 0;
        } else {
            if (space) c->points[n++] = ' ';
            space = 0;
            c->points[n++] = lower;
        }
    }
    return n;
}

/* Counts a row's n-grams; 0 where memory ran out. */
static int count_row(counter *c, const uint8_t *bytes, int64_t length, int shortest, int longest, int edges) {
    if (!c->slots && !counter_grow(c, 1024)) return 0;
    memset(c->slots, 0, (size_t)(c->mask + 1) * 2 * sizeof *c->slots);
    c->used = c->all = 0;
    int64_t n = read_words(c, bytes, length);
    if (n <= 0) return n == 0;
    uint32_t *p = c->points;
    if (edges == WORDS) { /* the n-grams of " word "; a space alone is none, here and below */
        memmove(p + 1, p, (size_t)n * sizeof *p);
        p[0] = p[n + 1] = ' ';
        n += 2;
        for (int size = shortest; size <= longest; size++)
            for (int64_t start = 0; start + 1 < n;) {
                int64_t end = start + 1;
                while (p[end] != ' ') end++;
                for (int64_t i = start; i + size <= end + 1; i++)
                    if ((size > 1 || p[i] != ' ') && !counter_add(c, word_key(p + i, size))) return 0;
                start = end;
            }
        return 1;
    }
    if (edges == SPACE) p[n++] = ' ';
    for (int i = 0; i < LONGEST - 1; i++) p[n + i] = p[i % n];
    for (int size = shortest; size <= longest; size++)
        for (int64_t i = 0; i < n; i++)
            if ((size > 1 || p[i] != ' ') && !counter_add(c, word_key(p + i, size))) return 0;
    return 1;
}

/* A text that is a million times longer than the next must not make that one slow. */
static void counter_relax(counter *c) {
    if (c->mask >= (1u << 16) && (uint64_t)c->used * 16 < c->mask) {
        uint32_t *points = c->points;
        int64_t room = c->room;
        c->points = NULL;
        counter_free(c);
        c->points = points;
        c->room = room;
    }
}

/* The different n-grams of every row and how often each is there: keys[indptr[i] .. indptr[i + 1]). With keys NULL only
   their number is found. Returns 0, or -1 where memory ran out. */
EXPORT int32_t dragoman_count(const uint8_t *data, const int64_t *offsets, int64_t rows, int32_t shortest,
                              int32_t longest, int32_t edges, int64_t *indptr, uint64_t *keys, int64_t *counts) {
    counter c = {0};
    int32_t result = 0;
    indptr[0] = 0;
    for (int64_t row = 0; row < rows && result == 0; row++) {
        if (!count_row(&c, data + offsets[row], offsets[row + 1] - offsets[row], shortest, longest, edges)) {
            result = -1;
            break;
        }
        indptr[row + 1] = indptr[row] + c.used;
        if (keys) {
            memcpy(keys + indptr[row], c.keys, (size_t)c.used * sizeof *keys);
            memcpy(counts + indptr[row], c.counts, (size_t)c.used * sizeof *counts);
        }
        counter_relax(&c);
    }
    counter_free(&c);
    return result;
}

static inline int64_t value_of(const uint64_t *slots, uint64_t mask, uint64_t key) {
    uint64_t at = slot_of(key, mask);
    while (slots[2 * at] && slots[2 * at] != key) at = (at + 1) & mask;
    return slots[2 * at] ? (int64_t)slots[2 * at + 1] : -1;
}

/* The numbers of the n-grams by falling count, equal counts in the order of appearance: a stable merge sort. */
static int64_t *by_count(counter *c, int64_t *spare) {
    int64_t *from = c->order, *to = spare, n = c->used;
    for (int64_t i = 0; i < n; i++) from[i] = i;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t start = 0; start < n; start += 2 * width) {
            int64_t middle = start + width < n ? start + width : n, end = middle + width < n ? middle + width : n;
            int64_t a = start, b = middle, at = start;
            while (a < middle && b < end)
                to[at++] = c->counts[from[b]] > c->counts[from[a]] ? from[b++] : from[a++];
            while (a < middle) to[at++] = from[a++];
            while (b < end) to[at++] = from[b++];
        }
        int64_t *other = from;
        from = to;
        to = other;
    }
    return from;
}

/* Minus the rank distance of each row to each language, over (common + 1) * sqrt(number of n-grams compared).
   ranks has a row of width ranks for each key of the table, 0 where the language lacks it. shared: equal counts have
   the lowest of their ranks. placed: the document's ranks take part; else only those of the languages. far: what lacks
   costs common + 1 whatever its rank is. NaN where no language knows any of a row's n-grams. Returns 0, or -1 where memory ran out. */
EXPORT int32_t dragoman_rank_order(const uint8_t *data, const int64_t *offsets, int64_t rows, int32_t shortest,
                                   int32_t longest, int32_t edges, const uint64_t *slots, uint64_t mask,
                                   const int32_t *ranks, int32_t width, int64_t common, int32_t shared, int32_t placed,
                                   int32_t far, float *scores) {
    counter c = {0};
    int64_t *spare = NULL, room = 0, sums[WIDTH_LIMIT];
    int32_t result = width > WIDTH_LIMIT ? -1 : 0;
    for (int64_t row = 0; row < rows && result == 0; row++) {
        float *out = scores + row * width;
        if (!count_row(&c, data + offsets[row], offsets[row + 1] - offsets[row], shortest, longest, edges)) {
            result = -1;
            break;
        }
        if (c.used > room) {
            free(spare);
            room = c.used + c.used / 2;
            spare = malloc((size_t)room * sizeof *spare);
            if (!spare) {
                result = -1;
                break;
            }
        }
        int64_t *order = by_count(&c, spare), n = 0, rank = 1, known = 0;
        for (int32_t j = 0; j < width; j++) sums[j] = 0;
        for (; n < c.used; n++) {
            if (!shared || n == 0 || c.counts[order[n]] != c.counts[order[n - 1]]) rank = n + 1;
            if (rank > common) break;
            int64_t value = value_of(slots, mask, c.keys[order[n]]), own = placed ? rank : 0;
            known += value >= 0;
            for (int32_t j = 0; j < width; j++) {
                int64_t theirs = value < 0 ? 0 : ranks[value * width + j];
                int64_t apart = theirs ? theirs - own : common + 1 - (far ? 0 : own);
                sums[j] += apart < 0 ? -apart : apart;
            }
        }
        double scale = (double)(common + 1) * sqrt((double)n);
        for (int32_t j = 0; j < width; j++) out[j] = known ? (float)(-(double)sums[j] / scale) : NAN;
        counter_relax(&c);
    }
    free(spare);
    counter_free(&c);
    return result;
}

/* The cosine of each row's counts with each language's vector, over the features of the table; weights has a row of
   width numbers for each. root: counts are replaced by their square roots. NaN where a row has no feature. */
EXPORT int32_t dragoman_cosine(const uint8_t *data, const int64_t *offsets, int64_t rows, int32_t shortest,
                               int32_t longest, int32_t edges, const uint64_t *slots, uint64_t mask,
                               const float *weights, int32_t width, int32_t root, float *scores) {
    counter c = {0};
    double sums[WIDTH_LIMIT];
    int32_t result = width > WIDTH_LIMIT ? -1 : 0;
    for (int64_t row = 0; row < rows && result == 0; row++) {
        float *out = scores + row * width;
        if (!count_row(&c, data + offsets[row], offsets[row + 1] - offsets[row], shortest, longest, edges)) {
            result = -1;
            break;
        }
        double square = 0;
        for (int32_t j = 0; j < width; j++) sums[j] = 0;
        for (int64_t i = 0; i < c.used; i++) {
            int64_t value = value_of(slots, mask, c.keys[i]);
            if (value < 0) continue;
            double count = root ? sqrt((double)c.counts[i]) : (double)c.counts[i];
            square += count * count;
            for (int32_t j = 0; j < width; j++) sums[j] += count * (double)weights[value * width + j];
        }
        double length = sqrt(square);
        for (int32_t j = 0; j < width; j++) out[j] = square > 0 ? (float)(sums[j] / length) : NAN;
        counter_relax(&c);
    }
    counter_free(&c);
    return result;
}
