/* The text model: from UTF-8 bytes to scores in one pass. The definition is dragoman/identifiers/text/grams.py (words and
   features) and dragoman/identifiers/text/algorithms/text.py (scores). */
#include "text.h"
#include "vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ONE_IN = 25, LISTED = 2048, SHORT = 256, FEW_WORDS = 5, NAMED = 1, CODED = 2, SURELY = 4, SURER = 100,
       FREE_FROM = 4 };
enum { HELD = 5, FIRST_THAI = 0xE00 };

/* The score of a language that is not written in a text's script. */
#define OUTSIDE (-1000.0f)
/* What a class loses at most for letters that it lacks: all of it where one in ONE_IN is such a letter. */
#define VETO 6.0f

/* The model as it is handed over: dragoman/kernels/text.py has the same fields. Classes are ordered by script. */
typedef struct {
    int32_t bits, languages, columns, classes; /* of the index; columns: languages, then kinds of text in none */
    float sharpness, slope, named, coded;
    int32_t names, codes; /* columns to which these two are added where a text looks so; -1: there is none */
    const uint8_t *scripts;  /* SCRIPT_POINTS */
    const uint32_t *index;   /* bucket -> 0 (not known) or a row */
    const int8_t *rows;      /* DIMENSIONS for each */
    const float *weights;    /* DIMENSIONS * classes */
    const float *bias;       /* LENGTHS * classes */
    const int32_t *column;   /* of each class */
    const int32_t *first;    /* class of each script, and the number of classes behind the last: MOST_SCRIPTS + 1 */
    word_list list;
    const int8_t *said;      /* what a word says about the class of each entry, in steps */
    float step;
    const uint16_t *strange; /* code point -> 0, or the number of a row of `lacking`, from 1 */
    const uint8_t *lacking;  /* classes for each: 1 where the class lacks the letter */
} text_model;

/* The next code point; a byte that is not part of valid UTF-8 stands for its Latin-1 character. */
static inline uint32_t next_point(const uint8_t *bytes, int64_t length, int64_t *at) {
    const uint32_t lead = bytes[(*at)++];
    if (lead < 0x80) return lead;
    const int more = lead >= 0xC2 && lead <= 0xDF ? 1 : (lead & 0xF0) == 0xE0 ? 2 : lead >= 0xF0 && lead <= 0xF4 ? 3 : 0;
    uint32_t point = more == 1 ? lead & 0x1F : more == 2 ? lead & 0x0F : lead & 0x07;
    int good = more > 0 && *at + more <= length;
    for (int i = 0; i < more && good; i++) {
        good = (bytes[*at + i] & 0xC0) == 0x80;
        point = point << 6 | (bytes[*at + i] & 0x3F);
    }
    if (good && ((more == 2 && (point < 0x800 || (point >= 0xD800 && point <= 0xDFFF))) ||
                 (more == 3 && (point < 0x10000 || point > 0x10FFFF))))
        good = 0;
    if (good) *at += more;
    return good ? point : lead;
}

/* The lower case of a letter, 0 for what is no letter or an apostrophe that Unicode calls one. */
static inline uint32_t lower_letter(uint32_t point) {
    if (point < 0x80) {
        const uint32_t low = point | 0x20;
        return low >= 'a' && low <= 'z' ? low : 0;
    }
    const uint32_t letter = fold(point);
    return letter >= 0x2B9 && letter <= 0x2BC ? 0 : letter;
}

/* 1 for what may stand between the words of a sentence: spaces, commas, hyphens, apostrophes, digits. */
static int is_quiet(uint32_t point) {
    return point == ' ' || point == ',' || point == '-' || point == '\'' || point == 0xA0 || point == 0x2019 ||
           (point >= '0' && point <= '9');
}

static int64_t read_letters(const uint8_t *bytes, int64_t length, uint32_t *points, uint8_t *marks) {
    int64_t n = 0, at = 0;
    while (at < length) {
        const uint32_t point = next_point(bytes, length, &at), letter = lower_letter(point);
        marks[n] = letter ? (letter != point ? CAPITAL : 0) : is_quiet(point) ? 0 : BREAK;
        points[n++] = letter;
    }
    return n;
}

