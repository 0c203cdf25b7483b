/* The parts of a URL weighed: from bytes to the best language in one pass. The definition is
   dragoman/identifiers/url/parts.

   URLs go through in blocks, so that what one of them needs from memory is under way while others are worked on:
   1. the URL becomes a line of bytes;
   2. its words and codes are read; the slots of its words are asked for;
   3. the n-grams of its host are looked up; their rows are asked for;
   4. words are looked up; the rows of those that are known and of the n-grams of the others are asked for;
   5. rows are summed by part, parts are weighed, and scores become answers. */
#include "parts.h"
#include "vectors.h"

#include <math.h>
#include <stdlib.h>

/* URLs go through in blocks of so many; the bytes of one are asked for so many URLs before. */
enum { BLOCK_ROWS = 16, AHEAD = 8, TABLES = 3 };
/* The upper bit of a word's value, if it speaks for several languages; the rest is the number of its row. Else the value
   is one language and its weight, a byte each. */
#define SEVERAL UINT32_C(0x80000000)

/* Which buckets of n-grams have a row. */
typedef struct {
    const uint64_t *blocks; /* by 32 buckets: how many rows there are before them, and below a bit for each */
    int64_t bits;           /* the number of buckets, as a power of two */
} row_index;

/* The row of a bucket, if it has one; returns how many there are. */
static inline int64_t row_of(const row_index *index, uint32_t bucket, uint32_t *row) {
    const uint64_t block = index->blocks[bucket >> 5];
    const uint32_t place = bucket & 31;
    *row = (uint32_t)(block >> 32) + count_ones((uint32_t)block & ((UINT32_C(1) << place) - 1));
    return (int64_t)(block >> place & 1);
}

/* The model as it is handed over: dragoman/kernels/parts.py has the same fields. */
typedef struct {
    part_reader reader;
    word_table words;
    const uint8_t *word_rows; /* languages and weights, as `sum_entries` takes them */
    row_index host_index;
    const int8_t *host_rows;     /* a weight for each of the common languages */
    const uint8_t *host_columns; /* by language: its place among those, or COMMON */
    row_index path_index;
    const uint8_t *path_rows; /* languages and weights, as those of words */
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
    int32_t masks; /* of each row of word_rows and path_rows; 0: languages and weights */
} part_model;

/* What words that are known say: rows of several languages, or a language and its weight. */
typedef struct {
    int32_t several, single;
    uint32_t *row, *value;
} known_words;

/* A URL on its way. One of the same host as the URL before shares what was found and summed of the host. */
typedef struct {
    scratch memory;
    int shares_host;
    line url;
    url_parts found;
    known_words host, path;
    int32_t known_host;
    int64_t host_grams, text_grams, path_grams;  /* all n-grams; */
    int64_t host_said, text_said, path_said;     /* and those that have a row */
    uint32_t *host_row, *text_row, *path_row;    /* text: the host, read as a path */
} passage;

/* What a URL may need of what those of a block share: numbers of rows (seven more may be written), and words. */
enum { ROW_ROOM = HOST_ROOM + 2 * PATH_ROOM + 2 * WORD_ROOM + 12 };

/* The URLs that are on their way at the same time. What is found in them lies close together: most have a few words. */
typedef struct {
    passage *urls;
    found_word *words, *free_word;
    uint32_t *rows, *free_row;
} block;

static void block_free(block *out, int64_t size) {
    for (int64_t i = 0; out->urls && i < size; i++) scratch_free(&out->urls[i].memory);
    free(out->urls);
    free(out->words);
    free(out->rows);
}

static int block_of(int64_t size, block *out) {
    const size_t count = (size_t)(size ? size : 1);
    out->urls = calloc(count, sizeof *out->urls);
    out->words = malloc(count * WORD_ROOM * sizeof *out->words);
    out->rows = malloc(count * ROW_ROOM * sizeof *out->rows);
    return out->urls && out->words && out->rows;
}

/* The bytes of a word's n-grams: with the boundaries before and behind. */
static inline int64_t gram_bytes(const found_word *word) {
    const int64_t letters = word->end - word->start;
    return (letters < MOST_LETTERS ? letters : MOST_LETTERS) + 2;
}

