/* Walks a stored graph as the strategies of the 2007 paper would crawl it. Two queues, first in first out, serve for
   their two priorities: an entry is true while the URL says that it is there (where, spot). */
#include "simulate.h"

static int64_t allowed(const walk *w) {
    return tolerance_after(w->pages, w->tolerance, w->halve_every, w->least);
}

/* Page-based strategies keep no records, so that nothing is looked up per link but where its end is. */
static int keeps_records(const walk *w) { return w->kind == AGGRESSIVE || w->kind == CONSERVATIVE; }

static void put(walk *w, uint32_t url, int32_t group, int high) {
    uint8_t now = w->where[url];
    if (now == DONE) return;
    /* Only where servers are admitted again can a URL have been dropped and be found once more. */
    int waits = now != NOWHERE && now != ABSENT && (!w->readmit || w->epoch[url] == w->groups[group].epoch);
    if (waits) {
        if (now != IN_LOW || !high || !w->promotion) return;
    } else {
        if (keeps_records(w)) w->groups[group].waiting++;
        w->queue++;
        if (w->readmit) w->epoch[url] = w->groups[group].epoch;
        if (now == ABSENT || now == HELD) {
            w->where[url] = HELD;
            return;
        }
    }
    w->where[url] = high ? IN_HIGH : IN_LOW;
    if (w->readmit) w->spot[url] = (uint32_t)(high ? w->high_tail : w->low_tail);
    if (high) w->high[w->high_tail++] = url;
    else w->low[w->low_tail++] = url;
}

/* False for an entry that is no longer true: moved up, dropped, or put again further back. */
static int stands(const walk *w, uint32_t url, int64_t place, uint8_t here) {
    if (w->where[url] != here) return 0;
    if (w->readmit) return w->spot[url] == (uint32_t)place && w->epoch[url] == w->groups[w->group[url]].epoch;
    return !keeps_records(w) || w->groups[w->group[url]].status != IRRELEVANT;
}

/* Brings near what the next pages of a queue will need. */
static void look_ahead(const walk *w, const uint32_t *queue, int64_t head, int64_t tail) {
    if (head + 6 < tail) PREFETCH(&w->indptr[queue[head + 6]]);
    if (head + 3 < tail) PREFETCH(&w->targets[w->indptr[queue[head + 3]]]);
    if (head + 1 < tail) {
        const uint32_t *link = w->targets + w->indptr[queue[head + 1]];
        const uint32_t *end = w->targets + w->indptr[queue[head + 1] + 1];
        for (; link < end; link++) PREFETCH(&w->where[*link]);
    }
}

static int pop(walk *w, uint32_t *url) {
    while (w->high_head < w->high_tail) {
        int64_t place = w->high_head++;
        look_ahead(w, w->high, w->high_head, w->high_tail);
        *url = w->high[place];
        if (stands(w, *url, place, IN_HIGH)) return 1;
    }
    while (w->low_head < w->low_tail) {
        int64_t place = w->low_head++;
        look_ahead(w, w->low, w->low_head, w->low_tail);
        *url = w->low[place];
        if (stands(w, *url, place, IN_LOW)) return 1;
    }
    return 0;
}

static void drop(walk *w, group_record *g) {
    w->queue -= g->waiting;
    g->waiting = 0;
    g->epoch++;
}

/* The links that were kept aside for a server which has been decided. */
static void release(walk *w, group_record *g) {
    if (g->status == RELEVANT) {
        for (int32_t place = g->first; place; place = w->aside[place - 1].next) {
            uint32_t url = w->aside[place - 1].target;
            int32_t group = w->group[url];
            int taken = w->groups[group].status != IRRELEVANT;
            w->reasons[taken ? ON_OTHER : SERVER_IRRELEVANT]++;
            if (taken) put(w, url, group, 0);
        }
    }
    g->first = g->last = 0;
}

static void keep_aside(walk *w, group_record *own, uint32_t url) {
    int32_t place = (int32_t)++w->aside_used;
    w->aside[place - 1].target = url;
    w->aside[place - 1].next = 0;
    if (own->last) w->aside[own->last - 1].next = place;
    else own->first = place;
    own->last = place;
}

/* A link on a relevant page of another server may admit an irrelevant one again. */
static int ask(walk *w, group_record *g) {
    if (!w->readmit) return 0;
    g->asked++;
    if (g->asked % w->readmit || g->asked >= w->readmit * 100) return 0;
    g->extra = (int32_t)(g->pages - allowed(w) + w->tolerance);
    g->status = UNDECIDED;
    return 1;
}

static int decide(walk *w, uint32_t url, int32_t group, int32_t own, int relevant) {
    int taken = relevant ? ON_RELEVANT : ON_OTHER;
    switch (w->kind) {
    case BREADTH_FIRST:
    case SOFT_FOCUSED: return taken;
    case HARD_FOCUSED: return relevant ? taken : PAGE_NOT_RELEVANT;
    case PERFECT: return w->needed[url] ? taken : NOT_NEEDED;
    default: break;
    }
    group_record *g = &w->groups[group], *mine = &w->groups[own];
    if (g->status == IRRELEVANT) return relevant && group != own && ask(w, g) ? taken : SERVER_IRRELEVANT;
    if (w->kind == CONSERVATIVE && mine->status != RELEVANT && !g->pages) {
        if (!w->defer || mine->status != UNDECIDED) return NEW_SERVER;
        keep_aside(w, mine, url);
        return KEPT_ASIDE;
    }
    return taken;
}