static int is_sign(uint32_t point) {
    static const uint8_t signs[0x80] = {['_'] = 1, ['/'] = 1, ['\\'] = 1, ['='] = 1, ['<'] = 1, ['>'] = 1,
                                        ['{'] = 1, ['}'] = 1, ['['] = 1, [']'] = 1, ['@'] = 1, ['#'] = 1,
                                        ['$'] = 1, ['%'] = 1, ['^'] = 1, ['|'] = 1, ['~'] = 1};
    return point < 0x80 && signs[point];
}

/* What a short text looks like: NAMED where it has two to five words and each begins with a capital letter; CODED where
   it has at most five words and a number or a sign of programs among them, or one to every two words, or at most five
   words in capital letters only. A longer text is CODED where its beginning has as many signs of programs as it has words
   that are read, and SURELY so: n-grams that are repeated a thousand times speak loud. */
static int long_looks(const uint8_t *bytes, int64_t length, int64_t words) {
    int64_t signs = 0;
    for (int64_t i = 0; i < length && i < SAMPLE; i++) signs += is_sign(bytes[i]);
    return signs >= words ? CODED | SURELY : 0;
}

static int looks_of(const uint8_t *bytes, int64_t length) {
    int64_t at = 0, words = 0, signs = 0;
    int named = 1, capitals = 1;
    uint32_t before = 0, last = 0;
    while (at < length) {
        const uint32_t point = next_point(bytes, length, &at), letter = lower_letter(point);
        const int digit = point >= '0' && point <= '9', behind = last >= '0' && last <= '9';
        signs += (digit && !behind) || is_sign(point);
        if (letter && !before) {
            words++;
            named &= letter != point;
        }
        capitals &= !letter || letter != point;
        before = letter;
        last = point;
    }
    if (!words) return 0;
    if (words > FEW_WORDS) return 2 * signs >= words ? CODED : 0;
    return (named && words > 1 ? NAMED : 0) | (signs || capitals ? CODED : 0);
}

/* Where a piece may begin or end: not inside a character. */
static int64_t between(const uint8_t *bytes, int64_t length, int64_t at) {
    for (int i = 0; i < 3 && at < length && (bytes[at] & 0xC0) == 0x80; i++) at++;
    return at;
}

/* The Cyrillic letter that looks like a Latin one, or the letter itself. */
static uint32_t alike(uint32_t letter) {
    static const uint32_t pairs[][2] = {{'a', 0x430}, {'b', 0x432}, {'c', 0x441}, {'e', 0x435}, {'h', 0x43D}, {'i', 0x456},
                                        {'j', 0x458}, {'k', 0x43A}, {'m', 0x43C}, {'o', 0x43E}, {'p', 0x440}, {'s', 0x455},
                                        {'t', 0x442}, {'x', 0x445}, {'y', 0x443}, {0xE6, 0x4D5}, {0x103, 0x4D1}, {0x115, 0x4D7}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] == letter) return pairs[i][1];
    return letter;
}

static void mend_cyrillic(const uint8_t *scripts, uint32_t *points, int64_t count) {
    for (int64_t at = 0; at < count;) {
        int cyrillic = 0, latin = 0;
        const int64_t start = at;
        for (; at < count && points[at]; at++) {
            const int script = script_at(scripts, points[at]);
            cyrillic |= script == CYRILLIC_SCRIPT;
            latin |= script == LATIN_SCRIPT;
        }
        if (cyrillic && latin)
            for (int64_t i = start; i < at; i++) points[i] = alike(points[i]);
        at += at == start;
    }
}

