/* The network over the blocks of a page: as content/model.py, without what only numpy needs.
 *
 * A page has some hundred blocks, so numpy's time is that of its hundred calls. Here nothing is gathered: a neighbour is
 * a row further on, and blocks that follow each other in one container share the product of its mean. Only sums of
 * products are taken in another order, so results differ by rounding.
 */

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef int64_t num;

enum { ODD = -1, LAYERS = 5, LEVELS = 5, NAMES_EACH = 8, WORDS_EACH = 6, PARTS = 6, PANEL = 16 };

/* As model.py has them. */
static const num distances[LAYERS] = {1, 2, 4, 8, 16};
static const int pooled[LAYERS][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {1, 3}};

struct network {
    num width, dense, name_width, name_buckets, word_width, word_buckets, kinds;
    const float *mean, *scale, *names, *words, *input, *input_bias;
    const float *layers; /* LAYERS x (PARTS * width) x width */
    const float *biases; /* LAYERS x width */
    const float *output, *output_bias, *kind, *kind_bias;
    float clip;
};

struct judged {
    num blocks, containers;
    const float *dense;       /* blocks x dense */
    const int32_t *words;     /* blocks x WORDS_EACH */
    const int32_t *names;     /* containers x NAMES_EACH */
    const int32_t *ancestors; /* blocks x LEVELS */
    const int32_t *spans;     /* containers x 2 */
    const float *tokens;      /* of each block */
    /* room: (6 * blocks + 1) * width + blocks * (inputs + 1) + containers * name_width */
    float *room;
    float *main, *comment, *kinds;
};

/* In products.c. */
void nephila_add_product(const float *a, num stride, num rows, num depth, const float *weights, num width, float *out);

/* Compiled twice; without `fma` in the wide way, so that both round the same. */
#define INLINE static inline __attribute__((always_inline))

/* -- the input ----------------------------------------------------------------------------------------------------- */

/* Adds rows of a table up; bucket 0 is none, and its row is zero. Whether all buckets are of the table. */
INLINE int add_rows(const int32_t *buckets, num each, const float *table, num size, num width, float *out)
{
    for (num i = 0; i < each; i++) {
        if (buckets[i] < 0 || buckets[i] >= size)
            return 0;
        if (!buckets[i])
            continue;
        const float *row = table + buckets[i] * width;
#pragma GCC ivdep
        for (num j = 0; j < width; j++)
            out[j] += row[j];
    }
    return 1;
}

enum { AHEAD = 4 };

/* The tables are large, and their rows are asked for in no order: a few rounds before, so that they come meanwhile. */
INLINE void fetch_rows(const int32_t *buckets, num each, num left, const float *table, num size, num width)
{
    for (num i = AHEAD * each; left > AHEAD && i < (AHEAD + 1) * each; i++)
        if (buckets[i] > 0 && buckets[i] < size)
            __builtin_prefetch(table + buckets[i] * width);
}

/* The numbers of a block, each as far from its mean as is usual, and no more than `clip` times that. */
INLINE void standardise(const float *own, const float *mean, const float *scale, float clip, num count, float *to)
{
#pragma GCC ivdep
    for (num j = 0; j < count; j++) {
        float value = (own[j] - mean[j]) * scale[j];
        value = value < -clip ? -clip : value;
        to[j] = value > clip ? clip : value;
    }
}

INLINE int read_input(const struct network *n, const struct judged *p, float *named, float *inputs, float *vectors)
{
    num each = n->dense + LEVELS * n->name_width + n->word_width;
    memset(named, 0, (size_t)(p->containers * n->name_width) * sizeof *named);
    for (num c = 0; c < p->containers; c++) {
        const int32_t *buckets = p->names + c * NAMES_EACH;
        fetch_rows(buckets, NAMES_EACH, p->containers - c, n->names, n->name_buckets, n->name_width);
        if (!add_rows(buckets, NAMES_EACH, n->names, n->name_buckets, n->name_width, named + c * n->name_width))
            return ODD;
    }
    for (num i = 0; i < p->blocks; i++) {
        float *to = inputs + i * each;
        fetch_rows(p->words + i * WORDS_EACH, WORDS_EACH, p->blocks - i, n->words, n->word_buckets, n->word_width);
        standardise(p->dense + i * n->dense, n->mean, n->scale, n->clip, n->dense, to);
        to += n->dense;
        for (int level = 0; level < LEVELS; level++, to += n->name_width)
            memcpy(to, named + p->ancestors[i * LEVELS + level] * n->name_width, (size_t)n->name_width * sizeof *to);
        memset(to, 0, (size_t)n->word_width * sizeof *to);
        if (!add_rows(p->words + i * WORDS_EACH, WORDS_EACH, n->words, n->word_buckets, n->word_width, to))
            return ODD;
        memcpy(vectors + i * n->width, n->input_bias, (size_t)n->width * sizeof *vectors);
    }
    nephila_add_product(inputs, each, p->blocks, each, n->input, n->width, vectors);
    for (num i = 0; i < p->blocks * n->width; i++)
        vectors[i] = vectors[i] > 0 ? vectors[i] : 0;
    return 0;
}

