/* Bytes of a URL become code points: split as dragoman/url/address.py says, escapes, UTF-8 and punycode decoded. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

#include "letters.h"
#include "vectors.h"

#define DIRECT 0x20000 /* above it there are letters (CJK), but no capitals */
static uint32_t lower_case[DIRECT];

/* What a byte of a host may do. */
enum { PLAIN = 0, ENDS_HOST, ENDS_USER, NEVER };
static uint8_t roles[256];

/* Called once when the library is loaded, before any thread can use the table. */
EXPORT void dragoman_start(void) {
    for (size_t i = 0; i < sizeof LETTER_RUNS / sizeof *LETTER_RUNS; i++)
        for (uint32_t point = LETTER_RUNS[i][0]; point <= LETTER_RUNS[i][1] && point < DIRECT; point++)
            lower_case[point] = point;
    for (size_t i = 0; i < sizeof CASE_RUNS / sizeof *CASE_RUNS; i++)
        for (int32_t point = CASE_RUNS[i][0]; point <= CASE_RUNS[i][1]; point += CASE_RUNS[i][2])
            lower_case[point] = (uint32_t)(point + CASE_RUNS[i][3]);
    memset(roles, NEVER, 0x21);
    for (const char *c = "<>\"{}|^`"; *c; c++) roles[(uint8_t)*c] = NEVER;
    for (const char *c = "/\\?#"; *c; c++) roles[(uint8_t)*c] = ENDS_HOST;
    roles['@'] = ENDS_USER;
    choose_vectors(0);
}

uint32_t fold(uint32_t point) {
    if (point < DIRECT) return lower_case[point];
    for (size_t i = sizeof LETTER_RUNS / sizeof *LETTER_RUNS; i-- > 0 && LETTER_RUNS[i][1] >= DIRECT;)
        if (LETTER_RUNS[i][0] <= point && point <= LETTER_RUNS[i][1]) return point;
    return 0;
}

EXPORT uint32_t dragoman_fold(uint32_t point) { return fold(point); }

int scratch_reserve(scratch *memory, int64_t bytes) {
    if (bytes <= memory->room) return 1;
    int64_t room = bytes + bytes / 2 + 256;
    scratch_free(memory);
    memory->points = malloc((size_t)room * sizeof *memory->points);
    memory->keys = malloc((size_t)room * KEYS_PER_BYTE * sizeof *memory->keys);
    memory->raw = malloc((size_t)room + 2 * PAD);
    memory->text = malloc((size_t)room + 2 * PAD);
    if (!memory->points || !memory->keys || !memory->raw || !memory->text) {
        scratch_free(memory);
        return 0;
    }
    memory->room = room;
    return 1;
}

void scratch_free(scratch *memory) {
    free(memory->points);
    free(memory->keys);
    free(memory->raw);
    free(memory->text);
    memory->points = NULL;
    memory->keys = NULL;
    memory->raw = memory->text = NULL;
    memory->room = 0;
}

