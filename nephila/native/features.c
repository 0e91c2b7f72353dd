/* The numbers of each block that the model sees: as content/features/page.py, in one pass over the text, one over the
 * containers, one over the blocks. Counts, shares and logarithms; what the names say is told by the caller.
 *
 * Texts and kinds of containers are counted in tables of hashes with a seed of the process, so that no page can make
 * them collide; equal hashes are not believed, the texts themselves are compared.
 */

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t byte;
typedef int64_t num;

enum { LOWER, UPPER, DIGIT, SPACE, CJK, STOP, COMMA, COLON, QUOTE, SIGN, OTHER, KINDS };
enum { LEVELS = 5, NAMES_EACH = 8, PLACES = 3, REACH = 3, FAMILIES = 20, FLAG_BITS = 19 };
enum { OF_CONTAINER = 7, BLOCK_COLUMNS = 73, DENSE = BLOCK_COLUMNS + FAMILIES + LEVELS * OF_CONTAINER };
enum { HEADING_SHIFT = 24, LAST_POINT = 0xFFFF, LOGARITHMS = 1024, ODD = -1 };

/* What is remembered of a start tag: as names.py packs it. */
struct look {
    int32_t row[NAMES_EACH];
    num families;
    uint64_t kind, place;
};

struct features {
    num blocks, containers, table; /* table: a power of two, at least twice as many as either */
    num width;                     /* of a row of `dense`: what is behind DENSE is the caller's */
    uint64_t seed;
    const byte *kind_of;     /* the kind of each code point of the basic plane */
    const float *logarithms; /* of 1 + each number below LOGARITHMS */
    const uint32_t *points;  /* of all blocks, one after the other; the caller gives them beside the rest */
    const num *lengths;
    /* of each block, as the layout has them; depth and flags are its container's, `holder` */
    const num *holder, *link_lengths, *links, *images, *pieces;
    const num *flags, *depths;
    num holders;
    const float *ours, *theirs; /* see words.c */
    const byte *begun, *inside; /* whether the page's data for machines has it; NULL where it has nothing */
    num told;
    const int32_t *ancestors, *parents, *spans;
    const struct look *looks;
    /* room: two numbers a block and three a container, KINDS + 3 counts a block and one more row, the table, the columns */
    uint64_t *hashes;
    num *families, *alike, *siblings;
    num *counts;
    double *sums;
    int32_t *slots;
    float *of_container;
    /* what comes out */
    float *dense;
    int32_t *names;
    float *weights;
    uint64_t *places;
};

