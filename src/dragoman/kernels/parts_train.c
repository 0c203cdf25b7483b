/* Training of the parts: URLs become items once, then passes of stochastic gradient descent go over them. The definition
   of what is learnt is dragoman/identifiers/url/parts/training.py. */
#include "parts.h"

#include <math.h>
#include <stdlib.h>

/* An item: its kind in the upper three bits, a row or a number in the others. The n-grams of a word of the path follow
   it, known or not. */
enum {
    ITEM_HOST_GRAM = 0,
    ITEM_PATH_GRAM,
    ITEM_HOST_WORD,
    ITEM_PATH_WORD,
    ITEM_UNKNOWN,
    ITEM_SCRIPT,
    ITEM_SILENT, /* an n-gram of the host whose row was not kept: it counts, and says nothing */
    ITEM_TEXT,   /* an n-gram of a word of the host as it is in paths */
    ITEM_BITS = 29
};

static inline uint32_t item(uint32_t kind, uint32_t value) { return kind << ITEM_BITS | value; }

/* Writes the items of one URL, or counts them where `out` is NULL. */
static int64_t write_items(const line *url, const url_parts *found, const word_table *words, const int32_t *bits,
                           uint32_t *rows, uint32_t *out) {
    int64_t n = 0;
#define PUT(kind, value)                             \
    do {                                             \
        if (out) out[n] = item((kind), (value));     \
        n++;                                         \
    } while (0)
    for (int i = 0; i < found->host_words; i++) {
        const int64_t grams = host_gram_buckets(url, &found->host[i], bits[0], rows);
        for (int64_t k = 0; k < grams; k++) PUT(ITEM_HOST_GRAM, rows[k]);
        const uint32_t number = look_up_word(words, found->host[i].key);
        if (number != UINT32_MAX) PUT(ITEM_HOST_WORD, number);
        const int64_t texts = path_gram_buckets(url, &found->host[i], bits[1], rows);
        for (int64_t k = 0; k < texts; k++) PUT(ITEM_TEXT, rows[k]);
    }
    for (int i = 0; i < found->path_words; i++) {
        const uint32_t number = look_up_word(words, found->path[i].key);
        if (number != UINT32_MAX) PUT(ITEM_PATH_WORD, number);
        else PUT(ITEM_UNKNOWN, 0);
        const int64_t grams = path_gram_buckets(url, &found->path[i], bits[1], rows);
        for (int64_t k = 0; k < grams; k++) PUT(ITEM_PATH_GRAM, rows[k]);
    }
    for (int i = 0; i < found->scripts; i++) PUT(ITEM_SCRIPT, found->script[i]);
#undef PUT
    return n;
}

/* The items of every URL, behind each other from indptr[row] on; where `items` is NULL only indptr is written. `places`
   and `meanings` have MOST_CODES for each row (-1: none), `sites` and `domains` one. Returns their number, or -1 where
   memory ran out. */
EXPORT int64_t dragoman_parts_items(const uint8_t *data, const int64_t *offsets, int64_t count, const part_reader *reader,
                                    const uint64_t *word_slots, int64_t slot_count, const int32_t *bits, int64_t *indptr,
                                    uint32_t *items, int8_t *places, int16_t *meanings, int16_t *sites,
                                    int16_t *domains) {
    scratch memory = {0};
    found_word *room = malloc(WORD_ROOM * sizeof *room);
    uint32_t *rows = malloc(PATH_ROOM * sizeof *rows);
    const word_table words = {word_slots, slot_count};
    int64_t n = room && rows ? 0 : -1;
    indptr[0] = 0;
    for (int64_t row = 0; row < count && n >= 0; row++) {
        const int64_t length = offsets[row + 1] - offsets[row];
        if (!scratch_reserve(&memory, length + 1)) {
            n = -1;
            break;
        }
        line url;
        url_parts found;
        read_line(data + offsets[row], length, &memory, &url);
        read_parts(reader, &url, NULL, room, &found);
        n += write_items(&url, &found, &words, bits, rows, items ? items + n : NULL);
        indptr[row + 1] = n;
        if (!items) continue;
        for (int i = 0; i < MOST_CODES; i++) {
            const int32_t meaning = i < found.codes ? meaning_of(reader, &found.code[i]) : -1;
            meanings[row * MOST_CODES + i] = (int16_t)meaning;
            places[row * MOST_CODES + i] = (int8_t)(meaning < 0 ? -1 : found.code[i].position);
        }
        sites[row] = (int16_t)found.site;
        domains[row] = (int16_t)found.domain;
    }
    free(room);
    free(rows);
    scratch_free(&memory);
    return n;
}

