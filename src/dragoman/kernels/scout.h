/* A crawl of a stored graph with the scout strategy, between two calls. The definition in plain Python is
   dragoman.crawl.strategies.scout with the frontier; dragoman/kernels/scout.py mirrors this layout. */
#ifndef DRAGOMAN_SCOUT_H
#define DRAGOMAN_SCOUT_H

#include "frontier.h"
#include "simulate.h"

/* Cells of link evidence: 5 kinds of links from the own server times 4 from others; states of a record. */
enum { CELLS = 20, STATES = 3, WEIGHTS = CELLS * STATES + 5 * STATES };
/* The cell of URLs that only a complete crawl takes; no counted link leads there. */
enum { LATE_CELL = 0, NO_CELL = 255 };
/* Where the weights of each kind begin. */
enum { BIAS = 0, RECORD = CELLS * STATES, SCORE = RECORD + STATES, RESIDUAL = SCORE + STATES, SEEN = RESIDUAL + STATES,
       SEEN_SERVER = SEEN + STATES };

/* What can be left out, to see what it is worth; the bits of dragoman.crawl.strategies.scout.INGREDIENTS. */
enum { NO_SCORE = 1, NO_PARENTS = 2, NO_DIRECTORY = 4, NO_SERVER = 8, NO_RESIDUAL = 16, NO_SEEN = 32, NO_LEARNING = 64,
       NO_EXPLORING = 128, NO_RERANKING = 256 };

typedef struct {
    int32_t pages, relevant, seen, next_seen;
    double scores; /* the sum over the URLs seen */
    int16_t language;
    uint8_t unused[6];
} directory_record;

typedef struct {
    int32_t pages, relevant, asked, extra, held, next, seen, next_seen; /* held: URLs only seen that wait */
    double residual, scores;
    uint8_t status, epoch;
    uint8_t unused[6];
} server_record;

typedef struct {
    /* The graph, of which so many URLs are the shard's. */
    int64_t vertices;
    const int64_t *indptr;
    const uint32_t *targets;
    const int32_t *directory, *server;
    const uint8_t *relevant, *fetched;
    const int16_t *language;
    const float *score;
    const int64_t *first_directory; /* the directories of server s: directories[first_directory[s] ..] */
    const int32_t *directories;
    /* The strategy. */
    int64_t tolerance, halve_every, least, readmit, complete, left_out;
    double share, rate, explore, server_prior, directory_prior;
    const int64_t *quotas; /* per language; negative: none */
    /* The state. */
    server_record *of_server;
    directory_record *of_directory;
    uint8_t *held; /* of a URL only seen: 1 + the epoch of its server in which it waits */
    uint8_t *inlinks, *cell;
    uint32_t *slot; /* CELLS per directory: the place of the group in the frontier; 0: none yet */
    frontier *waiting; /* its groups are called directory * CELLS + cell */
    const uint32_t *number; /* of each URL within its shard: its key in the frontier */
    const uint32_t *urls; /* and the URL of each number */
    int64_t next_ranking, out_of_memory;
    double weights[WEIGHTS], ranking[WEIGHTS], squares[WEIGHTS];
    double score_sum[2], score_count[2];
    int64_t *language_found;
    int64_t quotas_open; /* negative: there are none */
    /* The result. */
    int64_t pages, found, queue, servers;
    int64_t reasons[REASONS];
} scout;

/* A crawl in shards: each has the servers that are its own, with a frontier, weights and counts; what is known of URLs,
   servers and directories is in the same arrays, where shards do not meet. */
typedef struct {
    scout *shards;
    int64_t count, renew, burst, told; /* ticks from one level to the next (0: there is none), pages that a shard may
                                          fetch in a tick, values that it tells for a level */
    const uint32_t *shard; /* of each server */
    double *values; /* room for count * told */
    double level;
    int64_t tick, pages;
    uint32_t *order;
} fleet;

#endif
