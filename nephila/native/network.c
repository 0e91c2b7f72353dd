/* The network over the blocks of a page: as nephila/content/model.py, without what only numpy needs.
 *
 * A page has some hundred blocks, so numpy's time is that of its hundred calls. Here nothing is gathered: a neighbour is
 * a row further on, and blocks that follow each other in one container share the product of its mean. Only sums of
 * products are taken in another order, so results differ by rounding.
 */

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef int64_t num;

enum { ODD = -1, LAYERS = 5, LEVELS = 5, NAMES_EACH = 8, WORDS_EACH = 6, PARTS = 6, PANEL = 16, AT_ONCE = 6 };

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

/* -- products ------------------------------------------------------------------------------------------------------ */

typedef float lanes __attribute__((vector_size(32)));
typedef float loose __attribute__((vector_size(32), aligned(4), may_alias)); /* rows begin anywhere */

/* out += a * weights: `rows` rows of `depth` numbers, `stride` apart, by a matrix of `width` columns. */
static inline __attribute__((always_inline)) void add_product(const float *a, num stride, num rows, num depth,
                                                              const float *weights, num width, float *out)
{
    for (num from = 0; from < rows; from += AT_ONCE) {
        num count = rows - from < AT_ONCE ? rows - from : AT_ONCE;
        const float *row[AT_ONCE];
        for (int r = 0; r < AT_ONCE; r++)
            row[r] = a + (from + (r < count ? r : count - 1)) * stride;
        for (num column = 0; column < width; column += PANEL) {
            const float *w = weights + column;
            lanes left[AT_ONCE] = {{0}}, right[AT_ONCE] = {{0}};
            for (num k = 0; k < depth; k++, w += width) {
                lanes first = *(const loose *)w, second = *(const loose *)(w + PANEL / 2);
#pragma GCC unroll 6
                for (int r = 0; r < AT_ONCE; r++) {
                    left[r] += row[r][k] * first;
                    right[r] += row[r][k] * second;
                }
            }
            for (int r = 0; r < count; r++) {
                float *to = out + (from + r) * width + column;
                *(loose *)to += left[r];
                *(loose *)(to + PANEL / 2) += right[r];
            }
        }
    }
}

static void multiply_plain(const float *a, num stride, num rows, num depth, const float *weights, num width, float *out)
{
    add_product(a, stride, rows, depth, weights, width, out);
}

#if defined(__x86_64__)
/* The same for processors of the last ten years; which one runs is asked at each call, since a library may travel. */
__attribute__((target("avx2,fma"))) static void multiply_wide(const float *a, num stride, num rows, num depth,
                                                              const float *weights, num width, float *out)
{
    add_product(a, stride, rows, depth, weights, width, out);
}

static void multiply(const float *a, num stride, num rows, num depth, const float *weights, num width, float *out)
{
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        multiply_wide(a, stride, rows, depth, weights, width, out);
    else
        multiply_plain(a, stride, rows, depth, weights, width, out);
}
#else
static void multiply(const float *a, num stride, num rows, num depth, const float *weights, num width, float *out)
{
    multiply_plain(a, stride, rows, depth, weights, width, out);
}
#endif

/* The rest is compiled twice as well; without `fma` in the wide way, so that both round the same. */
#define INLINE static inline __attribute__((always_inline))

/* -- the input ----------------------------------------------------------------------------------------------------- */

/* Adds rows of a table up; bucket 0 is none, and its row is zero. Whether all buckets are of the table. */
INLINE int add_rows(const int32_t *buckets, num each, const float *table, num size, num width, float *out)
{
    for (num i = 0; i < each; i++) {
        if (buckets[i] < 0 || buckets[i] >= size)
            return 0;
        const float *row = table + buckets[i] * width;
        for (num j = 0; j < width; j++)
            out[j] += row[j];
    }
    return 1;
}