/* The rows of a word's n-grams as they are in paths; returns how many, and adds the number of n-grams. */
static inline int64_t path_gram_rows(const part_model *model, const line *url, const found_word *word, uint32_t *rows,
                                     int64_t *grams) {
    const row_index *index = &model->path_index;
    const int64_t bytes = gram_bytes(word);
    cut_word(url, word);
    *grams += grams_in(bytes, 3) + grams_in(bytes, 4) + grams_in(bytes, 5);
    return vectors.gram_rows(url->text + word->start - 1, bytes, 1, index->blocks, (int)index->bits, rows);
}

/* Those of a word of the host, and one for the word itself. */
static inline int64_t host_gram_rows(const part_model *model, const line *url, const found_word *word, uint32_t *rows,
                                     int64_t *grams) {
    const row_index *index = &model->host_index;
    const int64_t bytes = gram_bytes(word);
    cut_word(url, word);
    *grams += grams_in(bytes, 3) + grams_in(bytes, 5) + 1;
    const int64_t said = vectors.gram_rows(url->text + word->start - 1, bytes, 0, index->blocks, (int)index->bits, rows);
    return said + row_of(index, (uint32_t)(word->key * SECOND_FACTOR >> (64 - index->bits)), rows + said);
}

static inline void prefetch_rows(const void *table, const uint32_t *rows, int64_t count, int64_t bytes) {
    for (int64_t k = 0; k < count; k++) PREFETCH((const uint8_t *)table + (int64_t)rows[k] * bytes);
}

/* The first two lines of the cache: URLs of more than 128 bytes are few. */
static inline void prefetch_text(const uint8_t *text) {
    PREFETCH(text);
    PREFETCH(text + 64);
}

/* True if two URLs are of the same host, written in the same way: in files that are sorted most are. */
static inline int same_host(const line *one, const line *other) {
    return one->kind == WEB && other->kind == WEB && !one->points && !other->points && one->host_length > 0 &&
           one->host_length == other->host_length && memcmp(one->raw, other->raw, (size_t)one->host_length) == 0;
}

static int take_in(const uint8_t *bytes, int64_t length, const passage *before, passage *out) {
    if (!scratch_reserve(&out->memory, length + 1)) return 0;
    read_line(bytes, length, &out->memory, &out->url);
    out->shares_host = before && same_host(&before->url, &out->url);
    return 1;
}

static void find_parts(const part_model *model, const passage *before, block *room, passage *out) {
    read_parts(&model->reader, &out->url, out->shares_host ? &before->found : NULL, room->free_word, &out->found);
    const url_parts *found = &out->found;
    room->free_word = found->path + found->path_words;
    for (int i = 0; i < found->path_words; i++) prefetch_word(&model->words, found->path[i].key);
    for (int i = 0; i < found->host_words && !out->shares_host; i++) prefetch_word(&model->words, found->host[i].key);
}

/* The n-grams of a host, read as of a host and as of a path. */
static void look_up_host(const part_model *model, const passage *before, block *room, passage *out) {
    const url_parts *found = &out->found;
    out->host_grams = out->host_said = out->text_grams = out->text_said = 0;
    if (out->shares_host) {
        out->host_grams = before->host_grams;
        out->text_grams = before->text_grams;
        return;
    }
    uint32_t *free_row = out->host_row = room->free_row;
    for (int i = 0; i < found->host_words; i++)
        free_row += host_gram_rows(model, &out->url, &found->host[i], free_row, &out->host_grams);
    out->host_said = free_row - out->host_row;
    out->text_row = free_row;
    for (int i = 0; i < found->host_words; i++)
        free_row += path_gram_rows(model, &out->url, &found->host[i], free_row, &out->text_grams);
    out->text_said = free_row - out->text_row;
    room->free_row = free_row;
    prefetch_rows(model->host_rows, out->host_row, out->host_said, COMMON);
    prefetch_rows(model->path_rows, out->text_row, out->text_said, row_bytes(model->masks));
}

/* Without a branch: whether a word speaks for one language or for several is hard to foretell. */
static inline void keep_word(const part_model *model, uint32_t value, known_words *out) {
    const uint32_t several = value >> 31, row = value & ~SEVERAL;
    PREFETCH(model->word_rows + (several ? row : 0) * (uint64_t)row_bytes(model->masks));
    out->row[out->several] = row;
    out->value[out->single] = value;
    out->several += (int32_t)several;
    out->single += (int32_t)(several ^ 1);
}

