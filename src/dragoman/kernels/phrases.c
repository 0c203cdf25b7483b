/* Phrases in a text: whether any of a few dozen stands in it, in one pass. Defined by `any(phrase in text ...)`. */
#include "native.h"

#include <string.h>

/* The first place in data[from .. length) at which one of the phrases begins, or -1. Phrases are sorted and have at least
   two bytes: phrase i is bytes[starts[i] .. starts[i + 1]), those that begin with byte b are first[b] .. first[b + 1].
   pairs has a bit for every two bytes with which one begins. */
EXPORT int64_t dragoman_phrase(const uint8_t *data, int64_t length, const uint8_t *bytes, const int32_t *starts,
                               const int32_t *first, const uint8_t *pairs) {
    for (int64_t i = 0; i + 1 < length; i++) {
        const uint32_t pair = (uint32_t)data[i] << 8 | data[i + 1];
        if (!(pairs[pair >> 3] >> (pair & 7) & 1)) continue;
        for (int32_t number = first[data[i]]; number < first[data[i] + 1]; number++) {
            const int64_t size = starts[number + 1] - starts[number];
            if (size <= length - i && !memcmp(data + i, bytes + starts[number], (size_t)size)) return i;
        }
    }
    return -1;
}
