/* Walks a stored graph as the scout strategy would crawl it. URLs of one directory and cell of link evidence are a group
   of the frontier, in which scores decide; an estimate ranks the groups. */
#include "scout.h"

#include <math.h>

static int leaves_out(const scout *s, int ingredient) { return (s->left_out & ingredient) != 0; }

static int64_t allowed(const scout *s) {
    return tolerance_after(s->pages, s->tolerance, s->halve_every, s->least);
}

static int full(const scout *s, int16_t language) {
    return language >= 0 && s->quotas[language] >= 0 && s->language_found[language] >= s->quotas[language];
}

/* What is known of a directory's URLs, and whether its server is undecided or irrelevant and its language has enough. */
typedef struct {
    double record, residual, seen, seen_server;
    int state, undecided, irrelevant, last;
} evidence;

static evidence evidence_of(const scout *s, int32_t directory, int32_t server) {
    const directory_record *d = &s->of_directory[directory];
    const server_record *r = &s->of_server[server];
    evidence e = {.undecided = r->status == UNDECIDED, .irrelevant = r->status == IRRELEVANT, .last = full(s, d->language)};
    double rate = 0.5;
    if (!leaves_out(s, NO_SERVER)) {
        rate = (r->relevant + s->server_prior * 0.5) / (r->pages + s->server_prior);
        if (r->pages) e.state = 1;
    }
    if (!leaves_out(s, NO_DIRECTORY)) {
        rate = (d->relevant + s->directory_prior * rate) / (d->pages + s->directory_prior);
        if (d->pages) e.state = 2;
    }
    e.record = log(rate / (1.0 - rate));
    if (!leaves_out(s, NO_RESIDUAL)) e.residual = r->residual / (r->pages + 1.0);
    if (!leaves_out(s, NO_SEEN)) {
        e.seen = d->scores / (d->seen + 1.0);
        e.seen_server = r->scores / (r->seen + 1.0);
    }
    return e;
}

static double offset_of(const double *weights, const evidence *e, int cell) {
    return weights[BIAS + cell * STATES + e->state] + weights[RECORD + e->state] * e->record +
           weights[RESIDUAL + e->state] * e->residual + weights[SEEN + e->state] * e->seen +
           weights[SEEN_SERVER + e->state] * e->seen_server;
}

/* What a page that was just fetched teaches. */
static void learn(scout *s, const evidence *e, int cell, double score, int relevant) {
    double *w = s->weights;
    double logit = offset_of(w, e, cell) + w[SCORE + e->state] * score;
    logit = logit > 30.0 ? 30.0 : logit < -30.0 ? -30.0 : logit;
    double error = relevant - 1.0 / (1.0 + exp(-logit));
    int places[6] = {BIAS + cell * STATES + e->state, RECORD + e->state, SCORE + e->state, RESIDUAL + e->state,
                     SEEN + e->state, SEEN_SERVER + e->state};
    double values[6] = {1.0, e->record, score, e->residual, e->seen, e->seen_server};
    for (int i = 0; i < 6; i++) {
        double slope = error * values[i];
        s->squares[places[i]] += slope * slope;
        w[places[i]] += s->rate * slope / sqrt(s->squares[places[i]]);
    }
}

/* The group's estimate from what is known now, and its place among the others. */
static void rank(scout *s, uint32_t number, int cell, const evidence *e) {
    waiting_group *g = &s->waiting->groups[number];
    if (!g->root) {
        if (g->spot) rank_group(s->waiting, number); /* its last URL has left */
        return;
    }
    double offset = offset_of(s->ranking, e, cell), scale = s->ranking[SCORE + e->state];
    if (e->undecided && !leaves_out(s, NO_EXPLORING)) offset += s->explore;
    if (e->irrelevant || cell == LATE_CELL) offset -= 20.0; /* only a complete crawl has such URLs */
    if (e->last) offset -= 100.0;
    g->offset = offset;
    g->scale = scale > 0.01 ? scale : 0.01;
    rank_group(s->waiting, number);
}

