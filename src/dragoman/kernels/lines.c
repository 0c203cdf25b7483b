/* URLs as lines of bytes: what the parts of a URL are read from. */
#include "vectors.h"

/* One byte per character: ASCII as it is, another letter 0x80 and seven bits of it, what else there is OTHER_SIGN. */
enum { OTHER_SIGN = 1 };
static inline uint8_t byte_of(uint32_t point) {
    if (point < 0x80) return (uint8_t)point;
    uint32_t lower = fold(point);
    if (!lower) return OTHER_SIGN;
    return lower < 0x80 ? (uint8_t)lower : (uint8_t)(0x80 | ((lower ^ (lower >> 7) * 29) & 0x7F));
}

/* True if "xn--" is somewhere in a host. */
static int has_punycode(const uint8_t *host, int64_t length) {
    for (int64_t i = 0; i + 4 <= length; i++)
        if (host[i + 2] == '-' && host[i + 3] == '-' && (host[i] | 0x20) == 'x' && (host[i + 1] | 0x20) == 'n') return 1;
    return 0;
}

/* The length of a host without the dots at its end. */
static inline int64_t trimmed(const uint8_t *host, int64_t length) {
    while (length > 0 && host[length - 1] == '.') length--;
    return length;
}

/* True if an escape or a byte beyond ASCII is somewhere. */
static int needs_points(const uint8_t *raw, int64_t length) {
    for (int64_t i = 0; i < length; i++)
        if (raw[i] == '%' || raw[i] & 0x80) return 1;
    return 0;
}

/* Where a path goes on with a whole address, as in web archives; 0 where it does not. */
static int64_t copied_address(const uint8_t *bytes, const parts *found) {
    const uint8_t *end = bytes + found->end, *at = bytes + found->rest, *colon;
    while (at < end && (colon = memchr(at, ':', (size_t)(end - at)))) {
        for (; at < colon; at++)
            if (*at == '?' || *at == '#') return 0;
        at = colon + 1;
        const uint8_t *start = colon - 4;
        if (start >= bytes + found->rest && (*(colon - 1) | 0x20) == 's') start--;
        if (at == end || *at != '/' || start <= bytes + found->rest || start[-1] != '/') continue;
        if ((start[0] | 0x20) == 'h' && (start[1] | 0x20) == 't' && (start[2] | 0x20) == 't' && (start[3] | 0x20) == 'p')
            return start - bytes;
    }
    return 0;
}

/* Puts host and rest behind each other, with zeros behind them; returns the length of the host. */
static int64_t copy_parts(const uint8_t *bytes, const parts *found, uint8_t *raw) {
    const int64_t host = trimmed(bytes + found->host, found->host_end - found->host), rest = found->end - found->rest;
    if (found->host + host == found->rest) {
        memcpy(raw, bytes + found->host, (size_t)(host + rest));
    } else {
        memcpy(raw, bytes + found->host, (size_t)host);
        memcpy(raw + host, bytes + found->rest, (size_t)rest);
    }
    memset(raw + host + rest, 0, PAD);
    return host;
}

/* Nearly all URLs are ASCII without escapes: their bytes are the characters. The others go by way of code points. */
void read_line(const uint8_t *bytes, int64_t length, scratch *memory, line *out) {
    parts found;
    split_address(bytes, length, &found);
    out->kind = found.kind;
    out->points = NULL;
    out->host_length = out->tld_start = out->length = 0;
    uint8_t *raw = memory->raw + PAD, *text = memory->text + PAD;
    out->raw = raw;
    out->text = text;
    if (found.kind != WEB) return;
    memset(text - PAD, BLANK, PAD);
    int64_t host = copy_parts(bytes, &found, raw);
    int signs = vectors.write_text(raw, host + found.end - found.rest, text);
    const int64_t copied = signs & HAS_COLON && found.host < found.host_end ? copied_address(bytes, &found) : 0;
    if (copied) {
        parts inner;
        split_address(bytes + copied, length - copied, &inner);
        if (inner.kind == WEB && inner.host < inner.host_end) { /* else the address around it is all there is */
            bytes += copied;
            length -= copied;
            found = inner;
            host = copy_parts(bytes, &found, raw);
            signs = vectors.write_text(raw, host + found.end - found.rest, text);
        }
    }
    out->length = host + found.end - found.rest;
    if (signs & HAS_MORE && (needs_points(raw, out->length) || has_punycode(raw, host))) {
        address url;
        read_address(bytes, length, memory, &url);
        out->points = url.points;
        out->host_length = url.host_length;
        out->tld_start = url.tld_start;
        out->length = url.length;
        for (int64_t i = 0; i < url.length; i++) raw[i] = byte_of(url.points[i]);
        vectors.write_text(raw, url.length, text);
    } else {
        const int64_t dot = find_last(raw, 0, host, '.');
        out->host_length = host;
        out->tld_start = dot < 0 ? host : dot + 1;
    }
    memset(text + out->length, BLANK, PAD);
}
