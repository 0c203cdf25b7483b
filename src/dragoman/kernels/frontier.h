/* The URLs that wait, best first: the definition in plain Python is dragoman.crawl.frontier. Places in arrays are
   counted from 1, so that 0 is "none". */
#ifndef DRAGOMAN_FRONTIER_H
#define DRAGOMAN_FRONTIER_H

#include "native.h"

/* There are millions of both: no padding. */
#pragma pack(push, 4)

/* A URL that waits: a node in the pairing heap of its group, or, held, in a list. */
typedef struct {
    float priority;
    uint32_t tie; /* how many URLs were put before it (of more than 2^32, without those): see tie_order */
    uint32_t key, group;
    uint32_t child, next, before; /* before: the sibling in front of it, or the parent of a first child; child: NO_HEAP */
} waiter;

typedef struct {
    uint64_t name;
    double offset, scale;
    double value; /* what its best URL counts, while it is in the heap of groups */
    uint32_t tie; /* and that URL's tie */
    uint32_t root, held;
    uint32_t resting : 1, waiting : 31; /* resting: it waits outside the heap of groups until it is woken */
    uint32_t spot; /* its place in the heap of groups; 0: not there */
} waiting_group;

#pragma pack(pop)

/* What a key is beside the place of a waiter. */
#define KEY_DONE UINT32_MAX
#define NO_KEY UINT32_MAX
/* The child of a URL that is held: such have none. */
#define NO_HEAP UINT32_MAX

typedef struct {
    int32_t promotion, seeded;
    uint64_t seed, puts;
    int64_t limit; /* 0: none */
    uint32_t *of_key;
    int64_t keys_room;
    waiter *waiters;
    int64_t waiters_used, waiters_room;
    uint32_t unused; /* the first of the waiters that can be used again, linked by `next` */
    waiting_group *groups;
    int64_t groups_used, groups_room;
    uint32_t *table; /* open addressing: name of a group to its place */
    int64_t table_room;
    uint32_t *heads; /* the heap of groups */
    int64_t heads_used;
    int64_t size, forgotten;
} frontier;

/* The place of a group, made where there is none; 0: no memory. */
uint32_t frontier_group(frontier *f, uint64_t name);
/* False if there is no memory for keys up to this one. */
int frontier_room_for(frontier *f, uint32_t key);
/* What dragoman_frontier_put, _pop and _drop do, for a group whose place and a key whose room are known. The groups that
   a URL enters and leaves (0: none) are not ranked yet; there must be something to pop. */
int32_t frontier_put(frontier *f, uint32_t key, uint32_t group, double priority, int32_t held, uint32_t *left);
uint32_t frontier_best(frontier *f, uint32_t *group);
int64_t frontier_drop(frontier *f, uint32_t group);

/* True if the first of two equals goes first: the one that was put first, or as the seed draws it. */
static inline int tie_order(const frontier *f, uint32_t a, uint32_t b) {
    return f->seeded ? splitmix(f->seed ^ a) < splitmix(f->seed ^ b) : a < b;
}

uint32_t heap_meld(frontier *f, uint32_t a, uint32_t b);
uint32_t heap_gathered(frontier *f, uint32_t first);
void heap_cut(frontier *f, uint32_t place);
/* After anything that changes the best URL of a group or what it counts. */
void rank_group(frontier *f, uint32_t group);
EXPORT int64_t dragoman_frontier_values(const frontier *f, int64_t count, double *values);

#endif
