/* The production model: from bytes to the best language in one pass. The definition is dragoman/models/production.py.

   URLs go through in blocks, so that what one of them needs from memory is under way while others are worked on:
   1. features: what a feature needs is asked for, the row of an n-gram, the index of a word;
   2. words are looked up, and their rows asked for;
   3. rows of weights are summed, and sums become answers. */
#include "production.h"
#include "vectors.h"

#include <math.h>
#include <stdlib.h>

enum {
    COMMON = 64,         /* columns of the common languages: one line of the cache */
    COARSE = 8,          /* the weights of codes are in steps so much larger: a code says more than a word */
    MOST_COLUMNS = 1024,
    BLOCK_ROWS = 2,
    BLOCK_BYTES = 1 << 14
};

/* Rows of weights as bytes. N-grams, of which a URL has a hundred, have a row for every bucket, no index and nothing to
   say about rare languages. For the others, row 0 is that of all features that are not kept: zeros. Rows 1 .. wide have
   weights for the rare languages too; in the rows behind them these are zero and not there. */
typedef struct {
    int32_t bits;
    uint32_t wide;
    const uint32_t *index; /* bucket -> row */
    const int8_t *common, *rare;
} table;

/* The model as it is handed over: dragoman/kernels/__init__.py has the same fields. */
typedef struct {
    table tables[GROUPS];
    int32_t width, rest; /* columns; columns of a rare row: a multiple of 32 */
    float step, sharpness, slope;
    const float *bias;
    const int32_t *order; /* column -> number of the language */
} compact;

/* Numbers of rows (of buckets, until they are looked up) in the memory of a block. */
typedef struct {
    uint32_t *rows;
    int64_t count;
} list;

/* The features of one URL. */
typedef struct {
    int kind;
    int64_t features; /* known or not */
    list found[GROUPS];
} evidence;

/* A loop for each kind of n-gram, with nothing in it but what that kind needs. */
static inline void look_up_grams(const table *grams, const line *url, evidence *out) {
    const int shift = 64 - grams->bits;
    uint32_t *rows = out->found[GRAMS].rows;
    gram_places places;
    for (int64_t base = 0; base < url->length; base += 64) {
        places_of_grams(url, base, &places);
        for (int i = 0; i < GRAM_KINDS; i++)
            for (uint64_t left = places.of[i]; left; left &= left - 1) {
                const uint64_t row = gram_at(url, base + lowest_bit(left), i) >> shift;
                PREFETCH(grams->common + row * COMMON);
                *rows++ = (uint32_t)row;
            }
    }
    out->found[GRAMS].count = rows - out->found[GRAMS].rows;
}

static void find_features(const compact *model, const uint8_t *bytes, int64_t length, scratch *memory, evidence *out) {
    line url;
    read_line(bytes, length, memory, &url);
    out->kind = url.kind;
    out->features = 0;
    for (int group = 0; group < GROUPS; group++) out->found[group].count = 0;
    if (url.kind != WEB) return;
    out->features = write_word_keys(&url, memory->keys);
    for (int64_t i = 0; i < out->features; i++) {
        const uint64_t key = memory->keys[i];
        const int group = group_of(key);
        const table *of = &model->tables[group];
        list *to = &out->found[group];
        const uint32_t bucket = (uint32_t)(key >> (64 - of->bits));
        PREFETCH(of->index + bucket);
        to->rows[to->count++] = bucket;
    }
    look_up_grams(&model->tables[GRAMS], &url, out);
    out->features += out->found[GRAMS].count;
}

/* Buckets become rows; those that are not kept drop out. Asks for the rows' weights. */
static void look_up(const compact *model, evidence *url) {
    for (int group = WORDS; group < GROUPS; group++) {
        const table *of = &model->tables[group];
        list *in = &url->found[group];
        int64_t known = 0;
        for (int64_t i = 0; i < in->count; i++) {
            const uint32_t row = of->index[in->rows[i]];
            in->rows[known] = row;
            known += row != 0;
            PREFETCH(of->common + (uint64_t)row * COMMON);
            if (row - 1 < of->wide) PREFETCH(of->rare + (uint64_t)row * (uint64_t)model->rest);
        }
        in->count = known;
    }
}

/* Scores of one URL into out[width]; returns 0 if its features say nothing at all. */
static int score(const compact *model, const evidence *url, float *out) {
    int32_t sums[COMMON + MOST_COLUMNS];
    memset(sums, 0, (size_t)(COMMON + model->rest) * sizeof *sums);
    for (int group = 0; group < GROUPS; group++) {
        const table *of = &model->tables[group];
        const list *in = &url->found[group];
        const int32_t factor = group == CODES ? COARSE : 1;
        vectors.add_rows(of->common, COMMON, in->rows, in->count, factor, sums);
        if (model->rest && group != GRAMS)
            for (int64_t i = 0; i < in->count; i++)
                if (in->rows[i] <= of->wide)
                    vectors.add_rows(of->rare, model->rest, in->rows + i, 1, factor, sums + COMMON);
    }
    const float scale = url->features ? model->step / sqrtf((float)url->features) : 0;
    int32_t any = 0;
    for (int32_t j = 0; j < model->width; j++) {
        any |= sums[j];
        out[j] = (float)sums[j] * scale + model->bias[j];
    }
    return any != 0;
}

