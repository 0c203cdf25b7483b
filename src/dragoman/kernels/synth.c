/* The pages and links of a synthetic web (dragoman.crawl.synth says what is drawn and why).

   Every server's pages and every page's links have a stream of random numbers of their own, made of the seed and their
   number: the same seed gives the same web, and links can be drawn for a sample of the pages alone (calibration). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "native.h"
#include "synth.h"

/* Servers: no target page; target pages from the entry on; target pages only behind pages in another language. */
enum { OTHER = 0, OPEN = 1, GATED = 2 };

/* What a link leads to. FOREIGN is a page on a server without target pages; DEAD a server that gave no page. */
enum { OWN_TARGET, OWN_OTHER, TARGET, MIXED, FOREIGN, OWN_SEEN, TARGET_SEEN, FOREIGN_SEEN, DEAD, KINDS };

/* Pages: in the target language of their server; in another, on such a server; on any other server. */
enum { CLASSES = 3 };

/* Servers from which a link chooses, the most popular first: Zipf's law with exponent 0.9. */
typedef struct {
    const int32_t *servers;
    int64_t size;
    double reach; /* (size + 1)^0.1 - 1 */
} pool;

typedef struct {
    uint64_t seed;
    int64_t servers, dead, languages, targets;
    const int64_t *base;      /* servers + 1: where a server's pages begin */
    const int32_t *dirs;      /* servers + 1: where its directories begin */
    const uint8_t *kind;
    const uint8_t *gate;      /* pages in front of a gated server's target pages, besides its first */
    const float *share;       /* of target pages */
    const int16_t *tongue;    /* language of the server; targets are 0 .. targets - 1 */
    const int16_t *others;    /* 1024 languages to draw from for what is not the server's own */
    double purity, short_share, stray;
    int16_t *language;
    int32_t *directory;
    uint32_t *parent;         /* within the server; its first page's own number */
    int32_t *length;
    uint32_t *order;          /* within each server: target pages first */
    int32_t *of_target;       /* how many of those */
} pages_job;

typedef struct {
    uint64_t seed;
    int64_t servers, dead, languages, targets, pages, directories;
    const int64_t *base;
    const int32_t *dirs;
    const uint8_t *kind, *gate;
    const int16_t *tongue, *language;
    const int32_t *directory, *of_target;
    const uint32_t *order;
    const uint32_t *child_start, *children;
    const pool *open_pools, *mixed_pools, *near_pools; /* one per target language */
    const pool *foreign_pools;                         /* one per language */
    const pool *any_target;                            /* all servers with target pages, of all target languages */
    const double *rates;                               /* CLASSES x KINDS: links per page, besides the tree */
    double spread, fresh;
    double first;       /* share of the links to servers without target pages that lead to their first page */
    double stray;       /* share of target pages that no other target page of their server links to */
    int64_t stride;     /* 1: all pages; k: every k-th, for counting */
    int64_t *counts;    /* CLASSES x KINDS, without the tree */
    int64_t *tree;      /* CLASSES x KINDS of the tree alone */
    int64_t *sources;   /* pages looked at, per class */
    int64_t *indptr;    /* pages + 1, or NULL: count only */
    uint32_t *targets_out;
    int64_t room;
    int32_t *seen_server, *seen_directory;
    int16_t *seen_language; /* what its page would be in */
    int64_t seen_room;
    int64_t *seen;      /* how many URLs were only seen */
} links_job;

static inline int32_t popular(const pool *p, stream *s) {
    const double x = 1.0 + uniform(s) * p->reach, x2 = x * x, x4 = x2 * x2;
    int64_t rank = (int64_t)(x4 * x4 * x2) - 1;
    if (rank >= p->size) rank = p->size - 1;
    return p->servers[rank];
}

/* True for target pages that only pages in other languages lead to, where there are any. */
static inline int is_stray(uint64_t seed, uint64_t page, double share) {
    stream s = stream_of(seed, 3, page);
    return uniform(&s) < share;
}

/* A page among the first n of `list`, early ones more often (early pages of a server are near its entry). */
static inline uint32_t early(const uint32_t *list, int64_t n, stream *s) {
    const double u = uniform(s);
    return list[(int64_t)(u * u * (double)n)];
}

