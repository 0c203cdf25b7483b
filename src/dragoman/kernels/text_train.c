/* Training of the text model: stochastic gradient descent on the log loss of pieces of texts. The definition of what is
   learnt is dragoman/identifiers/text/algorithms/text_training.py. */
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Loops over the dimensions do the same to each of them, so that a wider vector gives the same bits. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#define WIDEST __attribute__((target_clones("avx2", "default")))
#else
#define WIDEST
#endif

enum { LANES = 16, WITHOUT_SPACES = 12 };

/* What is drawn: rows of texts in the order in which they are read, and how much of each. */
typedef struct {
    const uint8_t *data;
    const int64_t *offsets;
    const int32_t *labels; /* the class of each row */
    const int32_t *order;
    const uint8_t *cuts;   /* 0: all of it, 1: a word, 2: two words, 3: three to six */
    int64_t draws;
    const uint8_t *scripts;
    const int32_t *class_script;
    int32_t bits;
    uint64_t seed;
} drawing;

static inline float random_share(uint64_t *state) { /* xorshift64* */
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (float)(*state * UINT64_C(0x2545F4914F6CDD1D) >> 40) * (1.0f / 16777216.0f);
}

static inline int64_t random_below(uint64_t *state, int64_t end) {
    const int64_t place = (int64_t)(random_share(state) * (float)end);
    return place < end ? place : end - 1;
}

/* Leaves some words next to each other, or some letters where a script has no spaces. */
static int64_t cut(text_word *words, int64_t count, int how, uint64_t *state) {
    if (!how || !count) return count;
    int64_t letters = 0;
    for (int64_t i = 0; i < count; i++) letters += words[i].end - words[i].start;
    if (letters / count >= WITHOUT_SPACES) {
        text_word word = words[random_below(state, count)];
        const int64_t length = word.end - word.start;
        const int64_t wanted = how == 1 ? 2 + random_below(state, 3) : how == 2 ? 4 + random_below(state, 5) : 8 + random_below(state, 13);
        if (length > wanted) {
            word.start += random_below(state, length - wanted + 1);
            word.end = word.start + wanted;
        }
        words[0] = word;
        return 1;
    }
    const int64_t wanted = how < 3 ? how : 3 + random_below(state, 4);
    if (count <= wanted) return count;
    int64_t start = random_below(state, count - wanted + 1);
    for (int tries = 0; how == 1 && tries < 3 && words[start].end - words[start].start < 4; tries++)
        start = random_below(state, count);
    memmove(words, words + start, (size_t)wanted * sizeof *words);
    return wanted;
}

/* The words of a draw. Returns their number, and the letters that they have. */
static int64_t drawn_words(const drawing *from, int64_t draw, uint64_t *state, text_room *memory, int64_t *letters) {
    const int64_t row = from->order[draw], start = from->offsets[row];
    const int64_t count = text_letters(from->scripts, from->data + start, from->offsets[row + 1] - start, memory);
    int64_t words = text_words(from->scripts, memory->points, count, from->class_script[from->labels[row]], memory->words);
    words = cut(memory->words, words, from->cuts[draw], state);
    *letters = 0;
    for (int64_t i = 0; i < words; i++) *letters += memory->words[i].end - memory->words[i].start;
    return words;
}

/* Counts the buckets of all features that are drawn. Returns 0, or -1 where memory ran out. */
EXPORT int32_t dragoman_text_count(const drawing *from, uint32_t *counts) {
    text_room memory = {0};
    uint64_t state = from->seed;
    const int ready = text_reserve(&memory);
    for (int64_t draw = 0, letters; draw < from->draws && ready; draw++) {
        const int64_t words = drawn_words(from, draw, &state, &memory, &letters);
        for (int64_t i = 0; i < words; i++) {
            const int64_t features = word_features(memory.points, memory.words[i], memory.hashes);
            for (int64_t k = 0; k < features; k++) counts[memory.hashes[k] >> (64 - from->bits)]++;
        }
    }
    text_release(&memory);
    return ready ? 0 : -1;
}

/* What learns. `first` is as in text.c; rows begin with row 1. */
typedef struct {
    int32_t classes;
    const uint32_t *index;
    float *rows, *weights, *bias; /* DIMENSIONS each; DIMENSIONS for each class; LENGTHS * classes */
    const int32_t *first;
    word_list list;
    float *said;      /* what a word says about the class of each entry */
    float start, end; /* the rate falls from one to the other; the bias moves at a tenth of it */
    float faster;     /* than that what words say changes */
    float unheard;    /* the share of draws in which listed words say nothing, so that n-grams learn to do without them */
} learning;

WIDEST static void add_all(const float *table, const uint32_t *rows, int64_t count, float *sums) {
    for (int64_t i = 0; i < count; i++) {
        const float *row = table + (uint64_t)rows[i] * DIMENSIONS;
        for (int d = 0; d < DIMENSIONS; d++) sums[d] += row[d];
    }
}

WIDEST static void move_all(float *table, const uint32_t *rows, int64_t count, const float *by) {
    for (int64_t i = 0; i < count; i++) {
        float *row = table + (uint64_t)rows[i] * DIMENSIONS;
        for (int d = 0; d < DIMENSIONS; d++) row[d] -= by[d];
    }
}

WIDEST static float product(const float *weights, const float *mean) {
    float lanes[LANES] = {0}, total = 0;
    for (int d = 0; d < DIMENSIONS; d += LANES)
        for (int k = 0; k < LANES; k++) lanes[k] += weights[d + k] * mean[d + k];
    for (int k = 0; k < LANES; k++) total += lanes[k];
    return total;
}