/* Room for so many known words. */
static inline void begin_known(block *room, int32_t words, known_words *out) {
    out->several = out->single = 0;
    out->row = room->free_row;
    out->value = out->row + words + 1; /* one more of each is written */
    room->free_row = out->value + words + 1;
}

/* *known_host: the number of words of the host that are known, of the URL before and then of this one. */
static void look_up_words(const part_model *model, int32_t *known_host, block *room, passage *out) {
    const url_parts *found = &out->found;
    uint32_t value[SITE_WORDS];
    const int64_t step = sizeof *found->host / sizeof found->host->key;
    if (!out->shares_host) {
        begin_known(room, found->host_words, &out->host);
        vectors.find_words(model->words.slots, model->words.count, &found->host->key, step, found->host_words, value);
        for (int i = 0; i < found->host_words; i++)
            if (value[i] != UINT32_MAX) keep_word(model, value[i], &out->host);
        *known_host = out->host.several + out->host.single;
    }
    out->known_host = *known_host;
    begin_known(room, found->path_words, &out->path);
    uint32_t *free_row = out->path_row = room->free_row;
    out->path_grams = 0;
    vectors.find_words(model->words.slots, model->words.count, &found->path->key, step, found->path_words, value);
    for (int i = 0; i < found->path_words; i++) {
        if (value[i] != UINT32_MAX) {
            keep_word(model, value[i], &out->path);
            continue;
        }
        free_row += path_gram_rows(model, &out->url, &found->path[i], free_row, &out->path_grams);
    }
    out->path_said = free_row - out->path_row;
    room->free_row = free_row;
    prefetch_rows(model->path_rows, out->path_row, out->path_said, row_bytes(model->masks));
}

static inline void sum_host_rows(const part_model *model, const uint32_t *rows, int64_t count, int32_t *sums) {
    int32_t common[COMMON] = {0};
    vectors.add_rows(model->host_rows, COMMON, rows, count, 1, common);
    vectors.spread(common, model->host_columns, model->reader.width, sums);
}

static inline void sum_rows(const part_model *model, const uint8_t *table, const uint32_t *rows, int64_t count,
                            int32_t *sums) {
    vectors.sum_entries(table, model->masks, rows, count, model->reader.width, sums);
}

static inline void sum_words(const part_model *model, const known_words *words, int32_t *sums) {
    sum_rows(model, model->word_rows, words->row, words->several, sums);
    for (int32_t i = 0; i < words->single; i++) sums[words->value[i] & 0xFF] += (int8_t)(words->value[i] >> 8);
}

/* The sums of the parts that are sums; those of the host are there for the next URL as well. */
typedef struct {
    int32_t sums[HOST_TEXT + 1][WIDEST];
} part_sums;

/* The parts that a URL has, and what each is multiplied by. */
typedef struct {
    const int32_t *sums[HOST_TEXT + 1];
    float factors[HOST_TEXT + 1];
    int32_t count;
} weighed_parts;

static inline void weigh(weighed_parts *parts, const int32_t *sums, float gate, float step, int64_t count) {
    parts->sums[parts->count] = sums;
    parts->factors[parts->count++] = gate * step * (1.0f / sqrtf((float)count));
}

static inline void sum_parts(const part_model *model, const passage *url, int32_t (*sums)[WIDEST]) {
    if (url->path.several + url->path.single) sum_words(model, &url->path, sums[PATH_WORDS]);
    if (url->path_grams) sum_rows(model, model->path_rows, url->path_row, url->path_said, sums[PATH_GRAMS]);
    if (url->shares_host) return;
    if (url->host_grams) sum_host_rows(model, url->host_row, url->host_said, sums[HOST_GRAMS]);
    if (url->known_host) sum_words(model, &url->host, sums[HOST_WORDS]);
    if (url->text_grams) sum_rows(model, model->path_rows, url->text_row, url->text_said, sums[HOST_TEXT]);
}

