/* Walks over a graph in compressed sparse rows. The plain versions are in dragoman.web.locality; whoever calls has
   checked that every number leads inside (dragoman.web.graph). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "native.h"

/* How many links join each pair of groups: counts[2][groups][groups], all of them, then those between servers.
   A vertex in group 255 is left out. */
EXPORT void dragoman_graph_joined(const int64_t *indptr, const uint32_t *targets, int64_t n, const uint8_t *group,
                                  const int32_t *server, int32_t groups, int64_t *counts) {
    int64_t *between = counts + (int64_t)groups * groups;
    for (int64_t i = 0; i < n; i++) {
        if (group[i] == 255) continue;
        for (int64_t k = indptr[i]; k < indptr[i + 1]; k++) {
            if (k + 16 < indptr[n]) {
                PREFETCH(group + targets[k + 16]);
                PREFETCH(server + targets[k + 16]);
            }
            const uint32_t end = targets[k];
            if (group[end] == 255) continue;
            const int64_t cell = (int64_t)group[i] * groups + group[end];
            counts[cell]++;
            between[cell] += server[i] != server[end];
        }
    }
}

/* The smallest number of links from any source to each vertex; -1 where no path leads. Only vertices marked in
   `through` are left by their links (NULL: all). `queue` has room for n. Returns how many vertices were reached. */
EXPORT int64_t dragoman_graph_distances(const int64_t *indptr, const uint32_t *targets, int64_t n,
                                        const uint32_t *sources, int64_t count, const uint8_t *through,
                                        uint32_t *queue, int32_t *distance) {
    int64_t head = 0, tail = 0;
    for (int64_t i = 0; i < n; i++) distance[i] = -1;
    for (int64_t i = 0; i < count; i++)
        if (distance[sources[i]] < 0) distance[sources[i]] = 0, queue[tail++] = sources[i];
    while (head < tail) {
        const uint32_t v = queue[head++];
        if (head + 4 < tail) PREFETCH(indptr + queue[head + 4]);
        if (through && !through[v]) continue;
        for (int64_t k = indptr[v]; k < indptr[v + 1]; k++) {
            const uint32_t end = targets[k];
            if (distance[end] < 0) distance[end] = distance[v] + 1, queue[tail++] = end;
        }
    }
    return tail;
}

/* The smallest number of links to each marked vertex from another marked one; -1 where there is none, and for vertices
   that are not marked. A vertex between keeps the two nearest marked vertices, because the nearest may be the one that
   a path leads back to. Returns 1 if there is no memory. */
EXPORT int32_t dragoman_graph_nearest(const int64_t *indptr, const uint32_t *targets, int64_t n, const uint8_t *marked,
                                      int32_t *distance) {
    const uint32_t none = UINT32_MAX;
    uint32_t *first = malloc((size_t)(n + 1) * sizeof *first), *second = malloc((size_t)(n + 1) * sizeof *second);
    int64_t room = 1024, head = 0, tail = 0;
    uint64_t *queue = malloc((size_t)room * sizeof *queue); /* twice the vertex, plus 1 for its second source */
    int32_t failed = !first || !second || !queue;
    for (int64_t i = 0; i < n && !failed; i++) {
        first[i] = second[i] = none;
        distance[i] = -1;
        if (!marked[i] || indptr[i] == indptr[i + 1]) continue;
        if (tail == room) {
            uint64_t *larger = realloc(queue, (size_t)(room *= 2) * sizeof *queue);
            if (!larger) { failed = 1; break; }
            queue = larger;
        }
        queue[tail++] = (uint64_t)i << 1;
    }
    int64_t level_end = tail;
    for (int32_t level = 1; head < tail && !failed; level_end = tail, level++)
        for (; head < level_end && !failed; head++) {
            const uint32_t v = (uint32_t)(queue[head] >> 1);
            const uint32_t source = marked[v] ? v : queue[head] & 1 ? second[v] : first[v];
            for (int64_t k = indptr[v]; k < indptr[v + 1]; k++) {
                const uint32_t end = targets[k];
                if (end == source) continue;
                if (marked[end]) {
                    if (distance[end] < 0) distance[end] = level;
                    continue;
                }
                const int is_second = first[end] != none;
                if (is_second && (first[end] == source || second[end] != none)) continue;
                if (is_second) second[end] = source;
                else first[end] = source;
                if (indptr[end] == indptr[end + 1]) continue; /* nothing goes on from here */
                if (tail == room) {
                    uint64_t *larger = realloc(queue, (size_t)(room *= 2) * sizeof *queue);
                    if (!larger) { failed = 1; break; }
                    queue = larger;
                }
                queue[tail++] = (uint64_t)end << 1 | (uint64_t)is_second;
            }
        }
    free(first);
    free(second);
    free(queue);
    return failed;
}

