/* The parts of a URL weighed: from bytes to the best language in one pass. The definition is
   dragoman/identifiers/url/parts.

   URLs go through in blocks, so that what one of them needs from memory is under way while others are worked on:
   1. the URL is read; the rows of its host's n-grams and the slots of its words are asked for;
   2. words are looked up; the entries of those that are known and the n-grams of the others are asked for;
   3. entries are summed by part, parts are weighed, and scores become answers. */
#include "parts.h"
#include "vectors.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCK_ROWS = 16, PATH_ENTRIES = 16, TABLES = 3 };

/* Which buckets of n-grams have a row. */
typedef struct {
    const uint64_t *blocks; /* by 32 buckets: how many rows there are before them, and below a bit for each */
    int64_t bits;           /* the number of buckets, as a power of two */
} row_index;

/* The model as it is handed over: dragoman/kernels/parts.py has the same fields. */
typedef struct {
    part_reader reader;
    word_table words;            /* value: number of entries - 1 in four bits, and the first; or one entry itself */
    const uint8_t *word_entries; /* language, weight; three more than there are can be read */
    row_index host_index;
    const int8_t *host_rows;        /* a weight for each of the common languages */
    const uint8_t *host_languages;  /* which those are; NO_LANGUAGE where there are fewer, whose sums nobody reads */
    row_index path_index;
    const uint8_t *path_rows;       /* sixteen languages and their weights */
    float steps[TABLES]; /* of the weights of host n-grams, path n-grams and words */
    const float *domains; /* domains * width */
    const uint8_t *domain_kinds;
    const int32_t *script_starts;
    const uint8_t *script_languages;
    const float *script_weights;
    const int32_t *meaning_starts;
    const uint8_t *meaning_languages;
    const float *meaning_weights; /* positions * entries */
    const float *gates, *sharpness, *bias; /* by context; bias: contexts * width */
    const float *site_weights;             /* by language */
    int32_t meaning_entries;
} part_model;

/* A URL on its way. */
typedef struct {
    scratch memory;
    line url;
    url_parts found;
    int32_t known_host, known_path;
    int64_t host_grams, text_grams, path_grams; /* all n-grams; */
    int64_t host_said, text_said, path_said;    /* and those that have a row */
    uint32_t host_value[SITE_WORDS], path_value[SITE_WORDS];
    uint32_t host_row[HOST_ROOM], text_row[PATH_ROOM], path_row[PATH_ROOM]; /* text: of the host, read as of a path */
} passage;

/* The rows of a word's n-grams as they are in paths, asked for; returns how many, and adds the number of n-grams. */
static inline int64_t ask_for_path_grams(const part_model *model, const line *url, const found_word *word, uint32_t *rows,
                                         int64_t *grams) {
    const int64_t n = path_gram_buckets(url, word, (int)model->path_index.bits, rows);
    const int64_t said = vectors.keep_rows(model->path_index.blocks, rows, n);
    for (int64_t k = 0; k < said; k++) PREFETCH(model->path_rows + (uint64_t)rows[k] * 2 * PATH_ENTRIES);
    *grams += n;
    return said;
}

static int take_in(const part_model *model, const uint8_t *bytes, int64_t length, passage *out) {
    if (!scratch_reserve(&out->memory, length + 1)) return 0;
    read_line(bytes, length, &out->memory, &out->url);
    read_parts(&model->reader, &out->url, &out->found);
    const url_parts *found = &out->found;
    for (int i = 0; i < found->path_words; i++) prefetch_word(&model->words, found->path[i].key);
    out->host_grams = out->host_said = out->text_grams = out->text_said = 0;
    for (int i = 0; i < found->host_words; i++) {
        const found_word *word = &found->host[i];
        prefetch_word(&model->words, word->key);
        uint32_t *rows = out->host_row + out->host_said;
        const int64_t n = host_gram_buckets(&out->url, word, (int)model->host_index.bits, rows);
        const int64_t said = vectors.keep_rows(model->host_index.blocks, rows, n);
        for (int64_t k = 0; k < said; k++) PREFETCH(model->host_rows + (uint64_t)rows[k] * COMMON);
        out->host_grams += n;
        out->host_said += said;
        out->text_said += ask_for_path_grams(model, &out->url, word, out->text_row + out->text_said, &out->text_grams);
    }
    return 1;
}

static inline void prefetch_entries(const part_model *model, uint32_t value) {
    if (value >> 28) PREFETCH(model->word_entries + 2 * (uint64_t)(value & 0x0FFFFFFF));
}