/* Scores of one URL into out[width], and its context; returns 0 if nothing stands in it. */
static int score(const part_model *model, const passage *url, part_sums *sums, float *out, int *context) {
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
    const int32_t known_path = url->path.several + url->path.single;
    const float *steps = model->steps;
    weighed_parts parts;
    parts.count = 0;
    sum_parts(model, url, sums->sums);
    if (url->host_grams) weigh(&parts, sums->sums[HOST_GRAMS], gates[HOST_GRAMS], steps[0], url->host_grams);
    if (url->known_host) weigh(&parts, sums->sums[HOST_WORDS], gates[HOST_WORDS], steps[2], url->known_host);
    if (known_path) weigh(&parts, sums->sums[PATH_WORDS], gates[PATH_WORDS], steps[2], known_path);
    if (url->path_grams) weigh(&parts, sums->sums[PATH_GRAMS], gates[PATH_GRAMS], steps[1], url->path_grams);
    if (url->text_grams) weigh(&parts, sums->sums[HOST_TEXT], gates[HOST_TEXT], steps[1], url->text_grams);
    vectors.add_weighed(parts.sums, parts.factors, parts.count, domain < 0 ? NULL : model->domains + (int64_t)domain * width,
                        gates[DOMAIN], width, out);
    if (found->site >= 0) out[found->site] += gates[SITE] * model->site_weights[found->site];
    return 1;
}

/* Rows of sixteen languages and weights of words that speak for several: `entries` has (language, weight) of all words,
   counts[i] of word i. */
EXPORT void dragoman_parts_rows(const uint8_t *counts, const uint8_t *entries, int64_t words, uint8_t *rows) {
    for (int64_t i = 0; i < words; entries += 2 * counts[i++]) {
        if (counts[i] < 2) continue;
        for (int k = 0; k < counts[i]; k++) {
            rows[k] = entries[2 * k];
            rows[ROW_ENTRIES + k] = entries[2 * k + 1];
        }
        rows += 2 * ROW_ENTRIES;
    }
}

/* The same rows with masks. Returns how many masks each has, or 0 where languages and weights are the better form: the
   processor has no use for masks, or a row speaks for a language twice. */
EXPORT int32_t dragoman_parts_masks(const uint8_t *rows, int64_t count, int32_t width, uint8_t *out) {
    const int32_t masks = (width + 63) / 64;
    return vectors.mask_rows && vectors.mask_rows(rows, count, masks, out) ? masks : 0;
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

static void answer(const part_model *model, const passage *url, part_sums *sums, const part_answers *out, int64_t row) {
    float own[WIDEST], some[WIDEST];
    const int32_t width = model->reader.width;
    float *scores = out->scores ? out->scores + row * width : own;
    int context;
    const int known = score(model, url, sums, scores, &context);
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

static inline const passage *url_before(const passage *urls, int64_t row) {
    return row ? &urls[(row - 1) % BLOCK_ROWS] : NULL;
}

/* Scores of every row and language, NaN where nothing is known, and the row's context. Or, where `scores` is NULL, the
   best of the chosen languages and its probability, a softmax over them; -1 and NaN where nothing is known. Of one chosen
   language: 0 if it is the best of all, else 1, and its probability among all. Returns 0, or -1 where memory ran out. */
EXPORT int32_t dragoman_parts(const uint8_t *data, const int64_t *offsets, int64_t rows, const part_model *model,
                              const int32_t *chosen, int32_t choices, float temperature, float *scores,
                              uint8_t *contexts, int32_t *best, float *probability) {
    const part_answers out = {chosen, choices, temperature, scores, contexts, best, probability};
    part_sums sums;
    int32_t known_host = 0;
    const int64_t most = rows < BLOCK_ROWS ? rows : BLOCK_ROWS;
    block room;
    int32_t result = block_of(most, &room) ? 0 : -1;
    passage *urls = room.urls;
    for (int64_t row = 0, end; row < rows && result == 0; row = end) {
        end = row + BLOCK_ROWS < rows ? row + BLOCK_ROWS : rows;
        room.free_word = room.words;
        room.free_row = room.rows;
        for (int64_t i = row; i < end && result == 0; i++) {
            if (i + AHEAD < rows) prefetch_text(data + offsets[i + AHEAD]);
            if (!take_in(data + offsets[i], offsets[i + 1] - offsets[i], url_before(urls, i), &urls[i - row])) result = -1;
        }
        if (result) break;
        for (int64_t i = row; i < end; i++) find_parts(model, url_before(urls, i), &room, &urls[i - row]);
        for (int64_t i = row; i < end; i++) look_up_host(model, url_before(urls, i), &room, &urls[i - row]);
        for (int64_t i = row; i < end; i++) look_up_words(model, &known_host, &room, &urls[i - row]);
        for (int64_t i = row; i < end; i++) answer(model, &urls[i - row], &sums, &out, i);
    }
    block_free(&room, most);
    return result;
}