WIDEST static void learn_class(float *weights, const float *mean, float wrong, float rate, float *gradient) {
    for (int d = 0; d < DIMENSIONS; d++) {
        gradient[d] += wrong * weights[d];
        weights[d] -= rate * wrong * mean[d];
    }
}

/* What is known of a draw: rows of its features, and numbers of its listed words. */
typedef struct {
    uint32_t *rows, *words;
    int64_t count, listed;
    int32_t truth;
    int length, script;
} known_draw;

/* Adds `factor` times what the words of a draw say to the classes of its script. */
static void hear_words(const learning *model, const known_draw *draw, float factor, float *values) {
    const int32_t first = model->first[draw->script], end = model->first[draw->script + 1];
    for (int64_t i = 0; i < draw->listed; i++)
        for (uint32_t k = model->list.entries[draw->words[i]]; k < model->list.entries[draw->words[i] + 1]; k++) {
            const int32_t c = model->list.classes[k];
            if (c >= first && c < end) values[c] += factor * model->said[k];
        }
}

/* Moves that by `factor` times what is wrong about these classes. */
static void correct_words(const learning *model, const known_draw *draw, float factor, const float *wrong) {
    const int32_t first = model->first[draw->script], end = model->first[draw->script + 1];
    for (int64_t i = 0; i < draw->listed; i++)
        for (uint32_t k = model->list.entries[draw->words[i]]; k < model->list.entries[draw->words[i] + 1]; k++) {
            const int32_t c = model->list.classes[k];
            if (c >= first && c < end) model->said[k] -= factor * wrong[c];
        }
}

/* One step on one draw. Returns its log loss. */
static float step(const learning *model, const known_draw *draw, float rate) {
    const uint32_t *rows = draw->rows;
    const int64_t count = draw->count;
    const int script = draw->script, length = draw->length;
    const int32_t truth = draw->truth;
    const float share = draw->listed ? 1.0f / sqrtf((float)draw->listed) : 0;
    float mean[DIMENSIONS] = {0}, gradient[DIMENSIONS] = {0}, values[MOST_CLASSES];
    const int32_t first = model->first[script], end = model->first[script + 1];
    const float root = sqrtf((float)count), scale = 1.0f / (root * sqrtf(root));
    float *bias = model->bias + length * model->classes, most = -1e30f, total = 0;
    add_all(model->rows, rows, count, mean);
    for (int d = 0; d < DIMENSIONS; d++) mean[d] *= scale;
    for (int32_t c = first; c < end; c++) {
        values[c] = bias[c] + product(model->weights + (int64_t)c * DIMENSIONS, mean);
    }
    hear_words(model, draw, share, values);
    for (int32_t c = first; c < end; c++) most = values[c] > most ? values[c] : most;
    for (int32_t c = first; c < end; c++) total += values[c] = expf(values[c] - most);
    const float loss = -logf(values[truth] / total + 1e-9f);
    for (int32_t c = first; c < end; c++) {
        const float wrong = values[c] = values[c] / total - (c == truth ? 1.0f : 0.0f);
        if (wrong < 1e-4f && wrong > -1e-4f) continue;
        learn_class(model->weights + (int64_t)c * DIMENSIONS, mean, wrong, rate, gradient);
        bias[c] -= rate * 0.1f * wrong;
    }
    for (int d = 0; d < DIMENSIONS; d++) gradient[d] *= rate * scale;
    move_all(model->rows, rows, count, gradient);
    correct_words(model, draw, rate * model->faster * share, values);
    return loss;
}

/* Goes through all draws once. Returns the mean log loss of those with several classes to choose from, or -1 where memory
   ran out. */
EXPORT double dragoman_text_descend(const drawing *from, const learning *model) {
    text_room memory = {0};
    uint64_t state = from->seed;
    double loss = 0;
    int64_t seen = 0;
    known_draw known = {0};
    known.rows = malloc((SAMPLE + 8 * PIECES) * GRAMS_PER_LETTER * sizeof *known.rows);
    known.words = malloc((SAMPLE + 8 * PIECES) * sizeof *known.words);
    const int ready = text_reserve(&memory) && known.rows && known.words;
    for (int64_t draw = 0, letters; draw < from->draws && ready; draw++) {
        known.truth = from->labels[from->order[draw]];
        known.script = from->class_script[known.truth];
        known.count = known.listed = 0;
        if (model->first[known.script + 1] - model->first[known.script] < 2) continue;
        const int64_t words = drawn_words(from, draw, &state, &memory, &letters);
        const int heard = random_share(&state) >= model->unheard;
        for (int64_t i = 0; i < words; i++) {
            const int64_t features = word_features(memory.points, memory.words[i], memory.hashes);
            const int64_t word = heard ? listed_word(&model->list, memory.words[i], memory.hashes, features) : -1;
            if (word >= 0) known.words[known.listed++] = (uint32_t)word;
            for (int64_t k = 0; k < features; k++) PREFETCH(model->index + (memory.hashes[k] >> (64 - from->bits)));
            for (int64_t k = 0; k < features; k++) {
                const uint32_t row = model->index[memory.hashes[k] >> (64 - from->bits)];
                if (!row) continue;
                for (int d = 0; d < DIMENSIONS; d += LANES) PREFETCH(model->rows + (uint64_t)row * DIMENSIONS + d);
                known.rows[known.count++] = row;
            }
        }
        if (!known.count) continue;
        known.length = length_class(letters);
        const float rate = model->start + (model->end - model->start) * ((float)draw / (float)from->draws);
        loss += step(model, &known, rate);
        seen++;
    }
    free(known.rows);
    free(known.words);
    text_release(&memory);
    return ready ? (seen ? loss / (double)seen : 0) : -1;
}