int64_t text_letters(const uint8_t *scripts, const uint8_t *bytes, int64_t length, text_room *memory) {
    uint32_t *points = memory->points;
    uint8_t *marks = memory->marks;
    int64_t n = 0;
    if (length <= SAMPLE)
        n = read_letters(bytes, length, points, marks);
    else {
        const int64_t size = SAMPLE / PIECES, apart = (length - size) / (PIECES - 1);
        for (int i = 0; i < PIECES; i++) {
            const int64_t start = between(bytes, length, apart * i), end = between(bytes, length, apart * i + size);
            n += read_letters(bytes + start, end - start, points + n, marks + n);
            marks[n] = BREAK;
            points[n++] = 0;
        }
    }
    mend_cyrillic(scripts, points, n);
    return n;
}

int text_script(const uint8_t *scripts, const uint32_t *points, int64_t count) {
    int64_t letters[MOST_SCRIPTS] = {0}, most = 0;
    int other = -1;
    for (int64_t i = 0; i < count; i++) {
        if (!points[i]) continue;
        const int script = script_at(scripts, points[i]);
        if (script < MOST_SCRIPTS) letters[script]++;
    }
    const int64_t latin = letters[LATIN_SCRIPT];
    for (int script = 0; script < MOST_SCRIPTS; script++)
        if (script != LATIN_SCRIPT && letters[script] > most) {
            most = letters[script];
            other = script;
        }
    if (most && (most * 3 >= latin || (most >= 15 && most * 9 >= latin))) return other;
    return latin ? LATIN_SCRIPT : -1;
}

int64_t text_words(const uint8_t *scripts, const uint32_t *points, int64_t count, int script, text_word *words) {
    int64_t n = 0;
    for (int64_t at = 0; at < count;) {
        if (!points[at]) {
            at++;
            continue;
        }
        const int own = script_at(scripts, points[at]);
        const int64_t start = at++;
        while (at < count && points[at]) {
            const int next = script_at(scripts, points[at]);
            if (next != own && next != NO_SCRIPT) break;
            at++;
        }
        if (own == script) words[n++] = (text_word){start, at};
    }
    return n;
}

int64_t word_features(const uint32_t *points, text_word word, uint64_t *hashes) {
    int64_t n = 0;
    for (int64_t last = word.start; last < word.end; last++) {
        const int64_t least = last - word.start + 1 < LONGEST_GRAM ? word.start : last - LONGEST_GRAM + 1;
        uint64_t hash = GRAM_SEED;
        for (int64_t i = last; i >= least; i--) hashes[n++] = hash = longer(hash, points[i]);
        if (last - word.start + 2 <= LONGEST_GRAM) hashes[n++] = longer(hash, BOUNDARY);
    }
    uint64_t hash = longer(GRAM_SEED, BOUNDARY); /* what ends behind the word */
    const int64_t length = word.end - word.start;
    for (int64_t i = 1; i <= length && i <= LONGEST_WORD; i++) {
        hash = longer(hash, points[word.end - i]);
        if (i < LONGEST_GRAM) hashes[n++] = hash;
        if (i == length) hashes[n++] = longer(hash, BOUNDARY); /* the whole word with both its boundaries */
    }
    return n;
}

int text_reserve(text_room *memory) {
    const size_t most = SAMPLE + 8 * PIECES;
    memory->points = malloc(most * sizeof *memory->points);
    memory->marks = malloc(most * sizeof *memory->marks);
    memory->hashes = malloc((most * GRAMS_PER_LETTER + 8) * sizeof *memory->hashes);
    memory->words = malloc(most * sizeof *memory->words);
    return memory->points && memory->marks && memory->hashes && memory->words;
}

void text_release(text_room *memory) {
    free(memory->points);
    free(memory->marks);
    free(memory->hashes);
    free(memory->words);
}

/* What stands for every row's words: the buckets of their features, or, where there are no bits of a bucket, the keys of
   the words that can be listed. Returns their number, or -1 where memory ran out. */
