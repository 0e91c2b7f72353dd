/* Readers' comments as a whole: as content/talk/whole.py, in one call; and which lines may speak of them, as
 * content/talk/lines.py. */

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t byte;
typedef int64_t num;

/* In order.c and trees.c. */
float nephila_sum(const float *values, num count);
void nephila_trees(const float *inputs, num columns, num stride, const num *features, const float *thresholds,
                   const float *values, num trees, num depth, float *sums);

/* -- lines --------------------------------------------------------------------------------------------------------- */

enum { ODD = -1, PLANE = 0x10000, LONGEST = 200 };
enum { LETTER = 1, STARTS = 2, STARTS_ANYWHERE = 4, NOTHING = 8, TELLING = 14 };

struct stems {
    const uint16_t *lower;  /* of each code point of the plane */
    const byte *marks;      /* whether it is a letter, begins a stem, and does so amid a word too, or is a zero */
    const uint16_t *starts; /* where in `points` the stems are that begin so; 0 for none */
    const uint16_t *points; /* of stems, each with its length before it, and a zero behind all of the same beginning */
};

static int begins_with(const struct stems *s, const uint16_t *stem, const uint32_t *at, const uint32_t *end)
{
    for (num length; (length = *stem++); stem += length) {
        num same = 0;
        while (same < length && at + same < end && at[same] < PLANE && s->lower[at[same]] == stem[same])
            same++;
        if (same == length)
            return 1;
    }
    return 0;
}

/* The places of the short blocks in which a word begins with a stem, which CJK does anywhere; how many, or ODD where a
 * short one has a zero in it or the lengths are not those of the points. `found`: room for as many as the blocks. */
num nephila_talk_lines(const struct stems *s, const uint32_t *points, num count, const num *lengths, num blocks,
                       num *found)
{
    num many = 0;
    for (num i = 0; i < blocks && count >= 0; i++)
        count = lengths[i] < 0 ? -1 : count - lengths[i];
    if (count)
        return ODD;
    for (num i = 0; i < blocks; points += lengths[i++]) {
        const uint32_t *end = points + lengths[i];
        int telling = TELLING, known = 0;
        if (lengths[i] >= LONGEST)
            continue;
        for (const uint32_t *at = points; at < end; at++) {
            int mark = *at < PLANE ? s->marks[*at] : 0;
            if (mark & telling) {
                if (mark & NOTHING)
                    return ODD;
                known = known || begins_with(s, s->points + s->starts[*at], at, end);
            }
            telling = TELLING ^ (mark & LETTER) * STARTS; /* amid a word, most stems tell nothing */
        }
        if (known)
            found[many++] = i;
    }
    return many;
}

/* -- the stretch --------------------------------------------------------------------------------------------------- */

enum { SPEAK, HEAD, DATED, KINDS, OF_KIND = 7, OF_HEADS = 5 };
enum { DIGITS = 14, DATED_WORDS = 14, NEAR = 8, FAR = 300, LOGARITHMS = 1024 };

static const float date_digits = (float)(1.3862943611198906 - 1e-3); /* log 4 */
static const float sure = 6, doubt = 1.5f, passed = 0.3f, least_evidence = 5, least_text = 10, between = 0.25f;
static const float no_text = 0.02f, text = 0.5f, part = 0.1f, likely_comment = 0.5f;

struct talk {
    num blocks, rows, dense_width;
    num told; /* the rows of inputs that there are; those of here come below */
    num thread;
    const float *weights, *dense, *logarithms;
    const byte *talk;
    const num *row;
    const num *features;
    const float *thresholds, *values;
    num trees, depth;
    float *inputs;
    float *main, *comment; /* of each block: what was said, and will be */
    int32_t *room;         /* ten cells a block, one a candidate, and ten more */
    double bias;
};

struct around {
    int32_t *before[KINDS]; /* such lines before each block, and in all */
    int32_t *past[KINDS], *coming[KINDS]; /* the last one up to a block, itself too; the next one from it on */
    float *said, *sums;
};

