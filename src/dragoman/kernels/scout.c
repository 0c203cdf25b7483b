/* Walks a stored graph as the scout strategy would crawl it: groups of URLs (a directory and a cell of link evidence),
   each a skew heap by score; a binary heap of the groups by the estimate of their best URL. */
#include "scout.h"

#include <math.h>

static int leaves_out(const scout *s, int ingredient) { return (s->left_out & ingredient) != 0; }

static int64_t allowed(const scout *s) {
    return tolerance_after(s->pages, s->tolerance, s->halve_every, s->least);
}

typedef struct {
    double record, residual, seen, seen_server;
    int state;
} evidence;

static evidence evidence_of(const scout *s, int32_t directory, int32_t server) {
    const directory_record *d = &s->of_directory[directory];
    const server_record *r = &s->of_server[server];
    evidence e = {0.0, 0.0, 0.0, 0.0, 0};
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

static int better(const entry *a, const entry *b) {
    return a->score > b->score || (a->score == b->score && a->turn < b->turn);
}

static int32_t merge(entry *all, int32_t a, int32_t b) {
    int32_t root = 0, *link = &root;
    while (a && b) {
        if (better(&all[b - 1], &all[a - 1])) {
            int32_t swap = a;
            a = b;
            b = swap;
        }
        *link = a;
        entry *top = &all[a - 1];
        int32_t rest = top->right;
        top->right = top->left;
        link = &top->left;
        a = rest;
    }
    *link = a ? a : b;
    return root;
}

static int valid(const scout *s, const url_group *g, const entry *e) {
    return s->where[e->url] == IN_LOW && s->turn[e->url] == e->turn &&
           s->epoch[e->url] == s->of_server[s->server[e->url]].epoch && s->directory[e->url] == g->directory;
}

static void pop_entry(scout *s, url_group *g) {
    int32_t root = g->root;
    entry *top = &s->entries[root - 1];
    g->root = merge(s->entries, top->left, top->right);
    top->left = (int32_t)s->unused_entry;
    s->unused_entry = root;
}

/* Entries that are no longer true leave the top. */
static void tidy(scout *s, url_group *g) {
    while (g->root && !valid(s, g, &s->entries[g->root - 1])) pop_entry(s, g);
}

static int ahead(const scout *s, int32_t a, int32_t b) {
    const url_group *x = &s->groups[a], *y = &s->groups[b];
    return x->value > y->value || (x->value == y->value && x->turn < y->turn);
}

static void set_place(scout *s, int64_t place, int32_t group) {
    s->heap[place] = group;
    s->groups[group].place = (int32_t)place + 1;
}

static void rise(scout *s, int64_t place, int32_t group) {
    while (place) {
        int64_t above = (place - 1) / 2;
        if (!ahead(s, group, s->heap[above])) break;
        set_place(s, place, s->heap[above]);
        place = above;
    }
    set_place(s, place, group);
}

static void sink(scout *s, int64_t place, int32_t group) {
    for (;;) {
        int64_t below = 2 * place + 1;
        if (below >= s->heap_used) break;
        if (below + 1 < s->heap_used && ahead(s, s->heap[below + 1], s->heap[below])) below++;
        if (!ahead(s, s->heap[below], group)) break;
        set_place(s, place, s->heap[below]);
        place = below;
    }
    set_place(s, place, group);
}

static void leave_heap(scout *s, int32_t group) {
    int64_t place = (int64_t)s->groups[group].place - 1;
    s->groups[group].place = 0;
    int32_t last = s->heap[--s->heap_used];
    if (last == group) return;
    rise(s, place, last);
    sink(s, (int64_t)s->groups[last].place - 1, last);
}

static int full(const scout *s, int16_t language) {
    return language >= 0 && s->quotas[language] >= 0 && s->language_found[language] >= s->quotas[language];
}

/* The group's estimate from what is known now, and its place in the heap. */
static void rank(scout *s, int32_t number, const evidence *e) {
    url_group *g = &s->groups[number];
    tidy(s, g);
    if (!g->root) {
        if (g->place) leave_heap(s, number);
        return;
    }
    const entry *top = &s->entries[g->root - 1];
    int32_t server = s->server[top->url];
    const server_record *r = &s->of_server[server];
    double offset = offset_of(s->ranking, e, g->cell);
    if (!leaves_out(s, NO_EXPLORING) && r->status == UNDECIDED) offset += s->explore;
    if (r->status == IRRELEVANT || !g->cell) offset -= 20.0; /* only a complete crawl has such URLs */
    if (full(s, s->of_directory[g->directory].language)) offset -= 100.0;
    double scale = s->ranking[SCORE + e->state];
    g->value = offset + (scale > 0.01 ? scale : 0.01) * top->score;
    g->turn = top->turn;
    if (g->place) {
        rise(s, (int64_t)g->place - 1, number);
        sink(s, (int64_t)g->place - 1, number);
    } else {
        s->heap_used++;
        rise(s, s->heap_used - 1, number);
    }
}

static void rank_directory(scout *s, int32_t directory, int32_t server) {
    const int32_t *slots = s->slot + (int64_t)directory * CELLS;
    evidence e = evidence_of(s, directory, server);
    for (int cell = 0; cell < CELLS; cell++)
        if (slots[cell] && s->groups[slots[cell] - 1].root) rank(s, slots[cell] - 1, &e);
}

static void rank_server(scout *s, int32_t server) {
    for (int64_t i = s->first_directory[server]; i < s->first_directory[server + 1]; i++)
        rank_directory(s, s->directories[i], server);
}

static void rank_all(scout *s) {
    for (int i = 0; i < WEIGHTS; i++) s->ranking[i] = s->weights[i];
    for (int64_t number = 0; number < s->groups_used; number++) {
        url_group *g = &s->groups[number];
        if (!g->root) continue;
        evidence e = evidence_of(s, g->directory, s->server[s->entries[g->root - 1].url]);
        rank(s, (int32_t)number, &e);
    }
}

static int waits(const scout *s, uint32_t url, int32_t server) {
    return (s->where[url] == IN_LOW || s->where[url] == HELD) && s->epoch[url] == s->of_server[server].epoch;
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

/* A URL that was found enters the group of its cell, or moves there. */
static void put(scout *s, uint32_t url, int cell) {
    int32_t server = s->server[url], directory = s->directory[url];
    int moving = waits(s, url, server);
    if (moving && (s->cell[url] == cell || s->where[url] == HELD)) return;
    if (!moving) {
        s->epoch[url] = s->of_server[server].epoch;
        s->of_server[server].waiting++;
        s->queue++;
        if (!s->fetched[url]) {
            s->where[url] = HELD;
            return;
        }
    }
    s->where[url] = IN_LOW;
    s->turn[url] = (uint32_t)s->turns++;
    int32_t *slot = &s->slot[(int64_t)directory * CELLS + cell];
    if (!*slot) {
        url_group *fresh = &s->groups[s->groups_used];
        fresh->directory = directory;
        fresh->cell = cell;
        fresh->root = fresh->place = 0;
        *slot = (int32_t)++s->groups_used;
    }
    int32_t place = (int32_t)s->unused_entry;
    if (place) s->unused_entry = s->entries[place - 1].left;
    else place = (int32_t)++s->entries_used;
    entry *made = &s->entries[place - 1];
    made->score = score_of(s, url);
    made->url = url;
    made->turn = s->turn[url];
    made->left = made->right = 0;
    url_group *g = &s->groups[*slot - 1];
    g->root = merge(s->entries, g->root, place);
}

/* The groups that a URL enters and leaves are ranked by what is known now. */
static void enter(scout *s, uint32_t url, int cell) {
    int32_t directory = s->directory[url];
    const int32_t *slots = s->slot + (int64_t)directory * CELLS;
    int before = s->cell[url];
    put(s, url, cell);
    s->cell[url] = (uint8_t)cell;
    evidence e = evidence_of(s, directory, s->server[url]);
    if (slots[cell] && s->groups[slots[cell] - 1].root) rank(s, slots[cell] - 1, &e);
    if (before != cell && before < CELLS && slots[before] && s->groups[slots[before] - 1].root)
        rank(s, slots[before] - 1, &e);
}

static void drop(scout *s, int32_t server) {
    server_record *r = &s->of_server[server];
    s->queue -= r->waiting;
    r->waiting = 0;
    r->epoch++;
    for (int64_t i = s->first_directory[server]; i < s->first_directory[server + 1]; i++) {
        const int32_t *slots = s->slot + (int64_t)s->directories[i] * CELLS;
        for (int cell = 0; cell < CELLS; cell++) {
            if (!slots[cell]) continue;
            if (s->groups[slots[cell] - 1].place) leave_heap(s, slots[cell] - 1);
            s->groups[slots[cell] - 1].root = 0;
        }
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

static void follow(scout *s, uint32_t url, int32_t own, int relevant) {
    int32_t server = s->server[url], directory = s->directory[url];
    int reason = decide(s, server, own, relevant);
    s->reasons[reason]++;
    if (s->where[url] == DONE) return;
    if (reason > ON_OTHER) {
        if (s->complete && s->cell[url] == 255) enter(s, url, LATE_CELL);
        return;
    }
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
    enter(s, url, cell_of(s, url));
    if (leaves_out(s, NO_RERANKING) || leaves_out(s, NO_SEEN)) return;
    if (all_of_server) rank_server(s, server);
    else if (all_of_directory) rank_directory(s, directory, server);
}

static void visit(scout *s, uint32_t page) {
    int32_t server = s->server[page], directory = s->directory[page];
    server_record *r = &s->of_server[server];
    directory_record *d = &s->of_directory[directory];
    int relevant = s->relevant[page];
    double score = score_of(s, page);
    evidence e = evidence_of(s, directory, server);
    s->where[page] = DONE;
    r->waiting--;
    s->queue--;
    s->order[s->pages++] = page;
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
    const uint32_t *begin = s->targets + s->indptr[page], *end = s->targets + s->indptr[page + 1];
    for (const uint32_t *link = begin; link < end; link++) follow(s, *link, server, relevant);
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
}

EXPORT void dragoman_scout_seeds(scout *s, const uint32_t *seeds, int64_t count) {
    for (int64_t i = 0; i < count; i++) enter(s, seeds[i], CELLS - 1);
}

/* Up to `budget` pages more. NEEDS_ROOM is answered before a page whose links might not fit; nothing is lost. */
EXPORT int32_t dragoman_scout(scout *s, int64_t budget) {
    for (int64_t i = 0; i < budget; i++) {
        if (!s->heap_used || !s->quotas_open) return FINISHED;
        int32_t number = s->heap[0];
        uint32_t page = s->entries[s->groups[number].root - 1].url;
        int64_t links = s->indptr[page + 1] - s->indptr[page];
        if (s->entries_used + links > s->entries_room || s->groups_used + links > s->groups_room) return NEEDS_ROOM;
        url_group *g = &s->groups[number];
        pop_entry(s, g);
        s->where[page] = DONE;
        evidence e = evidence_of(s, g->directory, s->server[page]);
        rank(s, number, &e);
        visit(s, page);
    }
    return PAUSED;
}
