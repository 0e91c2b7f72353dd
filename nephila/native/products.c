/* Products of a page's vectors by the network's matrices: out += a * weights, where `a` has `rows` rows of `depth` numbers,
 * `stride` apart, and the matrix `width` columns, a multiple of PANEL.
 *
 * Half of the time of the network, and a matter of keeping the processor's units busy: several rows at once share each
 * piece of the matrix that is loaded. Which way runs is asked at each call, since a library may travel.
 */

#include <stdint.h>

typedef int64_t num;

enum { PANEL = 16, AT_ONCE = 6 };
enum { WIDE_PANEL = 48, WIDE_AT_ONCE = 4, WIDE_LANES = 16, WIDE_PARTS = WIDE_PANEL / WIDE_LANES };

typedef float lanes __attribute__((vector_size(32)));
typedef float loose __attribute__((vector_size(32), aligned(4), may_alias)); /* rows begin anywhere */

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
/* The same for processors of the last ten years. */
__attribute__((target("avx2,fma"))) static void multiply_wide(const float *a, num stride, num rows, num depth,
                                                              const float *weights, num width, float *out)
{
    add_product(a, stride, rows, depth, weights, width, out);
}

/* With twice as wide registers, of which there are twice as many: whole rows of the network's own width at once, in four
 * fifths of the time. Each number is the same sum in the same order, so the results are the same to the last bit. */
typedef float wide_lanes __attribute__((vector_size(64)));
typedef float wide_loose __attribute__((vector_size(64), aligned(4), may_alias));

__attribute__((target("avx512f"))) static void multiply_widest(const float *a, num stride, num rows, num depth,
                                                               const float *weights, num width, float *out)
{
    for (num from = 0; from < rows; from += WIDE_AT_ONCE) {
        num count = rows - from < WIDE_AT_ONCE ? rows - from : WIDE_AT_ONCE;
        const float *row[WIDE_AT_ONCE];
        for (int r = 0; r < WIDE_AT_ONCE; r++)
            row[r] = a + (from + (r < count ? r : count - 1)) * stride;
        for (num column = 0; column < width; column += WIDE_PANEL) {
            const float *w = weights + column;
            wide_lanes sum[WIDE_AT_ONCE][WIDE_PARTS] = {{{0}}};
            for (num k = 0; k < depth; k++, w += width) {
#pragma GCC unroll 3
                for (int part = 0; part < WIDE_PARTS; part++) {
                    wide_lanes some = *(const wide_loose *)(w + part * WIDE_LANES);
#pragma GCC unroll 4
                    for (int r = 0; r < WIDE_AT_ONCE; r++)
                        sum[r][part] += row[r][k] * some;
                }
            }
#pragma GCC unroll 4
            for (int r = 0; r < WIDE_AT_ONCE; r++) {
                if (r >= count)
                    break;
#pragma GCC unroll 3
                for (int part = 0; part < WIDE_PARTS; part++)
                    *(wide_loose *)(out + (from + r) * width + column + part * WIDE_LANES) += sum[r][part];
            }
        }
    }
}

void nephila_add_product(const float *a, num stride, num rows, num depth, const float *weights, num width, float *out)
{
    if (__builtin_cpu_supports("avx512f") && width % WIDE_PANEL == 0)
        multiply_widest(a, stride, rows, depth, weights, width, out);
    else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        multiply_wide(a, stride, rows, depth, weights, width, out);
    else
        multiply_plain(a, stride, rows, depth, weights, width, out);
}
#else
void nephila_add_product(const float *a, num stride, num rows, num depth, const float *weights, num width, float *out)
{
    multiply_plain(a, stride, rows, depth, weights, width, out);
}
#endif
