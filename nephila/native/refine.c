/* The inputs of the second look: as refine.py, alike.py and stretches.py of content/trees, for all candidates at once.
 *
 * First what is the same for the page (sums along it, groups of places that look alike, the best container), then the
 * columns of each candidate, a number below the other.
 */

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef int64_t num;

enum { ODD = -1, LEVELS = 5, PLACES = 3, WORDS = 1, LINKED = 21, FAR = 200, BEYOND = -7, LOGARITHMS = 1024 };
enum { OWN = 2 + 6 + 2 + 3 * LEVELS + 7 + 8, ALIKE = 10 * PLACES, STRETCHES = 8 + 4 + 5 + 2 * LEVELS };
enum { SUMS = 5, OF_GROUP = 6 };

struct second_look {
    num blocks, containers, rows, dense_width, kinds, table; /* table: a power of two, at least six times the blocks */
    uint64_t seed;
    /* Sums over the page: of what is likely text, comments in it, and comments; see order.c. */
    double likely, all_talk, said;
    const float *main, *comment, *kind, *dense, *weights;
    const float *logarithms; /* of 1 + each number below LOGARITHMS */
    num *order; /* the blocks, the likeliest first */
    num *row;   /* the candidates */
    const int32_t *ancestors, *spans;
    const uint64_t *places; /* PLACES x blocks */
    double *room;           /* 64 cells a block and two a container, and a few more */
    int32_t *slots;
    float *inputs; /* a row for each number, a column for each candidate */
};

/* What is found of the page before any candidate is looked at. */
struct found {
    double *content, *talk, *logit, *tokens, *body; /* sums before each block */
    double *group_tokens, *group_content, *group_logit, *group_talk, *group_linked, *group_words;
    num *each, *first, *last; /* of each group: how many, the first and the last of them */
    num *group;               /* of each place of each block */
    num *before, *after;      /* of each block the next likely ones, for both likelihoods */
    double *in_container, *good;
    float *logits, *talk_logits, *ranked_tokens, *ranked_content;
    double all_tokens, likely, expected, wanted;
    num kept_first, kept_last, talk_first, best, start, end;
};

static float logit(float likely)
{
    likely = likely < 1e-3f ? 1e-3f : likely > 1 - 1e-3f ? 1 - 1e-3f : likely;
    return logf(likely / (1 - likely));
}

static double log_of(const struct second_look *s, num value)
{
    return value < LOGARITHMS ? s->logarithms[value] : log1p((double)value);
}

static double signed_log(const struct second_look *s, num distance)
{
    return distance < 0 ? -log_of(s, -distance) : log_of(s, distance);
}

static double at_least(double value, double least)
{
    return value > least ? value : least;
}

/* -- the page ------------------------------------------------------------------------------------------------------ */

static void share_room(const struct second_look *s, struct found *f)
{
    num blocks = s->blocks;
    double *at = s->room;
    double **sums[SUMS] = {&f->content, &f->talk, &f->logit, &f->tokens, &f->body};
    for (int i = 0; i < SUMS; i++, at += blocks + 1)
        *(*sums[i] = at) = 0;
    double **groups[OF_GROUP] = {&f->group_tokens, &f->group_content, &f->group_logit,
                                 &f->group_talk,   &f->group_linked,  &f->group_words};
    for (int i = 0; i < OF_GROUP; i++, at += PLACES * blocks)
        *groups[i] = at;
    num **numbers[] = {&f->each, &f->first, &f->last, &f->group};
    for (int i = 0; i < 4; i++, at += PLACES * blocks)
        *numbers[i] = (num *)(void *)at;
    f->before = (num *)(void *)at;
    f->after = f->before + 2 * blocks;
    at += 4 * blocks;
    float **halves[] = {&f->logits, &f->talk_logits, &f->ranked_tokens, &f->ranked_content};
    for (int i = 0; i < 4; i++, at += blocks)
        *halves[i] = (float *)(void *)at;
    f->in_container = at;
    f->good = at + s->containers;
}

static void sum_up(const struct second_look *s, struct found *f)
{
    f->talk_first = s->blocks;
    for (num i = 0; i < s->blocks; i++) {
        float main = s->main[i], comment = s->comment[i], weight = s->weights[i];
        f->logits[i] = logit(main);
        f->talk_logits[i] = logit(comment);
        f->content[i + 1] = f->content[i] + main * weight;
        f->talk[i + 1] = f->talk[i] + comment * weight;
        f->logit[i + 1] = f->logit[i] + f->logits[i];
        f->tokens[i + 1] = f->tokens[i] + weight;
        f->body[i + 1] = f->body[i] + main * (1 - comment) * weight;
        if (comment > 0.5f && f->talk_first == s->blocks)
            f->talk_first = i;
    }
    f->all_tokens = at_least(f->tokens[s->blocks], 1);
    f->likely = at_least(s->likely, 1);
    f->wanted = at_least(f->content[s->blocks], 1);
}

