/* Where the language of a text changes. The plain definitions are in dragoman/identifiers/track: tokens.py, table.py,
   lexicon.py and decode.py; tests hold both equal. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

enum { SPACE, SPACE_CAPITAL, MARK, MARK_CAPITAL, END, END_SMALL, INSIDE, LINE, BLOCK, QUOTE, BOUNDARIES };

static int is_opener(uint32_t point) { return point == 0xBF || point == 0xA1; }

/* Scripts that do not write spaces between words. */
static int is_unspaced(uint32_t p) {
    if (p < 0x0E00) return 0;
    return p <= 0x109F || (p >= 0x1780 && p <= 0x17FF) || (p >= 0x3005 && p <= 0x3007) ||
           (p >= 0x3040 && p <= 0x30FF) || (p >= 0x31F0 && p <= 0x31FF) || (p >= 0x3400 && p <= 0x4DBF) ||
           (p >= 0x4E00 && p <= 0x9FFF) || (p >= 0xF900 && p <= 0xFAFF) || (p >= 0xFF66 && p <= 0xFF9F) ||
           (p >= 0x20000 && p <= 0x3FFFF);
}

static int is_space(uint32_t p) {
    return p == ' ' || (p >= 9 && p <= 13) || p == 0xA0 || p == 0x2028 || p == 0x2029 || p == 0x3000;
}

static int is_joiner(uint32_t p) {
    switch (p) {
    case '\'': case 0x2019: case 0x2018: case 0x2BC: case '`': case '-': case 0x2010: case 0x2011: case '.':
    case 0xB7: case '_': case '@': case '/': case '&': case '+': case ':': case 0xAD: case 0x200B: case 0x200C:
    case 0x200D:
        return 1;
    }
    return p >= '0' && p <= '9';
}

static int is_end(uint32_t p) {
    switch (p) {
    case '.': case '!': case '?': case 0x2026: case 0x61F: case 0x964: case 0x965: case 0x589: case 0x1362:
        return 1;
    }
    return 0;
}

/* Quotation marks, without those that are apostrophes as well. */
static int is_quote(uint32_t p) {
    switch (p) {
    case '"': case 0xAB: case 0xBB: case 0x2039: case 0x203A: case 0x300A: case 0x300B:
        return 1;
    }
    return (p >= 0x201C && p <= 0x201F) || (p >= 0x300C && p <= 0x300F);
}

static int is_wide_end(uint32_t p) { return p == 0x3002 || p == 0xFF01 || p == 0xFF1F || p == 0xFF61; }

static uint8_t boundary(const uint32_t *gap, int64_t length, uint32_t first, int changes_script) {
    uint32_t small = fold(first);
    int capital = small != 0 && small != first;
    if (length == 0) return changes_script ? SPACE : INSIDE;
    int lines = 0, spaced = 0, joined = 1, ends = 0, wide = 0, loud = 0, quoted = 0;
    for (int64_t i = 0; i < length; i++) {
        uint32_t p = gap[i];
        int space = is_space(p), joiner = is_joiner(p);
        lines += p == '\n';
        spaced |= space;
        joined &= joiner;
        ends |= is_end(p);
        wide |= is_wide_end(p);
        quoted |= is_quote(p);
        loud |= !space && !joiner;
    }
    if (lines > 1) return BLOCK;
    if (!spaced && joined) return INSIDE;
    if (wide || (spaced && ends)) return capital || lines ? END : END_SMALL;
    if (lines) return LINE;
    if (quoted) return QUOTE;
    if (loud) return capital ? MARK_CAPITAL : MARK;
    return capital ? SPACE_CAPITAL : SPACE;
}

static int is_western(uint32_t p) { return p < 0x250 && !is_space(p); }

static int is_sign_of_code(uint32_t p) {
    switch (p) {
    case '/': case '\\': case '_': case '@': case '=': case '$': case '{': case '}': case '|': case '~': case '^':
    case '#':
        return 1;
    }
    return 0;
}

