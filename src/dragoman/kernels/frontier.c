/* A priority queue of URLs in groups, each a pairing heap; its heaps are in frontier_heaps.c. No entry is ever stale. */
#include "frontier.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

static int grown(void **array, int64_t *room, int64_t needed, size_t size, int zeroed) {
    if (needed <= *room) return 1;
    /* What is zeroed is memory that is used; of the rest only what is written to. */
    int64_t more = *room + *room / (zeroed ? 8 : 2) + 64;
    if (more < needed) more = needed;
    void *larger = realloc(*array, (size_t)more * size);
    if (!larger) return 0;
    if (zeroed) memset((char *)larger + (size_t)*room * size, 0, (size_t)(more - *room) * size);
    *array = larger;
    *room = more;
    return 1;
}

static uint32_t found_group(const frontier *f, uint64_t name) {
    if (!f->table_room) return 0;
    uint64_t mask = (uint64_t)f->table_room - 1;
    for (uint64_t slot = splitmix(name) & mask;; slot = (slot + 1) & mask) {
        uint32_t group = f->table[slot];
        if (!group || f->groups[group].name == name) return group;
    }
}

static int table_grown(frontier *f) {
    if (4 * (f->groups_used + 1) < 3 * f->table_room) return 1;
    int64_t room = f->table_room ? 2 * f->table_room : 256;
    uint32_t *table = calloc((size_t)room, sizeof *table);
    if (!table) return 0;
    for (int64_t group = 1; group <= f->groups_used; group++) {
        uint64_t slot = splitmix(f->groups[group].name) & (uint64_t)(room - 1);
        while (table[slot]) slot = (slot + 1) & (uint64_t)(room - 1);
        table[slot] = (uint32_t)group;
    }
    free(f->table);
    f->table = table;
    f->table_room = room;
    return 1;
}

uint32_t frontier_group(frontier *f, uint64_t name) {
    uint32_t there = found_group(f, name);
    if (there) return there;
    int64_t room = f->groups_room;
    if (f->groups_used + 2 >= (int64_t)UINT32_MAX || !table_grown(f) ||
        !grown((void **)&f->groups, &f->groups_room, f->groups_used + 2, sizeof *f->groups, 0))
        return 0;
    if (f->groups_room != room || !f->heads) {
        uint32_t *heads = realloc(f->heads, (size_t)f->groups_room * sizeof *heads);
        if (!heads) {
            f->groups_room = room; /* asked again next time */
            return 0;
        }
        f->heads = heads;
    }
    uint32_t group = (uint32_t)++f->groups_used;
    f->groups[group] = (waiting_group){.name = name, .scale = 1.0};
    uint64_t mask = (uint64_t)f->table_room - 1, slot = splitmix(name) & mask;
    while (f->table[slot]) slot = (slot + 1) & mask;
    f->table[slot] = group;
    return group;
}

static uint32_t new_waiter(frontier *f) {
    uint32_t place = f->unused;
    if (place) {
        f->unused = f->waiters[place].next;
        return place;
    }
    if (f->waiters_used + 2 >= (int64_t)UINT32_MAX ||
        !grown((void **)&f->waiters, &f->waiters_room, f->waiters_used + 2, sizeof *f->waiters, 0))
        return 0;
    return (uint32_t)++f->waiters_used;
}

static void unuse(frontier *f, uint32_t place) {
    f->waiters[place].key = NO_KEY;
    f->waiters[place].next = f->unused;
    f->unused = place;
}

/* ---- what is done with it ---- */

/* A URL leaves its group, which has to be ranked then; its place can be used again. */
static uint32_t leave(frontier *f, uint32_t place) {
    waiter *one = &f->waiters[place];
    uint32_t group = one->group;
    waiting_group *g = &f->groups[group];
    f->size--;
    g->waiting--;
    if (one->child == NO_HEAP) {
        if (g->held == place) g->held = one->next;
        heap_cut(f, place);
    } else {
        uint32_t children = one->child;
        one->child = 0;
        if (g->root == place) g->root = heap_gathered(f, children);
        else {
            heap_cut(f, place);
            g->root = heap_meld(f, g->root, heap_gathered(f, children));
        }
    }
    unuse(f, place);
    return group;
}

static int64_t value_order(const frontier *f, uint32_t a, uint32_t b) {
    const waiter *x = &f->waiters[a], *y = &f->waiters[b];
    const waiting_group *g = &f->groups[x->group], *h = &f->groups[y->group];
    double of_a = g->offset + g->scale * x->priority, of_b = h->offset + h->scale * y->priority;
    if (of_a != of_b) return of_a < of_b ? -1 : 1;
    return a == b ? 0 : tie_order(f, x->tie, y->tie) ? 1 : -1;
}