static int64_t rows_of_words(const uint8_t *data, const int64_t *offsets, int64_t rows, const uint8_t *scripts, int32_t bits,
                             int64_t *indptr, uint32_t *values) {
    text_room memory = {0};
    int64_t n = 0;
    const int ready = text_reserve(&memory);
    indptr[0] = 0;
    for (int64_t row = 0; row < rows && ready; row++) {
        const int64_t letters = text_letters(scripts, data + offsets[row], offsets[row + 1] - offsets[row], &memory);
        const int script = text_script(scripts, memory.points, letters);
        const int64_t words = script < 0 ? 0 : text_words(scripts, memory.points, letters, script, memory.words);
        for (int64_t i = 0; i < words; i++) {
            const int64_t features = word_features(memory.points, memory.words[i], memory.hashes);
            for (int64_t k = 0; bits && k < features; k++) values[n++] = (uint32_t)(memory.hashes[k] >> (64 - bits));
            if (!bits && memory.words[i].end - memory.words[i].start <= LONGEST_WORD)
                values[n++] = (uint32_t)(memory.hashes[features - 1] >> 32);
        }
        indptr[row + 1] = n;
    }
    text_release(&memory);
    return ready ? n : -1;
}

/* The buckets of every row's features. Row i has buckets[indptr[i] .. indptr[i + 1]); at most GRAMS_PER_LETTER for each
   byte. Returns their number, or -1 where memory ran out. */
EXPORT int64_t dragoman_text_buckets(const uint8_t *data, const int64_t *offsets, int64_t rows, const uint8_t *scripts,
                                     int32_t bits, int64_t *indptr, uint32_t *buckets) {
    return rows_of_words(data, offsets, rows, scripts, bits, indptr, buckets);
}

/* The keys of every row's words that can be listed. Row i has keys[indptr[i] .. indptr[i + 1]); at most one for each byte.
   Returns their number, or -1 where memory ran out. */
EXPORT int64_t dragoman_text_keys(const uint8_t *data, const int64_t *offsets, int64_t rows, const uint8_t *scripts,
                                  int64_t *indptr, uint32_t *keys) {
    return rows_of_words(data, offsets, rows, scripts, 0, indptr, keys);
}

/* The script that each row is written in, -1 where there is none. Returns 0, or -1 where memory ran out. */
EXPORT int32_t dragoman_text_scripts(const uint8_t *data, const int64_t *offsets, int64_t rows, const uint8_t *scripts,
                                     int32_t *script) {
    text_room memory = {0};
    const int ready = text_reserve(&memory);
    for (int64_t row = 0; row < rows && ready; row++) {
        const int64_t letters = text_letters(scripts, data + offsets[row], offsets[row + 1] - offsets[row], &memory);
        script[row] = text_script(scripts, memory.points, letters);
    }
    text_release(&memory);
    return ready ? 0 : -1;
}

/* What is known of a text: the script, the number of its features that are known, and the sum of their rows; the number of
   its words that are listed, and what they say about each class of the script; its letters, and how many of them each class
   of the script lacks, if any does. All of these are halves, of which names have one and other words two. */
typedef struct {
    int script, length, looks, strange, free; /* free: strange letters that a name may have brought */
    int64_t known, listed, letters;
    int32_t sums[DIMENSIONS], said[MOST_CLASSES], lacking[MOST_CLASSES];
} reading;

/* Counts the letters of a word, in halves, that classes of the text's script lack. ASCII letters are nobody's. */
static void count_strange(const text_model *model, const uint32_t *points, text_word word, int32_t halves, reading *text) {
    const int32_t first = model->first[text->script], end = model->first[text->script + 1];
    for (int64_t i = word.start; i < word.end; i++) {
        if (points[i] < 0x80 || points[i] >= SCRIPT_POINTS || !model->strange[points[i]]) continue;
        const uint8_t *lacking = model->lacking + (int64_t)(model->strange[points[i]] - 1) * model->classes;
        if (!text->strange) memset(text->lacking + first, 0, (size_t)(end - first) * sizeof *text->lacking);
        text->strange = 1;
        for (int32_t c = first; c < end; c++) text->lacking[c] += halves * lacking[c];
    }
}