/* The tokens of a text; the arrays have room for one per code point. Returns their number. */
EXPORT int64_t dragoman_track_tokens(const uint32_t *points, int64_t length, int32_t *starts, int32_t *ends,
                                     uint8_t *boundaries, uint8_t *coded) {
    int64_t found = 0, last = 0;
    /* the run of western characters that was looked at last, and whether it has a sign of code */
    int64_t run_end = 0;
    uint8_t run_coded = 0;
    for (int64_t at = 0; at < length;) {
        uint32_t point = points[at];
        int64_t end = at + 1;
        if (!is_opener(point)) {
            if (!fold(point)) {
                at++;
                continue;
            }
            if (!is_unspaced(point))
                while (end < length && fold(points[end]) && !is_unspaced(points[end])) end++;
        }
        int changes = found > 0 && is_unspaced(points[at - 1]) != is_unspaced(point);
        boundaries[found] = boundary(points + last, at - last, point, changes);
        if (at >= run_end && is_western(point)) {
            int64_t run_start = at;
            while (run_start > run_end && is_western(points[run_start - 1])) run_start--;
            run_coded = 0;
            for (run_end = run_start; run_end < length && is_western(points[run_end]); run_end++)
                run_coded |= (uint8_t)is_sign_of_code(points[run_end]);
        }
        coded[found] = at < run_end && run_coded;
        starts[found] = (int32_t)at;
        ends[found] = (int32_t)end;
        found++;
        last = at = end;
    }
    return found;
}

/* ---- costs ---- */

#define FNV_START UINT64_C(0xCBF29CE484222325)
#define FNV_PRIME UINT64_C(0x100000001B3)
#define GRAM_START UINT64_C(0x9E3779B97F4A7C15) /* far from the start of words: starts that differ in a letter would meet */
enum { EDGE = '_', LONGEST = 64, FLOOR = 208, UNKNOWN = 1 << 20, STRAY = 168, CACHE = 4096, STRANGER = 32 };

typedef struct {
    const uint32_t *starts, *firsts;
    uint64_t buckets;
    const uint16_t *prints;
    const uint8_t *counts, *tags, *values, *backs;
} lexicon;

/* The entries of a key: returns their number, and where they begin. */
static int entries(const lexicon *table, uint64_t key, uint32_t *first) {
    uint64_t bucket = (key >> 32) * table->buckets >> 32;
    uint16_t print = (uint16_t)key;
    uint32_t place = table->firsts[bucket];
    for (uint32_t i = table->starts[bucket]; i < table->starts[bucket + 1]; i++) {
        if (table->prints[i] == print) {
            *first = place;
            return table->counts[i];
        }
        place += table->counts[i];
    }
    return 0;
}

/* What a row of tokens is judged with: rows of one number for each chosen language. */
typedef struct {
    const int32_t *columns;
    int width, order;
    int32_t *value, *backs, *after; /* backs: of the n characters before, for n below the order */
    uint8_t *hit;
    unsigned begun; /* bit n: the n characters before are listed (0: always), so longer n-grams may begin with them */
} judging;

/* What the character text[at] costs after those before it, into value; and the back-offs after it. */
static void read_character(const lexicon *table, const uint32_t *text, int64_t at, int counts, judging *j) {
    int most = at + 1 < j->order ? (int)at + 1 : j->order, width = j->width;
    for (int c = 0; c < width; c++) j->value[c] = FLOOR;
    memset(j->after, 0, (size_t)width * (size_t)j->order * sizeof *j->after);
    uint64_t h = GRAM_START;
    unsigned listed = 1;
    int letter = counts && text[at] != EDGE, unspaced = is_unspaced(text[at]);
    for (int n = 1; n <= most; n++) {
        h = (h ^ text[at - n + 1]) * FNV_PRIME;
        const int32_t *backs = j->backs + (n - 1) * width;
        if (n > 1)
            for (int c = 0; c < width; c++) j->value[c] += backs[c];
        /* the beginnings of listed n-grams are listed: without one there is nothing to look for */
        if (!(j->begun >> (n - 1) & 1)) continue;
        uint32_t first = 0;
        int number = entries(table, mix(h), &first);
        if (number) listed |= 1u << n;
        int32_t *after = n < j->order ? j->after + n * width : NULL;
        for (int e = 0; e < number; e++) {
            int32_t c = j->columns[table->tags[first + e]];
            if (c < 0) continue;
            j->value[c] = table->values[first + e];
            if (after) after[c] = table->backs[first + e];
            /* a letter that hardly ever comes up in a language does not make it known there */
            j->hit[c] |= (uint8_t)(letter && (n > 1 || unspaced || j->value[c] <= STRAY));
        }
    }
    j->begun = listed;
    int32_t *swap = j->backs;
    j->backs = j->after;
    j->after = swap;
}