EXPORT void dragoman_synth_pages(const pages_job *job) {
    for (int64_t s = 0; s < job->servers; s++) {
        stream dice = stream_of(job->seed, 1, (uint64_t)s);
        const int64_t base = job->base[s], n = job->base[s + 1] - base;
        const int64_t dirs = job->dirs[s + 1] - job->dirs[s];
        const int kind = job->kind[s], front = kind == GATED ? 1 + job->gate[s] : 1;
        const int16_t own = job->tongue[s];
        const double share = job->share[s];
        /* So many directories are in the server's own language that its share comes out at the given purity. */
        double in_own = kind == OTHER ? 0.92 : (share - (1 - job->purity)) / (2 * job->purity - 1);
        double pure_own = job->purity, pure_else = job->purity;
        if (kind != OTHER && in_own > 1) in_own = 1, pure_own = share;
        if (kind != OTHER && in_own < 0) in_own = 0, pure_else = 1 - share;
        uint32_t *order = job->order + base;
        int64_t targets = 0, rest = 0, dir = 0, dir_end = 1, dir_targets = 0, dir_rest = 0;
        int16_t dir_other = job->others[next(&dice) & 1023];
        int dir_own = uniform(&dice) < in_own;
        for (int64_t i = 0; i < n; i++) {
            if (i == dir_end && i >= front && dir + 1 < dirs) { /* a new directory begins */
                dir++;
                const double left = (double)(n - i) / (double)(dirs - dir);
                dir_end = dir + 1 == dirs ? n : i + 1 + (int64_t)(2 * left * uniform(&dice));
                if (dir_end > n) dir_end = n;
                dir_own = uniform(&dice) < in_own;
                dir_other = job->others[next(&dice) & 1023];
                dir_targets = targets, dir_rest = rest;
            } else if (i == dir_end)
                dir_end = i + 1;
            int16_t language;
            if (i < front)
                language = kind == GATED ? dir_other : own;
            else if (kind == GATED && i == front) /* what the gate leads to */
                language = own;
            else {
                const int as_dir = uniform(&dice) < (dir_own ? pure_own : pure_else);
                language = as_dir == dir_own ? own : dir_other;
            }
            const int is_target = kind != OTHER && language == own;
            /* The parent in the tree: of the same kind nine times out of ten, of the same directory four of five. */
            uint32_t parent = (uint32_t)base;
            if (i > 0 && i < front)
                parent = (uint32_t)(base + i - 1);
            else if (kind == GATED && i == front)
                parent = (uint32_t)(base + front - 1);
            else if (i > 0) {
                const int64_t usable = kind == GATED ? rest - front : rest; /* nothing more behind the gate's pages */
                int alike = uniform(&dice) < (is_target ? 0.97 : 0.7);
                int from_target = is_target == alike;
                if (is_target && is_stray(job->seed, (uint64_t)(base + i), job->stray)) from_target = 0;
                if (kind == OTHER || targets == 0) from_target = 0;
                else if (usable <= 0) from_target = 1;
                const int near = uniform(&dice) < 0.8;
                const double u = uniform(&dice);
                if (from_target) {
                    const int64_t low = near && dir_targets < targets ? dir_targets : 0;
                    parent = order[low + (int64_t)(u * u * u * (double)(targets - low))];
                } else {
                    int64_t low = kind == GATED ? front : 0;
                    if (near && dir_rest < rest && dir_rest >= low) low = dir_rest;
                    parent = order[n - 1 - (low + (int64_t)(u * u * u * (double)(rest - low)))];
                }
            }
            const int64_t page = base + i;
            if (is_target) order[targets++] = (uint32_t)page;
            else order[n - 1 - rest++] = (uint32_t)page; /* from the end, turned round below */
            job->language[page] = language;
            job->directory[page] = job->dirs[s] + (int32_t)dir;
            job->parent[page] = parent;
            const double z = normal(&dice);
            double length = uniform(&dice) < job->short_share ? 25 * exp(0.8 * z) : 1800 * exp(1.1 * z);
            job->length[page] = length > 1e6 ? 1000000 : (int32_t)length;
        }
        for (int64_t low = targets, high = n - 1; low < high; low++, high--) {
            const uint32_t kept = order[low];
            order[low] = order[high], order[high] = kept;
        }
        job->of_target[s] = (int32_t)targets;
    }
}

/* Pages by parent: the children of page p are children[start[p] .. start[p + 1]); a page that is its own parent is
   nobody's child. */