/* The page that was popped: counted, then its links. */
static void visit(walk *w, uint32_t page) {
    int32_t own = w->group[page];
    group_record *mine = &w->groups[own];
    int relevant = w->relevant[page], records = keeps_records(w);
    const uint32_t *begin = w->targets + w->indptr[page], *end = w->targets + w->indptr[page + 1];
    for (const uint32_t *link = begin; link < end; link++) {
        PREFETCH(&w->where[*link]);
        if (records) PREFETCH(&w->group[*link]);
    }
    w->where[page] = DONE;
    w->queue--;
    w->order[w->pages++] = page;
    w->found += relevant;
    if (!w->server_seen[w->server[page]]) {
        w->server_seen[w->server[page]] = 1;
        w->servers++;
    }
    if (records) {
        uint8_t before = mine->status;
        mine->waiting--;
        mine->pages++;
        mine->relevant += relevant;
        mine->status = status_of(mine->pages, mine->relevant, allowed(w) + mine->extra, w->share);
        if (mine->status != before) {
            if (mine->status == IRRELEVANT) drop(w, mine);
            if (mine->first && mine->status != UNDECIDED) release(w, mine);
        }
        for (const uint32_t *link = begin; link < end; link++) PREFETCH(&w->groups[w->group[*link]]);
    }
    int high = w->kind == BREADTH_FIRST || w->kind == PERFECT || relevant;
    for (const uint32_t *link = begin; link < end; link++) {
        int32_t group = records ? w->group[*link] : 0;
        int reason = decide(w, *link, group, own, relevant);
        w->reasons[reason]++;
        if (reason <= ON_OTHER) put(w, *link, group, high);
    }
}

/* How many links kept aside a page could release. */
static int64_t released(const walk *w, uint32_t page) {
    int64_t many = 0;
    for (int32_t place = w->groups[w->group[page]].first; place; place = w->aside[place - 1].next) many++;
    return many;
}

EXPORT void dragoman_walk_seeds(walk *w, const uint32_t *seeds, int64_t count) {
    for (int64_t i = 0; i < count; i++) put(w, seeds[i], w->group[seeds[i]], 1);
}

/* Up to `budget` pages more. NEEDS_ROOM is answered before a page whose links might not fit; nothing is lost. */
EXPORT int32_t dragoman_walk(walk *w, int64_t budget) {
    for (int64_t i = 0; i < budget; i++) {
        int64_t low_head = w->low_head, high_head = w->high_head;
        uint32_t page;
        if (!pop(w, &page)) return FINISHED;
        int64_t links = w->indptr[page + 1] - w->indptr[page], more = w->defer ? released(w, page) : 0;
        if (w->high_tail + links > w->high_room || w->low_tail + links + more > w->low_room ||
            (w->defer && w->aside_used + links > w->aside_room)) {
            w->low_head = low_head;
            w->high_head = high_head;
            return NEEDS_ROOM;
        }
        visit(w, page);
    }
    return PAUSED;
}

/* Breadth-first tree from the seeds over fetched pages: distance (-1: not reached) and parent (itself for a seed).
   `fewest`: distance counts only pages that are not relevant, a page itself included. `queue` has room for two numbers
   per vertex. */
EXPORT void dragoman_reach(int64_t vertices, const int64_t *indptr, const uint32_t *targets, const uint8_t *relevant,
                           const uint8_t *fetched, const uint32_t *seeds, int64_t count, int32_t fewest,
                           int32_t *distance, uint32_t *parent, uint32_t *queue) {
    uint32_t *now = queue, *later = queue + vertices, *swap;
    int64_t tail = 0, later_tail = 0;
    for (int64_t v = 0; v < vertices; v++) distance[v] = fetched[v] ? -1 : -2;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < count; i++) {
            uint32_t seed = seeds[i];
            int cost = fewest && !relevant[seed];
            if (distance[seed] != -1 || cost != pass) continue;
            distance[seed] = cost;
            parent[seed] = seed;
            if (cost) later[later_tail++] = seed;
            else now[tail++] = seed;
        }
    for (int32_t level = 0; tail || later_tail; level++) {
        for (int64_t head = 0; head < tail; head++) {
            uint32_t page = now[head];
            if (head + 8 < tail) PREFETCH(&indptr[now[head + 8]]);
            if (head + 4 < tail) PREFETCH(&targets[indptr[now[head + 4]]]);
            if (head + 1 < tail)
                for (int64_t k = indptr[now[head + 1]]; k < indptr[now[head + 1] + 1]; k++)
                    PREFETCH(&distance[targets[k]]);
            for (int64_t k = indptr[page]; k < indptr[page + 1]; k++) {
                uint32_t next = targets[k];
                if (distance[next] != -1) continue; /* -2: only seen */
                int free_of_cost = fewest && relevant[next];
                distance[next] = level + !free_of_cost;
                parent[next] = page;
                if (free_of_cost) now[tail++] = next;
                else later[later_tail++] = next;
            }
        }
        swap = now;
        now = later;
        later = swap;
        tail = later_tail;
        later_tail = 0;
    }
    for (int64_t v = 0; v < vertices; v++)
        if (distance[v] < 0) distance[v] = -1;
}

/* The relevant pages and all pages on the way to them. */
EXPORT void dragoman_branches(int64_t vertices, const uint8_t *relevant, const int32_t *distance,
                              const uint32_t *parent, uint8_t *needed) {
    for (int64_t v = 0; v < vertices; v++) {
        if (!relevant[v] || distance[v] < 0) continue;
        uint32_t u = (uint32_t)v;
        while (!needed[u]) {
            needed[u] = 1;
            u = parent[u];
        }
    }
}
