/* Boosted symmetric trees: as nephila/content/symmetric.py, a block after the other in the cache. */

#include <stdint.h>

enum { AT_ONCE = 64 };

/* `inputs`: a row of `columns` numbers for each feature, `stride` apart. Of each tree `depth` questions (feature and
 * threshold; the first is the lowest bit of the leaf) and 2^depth values. Adds the values of all trees to `sums`. */
void nephila_trees(const float *inputs, int64_t columns, int64_t stride, const int64_t *features,
                   const float *thresholds, const float *values, int64_t trees, int64_t depth, float *sums)
{
    for (int64_t from = 0; from < columns; from += AT_ONCE) {
        int64_t count = columns - from < AT_ONCE ? columns - from : AT_ONCE;
        for (int64_t tree = 0; tree < trees; tree++) {
            const float *leaves = values + (tree << depth);
            uint32_t leaf[AT_ONCE] = {0};
            for (int64_t level = 0; level < depth; level++) {
                const float *row = inputs + features[tree * depth + level] * stride + from;
                float threshold = thresholds[tree * depth + level];
                for (int64_t i = 0; i < count; i++)
                    leaf[i] |= (uint32_t)(row[i] > threshold) << level;
            }
            for (int64_t i = 0; i < count; i++)
                sums[from + i] += leaves[leaf[i]];
        }
    }
}