/* The links turned round: sources of the links to each vertex, in rising order. `start` (n + 1) and `sources` (one per
   link) are written. */
EXPORT void dragoman_graph_reversed(const int64_t *indptr, const uint32_t *targets, int64_t n, int64_t *start,
                                    uint32_t *sources) {
    memset(start, 0, (size_t)(n + 1) * sizeof *start);
    const int64_t links = indptr[n];
    for (int64_t k = 0; k < links; k++) start[targets[k] + 1]++;
    for (int64_t i = 0; i < n; i++) start[i + 1] += start[i];
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = indptr[i]; k < indptr[i + 1]; k++) sources[start[targets[k]]++] = (uint32_t)i;
    for (int64_t i = n; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
}

/* A number for each row of bytes; equal rows have equal numbers, and different ones almost never. */
EXPORT void dragoman_graph_digests(const uint8_t *data, const int64_t *offsets, int64_t rows, uint64_t *digests) {
    for (int64_t i = 0; i < rows; i++) {
        const uint8_t *at = data + offsets[i];
        int64_t left = offsets[i + 1] - offsets[i];
        uint64_t h = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(left + 1);
        for (; left >= 8; left -= 8, at += 8) {
            uint64_t word;
            memcpy(&word, at, 8);
            h = (h ^ word) * UINT64_C(0xFF51AFD7ED558CCD);
            h ^= h >> 32;
        }
        uint64_t word = 0;
        memcpy(&word, at, (size_t)left);
        h = (h ^ word) * UINT64_C(0xC4CEB9FE1A85EC53);
        digests[i] = h ^ h >> 29;
    }
}

/* One round of label spreading, in place and in the order of the vertices: belief[i] becomes proportional to
   exp(evidence[i] + scale[i] * sum of scale[j] * weight * belief[j] over what i links to and what links to i).
   weight[3][width]: of neighbours in the directory, elsewhere on the server, on another server. Returns the
   largest change of a belief. `sums` has room for 3 * width. */
EXPORT double dragoman_graph_spread(const int64_t *indptr, const uint32_t *targets, const int64_t *start,
                                    const uint32_t *sources, int64_t n, const int32_t *server,
                                    const int32_t *directory, int32_t width, const float *evidence,
                                    const double *weight, const double *scale, double *sums, float *belief) {
    double largest = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int32_t l = 0; l < 3 * width; l++) sums[l] = 0;
        for (int way = 0; way < 2; way++) {
            const int64_t *marks = way ? start : indptr;
            const uint32_t *ends = way ? sources : targets;
            for (int64_t k = marks[i]; k < marks[i + 1]; k++) {
                const uint32_t j = ends[k];
                if (j == (uint32_t)i) continue;
                const int near = directory[i] == directory[j] ? 0 : server[i] == server[j] ? 1 : 2;
                const float *other = belief + (int64_t)j * width;
                double *sum = sums + near * width;
                for (int32_t l = 0; l < width; l++) sum[l] += scale[j] * other[l];
            }
        }
        double top = -INFINITY, total = 0;
        for (int32_t l = 0; l < width; l++) {
            const double said = weight[l] * sums[l] + weight[width + l] * sums[width + l]
                              + weight[2 * width + l] * sums[2 * width + l];
            sums[l] = evidence[i * width + l] + scale[i] * said;
            if (sums[l] > top) top = sums[l];
        }
        for (int32_t l = 0; l < width; l++) total += sums[l] = exp(sums[l] - top);
        for (int32_t l = 0; l < width; l++) {
            const float now = (float)(sums[l] / total);
            const double change = fabs((double)now - (double)belief[i * width + l]);
            if (change > largest) largest = change;
            belief[i * width + l] = now;
        }
    }
    return largest;
}