static uint64_t mix(uint64_t hash, uint64_t next)
{
    hash = (hash ^ next) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

static float log_of(const struct features *f, num value)
{
    return value < LOGARITHMS ? f->logarithms[value] : (float)log1p((double)value);
}

/* -- characters ---------------------------------------------------------------------------------------------------- */

enum { LINES = KINDS, FIRST, LAST, COUNTS };

static void count_characters(const struct features *f)
{
    const uint32_t *at = f->points;
    for (num i = 0; i < f->blocks; at += f->lengths[i++]) {
        num length = f->lengths[i], *counts = f->counts + i * COUNTS;
        /* Four sets of counters: one would wait for itself at each letter. */
        uint32_t counted[4][16] = {{0}};
        num lines = 0;
        uint64_t hash = mix(f->seed, (uint64_t)length);
        for (num j = 0; j < length; j++) {
            uint32_t point = at[j];
            counted[j & 3][f->kind_of[point < LAST_POINT ? point : LAST_POINT] & 15]++;
            lines += point == '\n';
        }
        for (num j = 0; j + 1 < length; j += 2)
            hash = mix(hash, (uint64_t)at[j] << 32 | at[j + 1]);
        if (length & 1)
            hash = mix(hash, at[length - 1]);
        f->hashes[i] = hash;
        for (int kind = 0; kind < KINDS; kind++)
            counts[kind] = (num)counted[0][kind] + counted[1][kind] + counted[2][kind] + counted[3][kind];
        counts[LINES] = lines;
        counts[FIRST] = f->kind_of[at[0] < LAST_POINT ? at[0] : LAST_POINT];
        counts[LAST] = f->kind_of[at[length - 1] < LAST_POINT ? at[length - 1] : LAST_POINT];
    }
}

/* How often each text is on the page. */
static void count_texts(const struct features *f, num *again)
{
    const uint32_t *at = f->points;
    num *first = f->families; /* of each block the first one with its text, and where each text begins */
    num *begin = first + f->blocks;
    memset(f->slots, -1, (size_t)f->table * sizeof *f->slots);
    for (num i = 0; i < f->blocks; at += f->lengths[i++]) {
        num slot = (num)(f->hashes[i] & (uint64_t)(f->table - 1)), other;
        begin[i] = at - f->points;
        again[i] = 0;
        for (; (other = f->slots[slot]) >= 0; slot = (slot + 1) & (f->table - 1))
            if (f->hashes[other] == f->hashes[i] && f->lengths[other] == f->lengths[i] &&
                memcmp(f->points + begin[other], at, (size_t)f->lengths[i] * sizeof *at) == 0)
                break;
        if (other < 0)
            f->slots[slot] = (int32_t)(other = i);
        first[i] = other;
        again[other]++;
    }
    for (num i = 0; i < f->blocks; i++)
        again[i] = again[first[i]];
}

/* -- containers ---------------------------------------------------------------------------------------------------- */

/* Of each container, how many have its key; under the same parent where `placed`. */
static void count_alike(const struct features *f, int placed, num *counts)
{
    num *first = f->siblings + f->containers;
    memset(f->slots, -1, (size_t)f->table * sizeof *f->slots);
    for (num c = 0; c < f->containers; c++) {
        uint64_t kind = f->looks[c].kind, parent = placed ? (uint64_t)f->parents[c] : 0;
        num slot = (num)(mix(mix(f->seed, kind), parent) & (uint64_t)(f->table - 1)), other;
        counts[c] = 0;
        for (; (other = f->slots[slot]) >= 0; slot = (slot + 1) & (f->table - 1))
            if (f->looks[other].kind == kind && (!placed || f->parents[other] == f->parents[c]))
                break;
        if (other < 0)
            f->slots[slot] = (int32_t)(other = c);
        first[c] = other;
        counts[other]++;
    }
    for (num c = 0; c < f->containers; c++)
        counts[c] = counts[first[c]];
}

/* Sums of text, links and marks of sentences before each block. */
static void sum_up(const struct features *f)
{
    double *sums = f->sums;
    memset(sums, 0, 3 * sizeof *sums);
    for (num i = 0; i < f->blocks; i++, sums += 3) {
        const num *counts = f->counts + i * COUNTS;
        sums[3] = sums[0] + (double)f->lengths[i];
        sums[4] = sums[1] + (double)f->link_lengths[i];
        sums[5] = sums[2] + (double)(counts[STOP] + counts[COMMA]);
    }
}

static void measure_containers(const struct features *f)
{
    double whole = f->sums[3 * f->blocks];
    for (num c = 0; c < f->containers; c++) {
        float *to = f->of_container + c * OF_CONTAINER;
        num start = f->spans[2 * c], end = f->spans[2 * c + 1];
        const double *from = f->sums + 3 * start, *until = f->sums + 3 * end;
        double text = until[0] - from[0], linked = until[1] - from[1], stops = until[2] - from[2];
        to[0] = log_of(f, (num)text);
        to[1] = (float)linked / (text > 1 ? (float)text : 1);
        to[2] = log_of(f, (num)stops);
        to[3] = log_of(f, end - start);
        to[4] = (float)(text / (whole > 1 ? whole : 1));
        to[5] = log_of(f, f->siblings[c] - 1);
        to[6] = log_of(f, f->alike[c] - 1);
    }
}

static void inherit_families(const struct features *f)
{
    for (num c = 0; c < f->containers; c++) {
        f->families[c] = f->looks[c].families | (c ? f->families[f->parents[c]] : 0);
        memcpy(f->names + c * NAMES_EACH, f->looks[c].row, sizeof f->looks[c].row);
    }
}

/* -- blocks -------------------------------------------------------------------------------------------------------- */

/* What is the same for all blocks. */
struct page {
    float count, total, linked, cjk, stops, longest;
    double text, most;
    num headline;
};

static struct page read_page(const struct features *f)
{
    struct page page = {.headline = -1};
    double best = 0;
    num cjk = 0, longest = 0;
    for (num i = 0; i < f->blocks; i++) {
        num heading = f->flags[f->holder[i]] >> HEADING_SHIFT & 7;
        double likely = (double)(f->ours[i] * f->theirs[i]) + (f->ours[i] > 0.5f && (heading == 1 || heading == 2) ? 0.2 : 0);
        if (likely > best) {
            best = likely;
            page.headline = i;
        }
        cjk += f->counts[i * COUNTS + CJK];
        longest = f->lengths[i] > longest ? f->lengths[i] : longest;
    }
    if (best <= 0.2)
        page.headline = -1;
    const double *all = f->sums + 3 * f->blocks;
    page.text = all[0] > 1 ? all[0] : 1;
    page.most = longest > 1 ? (double)longest : 1;
    page.count = log_of(f, f->blocks);
    page.total = (float)log1p(page.text);
    page.linked = (float)(all[1] / page.text);
    page.cjk = (float)((double)cjk / page.text);
    page.stops = (float)log1p(all[2]);
    page.longest = log_of(f, longest);
    return page;
}

static const int shares[] = {UPPER, DIGIT, CJK, STOP, COMMA, COLON, QUOTE, SIGN, OTHER};

static float *put_text(const struct features *f, const num *counts, num length, num words, float *to)
{
    *to++ = log_of(f, length);
    *to++ = log_of(f, words);
    double each = (double)length / (double)(words > 1 ? words : 1);
    *to++ = (float)((each < 30 ? each : 30) / 10);
    for (unsigned i = 0; i < sizeof shares / sizeof *shares; i++)
        *to++ = (float)((double)counts[shares[i]] / (double)length);
    *to++ = log_of(f, counts[STOP]);
    *to++ = log_of(f, counts[COMMA]);
    *to++ = log_of(f, counts[DIGIT]);
    *to++ = counts[FIRST] == UPPER;
    *to++ = counts[FIRST] == DIGIT;
    *to++ = counts[FIRST] >= STOP;
    *to++ = counts[LAST] == STOP;
    *to++ = counts[LAST] == COLON;
    *to++ = counts[LAST] >= COMMA;
    return to;
}

static float *put_markup(const struct features *f, num i, num lines, num again, float *to)
{
    num length = f->lengths[i], linked = f->link_lengths[i], flags = f->flags[f->holder[i]];
    num heading = flags >> HEADING_SHIFT & 7;
    float density = (float)linked / (float)length;
    *to++ = density;
    *to++ = density > 0.95f;
    *to++ = log_of(f, f->links[i]);
    *to++ = log_of(f, f->images[i]);
    *to++ = log_of(f, length > linked ? length - linked : 0);
    for (int bit = 0; bit < FLAG_BITS; bit++)
        *to++ = (float)(flags >> bit & 1);
    for (int level = 1; level <= 4; level++)
        *to++ = heading == level;
    *to++ = heading > 4;
    *to++ = (float)((double)f->depths[f->holder[i]] / 20);
    *to++ = log_of(f, lines);
    *to++ = log_of(f, f->pieces[i]);
    *to++ = log_of(f, again - 1);
    return to;
}

static float *put_place(const struct features *f, const struct page *page, num i, float *to)
{
    num distance = page->headline < 0 ? 0 : i - page->headline;
    *to++ = f->ours[i];
    *to++ = f->theirs[i];
    *to++ = i == page->headline;
    *to++ = (float)((distance > 0) - (distance < 0));
    *to++ = log_of(f, distance < 0 ? -distance : distance);
    *to++ = page->headline >= 0;
    *to++ = f->begun ? f->begun[i] : 0;
    *to++ = f->inside ? f->inside[i] : 0;
    *to++ = (float)f->told;
    double place = (double)i / (double)f->blocks;
    *to++ = (float)place;
    *to++ = (float)(1 - place);
    *to++ = (float)(f->sums[3 * (i + 1)] / page->text);
    *to++ = page->count;
    *to++ = page->total;
    *to++ = page->linked;
    *to++ = page->cjk;
    *to++ = page->stops;
    *to++ = page->longest;
    *to++ = (float)((double)f->lengths[i] / page->most);
    return to;
}

/* Large odd numbers, so that the levels cannot be exchanged. */
static const uint64_t factors[REACH] = {0x9E3779B97F4A7C15u, 0xC2B2AE3D27D4EB4Fu, 0x165667B19E3779F9u};

static void put_above(const struct features *f, num i, float *to)
{
    const int32_t *above = f->ancestors + i * LEVELS;
    num families = f->families[above[0]];
    for (int bit = 0; bit < FAMILIES; bit++)
        *to++ = (float)(families >> bit & 1);
    for (int level = 0; level < LEVELS; level++, to += OF_CONTAINER)
        memcpy(to, f->of_container + above[level] * OF_CONTAINER, OF_CONTAINER * sizeof *to);
    for (int level = 0; level < PLACES; level++) {
        uint64_t place = (uint64_t)level;
        for (int step = 0; step < REACH; step++)
            place += f->looks[above[level + step]].place * factors[step];
        f->places[level * f->blocks + i] = place;
    }
}

/* Whether all numbers that are places in arrays are such. */
static int sound(const struct features *f)
{
    if (f->blocks < 1 || f->containers < 1 || f->width < DENSE || f->table < 2 * f->blocks || f->table < 2 * f->containers)
        return 0;
    for (num i = 0; i < f->blocks; i++)
        if (f->lengths[i] < 1 || f->holder[i] < 0 || f->holder[i] >= f->holders || f->link_lengths[i] < 0 ||
            f->links[i] < 0 || f->images[i] < 0 || f->pieces[i] < 0)
            return 0;
    for (num i = 0; i < f->blocks * LEVELS; i++)
        if (f->ancestors[i] < 0 || f->ancestors[i] >= f->containers)
            return 0;
    for (num c = 0; c < f->containers; c++)
        if (f->parents[c] < 0 || (c && f->parents[c] >= c) || f->spans[2 * c] < 0 ||
            f->spans[2 * c] > f->spans[2 * c + 1] || f->spans[2 * c + 1] > f->blocks)
            return 0;
    return 1;
}

/* `count`: of the points. */
int nephila_features(const struct features *given, const uint32_t *points, num count)
{
    struct features all = *given, *f = &all;
    f->points = points;
    if (!sound(f))
        return ODD;
    for (num i = 0; i < f->blocks; i++)
        count -= f->lengths[i];
    if (count)
        return ODD;
    num *again = f->counts + f->blocks * COUNTS;
    count_characters(f);
    count_texts(f, again);
    count_alike(f, 0, f->alike);
    count_alike(f, 1, f->siblings);
    sum_up(f);
    measure_containers(f);
    inherit_families(f);
    struct page page = read_page(f);
    for (num i = 0; i < f->blocks; i++) {
        const num *counts = f->counts + i * COUNTS;
        float *to = f->dense + i * f->width;
        num words = counts[CJK] + counts[SPACE] + (f->lengths[i] > counts[CJK]);
        to = put_text(f, counts, f->lengths[i], words, to);
        to = put_markup(f, i, counts[LINES], again[i], to);
        to = put_place(f, &page, i, to);
        put_above(f, i, to);
        f->weights[i] = (float)words;
    }
    return 0;
}