/* Adds what a word says; it can be listed for classes of another script only by a key that two words share. */
static void hear_word(const text_model *model, int64_t word, int32_t halves, reading *text) {
    if (word < 0) return;
    text->listed += halves;
    for (uint32_t i = model->list.entries[word]; i < model->list.entries[word + 1]; i++)
        text->said[model->list.classes[i]] += halves * model->said[i];
}

/* 1 where there is something to read: two letters, and, of fewer than 20, more letters than digits. */
static int says_something(const uint8_t *bytes, int64_t size, int64_t letters) {
    int64_t digits = 0;
    if (letters >= 20) return 1;
    for (int64_t i = 0; i < size && i < SHORT; i++) digits += bytes[i] >= '0' && bytes[i] <= '9';
    return letters >= 2 && letters > digits;
}

/* 1 for a word with a letter HELD times in a row, in scripts with spaces. */
static int is_held(const uint32_t *points, text_word word) {
    int run = 1;
    for (int64_t i = word.start + 1; i < word.end; i++) {
        run = points[i] == points[i - 1] && points[i] < FIRST_THAI ? run + 1 : 1;
        if (run == HELD) return 1;
    }
    return 0;
}

/* Leaves out words in which a key was held down, and those that are the same as the one before: what repeats itself says no
   more than once. Returns how many stay. */
static int64_t without_repeats(const uint32_t *points, text_word *words, int64_t count) {
    int64_t n = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t size = words[i].end - words[i].start;
        if (is_held(points, words[i])) continue;
        if (n && size == words[n - 1].end - words[n - 1].start &&
            !memcmp(points + words[i].start, points + words[n - 1].start, (size_t)size * sizeof *points))
            continue;
        words[n++] = words[i];
    }
    return n;
}

/* 1 for a word that stands as names do: it begins with a capital letter, and a word of its sentence is before it. */
static int is_named(const text_room *memory, text_word word) {
    if (!(memory->marks[word.start] & CAPITAL)) return 0;
    int64_t at = word.start - 1;
    while (at >= 0 && !memory->points[at] && !(memory->marks[at] & BREAK)) at--;
    return at >= 0 && memory->points[at];
}

/* 1 where some word begins with a small letter. */
static int has_small(const text_room *memory, int64_t words) {
    for (int64_t i = 0; i < words; i++)
        if (!(memory->marks[memory->words[i].start] & CAPITAL)) return 1;
    return 0;
}

static void read_text(const text_model *model, const uint8_t *bytes, int64_t size, text_room *memory, reading *text) {
    uint32_t listed[2][LISTED]; /* of names, and of other words */
    int64_t count[2] = {0}, total = 0;
    const int shift = 64 - model->bits;
    const int64_t letters = text_letters(model->scripts, bytes, size, memory);
    memset(text, 0, sizeof *text - sizeof text->said - sizeof text->lacking);
    text->script = text_script(model->scripts, memory->points, letters);
    if (text->script < 0 || model->first[text->script] == model->first[text->script + 1]) return;
    const int64_t all = text_words(model->scripts, memory->points, letters, text->script, memory->words);
    const int64_t words = without_repeats(memory->points, memory->words, all);
    for (int64_t i = 0; i < words; i++) total += memory->words[i].end - memory->words[i].start;
    if (!says_something(bytes, size, total)) return;
    memset(text->said, 0, (size_t)model->classes * sizeof *text->said);
    const int small = has_small(memory, words);
    for (int64_t i = 0; i < words; i++) {
        const text_word word = memory->words[i];
        const int whole = !(small && is_named(memory, word));
        const int64_t features = word_features(memory->points, word, memory->hashes);
        for (int64_t k = 0; k < features; k++) PREFETCH(model->index + (memory->hashes[k] >> shift));
        PREFETCH(model->list.bucket + (memory->hashes[features - 1] >> (64 - WORD_BITS)));
        for (int64_t k = 0; k < features; k++) {
            const uint32_t row = model->index[memory->hashes[k] >> shift];
            if (!row) continue;
            PREFETCH(model->rows + (uint64_t)row * DIMENSIONS);
            listed[whole][count[whole]++] = row;
            text->known += whole + 1;
            if (count[whole] == LISTED) {
                vectors.add_rows(model->rows, DIMENSIONS, listed[whole], LISTED, whole + 1, text->sums);
                count[whole] = 0;
            }
        }
        hear_word(model, listed_word(&model->list, word, memory->hashes, features), whole + 1, text);
        count_strange(model, memory->points, word, whole + 1, text);
        text->letters += (whole + 1) * (word.end - word.start);
    }
    for (int whole = 0; whole < 2; whole++)
        vectors.add_rows(model->rows, DIMENSIONS, listed[whole], count[whole], whole + 1, text->sums);
    if (text->strange && !text->known) text->known = 2; /* letters that a language lacks are something to go by */
    text->free = text->script == LATIN_SCRIPT && words >= FREE_FROM ? 2 : 0;
    text->length = length_class(total);
    text->looks = size > SHORT ? long_looks(bytes, size, all) : looks_of(bytes, size);
}

