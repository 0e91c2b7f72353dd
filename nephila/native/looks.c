/* What is remembered of start tags (see content/features/names.py), found for all containers of a page in one call.
 *
 * The memory is the caller's: a table of hashes, with a seed of the process so that no page can make them collide; the
 * tags themselves, which are compared; and a look for each. Who calls sees to it that nobody else does meanwhile.
 */

#include <stdint.h>
#include <string.h>

typedef uint8_t byte;
typedef int64_t num;

enum { LOOK = 56, ODD = -1 }; /* bytes of a look */

struct memory {
    num slots, most, room; /* slots: a power of two, more than twice as many as `most` tags; room: bytes of all tags */
    uint64_t seed;
    num count, used;
    int32_t *table;
    uint64_t *hashes;
    num *ends; /* of each tag in `text`; it begins where the one before ends */
    byte *text, *looks;
};

struct containers {
    num count, length, tags;
    const num *numbers, *tag_of, *start, *stop;
    byte *looks;      /* what comes out, for each container */
    int32_t *missing; /* the containers whose tags are not known */
    uint64_t *hashes; /* room for one a container */
};

/* In outline.c. */
uint64_t nephila_hash(const byte *at, num length, uint64_t seed);

/* Where the tag is in the table, or would be. */
static num slot_of(const struct memory *m, const byte *tag, num length, uint64_t hash)
{
    num slot = (num)(hash & (uint64_t)(m->slots - 1)), place;
    for (; (place = m->table[slot]) >= 0; slot = (slot + 1) & (m->slots - 1)) {
        num begin = place ? m->ends[place - 1] : 0;
        if (m->hashes[place] == hash && m->ends[place] - begin == length && !memcmp(m->text + begin, tag, (size_t)length))
            break;
    }
    return slot;
}

/* How many containers have tags that are not known; ODD where the page's numbers are not what they should be. */
num nephila_looks(const byte *html, const struct memory *m, const struct containers *c)
{
    num missing = 0;
    /* The memory is large, and what is looked for lies anywhere in it: asked for beforehand, it comes meanwhile. */
    for (num i = 0; i < c->count; i++) {
        num tag = c->tag_of[c->numbers[i]];
        if (tag < 0 || tag >= c->tags || c->start[tag] < 0 || c->start[tag] > c->stop[tag] || c->stop[tag] > c->length)
            return ODD;
        c->hashes[i] = nephila_hash(html + c->start[tag], c->stop[tag] - c->start[tag], m->seed);
        __builtin_prefetch(m->table + (c->hashes[i] & (uint64_t)(m->slots - 1)));
    }
    for (num i = 0; i < c->count; i++) {
        int32_t place = m->table[c->hashes[i] & (uint64_t)(m->slots - 1)];
        if (place >= 0) {
            __builtin_prefetch(m->hashes + place);
            __builtin_prefetch(m->ends + place);
            __builtin_prefetch(m->looks + place * LOOK);
        }
    }
    for (num i = 0; i < c->count; i++) {
        num tag = c->tag_of[c->numbers[i]], length = c->stop[tag] - c->start[tag];
        num place = m->table[slot_of(m, html + c->start[tag], length, c->hashes[i])];
        if (place < 0)
            c->missing[missing++] = (int32_t)i;
        else
            memcpy(c->looks + i * LOOK, m->looks + place * LOOK, LOOK);
    }
    return missing;
}

/* Remembers the look of a tag; ODD where there is no room left. */
int nephila_remember(struct memory *m, const byte *tag, num length, const byte *look)
{
    uint64_t hash = nephila_hash(tag, length, m->seed);
    num slot = slot_of(m, tag, length, hash), place = m->table[slot];
    if (place >= 0)
        return 0;
    if (m->count >= m->most || m->room - m->used < length)
        return ODD;
    place = m->count++;
    memcpy(m->text + m->used, tag, (size_t)length);
    m->used += length;
    m->ends[place] = m->used;
    m->hashes[place] = hash;
    memcpy(m->looks + place * LOOK, look, LOOK);
    m->table[slot] = (int32_t)place;
    return 0;
}