static void rank_directory(scout *s, int32_t directory, int32_t server) {
    const uint32_t *slots = s->slot + (int64_t)directory * CELLS;
    evidence e = evidence_of(s, directory, server);
    for (int cell = 0; cell < CELLS; cell++)
        if (slots[cell]) rank(s, slots[cell], cell, &e);
}

static void rank_server(scout *s, int32_t server) {
    for (int64_t i = s->first_directory[server]; i < s->first_directory[server + 1]; i++)
        rank_directory(s, s->directories[i], server);
}

static void rank_all(scout *s) {
    for (int i = 0; i < WEIGHTS; i++) s->ranking[i] = s->weights[i];
    for (int64_t number = 1; number <= s->waiting->groups_used; number++) {
        if (number + 8 <= s->waiting->groups_used) PREFETCH(&s->waiting->waiters[s->waiting->groups[number + 8].root]);
        const waiting_group *g = &s->waiting->groups[number];
        if (!g->root) continue;
        evidence e = evidence_of(s, (int32_t)(g->name / CELLS), s->server[s->urls[s->waiting->waiters[g->root].key]]);
        rank(s, (uint32_t)number, (int)(g->name % CELLS), &e);
    }
}

/* The value that would stand at this place if they were sorted, the largest first; reorders them. */
static double kth_largest(double *values, int64_t count, int64_t place) {
    int64_t low = 0, high = count - 1;
    while (low < high) {
        double pivot = values[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (values[i] > pivot) i++;
            while (values[j] < pivot) j--;
            if (i <= j) {
                double swap = values[i];
                values[i++] = values[j];
                values[j--] = swap;
            }
        }
        if (place <= j) high = j;
        else if (place >= i) low = i;
        else break;
    }
    return values[place];
}

/* Which cell the links found so far put a URL into. */
static int cell_of(const scout *s, uint32_t url) {
    if (leaves_out(s, NO_PARENTS)) return 1;
    const uint8_t *n = s->inlinks + 4 * (int64_t)url;
    int own, other;
    if (!n[0]) own = n[1] ? 1 : 0;
    else if (n[1] > n[0]) own = 2;
    else own = n[0] > 1 ? 4 : 3;
    if (!n[2]) other = n[3] ? 1 : 0;
    else other = n[2] > 1 ? 3 : 2;
    return own * 4 + other;
}

static float score_of(const scout *s, uint32_t url) {
    return s->score && !leaves_out(s, NO_SCORE) ? s->score[url] : 0.0f;
}

/* A URL that was found enters the group of its cell, or moves there. False: no memory. */
static int put(scout *s, uint32_t url, int cell) {
    int32_t directory = s->directory[url];
    server_record *r = &s->of_server[s->server[url]];
    if (!s->fetched[url]) {
        if (s->held[url] == r->epoch + 1) return 1;
        s->held[url] = (uint8_t)(r->epoch + 1);
        r->held++;
        s->queue++;
        return 1;
    }
    uint32_t *slot = &s->slot[(int64_t)directory * CELLS + cell];
    if (!*slot) *slot = frontier_group(s->waiting, (uint64_t)directory * CELLS + (uint64_t)cell);
    if (!*slot) return 0;
    int64_t before = s->waiting->size;
    uint32_t left; /* `enter` ranks it */
    int put = frontier_put(s->waiting, s->number[url], *slot, score_of(s, url), 0, &left);
    s->queue += s->waiting->size - before;
    return put >= 0;
}

/* The groups that a URL enters and leaves are ranked by what is known now. */
static int enter(scout *s, uint32_t url, int cell) {
    int32_t directory = s->directory[url];
    const uint32_t *slots = s->slot + (int64_t)directory * CELLS;
    int before = s->cell[url];
    if (!put(s, url, cell)) return 0;
    s->cell[url] = (uint8_t)cell;
    evidence e = evidence_of(s, directory, s->server[url]);
    if (slots[cell]) rank(s, slots[cell], cell, &e);
    if (before != cell && before < CELLS && slots[before]) rank(s, slots[before], before, &e);
    return 1;
}

