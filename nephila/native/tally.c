/* Tables of a site's memory (see content/site/tally.py): a row of numbers for each 64-bit key, in the order in which
 * the keys came, and where each is, by its hash. The hash has a seed of the process, so that no page can make keys
 * collide. The arrays are the caller's, and so is the care that nobody else changes them meanwhile.
 */

#include <stdint.h>
#include <string.h>

typedef int64_t num;

enum { FULL = -1 };

struct tally {
    num slots, most, width, count; /* slots: a power of two, more than `most` keys */
    num turn;                      /* above all marks */
    uint64_t seed;
    uint64_t *keys;
    double *rows;
    num *marks; /* of each key: in which place of which call it was met last */
    int32_t *table;
};

static num slot_of(const struct tally *t, uint64_t key)
{
    uint64_t hash = (key ^ t->seed) * 0x9E3779B97F4A7C15u;
    num slot = (num)((hash ^ hash >> 32) & (uint64_t)(t->slots - 1));
    while (t->table[slot] >= 0 && t->keys[t->table[slot]] != key)
        slot = (slot + 1) & (t->slots - 1);
    return slot;
}

/* The place of a key, which is new where it was not there; FULL where there is no room for it. */
static num place_of(struct tally *t, uint64_t key)
{
    num slot = slot_of(t, key), place = t->table[slot];
    if (place >= 0)
        return place;
    if (t->count >= t->most)
        return FULL;
    place = t->count++;
    t->keys[place] = key;
    t->marks[place] = -1;
    memset(t->rows + place * t->width, 0, (size_t)t->width * sizeof *t->rows);
    t->table[slot] = (int32_t)place;
    return place;
}

/* The row of each key; of zeros where it is not there. */
void nephila_tally_rows(const struct tally *t, const uint64_t *keys, num count, double *rows)
{
    for (num i = 0; i < count; i++) {
        num place = t->table[slot_of(t, keys[i])];
        if (place < 0)
            memset(rows + i * t->width, 0, (size_t)t->width * sizeof *rows);
        else
            memcpy(rows + i * t->width, t->rows + place * t->width, (size_t)t->width * sizeof *rows);
    }
}

/* Adds a row to that of each key. */
int nephila_tally_add(struct tally *t, const uint64_t *keys, num count, const double *rows)
{
    for (num i = 0; i < count; i++) {
        num place = place_of(t, keys[i]);
        if (place < 0)
            return FULL;
        for (num k = 0; k < t->width; k++)
            t->rows[place * t->width + k] += rows[i * t->width + k];
    }
    return 0;
}

/* Adds a page: of each different key the sums of its rows, which are shorter by one number, and 1 for the page.
 * `sums`: room for as many rows, `met` for as many places. */
int nephila_tally_page(struct tally *t, const uint64_t *keys, num count, const double *rows, double *sums, num *met)
{
    num width = t->width - 1, different = 0;
    for (num i = 0; i < count; i++) {
        num place = place_of(t, keys[i]);
        if (place < 0)
            return FULL;
        if (t->marks[place] < t->turn) {
            memset(sums + different * width, 0, (size_t)width * sizeof *sums);
            met[different] = place;
            t->marks[place] = t->turn + different++;
        }
        double *sum = sums + (t->marks[place] - t->turn) * width;
        for (num k = 0; k < width; k++)
            sum[k] += rows[i * width + k];
    }
    for (num i = 0; i < different; i++) {
        double *row = t->rows + met[i] * t->width;
        for (num k = 0; k < width; k++)
            row[k] += sums[i * width + k];
        row[width] += 1;
    }
    t->turn += different;
    return 0;
}