/* As choice.py: the likeliest blocks whose expected F1 is the highest; and the sums up to each block in that order. */
static void choose(const struct second_look *s, struct found *f)
{
    float tokens = 0, content = 0, most = 0, best = -1;
    num until = -1;
    for (num i = 0; i < s->blocks; i++) {
        num block = s->order[i];
        f->ranked_tokens[block] = tokens += s->weights[block];
        f->ranked_content[block] = content += s->main[block] * s->weights[block];
        most = s->main[block] > most ? s->main[block] : most;
    }
    f->kept_first = f->kept_last = 0;
    f->expected = 0;
    if (most < 0.1f)
        return;
    for (num i = 0; i < s->blocks; i++) {
        num block = s->order[i];
        float expected = 2 * f->ranked_content[block] / (f->ranked_tokens[block] + content);
        if (expected > best) {
            best = expected;
            until = i;
        }
    }
    f->expected = best;
    f->kept_first = s->blocks;
    for (num i = 0; i <= until; i++) {
        num block = s->order[i];
        f->kept_first = block < f->kept_first ? block : f->kept_first;
        f->kept_last = block > f->kept_last ? block : f->kept_last;
    }
}

/* Where the same place was seen first. */
static num first_seen(const struct second_look *s, num i)
{
    uint64_t hash = (s->places[i] ^ s->seed) * 0x9E3779B97F4A7C15u;
    num slot = (num)((hash ^ hash >> 32) & (uint64_t)(s->table - 1)), other;
    for (; (other = s->slots[slot]) >= 0; slot = (slot + 1) & (s->table - 1))
        if (s->places[other] == s->places[i])
            return other;
    s->slots[slot] = (int32_t)i;
    return i;
}

/* The blocks whose places look alike: what is said of all of them. */
static void group(const struct second_look *s, struct found *f)
{
    num groups = 0;
    memset(s->slots, -1, (size_t)s->table * sizeof *s->slots);
    for (num i = 0; i < PLACES * s->blocks; i++) {
        num seen = first_seen(s, i), block = i % s->blocks, g = seen < i ? f->group[seen] : groups++;
        f->group[i] = g;
        if (seen == i) {
            f->first[g] = block;
            f->each[g] = 0;
            f->group_tokens[g] = f->group_content[g] = f->group_logit[g] = 0;
            f->group_talk[g] = f->group_linked[g] = f->group_words[g] = 0;
        }
        f->last[g] = block;
        f->each[g]++;
        f->group_tokens[g] += s->weights[block];
        f->group_content[g] += s->main[block] * s->weights[block];
        f->group_logit[g] += f->logits[block];
        f->group_talk[g] += s->comment[block] * s->weights[block];
        f->group_linked[g] += s->dense[block * s->dense_width + LINKED];
        f->group_words[g] += s->dense[block * s->dense_width + WORDS];
    }
}

static const float likely[2] = {0.3f, 0.8f};

static void find_next(const struct second_look *s, struct found *f)
{
    for (int which = 0; which < 2; which++) {
        num *before = f->before + which * s->blocks, *after = f->after + which * s->blocks;
        num last = -FAR, next = s->blocks + FAR;
        for (num i = 0; i < s->blocks; i++) {
            before[i] = last;
            last = s->main[i] > likely[which] ? i : last;
        }
        for (num i = s->blocks - 1; i >= 0; i--) {
            after[i] = next;
            next = s->main[i] > likely[which] ? i : next;
        }
    }
}

/* The container that alone would make the best text. */
static void find_heart(const struct second_look *s, struct found *f)
{
    f->best = 0;
    for (num c = 0; c < s->containers; c++) {
        num start = s->spans[2 * c], end = s->spans[2 * c + 1];
        f->in_container[c] = f->content[end] - f->content[start];
        f->good[c] = 2 * f->in_container[c] / (f->tokens[end] - f->tokens[start] + f->wanted);
        if (f->good[c] > f->good[f->best])
            f->best = c;
    }
    f->start = s->spans[2 * f->best];
    f->end = s->spans[2 * f->best + 1];
}

/* -- a candidate --------------------------------------------------------------------------------------------------- */

