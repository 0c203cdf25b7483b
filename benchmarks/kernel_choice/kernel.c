/* The kernel in plain C: no Python.h, only arrays. kernel_plain.py is its definition.
 * Nothing is checked here: kernel_ctypes.py checks types, layout and sizes before it calls. */
#include <stdint.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

enum { CLASSES = 5 };

static inline uint64_t mix(uint64_t key)
{
    key *= 0x9E3779B97F4A7C15u;
    key ^= key >> 32;
    key *= 0xD6E8FEB86659FD93u;
    return key ^ (key >> 29);
}

EXPORT void score(int64_t urls, const uint8_t *restrict data, const int64_t *restrict offsets,
                  uint64_t last, const uint64_t *restrict keys, const int32_t *restrict rows,
                  const float *restrict weights, float *restrict out)
{
    for (int64_t i = 0; i < urls; i++) {
        float *sums = out + i * CLASSES;
        uint64_t window = '_'; /* the last three bytes of the token with its marks */
        int letters = 0;       /* letters of the current token so far */
        for (int64_t at = offsets[i]; at <= offsets[i + 1]; at++) {
            /* The end of the URL ends its last token like any byte that is no letter. */
            uint8_t lower = at < offsets[i + 1] ? data[at] | 0x20 : 0;
            int is_letter = lower >= 'a' && lower <= 'z';
            if (!is_letter && letters == 0)
                continue;
            window = ((window << 8) | (is_letter ? lower : '_')) & 0xFFFFFF;
            letters += is_letter;
            if (!is_letter || letters >= 2) {
                uint64_t key = mix(window);
                uint64_t slot = key & last;
                while (keys[slot] != key && keys[slot] != 0)
                    slot = (slot + 1) & last;
                if (keys[slot] == key) {
                    const float *row = weights + (int64_t)rows[slot] * CLASSES;
                    for (int k = 0; k < CLASSES; k++)
                        sums[k] += row[k];
                }
            }
            if (!is_letter) {
                window = '_';
                letters = 0;
            }
        }
    }
}
