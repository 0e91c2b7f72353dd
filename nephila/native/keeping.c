/* The blocks to keep: as content/keeping.py, but for what the texts themselves tell. */

#include <stdint.h>

typedef uint8_t byte;
typedef int64_t num;

/* In order.c. */
float nephila_choose(const float *likely, const float *weights, num count, double least, num *room, byte *kept);

enum { ODD = -1, CODE = 35, CONTROL = 41, AGAIN = 53, LONG = 10, REACH = 20 };
enum { DROPPED, KEPT, ADDED };

static const float possible = 0.05f;

struct keeping {
    num blocks, dense_width;
    const float *main, *weights, *dense;
    float *likely; /* of each block, without the options of lists; behind them the expected F1 of the choice */
    num *room;     /* two numbers a block */
    byte *kept;
    num *again; /* room for a number a block: the kept ones whose long texts are on the page more than once */
    double least;
};

static void leave_options_out(const struct keeping *k)
{
    for (num i = 0; i < k->blocks; i++) {
        const float *dense = k->dense + i * k->dense_width;
        k->likely[i] = dense[CONTROL] > 0 && dense[CODE] == 0 ? 0 : k->main[i];
    }
}

/* A listing of a program that has kept texts close by on both sides. */
static void add_listings(const struct keeping *k)
{
    num blocks = k->blocks, reach = REACH < blocks - 1 ? REACH : blocks - 1;
    num *before = k->room, last = -2 * blocks, next = 3 * blocks;
    for (num i = 0; i < blocks; i++) {
        before[i] = i - last;
        last = k->kept[i] ? i : last;
    }
    for (num i = blocks - 1; i >= 0; i--) {
        if (k->kept[i] == KEPT)
            next = i;
        else if (k->dense[i * k->dense_width + CODE] > 0 && k->likely[i] > possible && before[i] <= reach &&
                 next - i <= reach)
            k->kept[i] = ADDED;
    }
}

/* How many of them are said again, or ODD. */
num nephila_keep(const struct keeping *k)
{
    num again = 0;
    if (k->blocks < 1 || k->dense_width <= AGAIN)
        return ODD;
    leave_options_out(k);
    k->likely[k->blocks] = nephila_choose(k->likely, k->weights, k->blocks, k->least, k->room, k->kept);
    add_listings(k);
    for (num i = 0; i < k->blocks; i++) {
        k->kept[i] = k->kept[i] != DROPPED;
        if (k->kept[i] && k->dense[i * k->dense_width + AGAIN] > 0 && k->weights[i] >= LONG)
            k->again[again++] = i;
    }
    return again;
}