/* What learns, in float; dragoman/kernels/parts.py has the same fields. */
typedef struct {
    int32_t width, meaning_entries;
    float *host_rows;               /* rows * COMMON */
    const uint8_t *host_languages;  /* the common languages; NO_LANGUAGE where there are fewer */
    float *path_rows;               /* rows * width */
    const uint8_t *path_kept;       /* NULL, or 1 where a weight is left and learns */
    const int64_t *word_starts;
    const uint8_t *word_languages;
    float *word_weights;
    float *domains;
    const uint8_t *domain_kinds;
    const int32_t *script_starts;
    const uint8_t *script_languages;
    const float *script_weights;
    const int32_t *meaning_starts;
    const uint8_t *meaning_languages;
    const float *meaning_weights;
    float *gates, *bias;
    float site_weight;
} learning;

/* How a pass goes: rates of the parts, and chances. */
typedef struct {
    float start, end; /* the rate falls from one to the other */
    float gram, text, word, host_word, domain, gate, bias; /* times this */
    float word_kept;   /* the chance that a word of the path is read as a word, not as n-grams */
    float site_kept;   /* that a known site is known */
    float host_dropped; /* that nothing of the host but its domain is read */
    float domain_dropped; /* else, that a domain of one or several languages is not */
} pace;

static inline float random_share(uint64_t *state) { /* xorshift64* */
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (float)(*state * UINT64_C(0x2545F4914F6CDD1D) >> 40) * (1.0f / 16777216.0f);
}

typedef struct {
    float sums[WEIGHED][WIDEST], fixed[WIDEST], scale[WEIGHED];
    uint32_t host_gram[HOST_ROOM], path_gram[PATH_ROOM], text_gram[PATH_ROOM], host_word[SITE_WORDS], path_word[SITE_WORDS];
    int64_t count[WEIGHED];
    int32_t domain, site;
    int context;
} evidence;

static void add_dense(const float *table, int32_t width, const uint32_t *rows, int64_t count, float *sums) {
    for (int64_t i = 0; i < count; i++) {
        const float *row = table + (uint64_t)rows[i] * (uint64_t)width;
        for (int32_t j = 0; j < width; j++) sums[j] += row[j];
    }
}

static void add_entries(const learning *model, const uint32_t *words, int64_t count, float *sums) {
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = model->word_starts[words[i]]; k < model->word_starts[words[i] + 1]; k++)
            sums[model->word_languages[k]] += model->word_weights[k];
}

