/* Hashes of what the blocks of a page say, without figures (see content/site/memory.py): of the first bytes, and of
 * the whole, as XXH64 has them. */

#include <stdint.h>
#include <string.h>

typedef uint8_t byte;
typedef int64_t num;

enum { START = 16, WHOLE = 400, LONGEST = 4 * WHOLE }; /* bytes, characters, bytes */

#define P1 0x9E3779B185EBCA87u
#define P2 0xC2B2AE3D27D4EB4Fu
#define P3 0x165667B19E3779F9u
#define P4 0x85EBCA77C2B2AE63u
#define P5 0x27D4EB2F165667C5u

static uint64_t turned(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

/* The bytes as a number, the lowest first, whatever the machine. */
static uint64_t read(const byte *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static uint64_t rounded(uint64_t sum, uint64_t value)
{
    return turned(sum + value * P2, 31) * P1;
}

static uint64_t xxh64(const byte *at, num length, uint64_t seed)
{
    const byte *end = at + length;
    uint64_t hash = seed + P5;
    if (length >= 32) {
        uint64_t sums[4] = {seed + P1 + P2, seed + P2, seed, seed - P1};
        for (; end - at >= 32; at += 32)
            for (int i = 0; i < 4; i++)
                sums[i] = rounded(sums[i], read(at + 8 * i, 8));
        hash = turned(sums[0], 1) + turned(sums[1], 7) + turned(sums[2], 12) + turned(sums[3], 18);
        for (int i = 0; i < 4; i++)
            hash = (hash ^ rounded(0, sums[i])) * P1 + P4;
    }
    hash += (uint64_t)length;
    for (; end - at >= 8; at += 8)
        hash = turned(hash ^ rounded(0, read(at, 8)), 27) * P1 + P4;
    if (end - at >= 4) {
        hash = turned(hash ^ read(at, 4) * P1, 23) * P2 + P3;
        at += 4;
    }
    for (; at < end; at++)
        hash = turned(hash ^ *at * P5, 11) * P1;
    hash = (hash ^ hash >> 33) * P2;
    hash = (hash ^ hash >> 29) * P3;
    return hash ^ hash >> 32;
}

/* `text`: all blocks, one after the other, in UTF-8; `lengths`: their characters. The seed is the lower half of a block's
 * `places`, and one more for the whole. 0, or -1 where the text is shorter than that. */
int nephila_starts(const byte *text, num length, const num *lengths, num count, const uint64_t *places, uint64_t *starts,
                   uint64_t *wholes)
{
    num at = 0;
    for (num i = 0; i < count; i++) {
        byte bare[LONGEST];
        num size = 0;
        for (num character = 0; character < lengths[i]; character++) {
            if (at >= length)
                return -1;
            num begin = at++;
            while (at < length && (text[at] & 0xC0) == 0x80)
                at++;
            if (character >= WHOLE || (text[begin] >= '0' && text[begin] <= '9'))
                continue;
            for (; begin < at && size < LONGEST; begin++)
                bare[size++] = text[begin];
        }
        uint64_t seed = places[i] & 0xFFFFFFFFu;
        starts[i] = xxh64(bare, size < START ? size : START, seed);
        wholes[i] = xxh64(bare, size, seed + 1);
    }
    return 0;
}
