/* The URLs and scores of a synthetic web, made from numbers whenever somebody asks (dragoman.crawl.synth.urls). */
#include <math.h>
#include <string.h>

#include "native.h"
#include "synth.h"

/* Words, top-level domains and codes of languages: entry i is text[marks[i] .. marks[i + 1]). */
typedef struct {
    uint64_t seed;
    int64_t live;             /* servers that gave a page */
    const uint8_t *text;
    const int32_t *marks;
    const int32_t *words;     /* languages + 1: where a language's words begin among the entries */
    const int32_t *domains;   /* languages + 1: its country domains */
    const int32_t *codes;     /* the entry with its code */
    const float *national;    /* chance of a country domain */
    int32_t common, general, generals, plain, plains; /* the common language; general domains; plain words */
    double foreign_word;      /* chance that a word is of the common language, or plain */
    const int64_t *base;      /* live + 1 */
    const int32_t *dirs;      /* live + 1 */
    const int16_t *dir_language;
    const int16_t *tongue;    /* all servers */
    const int32_t *server, *directory;
    const int16_t *latent;
} urls_job;

typedef struct {
    uint8_t *at, *end;
} pen;

static inline void put(pen *p, const uint8_t *text, int64_t n) {
    if (p->end - p->at < n) n = p->end - p->at;
    memcpy(p->at, text, (size_t)n);
    p->at += n;
}

static inline void put_text(pen *p, const char *text) { put(p, (const uint8_t *)text, (int64_t)strlen(text)); }

static inline void put_entry(const urls_job *job, pen *p, int32_t entry) {
    put(p, job->text + job->marks[entry], job->marks[entry + 1] - job->marks[entry]);
}

static void put_number(pen *p, uint64_t value) {
    uint8_t digits[20];
    int n = 0;
    do digits[n++] = (uint8_t)('0' + value % 10);
    while (value /= 10);
    while (n-- > 0 && p->at < p->end) *p->at++ = digits[n];
}

static void put_word(const urls_job *job, pen *p, int language, stream *dice) {
    const double u = uniform(dice);
    int32_t first = job->words[language], many = job->words[language + 1] - first;
    if (u < job->foreign_word || many == 0) {
        if (u < 0.5 * job->foreign_word || job->common == language) first = job->plain, many = job->plains;
        else first = job->words[job->common], many = job->words[job->common + 1] - first;
    }
    if (many) put_entry(job, p, first + (int32_t)below(dice, many));
}

static void put_host(const urls_job *job, pen *p, int64_t server) {
    stream dice = stream_of(job->seed, 10, (uint64_t)server);
    const int language = job->tongue[server];
    const int words = 1 + (uniform(&dice) < 0.4);
    put_text(p, "http://");
    if (uniform(&dice) < 0.6) put_text(p, "www.");
    for (int i = 0; i < words; i++) {
        if (i && uniform(&dice) < 0.5) put_text(p, "-");
        put_word(job, p, language, &dice);
    }
    put_number(p, (uint64_t)server); /* no two servers have one name */
    put_text(p, ".");
    const int32_t own = job->domains[language + 1] - job->domains[language];
    const double u = uniform(&dice);
    if (own && uniform(&dice) < job->national[language])
        put_entry(job, p, job->domains[language] + (int32_t)(u * u * own));
    else
        put_entry(job, p, job->general + (int32_t)(u * u * job->generals));
}

static void put_directory(const urls_job *job, pen *p, int64_t server, int32_t directory) {
    const int32_t local = directory - job->dirs[server];
    stream dice = stream_of(job->seed, 11, (uint64_t)directory);
    const int language = job->dir_language[directory];
    put_text(p, "/");
    if (uniform(&dice) < (language == job->tongue[server] ? 0.08 : 0.35)) {
        put_entry(job, p, job->codes[language]);
        if (local > 1) put_number(p, (uint64_t)local);
        return;
    }
    put_word(job, p, language, &dice);
    put_number(p, (uint64_t)local);
}

/* URLs of the vertices first .. last, each of at most `most` bytes; offsets has one more. Returns the bytes. */
EXPORT int64_t dragoman_synth_urls(const urls_job *job, int64_t first, int64_t last, int64_t most, uint8_t *data,
                                   int64_t *offsets) {
    static const char *const tails[] = {".html", ".htm", ".php", "/"};
    pen p = {data, data};
    for (int64_t i = first; i < last; i++) {
        offsets[i - first] = p.at - data;
        p.end = p.at + most;
        const int64_t server = job->server[i];
        put_host(job, &p, server);
        if (server < job->live && i == job->base[server]) {
            put_text(&p, "/");
            continue;
        }
        const int in_root = server >= job->live || job->directory[i] == job->dirs[server];
        if (!in_root) put_directory(job, &p, server, job->directory[i]);
        stream dice = stream_of(job->seed, 12, (uint64_t)i);
        const double u = uniform(&dice);
        const int words = u < 0.45 ? 0 : u < 0.75 ? 1 : u < 0.92 ? 2 : 3;
        put_text(&p, "/");
        if (!words) put_entry(job, &p, job->plain + (int32_t)below(&dice, job->plains));
        for (int w = 0; w < words; w++) {
            if (w) put_text(&p, "-");
            put_word(job, &p, job->latent[i], &dice);
        }
        const int query = uniform(&dice) < 0.15;
        put_text(&p, query ? ".php?id=" : "-");
        put_number(&p, (uint64_t)i); /* no two pages have one address */
        if (!query) put_text(&p, tails[below(&dice, in_root ? 3 : 4)]); /* a slash would make a directory */
    }
    offsets[last - first] = p.at - data;
    return p.at - data;
}

/* z = strength * y + sqrt(rho) * e_server + sqrt(1 - rho) * e_page, one fixed score for each URL. */
EXPORT void dragoman_synth_scores(uint64_t seed, int64_t n, const int32_t *server, const uint8_t *wanted,
                                  double strength, double rho, float *scores) {
    const double shared = sqrt(rho), own = sqrt(1 - rho);
    int64_t last = -1;
    double of_server = 0;
    for (int64_t i = 0; i < n; i++) {
        if (server[i] != last) {
            stream s = stream_of(seed, 20, (uint64_t)server[i]);
            of_server = normal(&s), last = server[i];
        }
        stream s = stream_of(seed, 21, (uint64_t)i);
        scores[i] = (float)(strength * wanted[i] + shared * of_server + own * normal(&s));
    }
}
