/* The containers of a page that hold blocks, and who stands in whom: as nephila/document/outline.py. */

#include <stdint.h>

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