/* Moves the `many` worst of places[0 .. count) to the front. */
static void select_worst(const frontier *f, uint32_t *places, int64_t count, int64_t many) {
    int64_t low = 0, high = count - 1;
    while (low < high) {
        uint32_t pivot = places[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (value_order(f, places[i], pivot) < 0) i++;
            while (value_order(f, places[j], pivot) > 0) j--;
            if (i <= j) {
                uint32_t swap = places[i];
                places[i++] = places[j];
                places[j--] = swap;
            }
        }
        if (many - 1 <= j) high = j;
        else if (many - 1 >= i) low = i;
        else return;
    }
}

static int forget_the_worst(frontier *f) {
    uint32_t *places = malloc((size_t)(f->waiters_used + 1) * sizeof *places);
    int64_t count = 0, many = f->limit / 4 + 1;
    if (!places) return 0;
    for (int64_t place = 1; place <= f->waiters_used; place++)
        if (f->waiters[place].key != NO_KEY && f->waiters[place].child != NO_HEAP) places[count++] = (uint32_t)place;
    if (many > count) many = count;
    select_worst(f, places, count, many);
    for (int64_t i = 0; i < many; i++) {
        f->of_key[f->waiters[places[i]].key] = 0;
        rank_group(f, leave(f, places[i]));
    }
    f->forgotten += many;
    free(places);
    return 1;
}

EXPORT frontier *dragoman_frontier_new(int32_t promotion, int32_t seeded, uint64_t seed, int64_t limit) {
    frontier *f = calloc(1, sizeof *f);
    if (f) {
        f->promotion = promotion;
        f->seeded = seeded;
        f->seed = seed;
        f->limit = limit;
    }
    return f;
}

EXPORT void dragoman_frontier_free(frontier *f) {
    free(f->of_key);
    free(f->waiters);
    free(f->groups);
    free(f->table);
    free(f->heads);
    free(f);
}

int frontier_room_for(frontier *f, uint32_t key) {
    return key != NO_KEY && grown((void **)&f->of_key, &f->keys_room, (int64_t)key + 1, sizeof *f->of_key, 1);
}

int32_t frontier_put(frontier *f, uint32_t key, uint32_t group, double exact, int32_t held, uint32_t *left) {
    uint32_t now = f->of_key[key];
    float priority = (float)exact;
    *left = 0;
    if (now) {
        const waiter *one = &f->waiters[now];
        if (one->group == group && (!f->promotion || one->child == NO_HEAP || !(priority > one->priority))) return 0;
        held = one->child == NO_HEAP;
        *left = leave(f, now);
        f->of_key[key] = 0;
    }
    uint32_t place = new_waiter(f);
    if (!place) return -1;
    waiting_group *g = &f->groups[group];
    f->waiters[place] = (waiter){.priority = priority, .key = key, .group = group, .child = held ? NO_HEAP : 0};
    f->of_key[key] = place;
    f->size++;
    g->waiting++;
    if (held) {
        f->waiters[place].next = g->held;
        if (g->held) f->waiters[g->held].before = place;
        g->held = place;
        return 1;
    }
    f->waiters[place].tie = (uint32_t)f->puts++;
    g->root = heap_meld(f, g->root, place);
    return 1;
}

/* 1: it waits, 0: nothing changes, -1: no memory. */
EXPORT int32_t dragoman_frontier_put(frontier *f, uint32_t key, uint64_t name, double priority, int32_t held) {
    if (!frontier_room_for(f, key)) return -1;
    if (f->of_key[key] == KEY_DONE) return 0;
    uint32_t group = frontier_group(f, name), left;
    int32_t answer = group ? frontier_put(f, key, group, priority, held, &left) : -1;
    if (answer != 1) return answer;
    if (left) rank_group(f, left);
    rank_group(f, group);
    const int aside = f->waiters[f->of_key[key]].child == NO_HEAP; /* one that waits already stays held, or not, whatever is asked */
    return f->limit && f->size > f->limit && !aside && !forget_the_worst(f) ? -1 : 1;
}

/* As many puts; -1: no memory. */
EXPORT int32_t dragoman_frontier_put_all(frontier *f, int64_t count, const uint32_t *keys, const uint64_t *groups,
                                         const double *priorities) {
    for (int64_t i = 0; i < count; i++)
        if (dragoman_frontier_put(f, keys[i], groups[i], priorities[i], 0) < 0) return -1;
    return 0;
}