/* The costs of text[0 .. length), of which those from `predicted` on count. */
static void spell(const lexicon *table, const uint32_t *text, int64_t length, int64_t predicted, judging *j,
                  int32_t *cost) {
    memset(cost, 0, (size_t)j->width * sizeof *cost);
    memset(j->hit, 0, (size_t)j->width);
    j->begun = 1;
    memset(j->backs, 0, (size_t)j->width * (size_t)j->order * sizeof *j->backs);
    for (int64_t at = 0; at < length; at++) {
        read_character(table, text, at, at >= predicted, j);
        if (at >= predicted)
            for (int c = 0; c < j->width; c++) cost[c] += j->value[c];
    }
}

static int is_latin(uint32_t p) { return p < 0x250 || (p >= 0x1E00 && p <= 0x1EFF); }

/* A word in Latin letters is no cheaper in languages of other scripts than in the cheapest of those that have them. */
static void keep_strangers_behind(const uint8_t *latin, int width, int32_t *cost) {
    int32_t least = UNKNOWN;
    for (int c = 0; c < width; c++)
        if (latin[c] && cost[c] < least) least = cost[c];
    if (least == UNKNOWN) return;
    for (int c = 0; c < width; c++)
        if (!latin[c] && cost[c] < least + STRANGER) cost[c] = least + STRANGER;
}

EXPORT int dragoman_track_costs(const uint32_t *points, const int32_t *starts, const int32_t *ends, int64_t tokens,
                                const uint32_t *bucket_starts, const uint32_t *firsts, int64_t buckets,
                                const uint16_t *prints, const uint8_t *counts, const uint8_t *tags,
                                const uint8_t *values, const uint8_t *backs, int order, const int32_t *columns,
                                const uint8_t *latin, int width, int32_t *out) {
    lexicon table = {bucket_starts, firsts, (uint64_t)buckets, prints, counts, tags, values, backs};
    if (width <= 0 || tokens <= 0) return 1;
    size_t row = (size_t)width * sizeof(int32_t);
    int32_t *memory = malloc(row * (size_t)(2 * order + 1));
    uint8_t *hit = malloc((size_t)width);
    judging j = {columns, width, order, memory, memory + width, memory + width + order * width, hit, 1};
    /* Words come again: the row of the last word with the same place in this cache is kept. */
    uint64_t places = tokens < CACHE / 16 ? CACHE / 16 : CACHE;
    uint64_t *cached = calloc(places, sizeof *cached);
    int64_t *rows = malloc(places * sizeof *rows);
    uint32_t text[LONGEST + 2];
    int ok = memory && hit && cached && rows;
    for (int64_t t = 0; ok && t < tokens; t++) {
        int32_t *cost = out + t * width;
        int64_t start = starts[t], end = ends[t];
        if (is_unspaced(points[start])) {
            /* one character after those of its run */
            int64_t from = start;
            while (start - from < order - 1 && from > 0 && is_unspaced(points[from - 1]) && fold(points[from - 1])) from--;
            int64_t length = 0;
            for (int64_t i = from; i < end; i++) text[length++] = fold(points[i]);
            spell(&table, text, length, length - 1, &j, cost);
        } else {
            int64_t letters = end - start < LONGEST ? end - start : LONGEST;
            text[0] = EDGE;
            uint64_t h = FNV_START;
            for (int64_t i = 0; i < letters; i++) {
                uint32_t small = fold(points[start + i]);
                text[i + 1] = small ? small : points[start + i];
                h = (h ^ text[i + 1]) * FNV_PRIME;
            }
            text[letters + 1] = EDGE;
            uint64_t key = mix(h);
            uint64_t place = (key >> 20) % places;
            if (cached[place] == key) {
                memcpy(cost, out + rows[place] * width, row);
                continue;
            }
            spell(&table, text, letters + 2, 1, &j, cost);
            uint32_t first = 0;
            int number = entries(&table, key, &first);
            for (int e = 0; e < number; e++) {
                int32_t c = columns[table.tags[first + e]];
                if (c < 0) continue;
                if (table.values[first + e] < cost[c]) cost[c] = table.values[first + e];
                hit[c] = 1;
            }
            cached[place] = key;
            rows[place] = t;
        }
        for (int c = 0; c < width; c++)
            if (!hit[c]) cost[c] = UNKNOWN;
        if (is_latin(points[start])) keep_strangers_behind(latin, width, cost);
    }
    free(memory);
    free(hit);
    free(cached);
    free(rows);
    return ok;
}