/* A column that is being filled from above. */
struct column {
    float *at;
    num stride;
};

static void put(struct column *c, double value)
{
    *c->at = (float)value;
    c->at += c->stride;
}

static void put_neighbours(const struct second_look *s, const float *logits, num row, int reach, struct column *c)
{
    for (int step = 1; step <= reach; step++) {
        put(c, row - step >= 0 ? logits[row - step] : BEYOND);
        put(c, row + step < s->blocks ? logits[row + step] : BEYOND);
    }
}

static void put_containers(const struct second_look *s, const struct found *f, num row, struct column *c)
{
    const double *sums[3] = {f->content, f->talk, f->logit};
    for (int which = 0; which < 3; which++)
        for (int level = 0; level < LEVELS; level++) {
            int32_t above = s->ancestors[row * LEVELS + level];
            num start = s->spans[2 * above], end = s->spans[2 * above + 1];
            double all = which < 2 ? f->tokens[end] - f->tokens[start] : (double)(end - start);
            put(c, (sums[which][end] - sums[which][start]) / at_least(all, 1));
        }
}

static void put_standing(const struct second_look *s, const struct found *f, num row, struct column *c)
{
    put(c, f->ranked_tokens[row] / (float)f->all_tokens);
    put(c, f->ranked_content[row] / (float)f->likely);
    put(c, f->expected);
    put(c, log1p(s->likely));
    put(c, s->likely / f->all_tokens);
    put(c, signed_log(s, row - f->kept_first));
    put(c, signed_log(s, row - f->kept_last));
}

static void put_talk(const struct second_look *s, const struct found *f, num row, struct column *c)
{
    double body = f->body[s->blocks];
    put(c, log1p(f->body[row]));
    put(c, log1p(at_least(body - f->body[row + 1], 0)));
    put(c, log1p(body));
    put(c, log1p(s->all_talk));
    put(c, s->all_talk / at_least(s->all_talk + body, 1));
    put(c, s->said / f->all_tokens);
    put(c, signed_log(s, row - f->talk_first));
    put(c, log1p(f->body[f->talk_first]));
}

static void put_alike(const struct second_look *s, const struct found *f, num row, struct column c)
{
    for (int level = 0; level < PLACES; level++) {
        struct column own = {c.at + level * c.stride, PLACES * c.stride};
        num g = f->group[level * s->blocks + row], others = f->each[g] - 1, reach = f->last[g] - f->first[g];
        double some = at_least(f->group_tokens[g], 1), each = (double)f->each[g];
        put(&own, f->group_content[g] / some);
        put(&own, f->group_logit[g] / each);
        put(&own, f->group_talk[g] / some);
        put(&own, log_of(s, f->each[g]));
        put(&own, f->group_tokens[g] / f->all_tokens);
        put(&own, f->group_content[g] / f->likely);
        put(&own, f->group_linked[g] / each);
        put(&own, f->group_words[g] / each);
        put(&own, others > 0 ? (f->group_logit[g] - f->logits[row]) / (double)others : BEYOND);
        put(&own, (double)(row - f->first[g]) / (double)(reach > 1 ? reach : 1));
    }
}

static void put_close(const struct found *f, num from, num to, struct column *c)
{
    double content = f->content[to] - f->content[from], tokens = f->tokens[to] - f->tokens[from];
    put(c, log1p(at_least(content, 0)));
    put(c, content / at_least(tokens, 1));
}

static void put_stretches(const struct second_look *s, const struct found *f, num row, struct column *c)
{
    for (num reach = 4; reach <= 16; reach *= 4) {
        put_close(f, row > reach ? row - reach : 0, row, c);
        put_close(f, row + 1, row + 1 + reach < s->blocks ? row + 1 + reach : s->blocks, c);
    }
    for (int which = 0; which < 2; which++) {
        num before = row - f->before[which * s->blocks + row], after = f->after[which * s->blocks + row] - row;
        put(c, log_of(s, before < FAR ? before : FAR));
        put(c, log_of(s, after < FAR ? after : FAR));
    }
    num outside = (row < f->start ? row - f->start : 0) + (row >= f->end ? row - f->end + 1 : 0);
    put(c, outside == 0);
    put(c, signed_log(s, outside));
    put(c, f->good[f->best]);
    put(c, f->in_container[f->best] / f->wanted);
    put(c, (double)(row - f->start) / (double)(f->end - f->start > 1 ? f->end - f->start : 1));
    for (int level = 0; level < LEVELS; level++)
        put(c, f->in_container[s->ancestors[row * LEVELS + level]] / f->wanted);
    for (int level = 0; level < LEVELS; level++)
        put(c, f->good[s->ancestors[row * LEVELS + level]]);
}

