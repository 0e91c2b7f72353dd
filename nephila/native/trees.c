/* Boosted symmetric trees: as content/trees/symmetric.py, a block after the other in the cache. */

#include <stdint.h>
#include <string.h>

typedef int64_t num;

enum { LANES = 8, AT_ONCE = 32 };

typedef float lanes __attribute__((vector_size(32)));
typedef float loose __attribute__((vector_size(32), aligned(4), may_alias)); /* rows begin anywhere */
typedef uint32_t bits __attribute__((vector_size(32)));

/* The leaves of a tree for AT_ONCE columns. */
static inline __attribute__((always_inline)) void find_leaves(const float *inputs, num stride, const num *features,
                                                              const float *thresholds, num depth, uint32_t *leaf)
{
    bits found[AT_ONCE / LANES] = {{0}};
    for (num level = 0; level < depth; level++) {
        const float *row = inputs + features[level] * stride;
        lanes threshold = thresholds[level] - (lanes){0};
        bits bit = ((uint32_t)1 << level) - (bits){0};
#pragma GCC unroll 4
        for (int part = 0; part < AT_ONCE / LANES; part++)
            found[part] |= (bits)(*(const loose *)(row + part * LANES) > threshold) & bit;
    }
    memcpy(leaf, found, sizeof found);
}

static inline __attribute__((always_inline)) void add_trees(const float *inputs, num columns, num stride,
                                                            const num *features, const float *thresholds,
                                                            const float *values, num trees, num depth, float *sums)
{
    /* As many columns each time: the last ones begin among those before, which are not added again. */
    for (num done = 0; done < columns; done += AT_ONCE) {
        num from = done + AT_ONCE < columns ? done : columns - AT_ONCE, skipped = done - from;
        for (num tree = 0; tree < trees; tree++) {
            uint32_t leaf[AT_ONCE];
            find_leaves(inputs + from, stride, features + tree * depth, thresholds + tree * depth, depth, leaf);
            for (num i = skipped; i < AT_ONCE; i++)
                sums[from + i] += values[(tree << depth) + leaf[i]];
        }
    }
}

/* The same for fewer columns. */
static void add_few(const float *inputs, num columns, num stride, const num *features, const float *thresholds,
                    const float *values, num trees, num depth, float *sums)
{
    for (num tree = 0; tree < trees; tree++) {
        uint32_t leaf[AT_ONCE] = {0};
        for (num level = 0; level < depth; level++) {
            const float *row = inputs + features[tree * depth + level] * stride;
            for (num i = 0; i < columns; i++)
                leaf[i] |= (uint32_t)(row[i] > thresholds[tree * depth + level]) << level;
        }
        for (num i = 0; i < columns; i++)
            sums[i] += values[(tree << depth) + leaf[i]];
    }
}

#if defined(__x86_64__)
/* See products.c. */
__attribute__((target("avx2"))) static void add_trees_wide(const float *inputs, num columns, num stride,
                                                           const num *features, const float *thresholds,
                                                           const float *values, num trees, num depth, float *sums)
{
    add_trees(inputs, columns, stride, features, thresholds, values, trees, depth, sums);
}
#endif

/* `inputs`: a row of `columns` numbers for each feature, `stride` apart. Of each tree `depth` questions (feature and
 * threshold; the first is the lowest bit of the leaf) and 2^depth values. Adds the values of all trees to `sums`. */
void nephila_trees(const float *inputs, num columns, num stride, const num *features, const float *thresholds,
                   const float *values, num trees, num depth, float *sums)
{
    if (columns < AT_ONCE) {
        add_few(inputs, columns, stride, features, thresholds, values, trees, depth, sums);
        return;
    }
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        add_trees_wide(inputs, columns, stride, features, thresholds, values, trees, depth, sums);
        return;
    }
#endif
    add_trees(inputs, columns, stride, features, thresholds, values, trees, depth, sums);
}