static void gather(const learning *model, const uint32_t *items, int64_t n, const int8_t *places, const int16_t *meanings,
                   int32_t site, int32_t domain, const pace *how, uint64_t *state, evidence *out) {
    const int32_t width = model->width;
    int known = 1, path_words = 0, coded = 0;
    int64_t silent = 0;
    const int drop_host = how->host_dropped > 0 && random_share(state) < how->host_dropped;
    if (!drop_host && domain >= 0 && model->domain_kinds[domain] != ANY_LANGUAGE && how->domain_dropped > 0 &&
        random_share(state) < how->domain_dropped)
        domain = -1;
    memset(out->count, 0, sizeof out->count);
    memset(out->fixed, 0, sizeof out->fixed);
    memset(out->sums, 0, sizeof out->sums);
    for (int64_t i = 0; i < n; i++) {
        const uint32_t value = items[i] & ((UINT32_C(1) << ITEM_BITS) - 1);
        switch (items[i] >> ITEM_BITS) {
        case ITEM_HOST_GRAM:
            if (!drop_host) out->host_gram[out->count[HOST_GRAMS]++] = value;
            break;
        case ITEM_PATH_GRAM:
            if (!known) out->path_gram[out->count[PATH_GRAMS]++] = value;
            break;
        case ITEM_HOST_WORD:
            if (!drop_host) out->host_word[out->count[HOST_WORDS]++] = value;
            break;
        case ITEM_PATH_WORD:
            path_words++;
            known = random_share(state) < how->word_kept;
            if (known) out->path_word[out->count[PATH_WORDS]++] = value;
            break;
        case ITEM_UNKNOWN:
            path_words++;
            known = 0;
            break;
        case ITEM_TEXT:
            if (!drop_host) out->text_gram[out->count[HOST_TEXT]++] = value;
            break;
        case ITEM_SILENT:
            silent += !drop_host;
            break;
        default:
            for (int32_t k = model->script_starts[value]; k < model->script_starts[value + 1]; k++)
                out->fixed[model->script_languages[k]] += model->script_weights[k];
        }
    }
    const int32_t *starts = model->meaning_starts;
    for (int i = 0; i < MOST_CODES; i++)
        if (places[i] >= 0) {
            const float *weights = model->meaning_weights + (int64_t)places[i] * model->meaning_entries;
            coded = 1;
            for (int32_t k = starts[meanings[i]]; k < starts[meanings[i] + 1]; k++)
                out->fixed[model->meaning_languages[k]] += weights[k];
        }
    out->site = site >= 0 && random_share(state) < how->site_kept ? site : -1;
    out->domain = domain;
    float common[COMMON] = {0};
    add_dense(model->host_rows, COMMON, out->host_gram, out->count[HOST_GRAMS], common);
    for (int k = 0; k < COMMON; k++) out->sums[HOST_GRAMS][model->host_languages[k]] += common[k];
    add_dense(model->path_rows, width, out->path_gram, out->count[PATH_GRAMS], out->sums[PATH_GRAMS]);
    add_dense(model->path_rows, width, out->text_gram, out->count[HOST_TEXT], out->sums[HOST_TEXT]);
    add_entries(model, out->host_word, out->count[HOST_WORDS], out->sums[HOST_WORDS]);
    add_entries(model, out->path_word, out->count[PATH_WORDS], out->sums[PATH_WORDS]);
    for (int part = 0; part <= HOST_TEXT; part++) {
        const int64_t all = out->count[part] + (part == HOST_GRAMS ? silent : 0);
        out->scale[part] = all ? 1.0f / sqrtf((float)all) : 0;
        for (int32_t j = 0; j < width; j++) out->sums[part][j] *= out->scale[part];
    }
    if (domain >= 0) memcpy(out->sums[DOMAIN], model->domains + (int64_t)domain * width, (size_t)width * sizeof(float));
    if (out->site >= 0) out->sums[SITE][out->site] = model->site_weight;
    out->context = context_of(path_words, domain < 0 ? ANY_LANGUAGE : model->domain_kinds[domain], coded);
}

static void move_dense(float *table, const uint8_t *kept, int32_t width, const uint32_t *rows, int64_t count, float rate,
                       const float *gradient) {
    for (int64_t i = 0; i < count; i++) {
        const uint64_t first = (uint64_t)rows[i] * (uint64_t)width;
        float *row = table + first;
        if (kept)
            for (int32_t j = 0; j < width; j++) row[j] -= rate * gradient[j] * (float)kept[first + (uint64_t)j];
        else
            for (int32_t j = 0; j < width; j++) row[j] -= rate * gradient[j];
    }
}

static void move_entries(const learning *model, const uint32_t *words, int64_t count, float rate, const float *gradient) {
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = model->word_starts[words[i]]; k < model->word_starts[words[i] + 1]; k++)
            model->word_weights[k] -= rate * gradient[model->word_languages[k]];
}

