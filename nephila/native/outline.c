/* The containers of a page that hold blocks, who stands in whom, and whose start tags are the same: as
 * nephila/document/outline.py. */

#include <stdint.h>
#include <string.h>

typedef uint8_t byte;
typedef int64_t num;

enum { LEVELS = 5 };

struct outline {
    num containers, blocks, deepest;
    const num *tag_of, *end_tag, *depth, *parent; /* of each container */
    const num *container, *first;                 /* of each block */
    num *rows;                                    /* room for one number a container */
    num *numbers;                                 /* what comes out, for each container that is used */
    int32_t *parents, *spans;
    int32_t *ancestors; /* blocks x LEVELS */
};

/* The first block that begins at or behind a tag; `from`: none before it does. */
static num block_at(const struct outline *o, num tag, num from)
{
    num to = o->blocks;
    while (from < to) {
        num middle = from + (to - from) / 2;
        if (o->first[middle] < tag)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* How many containers hold blocks; or -1 where the page's numbers are not what they should be. */
int nephila_outline(const struct outline *o)
{
    num used = 0, start = 0;
    for (num c = 0; c < o->containers; c++) {
        while (start < o->blocks && o->first[start] < o->tag_of[c])
            start++;
        num end = block_at(o, o->end_tag[c], start);
        if (end > start && o->depth[c] <= o->deepest) {
            num above = o->parent[c];
            if (above >= c)
                return -1;
            o->numbers[used] = c;
            o->spans[2 * used] = (int32_t)start;
            o->spans[2 * used + 1] = (int32_t)end;
            o->parents[used++] = above < 0 ? 0 : (int32_t)o->rows[above];
        }
        o->rows[c] = used - 1;
    }
    for (num i = 0; i < o->blocks; i++) {
        int32_t *row = o->ancestors + i * LEVELS;
        num holder = o->container[i];
        if (holder < 0 || holder >= o->containers || o->rows[holder] < 0)
            return -1;
        row[0] = (int32_t)o->rows[holder];
        for (int level = 1; level < LEVELS; level++)
            row[level] = o->parents[row[level - 1]];
    }
    return (int)used;
}

uint64_t nephila_hash(const byte *at, num length, uint64_t seed)
{
    uint64_t value = seed ^ (uint64_t)length, next = 0;
    for (; length >= 8; at += 8, length -= 8) {
        memcpy(&next, at, 8);
        value = (value ^ next) * 0x9E3779B97F4A7C15u;
        value ^= value >> 29;
    }
    next = 0;
    memcpy(&next, at, (size_t)length);
    value = (value ^ next) * 0x9E3779B97F4A7C15u;
    return value ^ value >> 32;
}

struct tags {
    num containers, length, tags, slots; /* slots: a power of two, more than twice the containers */
    uint64_t seed;
    const num *numbers, *tag_of, *start, *stop;
    int32_t *table; /* room for `slots` */
    num *spans;     /* what comes out: begin and end of each different start tag, in the order of the page */
    int32_t *of;    /* and of each container which of them is its own */
};

/* How many different start tags the containers have; or -1 where the page's numbers are not what they should be. */
int nephila_different_tags(const byte *html, const struct tags *t)
{
    num found = 0;
    if (t->slots & (t->slots - 1) || t->slots <= 2 * t->containers)
        return -1;
    memset(t->table, 0xFF, (size_t)t->slots * sizeof *t->table);
    for (num c = 0; c < t->containers; c++) {
        num tag = t->tag_of[t->numbers[c]];
        if (tag < 0 || tag >= t->tags || t->start[tag] < 0 || t->start[tag] > t->stop[tag] || t->stop[tag] > t->length)
            return -1;
        const byte *at = html + t->start[tag];
        num size = t->stop[tag] - t->start[tag], slot = (num)(nephila_hash(at, size, t->seed) & (uint64_t)(t->slots - 1)), same;
        for (; (same = t->table[slot]) >= 0; slot = (slot + 1) & (t->slots - 1))
            if (t->spans[2 * same + 1] - t->spans[2 * same] == size && !memcmp(html + t->spans[2 * same], at, (size_t)size))
                break;
        if (same < 0) {
            t->table[slot] = (int32_t)found;
            t->spans[2 * found] = t->start[tag];
            t->spans[2 * found + 1] = t->stop[tag];
            same = found++;
        }
        t->of[c] = (int32_t)same;
    }
    return (int)found;
}