static void drop(scout *s, int32_t server) {
    server_record *r = &s->of_server[server];
    s->queue -= r->held;
    r->held = 0;
    r->epoch++;
    for (int64_t i = s->first_directory[server]; i < s->first_directory[server + 1]; i++) {
        const uint32_t *slots = s->slot + (int64_t)s->directories[i] * CELLS;
        for (int cell = 0; cell < CELLS; cell++)
            if (slots[cell]) s->queue -= frontier_drop(s->waiting, slots[cell]);
    }
}

static int ask(scout *s, server_record *r) {
    if (!s->readmit) return 0;
    r->asked++;
    if (r->asked % s->readmit || r->asked >= s->readmit * 100) return 0;
    r->extra = (int32_t)(r->pages - allowed(s) + s->tolerance);
    r->status = UNDECIDED;
    return 1;
}

static int decide(scout *s, int32_t server, int32_t own, int relevant) {
    int taken = relevant ? ON_RELEVANT : ON_OTHER;
    server_record *r = &s->of_server[server];
    if (r->status == IRRELEVANT) return relevant && server != own && ask(s, r) ? taken : SERVER_IRRELEVANT;
    if (s->of_server[own].status != RELEVANT && !r->pages) return NEW_SERVER;
    return taken;
}

/* False: no memory. */
static int follow(scout *s, uint32_t url, int32_t own, int relevant) {
    int32_t server = s->server[url], directory = s->directory[url];
    int reason = decide(s, server, own, relevant);
    s->reasons[reason]++;
    if (s->waiting->of_key[s->number[url]] == KEY_DONE) return 1;
    if (reason > ON_OTHER) return !s->complete || s->cell[url] != NO_CELL || enter(s, url, LATE_CELL);
    uint8_t *n = s->inlinks + 4 * (int64_t)url;
    directory_record *d = &s->of_directory[directory];
    server_record *r = &s->of_server[server];
    int all_of_server = 0, all_of_directory = 0;
    if (!(n[0] | n[1] | n[2] | n[3])) { /* never seen */
        d->scores += score_of(s, url);
        r->scores += score_of(s, url);
        if (++d->seen >= d->next_seen) {
            d->next_seen = d->seen + d->seen / 4 + 1;
            all_of_directory = 1;
        }
        if (++r->seen >= r->next_seen) {
            r->next_seen = r->seen + r->seen / 4 + 1;
            all_of_server = 1;
        }
    }
    uint8_t *count = &n[(server == own ? 0 : 2) + !relevant];
    if (*count < 255) ++*count;
    if (!enter(s, url, cell_of(s, url))) return 0;
    if (leaves_out(s, NO_RERANKING) || leaves_out(s, NO_SEEN)) return 1;
    if (all_of_server) rank_server(s, server);
    else if (all_of_directory) rank_directory(s, directory, server);
    return 1;
}

/* False: no memory. */
static int visit(const fleet *all, scout *s, uint32_t page) {
    int32_t server = s->server[page], directory = s->directory[page];
    server_record *r = &s->of_server[server];
    directory_record *d = &s->of_directory[directory];
    int relevant = s->relevant[page];
    double score = score_of(s, page);
    const uint32_t *begin = s->targets + s->indptr[page], *end = s->targets + s->indptr[page + 1];
    for (const uint32_t *link = begin; link < end; link++) {
        PREFETCH(&s->server[*link]);
        PREFETCH(&s->directory[*link]);
        PREFETCH(&s->number[*link]);
        PREFETCH(&s->inlinks[4 * (int64_t)*link]);
    }
    evidence e = evidence_of(s, directory, server);
    s->queue--;
    s->pages++;
    s->found += relevant;
    if (!r->pages) s->servers++;
    if (!leaves_out(s, NO_LEARNING)) learn(s, &e, s->cell[page], score, relevant);
    s->score_sum[relevant] += score;
    s->score_count[relevant] += 1.0;
    r->residual += score - s->score_sum[relevant] / s->score_count[relevant];
    r->pages++;
    r->relevant += relevant;
    d->pages++;
    d->relevant += relevant;
    int change = 0;
    if (relevant && s->language[page] >= 0) {
        d->language = s->language[page];
        if (s->quotas[s->language[page]] >= 0) {
            int was = full(s, s->language[page]);
            s->language_found[s->language[page]]++;
            change = !was && full(s, s->language[page]);
            s->quotas_open -= change;
        }
    }
    uint8_t before = r->status;
    r->status = status_of(r->pages, r->relevant, allowed(s) + r->extra, s->share);
    if (r->status == IRRELEVANT && before != IRRELEVANT && !s->complete) drop(s, server);
    for (const uint32_t *link = begin; link < end; link++)
        if (!follow(&all->shards[all->shard[s->server[*link]]], *link, server, relevant)) return 0;
    if (!leaves_out(s, NO_RERANKING)) {
        if (r->status != before || r->pages >= r->next) {
            r->next = r->pages + r->pages / 4 + 1;
            rank_server(s, server);
        } else rank_directory(s, directory, server);
    }
    if (change || s->pages >= s->next_ranking) {
        if (s->pages >= s->next_ranking) s->next_ranking = s->pages + s->pages / 8 + 16;
        rank_all(s);
    }
    return 1;
}

