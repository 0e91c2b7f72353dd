/* The order of a page's blocks by likelihood, and sums over them, as numpy finds both: there are trees that ask whether a
 * share of such a sum is 0.99997 or more. */

#include <stdint.h>
#include <string.h>

typedef int64_t num;

enum { LANES = 8, STRAIGHT = 128 };

/* The places of the values, the highest first, of equals the first one first: runs are merged, each twice as long as
 * those before. `room`: for as many numbers. */
void nephila_order(const float *values, num count, num *order, num *room)
{
    num *from = order, *to = room;
    for (num i = 0; i < count; i++)
        order[i] = i;
    for (num run = 1; run < count; run *= 2) {
        for (num start = 0; start < count; start += 2 * run) {
            num left = start, middle = count - start > run ? start + run : count, right = middle;
            num end = count - middle > run ? middle + run : count;
            for (num at = start; at < end; at++) {
                int first = left < middle && (right >= end || values[from[left]] >= values[from[right]]);
                to[at] = from[first ? left++ : right++];
            }
        }
        num *other = from;
        from = to;
        to = other;
    }
    if (from != order)
        memcpy(order, from, (size_t)count * sizeof *order);
}

/* In eight lanes, and long rows as the sum of their halves: so errors of rounding do not pile up. */
float nephila_sum(const float *values, num count)
{
    if (count > STRAIGHT) {
        num half = count / 2;
        half -= half % LANES;
        return nephila_sum(values, half) + nephila_sum(values + half, count - half);
    }
    float sum = 0, lane[LANES];
    num at = 0;
    if (count >= LANES) {
        memcpy(lane, values, sizeof lane);
        for (at = LANES; at + LANES <= count; at += LANES)
            for (int i = 0; i < LANES; i++)
                lane[i] += values[at + i];
        sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    }
    for (; at < count; at++)
        sum += values[at];
    return sum;
}

/* As choice.py: the likeliest blocks whose expected F1 is the highest, none where no block is as likely as `least`. The
 * expected F1. `room`: for two numbers a block. */
float nephila_choose(const float *likely, const float *weights, num count, double least, num *room, uint8_t *kept)
{
    float found = 0, right = 0, all = 0, most = 0, best = -1;
    num *order = room, until = -1;
    memset(kept, 0, (size_t)count);
    for (num i = 0; i < count; i++)
        most = likely[i] > most ? likely[i] : most;
    if (!count || most < least)
        return 0;
    nephila_order(likely, count, order, room + count);
    for (num i = 0; i < count; i++)
        all += likely[order[i]] * weights[order[i]];
    for (num i = 0; i < count; i++) {
        found += weights[order[i]];
        right += likely[order[i]] * weights[order[i]];
        float expected = 2 * right / (found + all);
        if (expected > best) {
            best = expected;
            until = i;
        }
    }
    for (num i = 0; i <= until; i++)
        kept[order[i]] = 1;
    return best;
}