static void look_up_words(const part_model *model, passage *out) {
    const url_parts *found = &out->found;
    out->known_host = out->known_path = 0;
    out->path_grams = out->path_said = 0;
    for (int i = 0; i < found->host_words; i++) {
        const uint32_t value = look_up_word(&model->words, found->host[i].key);
        if (value == UINT32_MAX) continue;
        prefetch_entries(model, value);
        out->host_value[out->known_host++] = value;
    }
    for (int i = 0; i < found->path_words; i++) {
        const uint32_t value = look_up_word(&model->words, found->path[i].key);
        if (value != UINT32_MAX) {
            prefetch_entries(model, value);
            out->path_value[out->known_path++] = value;
            continue;
        }
        uint32_t *rows = out->path_row + out->path_said;
        out->path_said += ask_for_path_grams(model, &out->url, &found->path[i], rows, &out->path_grams);
    }
}

static inline void add_host_rows(const part_model *model, const uint32_t *rows, int64_t count, int32_t *sums) {
    int32_t common[COMMON] = {0};
    vectors.add_rows(model->host_rows, COMMON, rows, count, 1, common);
    for (int k = 0; k < COMMON; k++) sums[model->host_languages[k]] += common[k];
}

static inline void add_path_rows(const uint8_t *table, const uint32_t *rows, int64_t count, int32_t *sums) {
    for (int64_t i = 0; i < count; i++) {
        const uint8_t *row = table + (uint64_t)rows[i] * 2 * PATH_ENTRIES;
        for (int k = 0; k < PATH_ENTRIES; k++) sums[row[k]] += (int8_t)row[PATH_ENTRIES + k];
    }
}

/* Entries are added by fours, those behind the last as zeros: how many there are is hard to foretell. */
static inline void add_words(const part_model *model, const uint32_t *values, int32_t count, int32_t *sums) {
    for (int32_t i = 0; i < count; i++) {
        const uint32_t value = values[i];
        const int32_t last = (int32_t)(value >> 28);
        const uint8_t own[8] = {(uint8_t)value, (uint8_t)(value >> 8)};
        const uint8_t *entry = last ? model->word_entries + 2 * (uint64_t)(value & 0x0FFFFFFF) : own;
        for (int32_t k = 0; k <= last; k += 4, entry += 8)
            for (int32_t j = 0; j < 4; j++) sums[entry[2 * j]] += k + j <= last ? (int8_t)entry[2 * j + 1] : 0;
    }
}

/* Room for the sums of the parts that a URL has, and what each is multiplied by. */
typedef struct {
    int32_t sums[HOST_TEXT + 1][WIDEST];
    float factors[HOST_TEXT + 1];
    int32_t count;
} part_sums;

/* Room for the next part: zeros. */
static inline int32_t *next_part(part_sums *parts, float gate, float step, int64_t count, int32_t width) {
    int32_t *sums = parts->sums[parts->count];
    memset(sums, 0, (size_t)width * sizeof *sums);
    parts->factors[parts->count++] = gate * step * (1.0f / sqrtf((float)count));
    return sums;
}

/* Scores of one URL into out[width], and its context; returns 0 if nothing stands in it. */
static int score(const part_model *model, const passage *url, float *out, int *context) {
    const url_parts *found = &url->found;
    const int32_t width = model->reader.width, domain = found->domain;
    int32_t meaning[MOST_CODES], coded = 0;
    *context = 0;
    if (url->url.kind != WEB) return 0;
    for (int i = 0; i < found->codes; i++) coded += (meaning[i] = meaning_of(&model->reader, &found->code[i])) >= 0;
    if (!coded && !found->host_words && !found->path_words && domain < 0 && found->site < 0) return 0;
    *context = context_of(found->path_words, domain < 0 ? ANY_LANGUAGE : model->domain_kinds[domain], coded);
    const float *gates = model->gates + *context * WEIGHED;
    memcpy(out, model->bias + (int64_t)*context * width, (size_t)width * sizeof *out);
    for (int i = 0; i < found->scripts; i++)
        for (int32_t k = model->script_starts[found->script[i]]; k < model->script_starts[found->script[i] + 1]; k++)
            out[model->script_languages[k]] += model->script_weights[k];
    for (int i = 0; i < found->codes; i++) {
        if (meaning[i] < 0) continue;
        const float *weights = model->meaning_weights + (int64_t)found->code[i].position * model->meaning_entries;
        for (int32_t k = model->meaning_starts[meaning[i]]; k < model->meaning_starts[meaning[i] + 1]; k++)
            out[model->meaning_languages[k]] += weights[k];
    }
    part_sums parts;
    parts.count = 0;
    if (url->host_grams)
        add_host_rows(model, url->host_row, url->host_said,
                      next_part(&parts, gates[HOST_GRAMS], model->steps[0], url->host_grams, width));
    if (url->known_host)
        add_words(model, url->host_value, url->known_host,
                  next_part(&parts, gates[HOST_WORDS], model->steps[2], url->known_host, width));
    if (url->known_path)
        add_words(model, url->path_value, url->known_path,
                  next_part(&parts, gates[PATH_WORDS], model->steps[2], url->known_path, width));
    if (url->path_grams)
        add_path_rows(model->path_rows, url->path_row, url->path_said,
                      next_part(&parts, gates[PATH_GRAMS], model->steps[1], url->path_grams, width));
    if (url->text_grams)
        add_path_rows(model->path_rows, url->text_row, url->text_said,
                      next_part(&parts, gates[HOST_TEXT], model->steps[1], url->text_grams, width));
    vectors.add_weighed(parts.sums[0], WIDEST, parts.factors, parts.count,
                        domain < 0 ? NULL : model->domains + (int64_t)domain * width, gates[DOMAIN], width, out);
    if (found->site >= 0) out[found->site] += gates[SITE] * model->site_weights[found->site];
    return 1;
}