/* What is written for one URL: all scores, or else the best language and its probability. */
typedef struct {
    const int32_t *chosen; /* columns to choose from, or NULL for all */
    int32_t choices;
    float *scores;      /* rows * width, by column, or NULL */
    int32_t *features;  /* with the scores: how many there are */
    int32_t *best;      /* the number of the language, or the place among the chosen; -1 where nothing is known */
    float *probability;
} answers;

/* The column with the highest score; of equals, that of the language with the lowest number. */
static int32_t first_of_best(const float *scores, int32_t width, float most, float total, const int32_t *order) {
    int32_t best = vectors.place_of(scores, width, most);
    if (total > 1.99f) /* each of the best adds 1 to the total */
        for (int32_t j = best + 1; j < width; j++)
            if (scores[j] == most && order && order[j] < order[best]) best = j;
    return best;
}

static void answer(const compact *model, const evidence *url, const answers *out, int64_t row) {
    float own[MOST_COLUMNS], some[MOST_COLUMNS];
    float *scores = out->scores ? out->scores + row * model->width : own;
    const int known = url->kind == WEB && score(model, url, scores);
    if (out->scores) {
        out->features[row] = (int32_t)url->features;
        if (!known)
            for (int32_t j = 0; j < model->width; j++) scores[j] = NAN;
        return;
    }
    out->best[row] = -1;
    out->probability[row] = NAN;
    if (!known) return;
    int32_t width = model->width;
    const float factor = (model->sharpness + model->slope / sqrtf((float)url->features)) * 1.44269504f;
    float most;
    if (out->choices == 1) { /* a question: this one, among all? */
        const float total = vectors.sum_of_powers(scores, width, factor, &most);
        out->best[row] = first_of_best(scores, width, most, total, model->order) != out->chosen[0];
        out->probability[row] = exp2f((scores[out->chosen[0]] - most) * factor) / total;
        return;
    }
    if (out->chosen) {
        width = out->choices;
        for (int32_t j = 0; j < width; j++) some[j] = scores[out->chosen[j]];
        scores = some;
    }
    const float total = vectors.sum_of_powers(scores, width, factor, &most);
    const int32_t best = first_of_best(scores, width, most, total, out->chosen ? NULL : model->order);
    out->best[row] = out->chosen ? best : model->order[best];
    out->probability[row] = 1.0f / total;
}

static int64_t end_of_block(const int64_t *offsets, int64_t row, int64_t rows) {
    int64_t end = row + 1;
    while (end < rows && end - row < BLOCK_ROWS && offsets[end + 1] - offsets[row] <= BLOCK_BYTES) end++;
    return end;
}

static int32_t each_row(const compact *model, const uint8_t *data, const int64_t *offsets, int64_t rows,
                        const answers *out) {
    scratch memory = {0};
    evidence urls[BLOCK_ROWS];
    uint32_t *room = NULL;
    int64_t size = 0;
    int32_t result = 0;
    for (int64_t row = 0, end; row < rows && result == 0; row = end) {
        end = end_of_block(offsets, row, rows);
        /* n-grams: at most KEYS_PER_BYTE for each byte; words and codes: at most one */
        const int64_t bytes = offsets[end] - offsets[row] + (end - row), needed = (KEYS_PER_BYTE + 2) * bytes;
        if (needed > size) {
            free(room);
            size = needed + needed / 2;
            room = malloc((size_t)size * sizeof *room);
        }
        int64_t longest = 0;
        for (int64_t i = row; i < end; i++)
            longest = offsets[i + 1] - offsets[i] > longest ? offsets[i + 1] - offsets[i] : longest;
        if (!room || !scratch_reserve(&memory, longest + 1)) {
            result = -1;
            break;
        }
        uint32_t *free_room = room;
        for (int64_t i = row; i < end; i++) {
            evidence *url = &urls[i - row];
            const int64_t length = offsets[i + 1] - offsets[i];
            url->found[GRAMS].rows = free_room;
            url->found[WORDS].rows = free_room + KEYS_PER_BYTE * (length + 1);
            url->found[CODES].rows = url->found[WORDS].rows + length + 1;
            free_room = url->found[CODES].rows + length + 1;
            find_features(model, data + offsets[i], length, &memory, url);
        }
        for (int64_t i = row; i < end; i++) look_up(model, &urls[i - row]);
        for (int64_t i = row; i < end; i++) answer(model, &urls[i - row], out, i);
    }
    free(room);
    scratch_free(&memory);
    return result;
}

/* Scores of every row and column, NaN where nothing is known, and the number of its features. Or, where `scores` is
   NULL, the best of the chosen languages and its probability, a softmax over them; -1 and NaN where nothing is known. Of
   one chosen language: 0 if it is the best of all, else 1, and its probability among all.
   Returns 0, or -1 where memory ran out. */
EXPORT int32_t dragoman_compact(const uint8_t *data, const int64_t *offsets, int64_t rows, const compact *model,
                                const int32_t *chosen, int32_t choices, float *scores, int32_t *features, int32_t *best,
                                float *probability) {
    const answers out = {chosen, choices, scores, features, best, probability};
    return each_row(model, data, offsets, rows, &out);
}