/* How many features of a text are known, those of names as halves. */
static inline int64_t features_of(const reading *text) { return (text->known + 1) / 2; }

/* The scores of the classes of a text's script. */
static void score_classes(const text_model *model, const reading *text, float *classes) {
    const int32_t first = model->first[text->script], end = model->first[text->script + 1];
    const float root = sqrtf(0.5f * (float)text->known), scale = 0.5f / (root * sqrtf(root));
    memcpy(classes + first, model->bias + text->length * model->classes + first, (size_t)(end - first) * sizeof *classes);
    for (int d = 0; d < DIMENSIONS; d++) {
        const float value = (float)text->sums[d] * scale, *weights = model->weights + d * model->classes;
        for (int32_t c = first; c < end; c++) classes[c] += weights[c] * value;
    }
    if (text->listed) {
        const float share = 0.5f * (model->step / sqrtf(0.5f * (float)text->listed));
        for (int32_t c = first; c < end; c++) classes[c] += share * (float)text->said[c];
    }
    if (text->strange) {
        const float each = (float)ONE_IN / (float)text->letters;
        for (int32_t c = first; c < end; c++) {
            const int32_t lacking = text->lacking[c] > text->free ? text->lacking[c] - text->free : 0;
            const float part = each * (float)lacking;
            classes[c] -= VETO * (part < 1.0f ? part : 1.0f);
        }
    }
}

/* What is added to a column where a text looks like names or like code. */
static float look_bonus(const text_model *model, const reading *text, int32_t column) {
    return (text->looks & NAMED && column == model->names ? model->named : 0.0f) +
           (text->looks & CODED && column == model->codes ? model->coded : 0.0f) +
           (text->looks & SURELY && column == model->codes ? (float)SURER : 0.0f);
}

/* The scores of all columns: the better of the classes that belong to each. */
static void score(const text_model *model, const reading *text, float *out) {
    float classes[MOST_CLASSES];
    score_classes(model, text, classes);
    for (int32_t j = 0; j < model->columns; j++) out[j] = OUTSIDE;
    for (int32_t c = model->first[text->script]; c < model->first[text->script + 1]; c++)
        if (classes[c] > out[model->column[c]]) out[model->column[c]] = classes[c];
    for (int32_t j = model->languages; j < model->columns; j++)
        if (out[j] > OUTSIDE) out[j] += look_bonus(model, text, j);
}

static float highest(const float *values, int32_t count) {
    float most = values[0];
    for (int32_t i = 1; i < count; i++) most = values[i] > most ? values[i] : most;
    return most;
}

/* The likeliest class of every row (-1 where nothing is known), and its script (-1: none). Returns 0, or -1 where memory
   ran out. */