/* Moves everything against the gradient of the log loss. */
static void learn(const learning *model, const pace *how, const evidence *url, float rate, float host_share,
                  const float *gradient) {
    const int32_t width = model->width;
    float *gates = model->gates + url->context * WEIGHED;
    for (int32_t j = 0; j < width; j++) model->bias[j] -= how->bias * rate * gradient[j];
    float common[COMMON];
    for (int k = 0; k < COMMON; k++) common[k] = gradient[model->host_languages[k]];
    move_dense(model->host_rows, NULL, COMMON, url->host_gram, url->count[HOST_GRAMS],
               rate * host_share * how->gram * url->scale[HOST_GRAMS] * gates[HOST_GRAMS], common);
    move_dense(model->path_rows, model->path_kept, width, url->path_gram, url->count[PATH_GRAMS],
               rate * how->gram * url->scale[PATH_GRAMS] * gates[PATH_GRAMS], gradient);
    if (how->text > 0)
        move_dense(model->path_rows, model->path_kept, width, url->text_gram, url->count[HOST_TEXT],
                   rate * host_share * how->text * url->scale[HOST_TEXT] * gates[HOST_TEXT], gradient);
    move_entries(model, url->path_word, url->count[PATH_WORDS],
                 rate * how->word * url->scale[PATH_WORDS] * gates[PATH_WORDS], gradient);
    move_entries(model, url->host_word, url->count[HOST_WORDS],
                 rate * host_share * how->host_word * url->scale[HOST_WORDS] * gates[HOST_WORDS], gradient);
    if (url->domain >= 0) {
        float *row = model->domains + (int64_t)url->domain * width;
        for (int32_t j = 0; j < width; j++) row[j] -= rate * how->domain * gates[DOMAIN] * gradient[j];
    }
    for (int part = 0; part < WEIGHED; part++) {
        float slope = 0;
        for (int32_t j = 0; j < width; j++) slope += gradient[j] * url->sums[part][j];
        gates[part] -= rate * how->gate * (slope > 4 ? 4 : slope < -4 ? -4 : slope);
        if (gates[part] < 0) gates[part] = 0;
    }
}

#define LEAST_BELIEF 1e-6f /* what does not fit at all still moves a little */

static void prefetch_items(const learning *model, const uint32_t *items, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        const uint64_t row = items[i] & ((UINT32_C(1) << ITEM_BITS) - 1), kind = items[i] >> ITEM_BITS;
        if (kind == ITEM_HOST_GRAM) PREFETCH(model->host_rows + row * COMMON);
        else if (kind == ITEM_PATH_GRAM || kind == ITEM_TEXT) PREFETCH(model->path_rows + row * (uint64_t)model->width);
    }
}

/* One pass over the rows in `order`. Of a row's host n-grams and words learn as much as host_share[row] says. Where a
   label is doubted, a row moves by the power doubt[row] of the label's probability: less the less it fits. Returns the
   mean log loss, or -1 where memory ran out. */
EXPORT double dragoman_parts_descend(const int64_t *indptr, const uint32_t *items, const int8_t *places,
                                     const int16_t *meanings, const int16_t *sites, const int16_t *domains,
                                     const int32_t *labels, const float *importance, const float *host_share,
                                     const float *doubt, const int64_t *order, int64_t n,
                                     const learning *model, const pace *how, uint64_t seed) {
    const int32_t width = model->width;
    evidence *url = malloc(sizeof *url);
    if (!url) return -1;
    float scores[WIDEST];
    uint64_t state = seed | 1;
    double loss = 0, weight = 0;
    for (int64_t step = 0; step < n; step++) {
        const int64_t row = order[step];
        if (step + 2 < n) {
            const int64_t ahead = order[step + 2];
            prefetch_items(model, items + indptr[ahead], indptr[ahead + 1] - indptr[ahead]);
        }
        gather(model, items + indptr[row], indptr[row + 1] - indptr[row], places + row * MOST_CODES,
               meanings + row * MOST_CODES, sites[row], domains[row], how, &state, url);
        const float *gates = model->gates + url->context * WEIGHED;
        float most = -INFINITY, total = 0;
        for (int32_t j = 0; j < width; j++) {
            scores[j] = model->bias[j] + url->fixed[j];
            for (int part = 0; part < WEIGHED; part++) scores[j] += gates[part] * url->sums[part][j];
            if (scores[j] > most) most = scores[j];
        }
        for (int32_t j = 0; j < width; j++) {
            scores[j] = expf(scores[j] - most);
            total += scores[j];
        }
        const float rate = (how->start + (how->end - how->start) * (float)((double)step / (double)n)) * importance[row];
        loss -= (double)(logf(scores[labels[row]] / total + 1e-30f) * importance[row]);
        weight += (double)importance[row];
        const float belief = doubt[row] > 0 ? powf(scores[labels[row]] / total + LEAST_BELIEF, doubt[row]) : 1.0f;
        for (int32_t j = 0; j < width; j++) scores[j] = belief * (scores[j] / total - (j == labels[row] ? 1.0f : 0.0f));
        scores[NO_LANGUAGE] = 0;
        learn(model, how, url, rate, host_share[row], scores);
    }
    free(url);
    return weight > 0 ? loss / weight : 0;
}