EXPORT void dragoman_synth_children(const uint32_t *parent, int64_t pages, uint32_t *start, uint32_t *children) {
    memset(start, 0, (size_t)(pages + 1) * sizeof *start);
    for (int64_t i = 0; i < pages; i++)
        if (parent[i] != (uint32_t)i) start[parent[i] + 1]++;
    for (int64_t i = 0; i < pages; i++) start[i + 1] += start[i];
    for (int64_t i = 0; i < pages; i++) /* start[p] is used as a cursor: afterwards it is the end of p's children */
        if (parent[i] != (uint32_t)i) children[start[parent[i]]++] = (uint32_t)i;
    for (int64_t i = pages; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
}

enum { MOST_LINKS = 2000, SLOTS = 8192 };

/* The ends of a page's links so far, so that none is there twice. */
typedef struct {
    uint32_t key[SLOTS], mark[SLOTS], now;
} ends;

static inline int is_new(ends *set, uint32_t end) {
    uint32_t at = end * UINT32_C(2654435761) >> 19;
    while (set->mark[at] == set->now) {
        if (set->key[at] == end) return 0;
        at = (at + 1) & (SLOTS - 1);
    }
    set->mark[at] = set->now, set->key[at] = end;
    return 1;
}

static int class_of(const links_job *job, int64_t server, int64_t page) {
    if (job->kind[server] == OTHER) return 2;
    return job->language[page] == job->tongue[server] ? 0 : 1;
}

static int kind_of(const links_job *job, int64_t from, int64_t to_server, int64_t to) {
    const int class = class_of(job, to_server, to);
    if (from == to_server) return class == 0 ? OWN_TARGET : OWN_OTHER;
    return class == 0 ? TARGET : class == 1 ? MIXED : FOREIGN;
}

static int64_t server_of(const links_job *job, int64_t page) {
    int64_t low = 0, high = job->servers;
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2;
        if (job->base[middle] <= page) low = middle;
        else high = middle;
    }
    return low;
}

/* Some page of another server: its first, or any of those in `list`. */
static uint32_t arrival(const links_job *job, int32_t server, double first, int64_t skip, int64_t n, stream *s) {
    const int64_t base = job->base[server];
    if (n <= 0 || uniform(s) < first) return (uint32_t)base;
    const double u = uniform(s);
    return job->order[base + skip + (int64_t)(u * u * u * (double)n)];
}