static inline int hex_digit(uint8_t byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* The byte at *at with its percent-escape undone; moves *at behind it. */
static inline uint8_t next_byte(const uint8_t *bytes, int64_t end, int64_t *at) {
    uint8_t byte = bytes[(*at)++];
    if (byte == '%' && *at + 1 < end) {
        int high = hex_digit(bytes[*at]), low = hex_digit(bytes[*at + 1]);
        if (high >= 0 && low >= 0) {
            *at += 2;
            return (uint8_t)(high << 4 | low);
        }
    }
    return byte;
}

/* Escapes and UTF-8 undone; a byte that is not part of valid UTF-8 stands for its Latin-1 character. */
static int64_t decode(const uint8_t *bytes, int64_t start, int64_t end, uint32_t *points) {
    int64_t n = 0, at = start;
    while (at < end) {
        uint32_t lead = next_byte(bytes, end, &at);
        if (lead < 0x80) {
            points[n++] = lead;
            continue;
        }
        int more = lead >= 0xC2 && lead <= 0xDF ? 1 : (lead & 0xF0) == 0xE0 ? 2 : lead >= 0xF0 && lead <= 0xF4 ? 3 : 0;
        uint32_t point = more == 1 ? lead & 0x1F : more == 2 ? lead & 0x0F : lead & 0x07;
        int64_t ahead = at;
        int good = more > 0;
        for (int i = 0; i < more && good; i++) {
            if (ahead >= end) {
                good = 0;
                break;
            }
            uint32_t byte = next_byte(bytes, end, &ahead);
            good = (byte & 0xC0) == 0x80;
            point = point << 6 | (byte & 0x3F);
        }
        if (good && ((more == 2 && (point < 0x800 || (point >= 0xD800 && point <= 0xDFFF))) ||
                     (more == 3 && (point < 0x10000 || point > 0x10FFFF))))
            good = 0;
        if (good) at = ahead;
        points[n++] = good ? point : lead;
    }
    return n;
}

#define LABEL_LIMIT 63 /* the longest label of the domain name system: decoding stays linear in the URL */

/* RFC 3492. The label's part behind "xn--"; returns the number of points, or -1 if it is no punycode. */
static int punycode(const uint32_t *in, int length, uint32_t *out) {
    int dash = -1, n = 0;
    for (int i = 0; i < length; i++) {
        if (in[i] >= 0x80) return -1;
        if (in[i] == '-') dash = i;
    }
    for (int i = 0; i < dash; i++) out[n++] = in[i];
    uint64_t code = 128, i = 0, bias = 72;
    int at = dash < 0 ? 0 : dash + 1;
    while (at < length) {
        uint64_t before = i, weight = 1;
        for (uint64_t k = 36;; k += 36) {
            if (at >= length) return -1;
            uint32_t c = in[at++] | 0x20;
            uint64_t digit;
            if (c >= 'a' && c <= 'z') digit = c - 'a';
            else if (in[at - 1] >= '0' && in[at - 1] <= '9') digit = in[at - 1] - '0' + 26;
            else return -1;
            i += digit * weight;
            uint64_t threshold = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
            if (digit < threshold) break;
            weight *= 36 - threshold;
            if (i > UINT32_MAX || weight > UINT32_MAX) return -1;
        }
        uint64_t count = (uint64_t)n + 1;
        uint64_t delta = before == 0 ? (i - before) / 700 : (i - before) / 2;
        delta += delta / count;
        uint64_t k = 0;
        for (; delta > 455; k += 36) delta /= 35;
        bias = k + 36 * delta / (delta + 38);
        code += i / count;
        i %= count;
        if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return -1;
        memmove(out + i + 1, out + i, (size_t)(n - (int)i) * sizeof *out);
        out[i++] = (uint32_t)code;
        n++;
    }
    return n;
}

/* Decodes the "xn--" labels of a host in place (they only get shorter) and finds where its last label begins. */
static void decode_labels(address *out) {
    uint32_t *points = out->points, decoded[LABEL_LIMIT];
    int64_t read = 0, written = 0, length = out->host_length, last = 0, labels = 0;
    while (length > 0 && points[length - 1] == '.') length--;
    while (read < length) {
        int64_t end = read;
        while (end < length && points[end] != '.') end++;
        int64_t size = end - read;
        last = written;
        labels++;
        int n = -1;
        if (size > 4 && size <= LABEL_LIMIT && (points[read] | 0x20) == 'x' && (points[read + 1] | 0x20) == 'n' &&
            points[read + 2] == '-' && points[read + 3] == '-')
            n = punycode(points + read + 4, (int)size - 4, decoded);
        if (n >= 0) {
            memcpy(points + written, decoded, (size_t)n * sizeof *decoded);
            written += n;
        } else {
            memmove(points + written, points + read, (size_t)size * sizeof *points);
            written += size;
        }
        if (end < length) points[written++] = '.';
        read = end + 1;
    }
    out->host_length = written;
    out->tld_start = labels > 1 ? last : written;
}

static inline int is_scheme_byte(uint8_t byte) {
    uint8_t low = byte | 0x20;
    return (low >= 'a' && low <= 'z') || (byte >= '0' && byte <= '9') || byte == '+' || byte == '.' || byte == '-';
}

static int same_word(const uint8_t *bytes, int64_t length, const char *word) {
    for (int64_t i = 0; i < length; i++)
        if (word[i] == 0 || (bytes[i] | 0x20) != (uint8_t)word[i]) return 0;
    return word[length] == 0;
}

static inline int is_slash(uint8_t byte) { return byte == '/' || byte == '\\'; }
static inline int ends_host(uint8_t byte) { return is_slash(byte) || byte == '?' || byte == '#'; }

/* Where the host begins behind "http://" or "https://", as nearly all URLs are written; 0 for the others. */
static inline int64_t behind_scheme(const uint8_t *bytes, int64_t length) {
    if (length < 8 || memcmp(bytes, "http", 4) != 0) return 0;
    const int secure = bytes[4] == 's';
    return bytes[4 + secure] == ':' && bytes[5 + secure] == '/' && bytes[6 + secure] == '/' ? 7 + secure : 0;
}

/* Which of sixteen bytes are ASCII letters, digits, dots or hyphens, one bit each. */
static inline uint32_t host_signs_of(const uint8_t *p) {
    uint32_t signs = ascii_letters_of(p);
#if defined(__SSE2__)
    const __m128i part = _mm_loadu_si128((const __m128i *)(const void *)p);
    /* signed numbers are compared: '-' is moved to the least */
    const __m128i moved = _mm_add_epi8(part, _mm_set1_epi8((char)(0x80 - '-')));
    const __m128i slash = _mm_cmpeq_epi8(part, _mm_set1_epi8('/'));
    const __m128i from_hyphen_to_nine = _mm_cmplt_epi8(moved, _mm_set1_epi8((char)(0x80 + '9' + 1 - '-')));
    signs |= (uint32_t)_mm_movemask_epi8(_mm_andnot_si128(slash, from_hyphen_to_nine));
#else
    for (int i = 0; i < 16; i++) signs |= (uint32_t)(p[i] >= '-' && p[i] <= '9' && p[i] != '/') << i;
#endif
    return signs;
}

void split_address(const uint8_t *bytes, int64_t length, parts *out) {
    int64_t at = 0, end = length;
    while (at < end && bytes[at] <= 0x20) at++;
    while (end > at && bytes[end - 1] <= 0x20) end--;
    out->host = out->host_end = out->rest = at;
    out->end = end;
    if (at == end) {
        out->kind = EMPTY;
        return;
    }
    out->kind = WEB;
    int64_t colon = at, host = at;
    const int64_t behind = behind_scheme(bytes + at, end - at);
    const uint8_t first = bytes[at] | 0x20;
    if (!behind && first >= 'a' && first <= 'z')
        while (colon < end && is_scheme_byte(bytes[colon])) colon++;
    if (behind) {
        host += behind;
        while (host < end && is_slash(bytes[host])) host++;
    } else if (colon > at && colon < end && bytes[colon] == ':') {
        int64_t size = colon - at;
        int slashes = colon + 2 < end && bytes[colon + 1] == '/' && bytes[colon + 2] == '/';
        if (same_word(bytes + at, size, "https") || same_word(bytes + at, size, "http") ||
            same_word(bytes + at, size, "ftp")) {
            host = colon + 1;
            while (host < end && is_slash(bytes[host])) host++;
        } else if (slashes || !(same_word(bytes + at, size, "localhost") || memchr(bytes + at, '.', (size_t)size))) {
            out->kind = OTHER_SCHEME;
            return;
        }
    } else if (end - at >= 2 && is_slash(bytes[at]) && is_slash(bytes[at + 1])) {
        while (host < end && is_slash(bytes[host])) host++;
    } else if (ends_host(bytes[at]) || (bytes[at] == '.' && (at + 1 == end || bytes[at + 1] == '.' || is_slash(bytes[at + 1])))) {
        return; /* a relative reference: all of it is path */
    }
    int64_t host_end = host;
    int bad = 0;
    for (;; host_end++) {
        for (uint32_t others = 0; !others && host_end + 16 <= end; host_end += others ? lowest_bit(others) : 16)
            others = ~host_signs_of(bytes + host_end) & 0xFFFF;
        if (host_end >= end) break;
        uint8_t role = roles[bytes[host_end]];
        if (role == PLAIN) continue;
        if (role == ENDS_HOST) break;
        if (role == ENDS_USER) {
            host = host_end + 1;
            bad = 0; /* what stands before the @ may be anything */
        } else {
            bad = 1;
        }
    }
    out->rest = host_end;
    if (bad) {
        out->kind = NOT_A_URL;
        return;
    }
    if (host < host_end && bytes[host] == '[') {
        host_end = host; /* an IPv6 address has no words */
    } else {
        int64_t digits = host_end;
        while (digits > host && bytes[digits - 1] >= '0' && bytes[digits - 1] <= '9') digits--;
        if (digits > host && bytes[digits - 1] == ':') host_end = digits - 1;
    }
    out->host = host;
    out->host_end = host_end;
}

void read_address(const uint8_t *bytes, int64_t length, scratch *memory, address *out) {
    parts found;
    split_address(bytes, length, &found);
    out->kind = found.kind;
    out->points = memory->points;
    out->host_length = out->tld_start = out->length = 0;
    if (found.kind != WEB) return;
    out->host_length = decode(bytes, found.host, found.host_end, out->points);
    decode_labels(out);
    out->length = out->host_length + decode(bytes, found.rest, found.end, out->points + out->host_length);
}