static void share_room(const struct talk *t, struct around *a)
{
    int32_t *at = t->room;
    for (int kind = 0; kind < KINDS; kind++, at += 3 * (t->blocks + 1)) {
        a->before[kind] = at;
        a->past[kind] = at + t->blocks + 1;
        a->coming[kind] = at + 2 * (t->blocks + 1);
    }
    a->sums = (float *)(void *)at;
    a->said = a->sums + t->blocks + 1;
}

static int is_kind(const struct talk *t, int kind, num block)
{
    if (kind == DATED)
        return t->weights[block] <= DATED_WORDS && t->dense[block * t->dense_width + DIGITS] >= date_digits;
    return t->talk[block] >> kind & 1;
}

static void look_around(const struct talk *t, struct around *a)
{
    num blocks = t->blocks;
    for (int kind = 0; kind < KINDS; kind++) {
        int32_t *before = a->before[kind], *past = a->past[kind], *coming = a->coming[kind];
        before[0] = 0;
        for (num i = 0; i < blocks; i++) {
            int here = is_kind(t, kind, i);
            before[i + 1] = before[i] + here;
            past[i] = here ? (int32_t)i : i ? past[i - 1] : -FAR;
        }
        coming[blocks] = (int32_t)(blocks + FAR);
        for (num i = blocks - 1; i >= 0; i--)
            coming[i] = past[i] == i ? (int32_t)i : coming[i + 1];
    }
}

static float log_of(const struct talk *t, num value)
{
    return value < LOGARITHMS ? t->logarithms[value] : (float)log1p((double)value);
}

/* A row of inputs for each number, a column for each candidate: OF_KIND times KINDS of them, and OF_HEADS. */
static void put_kinds(const struct talk *t, const struct around *a, float *at)
{
    num blocks = t->blocks, next = KINDS * t->rows;
    for (int kind = 0; kind < KINDS; kind++)
        for (num i = 0; i < t->rows; i++) {
            const int32_t *before = a->before[kind];
            num row = t->row[i], all = before[blocks];
            num from = row > NEAR ? row - NEAR : 0, to = row + 1 + NEAR < blocks ? row + 1 + NEAR : blocks;
            num last = row - (row ? a->past[kind][row - 1] : -FAR), coming = a->coming[kind][row + 1] - row;
            float *put = at + kind * t->rows + i;
            put[0] = (float)(before[row + 1] - before[row]);
            put[next] = log_of(t, before[row]);
            put[2 * next] = log_of(t, all - before[row + 1]);
            put[3 * next] = log_of(t, last < FAR ? last : FAR);
            put[4 * next] = log_of(t, coming < FAR ? coming : FAR);
            put[5 * next] = (float)(before[row] - before[from]);
            put[6 * next] = (float)(before[to] - before[row + 1]);
        }
}

static void put_heads(const struct talk *t, const struct around *a, float *at)
{
    const int32_t *dated = a->before[DATED];
    num heads = a->before[HEAD][t->blocks], first = a->coming[HEAD][0];
    double all = heads ? nephila_sum(t->weights, t->blocks) : 1;
    float share = heads ? (float)(nephila_sum(t->weights, first) / (all > 1 ? all : 1)) : -1;
    float after = heads ? (float)(dated[t->blocks] - dated[first]) : 0;
    for (num i = 0; i < t->rows; i++) {
        num row = t->row[i], start = a->past[HEAD][row], distance = row - start;
        float since = start >= 0 ? (float)(dated[row] - dated[start]) : 0;
        at[i] = since;
        at[t->rows + i] = start >= 0 ? (float)(since / (double)(distance > 1 ? distance : 1)) : 0;
        at[2 * t->rows + i] = share;
        at[3 * t->rows + i] = after;
        at[4 * t->rows + i] = (float)heads;
    }
}