/* -- a layer ------------------------------------------------------------------------------------------------------- */

/* The means of the containers at one level, one for each stretch of blocks in the same container, times `weights`. */
INLINE void add_means(const struct judged *p, num width, int level, const float *sums, const float *weights,
                      float *means, float *products, float *total)
{
    num stretches = 0;
    int32_t last = -1;
    for (num i = 0; i < p->blocks; i++) {
        int32_t container = p->ancestors[i * LEVELS + level];
        if (container == last)
            continue;
        last = container;
        num start = p->spans[2 * container], end = p->spans[2 * container + 1];
        float share = 1 / (float)(end > start ? end - start : 1);
        float *mean = means + stretches++ * width;
#pragma GCC ivdep
        for (num j = 0; j < width; j++)
            mean[j] = (sums[end * width + j] - sums[start * width + j]) * share;
    }
    memset(products, 0, (size_t)(stretches * width) * sizeof *products);
    nephila_add_product(means, width, stretches, width, weights, width, products);
    num stretch = -1;
    last = -1;
    for (num i = 0; i < p->blocks; i++) {
        int32_t container = p->ancestors[i * LEVELS + level];
        stretch += container != last;
        last = container;
#pragma GCC ivdep
        for (num j = 0; j < width; j++)
            total[i * width + j] += products[stretch * width + j];
    }
}

/* The weight of each block in the page's mean: long blocks say more of what a page is. */
INLINE void weigh(const struct judged *p, float *shares)
{
    double total = 0;
    for (num i = 0; i < p->blocks; i++)
        total += shares[i] = sqrtf(p->tokens[i]);
    for (num i = 0; i < p->blocks; i++)
        shares[i] /= (float)(total > 1 ? total : 1);
}

/* What all blocks see alike: the mean of the page, plain or by the blocks' weights. */
INLINE void begin_with_page(const struct network *n, const struct judged *p, int layer, const float *vectors,
                            const float *shares, const float *sums, float *seen, float *total)
{
    num width = n->width, blocks = p->blocks;
    memset(seen, 0, (size_t)width * sizeof *seen);
    for (num i = 0; layer % 2 && i < blocks; i++) {
        float share = shares[i];
#pragma GCC ivdep
        for (num j = 0; j < width; j++)
            seen[j] += share * vectors[i * width + j];
    }
    for (num j = 0; layer % 2 == 0 && j < width; j++)
        seen[j] = sums[blocks * width + j] / (float)blocks;
    memcpy(total, n->biases + layer * width, (size_t)width * sizeof *total);
    nephila_add_product(seen, width, 1, width, n->layers + (layer * PARTS + PARTS - 1) * width * width, width, total);
    for (num i = 1; i < blocks; i++)
        memcpy(total + i * width, total, (size_t)width * sizeof *total);
}

INLINE void see(const struct network *n, const struct judged *p, int layer, const float *shares, float *vectors,
                float *sums, float *means, float *products, float *total)
{
    num width = n->width, blocks = p->blocks, part = width * width, distance = distances[layer];
    const float *weights = n->layers + layer * PARTS * part;
    memset(sums, 0, (size_t)width * sizeof *sums);
    for (num i = 0; i < blocks; i++) {
        float *sum = sums + i * width;
#pragma GCC ivdep
        for (num j = 0; j < width; j++)
            sum[width + j] = sum[j] + vectors[i * width + j];
    }
    begin_with_page(n, p, layer, vectors, shares, sums, means, total);
    nephila_add_product(vectors, width, blocks, width, weights, width, total);
    if (blocks > distance) {
        nephila_add_product(vectors, width, blocks - distance, width, weights + part, width, total + distance * width);
        nephila_add_product(vectors + distance * width, width, blocks - distance, width, weights + 2 * part, width, total);
    }
    for (int i = 0; i < 2; i++)
        add_means(p, width, pooled[layer][i], sums, weights + (3 + i) * part, means, products, total);
#pragma GCC ivdep
    for (num i = 0; i < blocks * width; i++)
        vectors[i] += total[i] > 0 ? total[i] : 0;
}