EXPORT int32_t dragoman_synth_links(const links_job *job) {
    ends *set = calloc(1, sizeof *set);
    int32_t *last_dead = malloc((size_t)(job->dead + 1) * sizeof *last_dead);
    int32_t failed = !set || !last_dead;
    int64_t links = 0, seen = 0;
    const int counting = job->indptr == NULL;
    if (!failed) memset(last_dead, 0xff, (size_t)(job->dead + 1) * sizeof *last_dead);
    for (int64_t s = 0; s < job->servers && !failed; s++) {
        const int64_t base = job->base[s], n = job->base[s + 1] - base;
        const int64_t targets = job->of_target[s], rest = n - targets;
        const int kind = job->kind[s], tongue = job->tongue[s];
        const int front = kind == GATED ? 1 + job->gate[s] : 0;
        const int64_t seen_here = seen;
        const double part = sqrt((double)targets / (double)n), counterpart = sqrt((double)rest / (double)n);
        int64_t rank[2] = {0, 0};
        for (int64_t page = base; page < base + n; page++) {
            if (!counting) job->indptr[page] = links;
            const int class = class_of(job, s, page);
            const int64_t my_rank = rank[class != 0]++;
            if (counting && page % job->stride) continue;
            if (!counting && (links + 2 * MOST_LINKS > job->room || seen + MOST_LINKS > job->seen_room)) {
                failed = 1;
                break;
            }
            stream dice = stream_of(job->seed, 2, (uint64_t)page);
            set->now++;
            is_new(set, (uint32_t)page);
            job->sources[class]++;
            int64_t drawn = 0;
            for (uint32_t c = job->child_start[page]; c < job->child_start[page + 1]; c++) {
                const uint32_t child = job->children[c];
                const int inside = child > page && child < base + n;
                job->tree[class * KINDS + kind_of(job, s, inside ? s : server_of(job, child), child)]++;
                if (drawn >= MOST_LINKS) { /* too many for the set: nothing else is drawn for such a page */
                    if (!counting) {
                        if (links + 2 * MOST_LINKS > job->room) { failed = 1; break; }
                        job->targets_out[links++] = child;
                    }
                    continue;
                }
                is_new(set, child);
                drawn++;
                if (!counting) job->targets_out[links++] = child;
            }
            if (failed) break;
            const double *rates = job->rates + class * KINDS;
            const double size = exp(job->spread * normal(&dice) - 0.5 * job->spread * job->spread);
            for (int k = 0; k < KINDS; k++) {
                const double wanted = rates[k] * size;
                int64_t count = (int64_t)wanted;
                count += uniform(&dice) < wanted - (double)count;
                for (; count > 0 && drawn < MOST_LINKS; count--) {
                    uint32_t end = UINT32_MAX; /* a URL that is new */
                    int32_t at_server = (int32_t)s, at_directory = job->directory[page];
                    int16_t would_be = job->language[page];
                    const int64_t t = tongue < job->targets ? tongue : below(&dice, job->targets);
                    switch (k) {
                    case OWN_TARGET:
                        if (targets == 0 || (class && uniform(&dice) >= part)) continue;
                        if (page < base + front) { /* only the gate's last page leads through it */
                            if (page != base + front - 1) continue;
                            end = (uint32_t)(base + front);
                        } else if (class == 0 && uniform(&dice) < 0.5) { /* a neighbour */
                            const int64_t to = my_rank + below(&dice, 41) - 20;
                            if (to < 0 || to >= targets) continue;
                            end = job->order[base + to];
                        } else
                            end = early(job->order + base, targets, &dice);
                        if (class == 0 && is_stray(job->seed, end, job->stray)) continue;
                        break;
                    case OWN_OTHER: {
                        if (rest == 0 || (class == 0 && uniform(&dice) >= counterpart)) continue;
                        const int64_t low = targets + (kind == GATED && page >= base + front ? front : 0);
                        const int64_t high = kind == GATED && page < base + front ? targets + front : n;
                        if (low >= high) continue;
                        if (class && low + my_rank < high && uniform(&dice) < 0.5) {
                            const int64_t to = targets + my_rank + below(&dice, 41) - 20;
                            if (to < low || to >= high) continue;
                            end = job->order[base + to];
                        } else
                            end = early(job->order + base + low, high - low, &dice);
                        break;
                    }
                    case TARGET: {
                        const pool *from = class == 2 && uniform(&dice) < 0.2 ? job->any_target : job->open_pools + t;
                        if (!from->size) continue;
                        const int32_t to = popular(from, &dice);
                        if (to == s) continue;
                        if (job->kind[to] == GATED) end = job->order[job->base[to]];
                        else end = arrival(job, to, 0.4, 0, job->of_target[to], &dice);
                        if (end != job->base[to] && is_stray(job->seed, end, job->stray)) continue;
                        break;
                    }
                    case MIXED: {
                        if (!job->mixed_pools[t].size) continue;
                        const int32_t to = popular(job->mixed_pools + t, &dice);
                        if (to == s) continue;
                        const int64_t all = job->base[to + 1] - job->base[to];
                        if (job->kind[to] == GATED) end = (uint32_t)job->base[to];
                        else if (job->of_target[to] == all) continue;
                        else end = arrival(job, to, 0, job->of_target[to], all - job->of_target[to], &dice);
                        break;
                    }
                    case FOREIGN: {
                        const pool *from = job->near_pools + t;
                        if (class == 2) {
                            const double u = uniform(&dice);
                            int64_t l = u < 0.8 ? tongue : u < 0.92 ? job->targets
                                        : job->targets + below(&dice, job->languages - job->targets);
                            from = job->foreign_pools + l;
                        }
                        if (!from->size) continue;
                        const int32_t to = popular(from, &dice);
                        if (to == s) continue;
                        end = arrival(job, to, job->first, 0, job->base[to + 1] - job->base[to], &dice);
                        break;
                    }
                    case OWN_SEEN:
                        if (!counting && seen > seen_here && uniform(&dice) >= job->fresh)
                            end = (uint32_t)(job->pages + seen_here + below(&dice, seen - seen_here));
                        break;
                    case TARGET_SEEN:
                    case FOREIGN_SEEN: {
                        const pool *from = k == TARGET_SEEN ? job->any_target : class == 2
                                         ? job->foreign_pools + tongue : job->near_pools + t;
                        if (!from->size) continue;
                        at_server = popular(from, &dice);
                        if (at_server == s) continue;
                        at_directory = job->dirs[at_server];
                        would_be = job->tongue[at_server];
                        break;
                    }
                    default: {
                        const double u = uniform(&dice), again = uniform(&dice);
                        const int64_t d = (int64_t)(u * u * (double)job->dead);
                        if (job->dead == 0) continue;
                        if (!counting && last_dead[d] >= 0 && again >= job->fresh) end = (uint32_t)last_dead[d];
                        at_server = (int32_t)(job->servers + d);
                        at_directory = (int32_t)(job->directories + d);
                        if (class == 0 && uniform(&dice) >= 0.37) would_be = (int16_t)job->targets;
                        break;
                    }
                    }
                    if (end != UINT32_MAX && !is_new(set, end)) continue;
                    drawn++;
                    job->counts[class * KINDS + k]++;
                    if (counting) continue;
                    if (end == UINT32_MAX) {
                        end = (uint32_t)(job->pages + seen);
                        job->seen_server[seen] = at_server;
                        job->seen_directory[seen] = at_directory;
                        job->seen_language[seen++] = would_be;
                        is_new(set, end);
                        if (k == DEAD) last_dead[at_server - job->servers] = (int32_t)end;
                    }
                    job->targets_out[links++] = end;
                }
            }
        }
    }
    if (!counting && !failed) job->indptr[job->pages] = links;
    *job->seen = seen;
    free(set);
    free(last_dead);
    return failed;
}
