/* A crawl of a stored graph with the strategies of the 2007 paper, between two calls. The definition in plain Python is
   dragoman.crawl.simulate.plain with the strategies and the frontier; dragoman/kernels/simulate.py mirrors this layout. */
#ifndef DRAGOMAN_SIMULATE_H
#define DRAGOMAN_SIMULATE_H

#include "native.h"

/* Strategies, in the order of dragoman.kernels.simulate.KINDS. */
enum { BREADTH_FIRST, HARD_FOCUSED, SOFT_FOCUSED, AGGRESSIVE, CONSERVATIVE, PERFECT };

/* The status of a server, as dragoman.crawl.records.Status. */
enum { UNDECIDED, RELEVANT, IRRELEVANT };

/* Why a link is taken or not, in the order of dragoman.crawl.strategies.base.REASONS. */
enum { ON_RELEVANT, ON_OTHER, PAGE_NOT_RELEVANT, SERVER_IRRELEVANT, NEW_SERVER, KEPT_ASIDE, NOT_NEEDED, REASONS };

/* Where a URL is; those that were only seen begin as ABSENT and are HELD when they are found. */
enum { NOWHERE, IN_LOW, IN_HIGH, HELD, DONE, ABSENT };

/* What a call ends with. */
enum { PAUSED, FINISHED, NEEDS_ROOM, NO_MEMORY };

/* dragoman.crawl.records.ServerRule: T after so many pages of the crawl, and the status of a server. */
static inline int64_t tolerance_after(int64_t pages, int64_t tolerance, int64_t halve_every, int64_t least) {
    if (!halve_every) return tolerance;
    int64_t halvings = pages / halve_every, fallen = tolerance >> (halvings < 31 ? halvings : 31);
    if (least > tolerance) least = tolerance;
    return fallen > least ? fallen : least;
}

static inline uint8_t status_of(int32_t pages, int32_t relevant, int64_t allowed, double share) {
    int tried = pages > allowed;
    if (relevant && !(tried && relevant < share * pages)) return RELEVANT;
    return tried ? IRRELEVANT : UNDECIDED;
}

/* Links that step 4.5 keeps aside: a list per server, in the order in which they were found. */
typedef struct {
    uint32_t target;
    int32_t next; /* 1 + the place of the next one; 0 ends the list */
} aside_link;

typedef struct {
    int32_t pages, relevant, asked, extra;
    int32_t waiting; /* its URLs in the queue */
    int32_t first, last; /* 1 + the places of its links kept aside; 0: none */
    uint8_t status, epoch;
    uint8_t unused[2];
} group_record;

typedef struct {
    /* The graph. */
    int64_t vertices;
    const int64_t *indptr;
    const uint32_t *targets;
    const int32_t *group, *server;
    const uint8_t *relevant, *needed;
    /* The strategy. */
    int64_t kind, tolerance, halve_every, least, readmit, defer, promotion;
    double share;
    /* The state. */
    group_record *groups;
    uint8_t *where, *epoch, *server_seen;
    uint32_t *spot;
    uint32_t *low, *high;
    aside_link *aside;
    int64_t low_head, low_tail, low_room, high_head, high_tail, high_room, aside_used, aside_room;
    /* The result. */
    uint32_t *order;
    int64_t pages, found, queue, servers;
    int64_t reasons[REASONS];
} walk;

#endif