/* The stretch that speaks for comments most; whether there is one. */
static int find_stretch(const struct talk *t, const struct around *a, num *start, num *stop)
{
    float *sums = a->sums, lowest = 0, most = 0;
    num lowest_at = 0;
    *start = *stop = 0;
    for (num i = 0; i < t->blocks; i++)
        sums[i + 1] = -passed;
    for (num i = 0; i < t->rows; i++) {
        float said = a->said[i];
        sums[t->row[i] + 1] = (said < -sure ? -sure : said > sure ? sure : said) + doubt;
    }
    sums[0] = 0;
    for (num i = 1; i <= t->blocks; i++) {
        float evidence = sums[i] * sqrtf(t->weights[i - 1]);
        sums[i] = sums[i - 1] + evidence;
        if (sums[i] < lowest) {
            lowest = sums[i];
            lowest_at = i;
        }
        if (sums[i] - lowest > most) {
            most = sums[i] - lowest;
            *start = lowest_at;
            *stop = i;
        }
    }
    return most >= least_evidence;
}

/* Where the stretch begins: at the line that heads comments, where little stands between the two. */
static num from_its_heading(const struct around *a, const float *likely, num start, num stop)
{
    num head = start ? a->past[HEAD][start - 1] : -1;
    if (head < 0 || nephila_sum(likely + head, start - head) > between * nephila_sum(likely + start, stop - start))
        return start;
    return nephila_sum(likely, head) >= least_text ? head : start;
}

/* Whether the likely text within the stretch outweighs that outside, and enough of that is there. */
static int outweighs(const struct talk *t, const float *likely, num start, num stop)
{
    float left = nephila_sum(likely, start) + nephila_sum(likely + stop, t->blocks - stop);
    return nephila_sum(likely + start, stop - start) > left && left >= least_text;
}

static int sound(const struct talk *t)
{
    if (t->blocks < 1 || t->blocks > INT32_MAX - 2 * FAR || t->rows < 0 || t->told < 0 || t->dense_width <= DIGITS)
        return 0;
    for (num i = 0; i < t->rows; i++)
        if (t->row[i] < 0 || t->row[i] >= t->blocks)
            return 0;
    for (num i = 0; i < t->trees * t->depth; i++)
        if (t->features[i] < 0 || t->features[i] >= t->told + OF_KIND * KINDS + OF_HEADS)
            return 0;
    return 1;
}

/* How many numbers each candidate is told of here. */
num nephila_talk_width(void)
{
    return OF_KIND * KINDS + OF_HEADS;
}

/* 0, or ODD, in which case nothing was done. */
int nephila_talk(const struct talk *t)
{
    struct around a;
    num start, stop;
    if (!sound(t))
        return ODD;
    share_room(t, &a);
    look_around(t, &a);
    float *own = t->inputs + t->told * t->rows;
    put_kinds(t, &a, own);
    put_heads(t, &a, own + OF_KIND * KINDS * t->rows);
    for (num i = 0; i < t->rows; i++)
        a.said[i] = 0;
    nephila_trees(t->inputs, t->rows, t->rows, t->features, t->thresholds, t->values, t->trees, t->depth, a.said);
    for (num i = 0; i < t->rows; i++) {
        a.said[i] += (float)t->bias;
        t->comment[t->row[i]] = 1 / (1 + expf(-a.said[i]));
    }
    if (!find_stretch(t, &a, &start, &stop) || t->thread)
        return 0;
    for (num i = 0; i < t->blocks; i++)
        a.sums[i] = t->main[i] * t->weights[i];
    start = from_its_heading(&a, a.sums, start, stop);
    if (!outweighs(t, a.sums, start, stop))
        return 0;
    for (num i = start; i < stop; i++) {
        int said = t->comment[i] >= part || t->main[i] >= text;
        if (said && !is_kind(t, HEAD, i) && t->comment[i] < likely_comment)
            t->comment[i] = likely_comment;
        t->main[i] = t->main[i] > no_text ? no_text : t->main[i];
    }
    return 0;
}