/* -- what it says -------------------------------------------------------------------------------------------------- */

/* `sums`, `most`: room for a vector each. */
INLINE void tell_kind(const struct network *n, const struct judged *p, const float *vectors, float *sums, float *most)
{
    num width = n->width;
    float highest = -INFINITY, total = 0;
    memcpy(p->kinds, n->kind_bias, (size_t)n->kinds * sizeof *p->kinds);
    memset(sums, 0, (size_t)width * sizeof *sums);
    memcpy(most, vectors, (size_t)width * sizeof *most);
    for (num i = 0; i < p->blocks; i++) {
        const float *vector = vectors + i * width;
#pragma GCC ivdep
        for (num j = 0; j < width; j++) {
            sums[j] += vector[j];
            most[j] = vector[j] > most[j] ? vector[j] : most[j];
        }
    }
    for (num j = 0; j < width; j++)
        for (num k = 0; k < n->kinds; k++)
            p->kinds[k] +=
                sums[j] / (float)p->blocks * n->kind[j * n->kinds + k] + most[j] * n->kind[(width + j) * n->kinds + k];
    for (num k = 0; k < n->kinds; k++)
        highest = p->kinds[k] > highest ? p->kinds[k] : highest;
    for (num k = 0; k < n->kinds; k++)
        total += p->kinds[k] = expf(p->kinds[k] - highest);
    for (num k = 0; k < n->kinds; k++)
        p->kinds[k] /= total;
}

enum { SAID_AT_ONCE = 4 };

/* Several blocks at once: the sum of one would wait for itself at each number. */
INLINE void tell_blocks(const struct network *n, const struct judged *p, const float *vectors)
{
    for (num from = 0; from < p->blocks; from += SAID_AT_ONCE) {
        float main[SAID_AT_ONCE], comment[SAID_AT_ONCE];
        const float *row[SAID_AT_ONCE];
        for (int r = 0; r < SAID_AT_ONCE; r++) {
            row[r] = vectors + (from + r < p->blocks ? from + r : p->blocks - 1) * n->width;
            main[r] = n->output_bias[0];
            comment[r] = n->output_bias[1];
        }
        for (num j = 0; j < n->width; j++)
            for (int r = 0; r < SAID_AT_ONCE; r++) {
                main[r] += row[r][j] * n->output[2 * j];
                comment[r] += row[r][j] * n->output[2 * j + 1];
            }
        for (int r = 0; r < SAID_AT_ONCE && from + r < p->blocks; r++) {
            p->main[from + r] = 1 / (1 + expf(-main[r]));
            p->comment[from + r] = 1 / (1 + expf(-comment[r]));
        }
    }
}

static int sound(const struct network *n, const struct judged *p)
{
    if (p->blocks < 1 || n->width % PANEL)
        return 0;
    for (num i = 0; i < p->blocks * LEVELS; i++)
        if (p->ancestors[i] < 0 || p->ancestors[i] >= p->containers)
            return 0;
    for (num c = 0; c < p->containers; c++)
        if (p->spans[2 * c] < 0 || p->spans[2 * c] > p->blocks || p->spans[2 * c + 1] < 0 || p->spans[2 * c + 1] > p->blocks)
            return 0;
    return 1;
}

INLINE int judge(const struct network *n, const struct judged *p)
{
    num all = p->blocks * n->width;
    float *vectors = p->room, *sums = vectors + all, *means = sums + all + n->width, *products = means + all;
    float *total = products + all, *inputs = total + all;
    float *named = inputs + p->blocks * (n->dense + LEVELS * n->name_width + n->word_width);
    float *shares = named + p->containers * n->name_width;
    weigh(p, shares);
    if (read_input(n, p, named, inputs, vectors))
        return ODD;
    for (int layer = 0; layer < LAYERS; layer++)
        see(n, p, layer, shares, vectors, sums, means, products, total);
    tell_blocks(n, p, vectors);
    tell_kind(n, p, vectors, means, products);
    return 0;
}

static int judge_plain(const struct network *n, const struct judged *p)
{
    return judge(n, p);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static int judge_wide(const struct network *n, const struct judged *p)
{
    return judge(n, p);
}
#endif

int nephila_judge(const struct network *n, const struct judged *p)
{
    if (!sound(n, p))
        return ODD;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return judge_wide(n, p);
#endif
    return judge_plain(n, p);
}
