/* A URL's code points become tokens, and tokens become 64-bit keys, as dragoman/url/{tokens,words,trigrams}.py say. */
#include "native.h"

#include <string.h>

/* The words that the paper drops. */
static int is_stop_word(const uint32_t *points, int64_t length) {
    static const char *const STOP[] = {"www", "index", "html", "htm", "http", "https"};
    if (length < 3 || length > 5) return 0;
    for (size_t i = 0; i < sizeof STOP / sizeof *STOP; i++) {
        if ((int64_t)strlen(STOP[i]) != length) continue;
        int64_t j = 0;
        while (j < length && points[j] == (uint32_t)STOP[i][j]) j++;
        if (j == length) return 1;
    }
    return 0;
}

/* The next token from *position on. Folds its letters in place; what is no letter stays as it is. */
int next_token(const address *url, int64_t *position, token *out) {
    uint32_t *points = url->points;
    int64_t at = *position;
    while (at < url->length) {
        uint32_t lower = fold(points[at]);
        if (!lower) {
            at++;
            continue;
        }
        out->place = at >= url->host_length ? PATH : at >= url->tld_start ? TLD : HOST;
        out->start = at;
        do points[at++] = lower;
        while (at < url->length && (lower = fold(points[at])));
        out->end = at;
        if (at - out->start >= 2 && !is_stop_word(points + out->start, at - out->start)) {
            *position = at;
            return 1;
        }
    }
    *position = at;
    return 0;
}

uint64_t mix(uint64_t h) {
    h ^= h >> 33;
    h *= UINT64_C(0xFF51AFD7ED558CCD);
    h ^= h >> 33;
    h *= UINT64_C(0xC4CEB9FE1A85EC53);
    h ^= h >> 33;
    return h ? h : 1; /* 0 marks a free slot */
}

static inline uint64_t fnv(const uint32_t *points, int64_t length, uint64_t h) {
    for (int64_t i = 0; i < length; i++) h = (h ^ points[i]) * UINT64_C(0x100000001B3);
    return h;
}

uint64_t word_key(const uint32_t *points, int64_t length) {
    return mix(fnv(points, length, UINT64_C(0xCBF29CE484222325)));
}

/* Three code points fit one key exactly: 21 bits each. */
static inline uint64_t trigram_key(uint32_t a, uint32_t b, uint32_t c) {
    return mix((uint64_t)a << 42 | (uint64_t)b << 21 | c);
}

enum { WORDS = 0, TRIGRAMS = 1, RAW_TRIGRAMS = 2, PLACED_WORDS = 3 };

static int64_t write_keys(const address *url, int features, uint64_t *keys) {
    int64_t n = 0, position = 0;
    const uint32_t *p = url->points;
    token t;
    if (url->kind != WEB) return 0;
    if (features == RAW_TRIGRAMS) {
        for (int64_t i = 0; i < url->length; i++) {
            uint32_t lower = fold(p[i]);
            if (lower) url->points[i] = lower;
            if (i >= 2) keys[n++] = trigram_key(p[i - 2], p[i - 1], p[i]);
        }
        return n;
    }
    while (next_token(url, &position, &t)) {
        int64_t length = t.end - t.start;
        if (features == WORDS) {
            keys[n++] = word_key(p + t.start, length);
        } else if (features == PLACED_WORDS) {
            keys[n++] = mix(fnv(p + t.start, length, UINT64_C(0xCBF29CE484222325) + 1 + (uint64_t)t.place));
        } else {
            keys[n++] = trigram_key('_', p[t.start], p[t.start + 1]);
            for (int64_t i = t.start; i + 2 < t.end; i++) keys[n++] = trigram_key(p[i], p[i + 1], p[i + 2]);
            keys[n++] = trigram_key(p[t.end - 2], p[t.end - 1], '_');
        }
    }
    return n;
}

int64_t row_keys(const uint8_t *bytes, int64_t length, int features, scratch *memory, uint64_t *keys, int *kind) {
    address url;
    read_address(bytes, length, memory, &url);
    *kind = url.kind;
    return write_keys(&url, features, keys);
}

/* Keys of every row into keys[indptr[i] .. indptr[i + 1]); what each row is into kinds. A row has at most
   KEYS_PER_BYTE keys per byte. Returns the number of keys, or -1 where memory ran out. */
EXPORT int64_t dragoman_keys(const uint8_t *data, const int64_t *offsets, int64_t rows, int32_t features,
                             int64_t *indptr, uint64_t *keys, uint8_t *kinds) {
    scratch memory = {0};
    int64_t n = 0;
    indptr[0] = 0;
    for (int64_t row = 0; row < rows; row++) {
        int kind;
        int64_t length = offsets[row + 1] - offsets[row];
        if (!scratch_reserve(&memory, length + 1)) {
            n = -1;
            break;
        }
        n += row_keys(data + offsets[row], length, features, &memory, keys + n, &kind);
        kinds[row] = (uint8_t)kind;
        indptr[row + 1] = n;
    }
    scratch_free(&memory);
    return n;
}