/* What is written for one URL: all scores and the context, or else the best language and its probability. */
typedef struct {
    const int32_t *chosen; /* columns to choose from, or NULL for all */
    int32_t choices;
    float temperature;
    float *scores; /* rows * width, or NULL */
    uint8_t *contexts;
    int32_t *best; /* the language, or the place among the chosen; -1 where nothing is known */
    float *probability;
} part_answers;

static void answer(const part_model *model, const passage *url, const part_answers *out, int64_t row) {
    float own[WIDEST], some[WIDEST];
    const int32_t width = model->reader.width;
    float *scores = out->scores ? out->scores + row * width : own;
    int context;
    const int known = score(model, url, scores, &context);
    if (out->scores) {
        out->contexts[row] = (uint8_t)context;
        if (!known)
            for (int32_t j = 0; j < width; j++) scores[j] = NAN;
        return;
    }
    out->best[row] = -1;
    out->probability[row] = NAN;
    if (!known) return;
    float most;
    const float factor = model->sharpness[context] / out->temperature * 1.44269504f;
    if (out->choices == 1) { /* a question: this one, among all? */
        const float total = vectors.sum_of_powers(scores, width, factor, &most);
        out->best[row] = vectors.place_of(scores, width, most) != out->chosen[0];
        out->probability[row] = exp2f((scores[out->chosen[0]] - most) * factor) / total;
        return;
    }
    int32_t choices = width;
    if (out->chosen) {
        choices = out->choices;
        for (int32_t j = 0; j < choices; j++) some[j] = scores[out->chosen[j]];
        scores = some;
    }
    const float total = vectors.sum_of_powers(scores, choices, factor, &most);
    out->best[row] = vectors.place_of(scores, choices, most);
    out->probability[row] = 1.0f / total;
}

/* Scores of every row and language, NaN where nothing is known, and the row's context. Or, where `scores` is NULL, the
   best of the chosen languages and its probability, a softmax over them; -1 and NaN where nothing is known. Of one chosen
   language: 0 if it is the best of all, else 1, and its probability among all. Returns 0, or -1 where memory ran out. */
EXPORT int32_t dragoman_parts(const uint8_t *data, const int64_t *offsets, int64_t rows, const part_model *model,
                              const int32_t *chosen, int32_t choices, float temperature, float *scores,
                              uint8_t *contexts, int32_t *best, float *probability) {
    const part_answers out = {chosen, choices, temperature, scores, contexts, best, probability};
    passage *urls = calloc(BLOCK_ROWS, sizeof *urls);
    int32_t result = urls ? 0 : -1;
    for (int64_t row = 0, end; row < rows && result == 0; row = end) {
        end = row + BLOCK_ROWS < rows ? row + BLOCK_ROWS : rows;
        for (int64_t i = row; i < end && result == 0; i++)
            if (!take_in(model, data + offsets[i], offsets[i + 1] - offsets[i], &urls[i - row])) result = -1;
        if (result) break;
        for (int64_t i = row; i < end; i++) look_up_words(model, &urls[i - row]);
        for (int64_t i = row; i < end; i++) answer(model, &urls[i - row], &out, i);
    }
    for (int i = 0; urls && i < BLOCK_ROWS; i++) scratch_free(&urls[i].memory);
    free(urls);
    return result;
}