/* Costs above the cheapest of the chosen columns, limited to limits[0] + limits[1] * letters; limits[2] sixteenths of it
   for a capital inside a sentence. A token that none of them knows, or that is part of code, says nothing. */
EXPORT void dragoman_track_evidence(const int32_t *costs, int64_t tokens, int width, const int32_t *columns,
                                    int chosen, const int32_t *starts, const int32_t *ends,
                                    const uint8_t *boundaries, const uint8_t *coded, const int32_t *limits,
                                    int32_t *out, uint8_t *known) {
    for (int64_t t = 0; t < tokens; t++) {
        const int32_t *cost = costs + t * width;
        int32_t *row = out + t * chosen, least = UNKNOWN;
        for (int c = 0; c < chosen; c++) {
            row[c] = cost[columns[c]];
            if (row[c] < least) least = row[c];
        }
        known[t] = least < UNKNOWN;
        int32_t letters = ends[t] - starts[t] < LONGEST ? ends[t] - starts[t] : LONGEST;
        int32_t most = limits[0] + limits[1] * letters;
        int share = boundaries[t] == SPACE_CAPITAL || boundaries[t] == MARK_CAPITAL ? limits[2] : 16;
        if (coded[t]) share = 0;
        for (int c = 0; c < chosen; c++) {
            int32_t above = row[c] - least;
            if (above > most) above = most;
            row[c] = above * share / 16;
        }
    }
}

/* ---- the cheapest path ---- */

/* States are styles x languages. switching[style * BOUNDARIES + boundary] is what a change of language costs there,
   behind them is what a change of style costs, and each token in the second style; entering[language] is what a change to it costs more. Returns the cost of the path, or -1 without memory. */
EXPORT int64_t dragoman_track_decode(const int32_t *evidence, const uint8_t *boundaries, int64_t tokens, int width,
                                     const int32_t *switching, const int32_t *entering, int styles, int64_t *state,
                                     int32_t *path) {
    int states = styles * width;
    if (tokens == 0 || width == 0) return 0;
    int64_t *next = malloc((size_t)states * sizeof *next);
    int16_t *from = malloc((size_t)tokens * (size_t)states * sizeof *from);
    if (!next || !from) {
        free(next);
        free(from);
        return -1;
    }
    int64_t restyle = switching[styles * BOUNDARIES], linger = switching[styles * BOUNDARIES + 1];
    for (int64_t t = 0; t < tokens; t++) {
        int16_t *back = from + t * states;
        for (int s = 0; s < styles; s++) {
            const int64_t *old = state + s * width;
            int64_t *new = next + s * width;
            int best = 0;
            for (int l = 1; l < width; l++)
                if (old[l] < old[best]) best = l;
            int64_t changed = old[best] + switching[s * BOUNDARIES + boundaries[t]];
            int share = boundaries[t] == QUOTE ? 4 : 1; /* what is quoted may be in any language */
            for (int l = 0; l < width; l++) {
                int64_t entered = changed + entering[l] / share;
                int changes = entered < old[l];
                new[l] = changes ? entered : old[l];
                back[s * width + l] = (int16_t)(s * width + (changes ? best : l));
            }
        }
        int free_to = boundaries[t] == END || boundaries[t] == END_SMALL || boundaries[t] == LINE || boundaries[t] == BLOCK;
        if (styles == 2 && free_to)
            for (int l = 0; l < width; l++) {
                int64_t a = next[l], b = next[width + l];
                int16_t of_a = back[l], of_b = back[width + l];
                if (b + restyle < a) {
                    next[l] = b + restyle;
                    back[l] = of_b;
                }
                if (a + restyle < b) {
                    next[width + l] = a + restyle;
                    back[width + l] = of_a;
                }
            }
        const int32_t *row = evidence + t * width;
        for (int s = 0; s < styles; s++)
            for (int l = 0; l < width; l++) state[s * width + l] = next[s * width + l] + row[l] + s * linger;
    }
    int at = 0;
    for (int s = 1; s < states; s++)
        if (state[s] < state[at]) at = s;
    int64_t total = state[at];
    for (int64_t t = tokens - 1; t >= 0; t--) {
        path[t] = at;
        at = from[t * states + at];
    }
    free(next);
    free(from);
    return total;
}
