/* What the kernels share. The definitions in plain Python are dragoman.identifiers.url (addresses, tokens, keys) and
   dragoman.identifiers.url.algorithms.linear (sums); tests hold both equal, so a change here is a change there. */
#ifndef DRAGOMAN_NATIVE_H
#define DRAGOMAN_NATIVE_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#define PREFETCH(address) ((void)(address))
#else
#define EXPORT __attribute__((visibility("default")))
/* Into the second cache: what a block of rows asks for is more than the first can take. */
#define PREFETCH(address) __builtin_prefetch(address, 0, 2)
#endif

/* What a row turned out to be. */
enum { WEB = 0, EMPTY = 1, OTHER_SCHEME = 2, NOT_A_URL = 3 };

/* A URL as code points: the host's, then those of everything from the first slash on. */
typedef struct {
    int kind;
    uint32_t *points;
    int64_t host_length; /* points[0 .. host_length) is the host */
    int64_t tld_start;   /* where the last label of a host of two labels or more begins; else host_length */
    int64_t length;      /* points[host_length .. length) is path, query and fragment */
} address;

/* A row has at most this many keys per byte: trigrams, with the boundaries of a short token. */
enum { KEYS_PER_BYTE = 2 };

/* Bytes that may be read beyond the ends of a text: blocks of 64 are looked at. */
enum { PAD = 64 };

/* Memory that one call reuses for all its rows. */
typedef struct {
    uint32_t *points;
    uint64_t *keys;      /* room * KEYS_PER_BYTE */
    uint8_t *raw, *text; /* room, and PAD bytes before and behind */
    int64_t room;
} scratch;

int scratch_reserve(scratch *memory, int64_t bytes);
void scratch_free(scratch *memory);

/* The lower case of a letter; 0 for what is no letter. */
uint32_t fold(uint32_t point);

/* Where the parts of a URL are: bytes[host .. host_end) and bytes[rest .. end). */
typedef struct {
    int kind;
    int64_t host, host_end, rest, end;
} parts;
void split_address(const uint8_t *bytes, int64_t length, parts *out);
void read_address(const uint8_t *bytes, int64_t length, scratch *memory, address *out);

/* A token: a run of letters. Places: 0 host, 1 top-level domain, 2 path. */
enum { HOST = 0, TLD = 1, PATH = 2 };
typedef struct {
    int64_t start, end;
    int place;
} token;
int next_token(const address *url, int64_t *position, token *out);
uint64_t word_key(const uint32_t *points, int64_t length);
uint64_t mix(uint64_t h);
/* The keys of one row; returns their number, and writes what the row is. */
int64_t row_keys(const uint8_t *bytes, int64_t length, int features, scratch *memory, uint64_t *keys, int *kind);

/* A number turned into another, one to one: a step of SplitMix64, whose state moves on by GOLDEN. */
#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)
static inline uint64_t splitmix(uint64_t state) {
    state += GOLDEN;
    state = (state ^ (state >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    state = (state ^ (state >> 27)) * UINT64_C(0x94D049BB133111EB);
    return state ^ (state >> 31);
}

/* A table of keys is an open-addressing array of pairs (key, value); key 0 marks a free slot. */
static inline uint64_t slot_of(uint64_t key, uint64_t mask) {
    return (key * GOLDEN >> 32) & mask;
}

#endif