uint32_t frontier_best(frontier *f, uint32_t *group) {
    uint32_t place = f->groups[f->heads[1]].root, key = f->waiters[place].key;
    *group = leave(f, place);
    f->of_key[key] = KEY_DONE;
    return key;
}

EXPORT int64_t dragoman_frontier_pop(frontier *f) {
    if (!f->heads_used) return -1;
    uint32_t group, key = frontier_best(f, &group);
    rank_group(f, group);
    return key;
}

EXPORT int64_t dragoman_frontier_peek(const frontier *f) {
    return f->heads_used ? (int64_t)f->waiters[f->groups[f->heads[1]].root].key : -1;
}

/* 1: it counts as popped now, 0: it did already, -1: no memory. */
EXPORT int32_t dragoman_frontier_take(frontier *f, uint32_t key) {
    if (!frontier_room_for(f, key)) return -1;
    uint32_t now = f->of_key[key];
    if (now == KEY_DONE) return 0;
    if (now) rank_group(f, leave(f, now));
    f->of_key[key] = KEY_DONE;
    return 1;
}

/* The group of a URL that waits is passed over from now on; its place, to wake it by, or 0: the URL does not wait. */
EXPORT int64_t dragoman_frontier_rest(frontier *f, uint32_t key) {
    if ((int64_t)key >= f->keys_room || !f->of_key[key] || f->of_key[key] == KEY_DONE) return 0;
    uint32_t group = f->waiters[f->of_key[key]].group;
    f->groups[group].resting = 1;
    rank_group(f, group);
    return group;
}

EXPORT void dragoman_frontier_wake(frontier *f, int64_t group) {
    f->groups[group].resting = 0;
    rank_group(f, (uint32_t)group);
}

int64_t frontier_drop(frontier *f, uint32_t group) {
    waiting_group *g = &f->groups[group];
    int64_t gone = g->waiting;
    /* A heap becomes a list on the way: the children of each node are hung in front of what follows it. */
    uint32_t lists[2] = {g->root, g->held};
    for (int i = 0; i < 2; i++)
        for (uint32_t place = lists[i]; place;) {
            waiter *one = &f->waiters[place];
            uint32_t next = one->next;
            if (one->child && one->child != NO_HEAP) {
                uint32_t last = one->child;
                while (f->waiters[last].next) last = f->waiters[last].next;
                f->waiters[last].next = next;
                next = one->child;
            }
            f->of_key[one->key] = 0;
            unuse(f, place);
            place = next;
        }
    g->root = g->held = g->waiting = 0;
    g->offset = 0.0;
    g->scale = 1.0;
    f->size -= gone;
    rank_group(f, group);
    return gone;
}

EXPORT int64_t dragoman_frontier_drop(frontier *f, uint64_t name) {
    uint32_t group = found_group(f, name);
    return group ? frontier_drop(f, group) : 0;
}

/* From now on URLs of these groups count as offset + scale * priority. 0, or -1: no memory. */
EXPORT int32_t dragoman_frontier_shift_all(frontier *f, int64_t count, const uint64_t *groups, const double *offsets,
                                           const double *scales) {
    for (int64_t i = 0; i < count; i++) {
        uint32_t group = frontier_group(f, groups[i]);
        if (!group) return -1;
        f->groups[group].offset = offsets[i];
        f->groups[group].scale = scales[i];
        rank_group(f, group);
    }
    return 0;
}

/* 0: unknown or let go, 1: waits, 2: was popped. */
EXPORT int32_t dragoman_frontier_state(const frontier *f, uint32_t key) {
    if ((int64_t)key >= f->keys_room || !f->of_key[key]) return 0;
    return f->of_key[key] == KEY_DONE ? 2 : 1;
}

EXPORT int64_t dragoman_frontier_waiting(const frontier *f, uint64_t name) {
    uint32_t group = found_group(f, name);
    return group ? f->groups[group].waiting : 0;
}

EXPORT int64_t dragoman_frontier_size(const frontier *f) { return f->size; }

EXPORT int64_t dragoman_frontier_forgotten(const frontier *f) { return f->forgotten; }

/* The names of the groups of which something waits, at most `room` of them; how many there are. */
EXPORT int64_t dragoman_frontier_groups(const frontier *f, uint64_t *names, int64_t room) {
    int64_t count = 0;
    for (int64_t group = 1; group <= f->groups_used; group++)
        if (f->groups[group].waiting) {
            if (count < room) names[count] = f->groups[group].name;
            count++;
        }
    return count;
}