INLINE int read_input(const struct network *n, const struct judged *p, float *named, float *inputs, float *vectors)
{
    num each = n->dense + LEVELS * n->name_width + n->word_width;
    memset(named, 0, (size_t)(p->containers * n->name_width) * sizeof *named);
    for (num c = 0; c < p->containers; c++)
        if (!add_rows(p->names + c * NAMES_EACH, NAMES_EACH, n->names, n->name_buckets, n->name_width,
                      named + c * n->name_width))
            return ODD;
    for (num i = 0; i < p->blocks; i++) {
        float *to = inputs + i * each;
        const float *own = p->dense + i * n->dense;
        for (num j = 0; j < n->dense; j++) {
            float value = (own[j] - n->mean[j]) * n->scale[j];
            value = value < -n->clip ? -n->clip : value;
            to[j] = value > n->clip ? n->clip : value;
        }
        to += n->dense;
        for (int level = 0; level < LEVELS; level++, to += n->name_width)
            memcpy(to, named + p->ancestors[i * LEVELS + level] * n->name_width, (size_t)n->name_width * sizeof *to);
        memset(to, 0, (size_t)n->word_width * sizeof *to);
        if (!add_rows(p->words + i * WORDS_EACH, WORDS_EACH, n->words, n->word_buckets, n->word_width, to))
            return ODD;
        memcpy(vectors + i * n->width, n->input_bias, (size_t)n->width * sizeof *vectors);
    }
    multiply(inputs, each, p->blocks, each, n->input, n->width, vectors);
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
        for (num j = 0; j < width; j++)
            mean[j] = (sums[end * width + j] - sums[start * width + j]) * share;
    }
    memset(products, 0, (size_t)(stretches * width) * sizeof *products);
    multiply(means, width, stretches, width, weights, width, products);
    num stretch = -1;
    last = -1;
    for (num i = 0; i < p->blocks; i++) {
        int32_t container = p->ancestors[i * LEVELS + level];
        stretch += container != last;
        last = container;
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
    for (num i = 0; layer % 2 && i < blocks; i++)
        for (num j = 0; j < width; j++)
            seen[j] += shares[i] * vectors[i * width + j];
    for (num j = 0; layer % 2 == 0 && j < width; j++)
        seen[j] = sums[blocks * width + j] / (float)blocks;
    memcpy(total, n->biases + layer * width, (size_t)width * sizeof *total);
    multiply(seen, width, 1, width, n->layers + (layer * PARTS + PARTS - 1) * width * width, width, total);
    for (num i = 1; i < blocks; i++)
        memcpy(total + i * width, total, (size_t)width * sizeof *total);
}

INLINE void see(const struct network *n, const struct judged *p, int layer, const float *shares, float *vectors,
                float *sums, float *means, float *products, float *total)
{
    num width = n->width, blocks = p->blocks, part = width * width, distance = distances[layer];
    const float *weights = n->layers + layer * PARTS * part;
    memset(sums, 0, (size_t)width * sizeof *sums);
    for (num i = 0; i < blocks * width; i++)
        sums[width + i] = sums[i] + vectors[i];
    begin_with_page(n, p, layer, vectors, shares, sums, means, total);
    multiply(vectors, width, blocks, width, weights, width, total);
    if (blocks > distance) {
        multiply(vectors, width, blocks - distance, width, weights + part, width, total + distance * width);
        multiply(vectors + distance * width, width, blocks - distance, width, weights + 2 * part, width, total);
    }
    for (int i = 0; i < 2; i++)
        add_means(p, width, pooled[layer][i], sums, weights + (3 + i) * part, means, products, total);
    for (num i = 0; i < blocks * width; i++)
        vectors[i] += total[i] > 0 ? total[i] : 0;
}

/* -- what it says -------------------------------------------------------------------------------------------------- */

INLINE void tell_kind(const struct network *n, const struct judged *p, const float *vectors)
{
    num width = n->width;
    float highest = -INFINITY, total = 0;
    memcpy(p->kinds, n->kind_bias, (size_t)n->kinds * sizeof *p->kinds);
    for (num j = 0; j < width; j++) {
        float sum = 0, most = vectors[j];
        for (num i = 0; i < p->blocks; i++) {
            float value = vectors[i * width + j];
            sum += value;
            most = value > most ? value : most;
        }
        for (num k = 0; k < n->kinds; k++)
            p->kinds[k] += sum / (float)p->blocks * n->kind[j * n->kinds + k] + most * n->kind[(width + j) * n->kinds + k];
    }
    for (num k = 0; k < n->kinds; k++)
        highest = p->kinds[k] > highest ? p->kinds[k] : highest;
    for (num k = 0; k < n->kinds; k++)
        total += p->kinds[k] = expf(p->kinds[k] - highest);
    for (num k = 0; k < n->kinds; k++)
        p->kinds[k] /= total;
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
    for (num i = 0; i < p->blocks; i++) {
        float main = n->output_bias[0], comment = n->output_bias[1];
        for (num j = 0; j < n->width; j++) {
            main += vectors[i * n->width + j] * n->output[2 * j];
            comment += vectors[i * n->width + j] * n->output[2 * j + 1];
        }
        p->main[i] = 1 / (1 + expf(-main));
        p->comment[i] = 1 / (1 + expf(-comment));
    }
    tell_kind(n, p, vectors);
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