EXPORT int32_t dragoman_text_classes(const uint8_t *data, const int64_t *offsets, int64_t rows, const text_model *model,
                                     int32_t *best, int32_t *script) {
    text_room memory = {0};
    float classes[MOST_CLASSES];
    reading text;
    const int ready = model->classes <= MOST_CLASSES && text_reserve(&memory);
    for (int64_t row = 0; row < rows && ready; row++) {
        read_text(model, data + offsets[row], offsets[row + 1] - offsets[row], &memory, &text);
        best[row] = -1;
        script[row] = text.script;
        if (!text.known) continue;
        score_classes(model, &text, classes);
        for (int32_t c = model->first[text.script]; c < model->first[text.script + 1]; c++)
            classes[c] += look_bonus(model, &text, model->column[c]);
        best[row] = model->first[text.script];
        for (int32_t c = best[row] + 1; c < model->first[text.script + 1]; c++)
            if (classes[c] > classes[best[row]]) best[row] = c;
    }
    text_release(&memory);
    return ready ? 0 : -1;
}

/* The best of the chosen languages (all, if there are none) and its probability; see below. */
static void choose_best(const text_model *model, const float *out, float factor, const int32_t *chosen, int32_t choices,
                        int32_t *best, float *probability) {
    float some[MOST_CLASSES], most;
    *best = -1;
    *probability = NAN;
    if (choices > 1) {
        for (int32_t j = 0; j < choices; j++) some[j] = out[chosen[j]];
        if (highest(some, choices) == OUTSIDE) return;
        *probability = 1.0f / vectors.sum_of_powers(some, choices, factor, &most);
        *best = vectors.place_of(some, choices, most);
        return;
    }
    if (highest(out, model->languages) == OUTSIDE) return;
    const float total = vectors.sum_of_powers(out, model->languages, factor, &most);
    float none = 0;
    for (int32_t j = model->languages; j < model->columns; j++) none += exp2f((out[j] - most) * factor);
    const int32_t place = none > 1.0f ? -1 : vectors.place_of(out, model->languages, most);
    if (choices == 1) { /* a question: this one, among all? */
        *best = place != chosen[0];
        *probability = exp2f((out[chosen[0]] - most) * factor) / (total + none);
        return;
    }
    *best = place;
    *probability = 1.0f / (total + none);
}

/* Scores of every row and column, NaN where nothing is known, and the number of its features that are known. Or, where
   `scores` is NULL, the best of the chosen languages (all, if `chosen` is NULL) and its probability, a softmax over them
   and, where none is chosen, over the kinds of text in no language; -1 and NaN where nothing is known or no chosen
   language has the text's script, -1 and a probability where text in no language is likelier. Of one chosen
   language: 0 if it is the best of all, else 1, and its probability among all. Returns 0, or -1 where memory ran out. */
EXPORT int32_t dragoman_text(const uint8_t *data, const int64_t *offsets, int64_t rows, const text_model *model,
                             const int32_t *chosen, int32_t choices, float *scores, int32_t *features, int32_t *best,
                             float *probability) {
    text_room memory = {0};
    float own[MOST_CLASSES];
    reading text;
    const int ready = model->columns <= MOST_CLASSES && model->classes <= MOST_CLASSES && text_reserve(&memory);
    for (int64_t row = 0; row < rows && ready; row++) {
        float *out = scores ? scores + row * model->columns : own;
        read_text(model, data + offsets[row], offsets[row + 1] - offsets[row], &memory, &text);
        if (text.known) score(model, &text, out);
        if (scores) {
            features[row] = (int32_t)features_of(&text);
            if (!text.known)
                for (int32_t j = 0; j < model->columns; j++) out[j] = NAN;
            continue;
        }
        best[row] = -1;
        probability[row] = NAN;
        if (!text.known) continue;
        const float factor = (model->sharpness + model->slope / sqrtf((float)features_of(&text))) * 1.44269504f;
        choose_best(model, out, factor, chosen, choices, best + row, probability + row);
    }
    text_release(&memory);
    return ready ? 0 : -1;
}
