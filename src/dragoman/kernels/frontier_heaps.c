/* The two kinds of heaps of the frontier. Each group is a pairing heap whose nodes know their place, so that a URL can
   leave it from the middle; the groups are a binary heap by their best URL. */
#include "frontier.h"

#include <stdlib.h>

/* ---- within a group ---- */

static int goes_first(const frontier *f, uint32_t a, uint32_t b) {
    const waiter *x = &f->waiters[a], *y = &f->waiters[b];
    return x->priority > y->priority || (x->priority == y->priority && tie_order(f, x->tie, y->tie));
}

uint32_t heap_meld(frontier *f, uint32_t a, uint32_t b) {
    if (!a) return b;
    if (!b) return a;
    if (!goes_first(f, a, b)) {
        uint32_t swap = a;
        a = b;
        b = swap;
    }
    waiter *top = &f->waiters[a], *low = &f->waiters[b];
    low->next = top->child;
    if (top->child) f->waiters[top->child].before = b;
    low->before = a;
    top->child = b;
    top->next = top->before = 0;
    return a;
}

/* The children of a node that leaves become one heap: in pairs from the first, then all from the last. */
uint32_t heap_gathered(frontier *f, uint32_t first) {
    uint32_t pairs = 0, root = 0;
    while (first) {
        uint32_t second = f->waiters[first].next, rest = second ? f->waiters[second].next : 0;
        f->waiters[first].next = f->waiters[first].before = 0;
        if (second) f->waiters[second].next = f->waiters[second].before = 0;
        uint32_t pair = heap_meld(f, first, second);
        f->waiters[pair].next = pairs;
        pairs = pair;
        first = rest;
    }
    while (pairs) {
        uint32_t rest = f->waiters[pairs].next;
        f->waiters[pairs].next = 0;
        root = heap_meld(f, root, pairs);
        pairs = rest;
    }
    if (root) f->waiters[root].next = f->waiters[root].before = 0;
    return root;
}

void heap_cut(frontier *f, uint32_t place) {
    waiter *one = &f->waiters[place];
    if (one->before) {
        waiter *before = &f->waiters[one->before];
        if (before->child == place) before->child = one->next;
        else before->next = one->next;
    }
    if (one->next) f->waiters[one->next].before = one->before;
    one->next = one->before = 0;
}

/* ---- between groups ---- */

static int group_first(const frontier *f, uint32_t a, uint32_t b) {
    const waiting_group *x = &f->groups[a], *y = &f->groups[b];
    return x->value > y->value || (x->value == y->value && tie_order(f, x->tie, y->tie));
}

static void seat(frontier *f, int64_t spot, uint32_t group) {
    f->heads[spot] = group;
    f->groups[group].spot = (uint32_t)spot;
}

static void sift(frontier *f, int64_t spot) {
    uint32_t group = f->heads[spot];
    while (spot > 1 && group_first(f, group, f->heads[spot / 2])) {
        seat(f, spot, f->heads[spot / 2]);
        spot /= 2;
    }
    for (;;) {
        int64_t child = 2 * spot;
        if (child > f->heads_used) break;
        if (child < f->heads_used && group_first(f, f->heads[child + 1], f->heads[child])) child++;
        if (!group_first(f, f->heads[child], group)) break;
        seat(f, spot, f->heads[child]);
        spot = child;
    }
    seat(f, spot, group);
}

void rank_group(frontier *f, uint32_t group) {
    waiting_group *g = &f->groups[group];
    if (!g->root || g->resting) {
        if (!g->spot) return;
        int64_t spot = g->spot;
        uint32_t last = f->heads[f->heads_used--];
        g->spot = 0;
        if (last == group) return;
        seat(f, spot, last);
        sift(f, spot);
        return;
    }
    const waiter *best = &f->waiters[g->root];
    double value = g->offset + g->scale * best->priority;
    if (g->spot && g->value == value && g->tie == best->tie) return;
    g->value = value;
    g->tie = best->tie;
    if (!g->spot) seat(f, ++f->heads_used, group);
    sift(f, g->spot);
}

/* ---- the best values ---- */

/* A URL, or a group (by its place in the heap of groups) of which nothing was looked at, and what the best there counts. */
typedef struct {
    double value;
    uint32_t waiter, spot;
} glimpse;

typedef struct {
    glimpse *heap;
    int64_t used, room;
} glimpses;

static int look_at(glimpses *g, glimpse one) {
    if (g->used + 1 >= g->room) {
        int64_t room = 2 * g->room + 64;
        glimpse *larger = realloc(g->heap, (size_t)room * sizeof *larger);
        if (!larger) return 0;
        g->heap = larger;
        g->room = room;
    }
    int64_t place = ++g->used;
    for (; place > 1 && one.value > g->heap[place / 2].value; place /= 2) g->heap[place] = g->heap[place / 2];
    g->heap[place] = one;
    return 1;
}

static glimpse next_glimpse(glimpses *g) {
    glimpse best = g->heap[1], last = g->heap[g->used--];
    int64_t place = 1;
    for (int64_t child; (child = 2 * place) <= g->used; place = child) {
        if (child < g->used && g->heap[child + 1].value > g->heap[child].value) child++;
        if (!(g->heap[child].value > last.value)) break;
        g->heap[place] = g->heap[child];
    }
    g->heap[place] = last;
    return best;
}

/* What the best `count` of the URLs that can be popped count, falling; how many there are, or -1: no memory. */
EXPORT int64_t dragoman_frontier_values(const frontier *f, int64_t count, double *values) {
    glimpses g = {0};
    int64_t told = 0;
    int fits = !f->heads_used || look_at(&g, (glimpse){f->groups[f->heads[1]].value, 0, 1});
    while (fits && g.used && told < count) {
        glimpse best = next_glimpse(&g);
        uint32_t place = best.waiter;
        values[told++] = best.value;
        if (best.spot) {
            place = f->groups[f->heads[best.spot]].root;
            for (uint32_t spot = 2 * best.spot; fits && spot <= 2 * best.spot + 1 && spot <= f->heads_used; spot++)
                fits = look_at(&g, (glimpse){f->groups[f->heads[spot]].value, 0, spot});
        }
        const waiting_group *group = &f->groups[f->waiters[place].group];
        for (uint32_t child = f->waiters[place].child; fits && child; child = f->waiters[child].next)
            fits = look_at(&g, (glimpse){group->offset + group->scale * f->waiters[child].priority, child, 0});
    }
    free(g.heap);
    return fits ? told : -1;
}