/* Whether all numbers that are places in arrays are such. */
static int sound(const struct second_look *s)
{
    if (s->blocks < 1 || s->containers < 1 || s->dense_width <= LINKED || s->table < 2 * PLACES * s->blocks)
        return 0;
    for (num i = 0; i < s->blocks; i++)
        if (s->order[i] < 0 || s->order[i] >= s->blocks)
            return 0;
    for (num i = 0; i < s->rows; i++)
        if (s->row[i] < 0 || s->row[i] >= s->blocks)
            return 0;
    for (num i = 0; i < s->blocks * LEVELS; i++)
        if (s->ancestors[i] < 0 || s->ancestors[i] >= s->containers)
            return 0;
    for (num c = 0; c < s->containers; c++)
        if (s->spans[2 * c] < 0 || s->spans[2 * c] > s->spans[2 * c + 1] || s->spans[2 * c + 1] > s->blocks)
            return 0;
    return 1;
}

/* How many numbers each candidate has, as they are counted here. */
int nephila_second_look_width(num dense_width, num kinds)
{
    return (int)(OWN + kinds + dense_width + ALIKE + STRETCHES);
}

int nephila_second_look(const struct second_look *s)
{
    struct found f;
    if (!sound(s))
        return ODD;
    share_room(s, &f);
    sum_up(s, &f);
    choose(s, &f);
    group(s, &f);
    find_next(s, &f);
    find_heart(s, &f);
    for (num i = 0; i < s->rows; i++) {
        num row = s->row[i];
        struct column c = {s->inputs + i, s->rows};
        put(&c, f.logits[row]);
        put(&c, f.talk_logits[row]);
        put_neighbours(s, f.logits, row, 3, &c);
        put_neighbours(s, f.talk_logits, row, 1, &c);
        put_containers(s, &f, row, &c);
        put_standing(s, &f, row, &c);
        put_talk(s, &f, row, &c);
        for (num kind = 0; kind < s->kinds; kind++)
            put(&c, s->kind[kind]);
        for (num each = 0; each < s->dense_width; each++)
            put(&c, s->dense[row * s->dense_width + each]);
        put_alike(s, &f, row, c);
        c.at += ALIKE * c.stride;
        put_stretches(s, &f, row, &c);
    }
    return 0;
}

/* -- all of it ----------------------------------------------------------------------------------------------------- */

/* In order.c and trees.c. */
void nephila_order(const float *values, num count, num *order, num *room);
float nephila_sum(const float *values, num count);
void nephila_trees(const float *inputs, num columns, num stride, const num *features, const float *thresholds,
                   const float *values, num trees, num depth, float *sums);

/* The order of the blocks and the sums over them, for which the room is used that is needed for other things later. */
static void rank(struct second_look *s)
{
    float *products = (float *)(void *)s->room;
    num blocks = s->blocks;
    nephila_order(s->main, blocks, s->order, (num *)(void *)s->room);
    for (num i = 0; i < blocks; i++)
        products[i] = s->main[i] * s->weights[i];
    s->likely = nephila_sum(products, blocks);
    for (num i = 0; i < blocks; i++)
        products[i] = s->main[i] * s->comment[i] * s->weights[i];
    s->all_talk = nephila_sum(products, blocks);
    for (num i = 0; i < blocks; i++)
        products[i] = s->comment[i] * s->weights[i];
    s->said = nephila_sum(products, blocks);
}

int nephila_second_look_ranked(struct second_look *s)
{
    rank(s);
    return nephila_second_look(s);
}

struct forest {
    const num *features;
    const float *thresholds, *values;
    num trees, depth;
    float *logits; /* what comes out, for each candidate */
    float bias, ruled_out;
};

/* The candidates are the blocks likelier than `ruled_out`; what the trees say of them. How many there are, or ODD. */
num nephila_look_again(struct second_look *s, const struct forest *t)
{
    s->rows = 0;
    for (num i = 0; i < s->blocks; i++)
        if (s->main[i] > t->ruled_out)
            s->row[s->rows++] = i;
    if (!s->rows)
        return 0;
    if (nephila_second_look_ranked(s))
        return ODD;
    memset(t->logits, 0, (size_t)s->rows * sizeof *t->logits);
    nephila_trees(s->inputs, s->rows, s->rows, t->features, t->thresholds, t->values, t->trees, t->depth, t->logits);
    for (num i = 0; i < s->rows; i++)
        t->logits[i] += t->bias;
    return s->rows;
}