EXPORT void dragoman_scout_begin(fleet *all, const uint32_t *seeds, int64_t count) {
    for (int64_t i = 0; i < all->count; i++) {
        scout *s = &all->shards[i];
        s->out_of_memory = s->vertices && !frontier_room_for(s->waiting, (uint32_t)(s->vertices - 1));
    }
    for (int64_t i = 0; i < count; i++) {
        scout *s = &all->shards[all->shard[all->shards->server[seeds[i]]]];
        s->out_of_memory = s->out_of_memory || !enter(s, seeds[i], CELLS - 1);
    }
}

/* False: no memory. */
static int visit_best(fleet *all, scout *s) {
    uint32_t number, page = s->urls[frontier_best(s->waiting, &number)];
    evidence e = evidence_of(s, s->directory[page], s->server[page]);
    rank(s, number, (int)(s->waiting->groups[number].name % CELLS), &e);
    all->order[all->pages++] = page;
    return visit(all, s, page);
}

/* What the best URLs count that all shards can fetch until the next level. False: no memory. */
static int renew_level(fleet *all) {
    int64_t told = 0, wanted = all->count * all->renew;
    for (int64_t i = 0; i < all->count; i++) {
        int64_t more = dragoman_frontier_values(all->shards[i].waiting, all->told, all->values + told);
        if (more < 0) return 0;
        told += more;
    }
    all->level = told < wanted ? -INFINITY : kth_largest(all->values, told, wanted - 1);
    return 1;
}

/* Every shard's pages of a tick: those that reach the level. How many, or -1: no memory. */
static int64_t work(fleet *all) {
    int64_t before = all->pages;
    for (int64_t i = 0; i < all->count; i++) {
        scout *s = &all->shards[i];
        for (int64_t pages = 0; pages < all->burst && s->waiting->heads_used && s->quotas_open; pages++) {
            if (s->waiting->groups[s->waiting->heads[1]].value < all->level) break;
            if (!visit_best(all, s)) return -1;
        }
    }
    return all->pages - before;
}

/* Up to `budget` pages more; of several shards, to the end of the tick in which they are reached. */
EXPORT int32_t dragoman_scout_walk(fleet *all, int64_t budget) {
    int64_t goal = all->pages + budget;
    for (int64_t i = 0; i < all->count; i++)
        if (all->shards[i].out_of_memory) return NO_MEMORY;
    if (all->count == 1) {
        scout *s = all->shards;
        while (all->pages < goal) {
            if (!s->waiting->heads_used || !s->quotas_open) return FINISHED;
            if (!visit_best(all, s)) return NO_MEMORY;
        }
        return PAUSED;
    }
    while (all->pages < goal) {
        int renewed = !all->renew || all->tick++ % all->renew == 0;
        if (renewed && all->renew && !renew_level(all)) return NO_MEMORY;
        int64_t visited = work(all);
        if (visited < 0) return NO_MEMORY;
        if (!visited && renewed) return FINISHED;
        if (!visited) all->tick = 0; /* nothing reaches the level: a new one, now */
    }
    return PAUSED;
}
