/* The first words of each block: as content/features/first_words.py. Code points come in, classed by the caller's table.
 *
 * Lower case and classes of the basic plane are looked up. What a look-up cannot tell (a capital sigma, whose small
 * letter depends on its neighbours; figures that are no decimals; rare planes) is LEFT to Python, block by block.
 */

#include <stdint.h>
#include <string.h>

typedef uint8_t byte;
typedef int64_t num;

enum { NONE, LETTER, DIGIT, CJK, LEFT };
enum { WORDS_EACH = 6, LONGEST_HEADLINE = 300, WORD_CHARACTERS = 60, HASHED = 24, MOST_KNOWN = 64, SLOTS = 512 };
enum { PLANE = 0x10000, EMOJI_FIRST = 0x1F300, EMOJI_LAST = 0x1FAFF };

struct words {
    const uint16_t *lower; /* of each code point of the plane */
    const byte *classes;   /* of its lower case */
    const uint32_t *crc;   /* the table of CRC-32 */
    num buckets;
    uint64_t seed;
    const uint32_t *title; /* given beside the rest, as are the points of the blocks */
    num title_length;
    const uint32_t *points; /* of all blocks */
    const num *lengths;
    num blocks;
    /* of each block */
    int32_t *rows;        /* WORDS_EACH buckets, 0 is none */
    float *ours, *theirs; /* the share of its words that are the title's, and of the title's that are in it */
    byte *left;
};

static int class_of(const struct words *w, uint32_t point)
{
    if (point >= PLANE)
        return point >= EMOJI_FIRST && point <= EMOJI_LAST ? NONE : LEFT;
    return w->classes[point];
}

/* Of a character in a word, all of which are of the plane. */
static uint32_t lower_of(const struct words *w, uint32_t point)
{
    return w->lower[point & (PLANE - 1)];
}

/* A stretch of text that is being cut. */
struct cutter {
    const uint32_t *at, *end;
    const uint32_t *word, *word_end;
    int kind;
};

/* The next word, or 0; LEFT where Python must read. */
static int next_word(const struct words *w, struct cutter *c)
{
    while (c->at < c->end) {
        int kind = class_of(w, *c->at);
        c->word = c->at++;
        if (kind == NONE)
            continue;
        if (kind == LETTER || kind == DIGIT)
            while (c->at < c->end && class_of(w, *c->at) == kind)
                c->at++;
        if (c->at < c->end && class_of(w, *c->at) == LEFT)
            kind = LEFT; /* perhaps a part of the word */
        c->word_end = c->at;
        return c->kind = kind;
    }
    return NONE;
}

static uint32_t crc_of(const struct words *w, uint32_t crc, byte next)
{
    return w->crc[(crc ^ next) & 0xFF] ^ crc >> 8;
}

static int32_t bucket(const struct words *w, const struct cutter *c)
{
    uint32_t crc = 0xFFFFFFFFu;
    if (c->kind == DIGIT)
        crc = crc_of(w, crc, '0');
    for (num i = 0; c->kind != DIGIT && i < HASHED && c->word + i < c->word_end; i++) {
        uint32_t lower = lower_of(w, c->word[i]);
        if (lower < 0x80) {
            crc = crc_of(w, crc, (byte)lower);
            continue;
        }
        if (lower < 0x800) {
            crc = crc_of(w, crc, (byte)(0xC0 | lower >> 6));
        } else {
            crc = crc_of(w, crc, (byte)(0xE0 | lower >> 12));
            crc = crc_of(w, crc, (byte)(0x80 | (lower >> 6 & 0x3F)));
        }
        crc = crc_of(w, crc, (byte)(0x80 | (lower & 0x3F)));
    }
    return (int32_t)(1 + (crc ^ 0xFFFFFFFFu) % (uint32_t)(w->buckets - 1));
}

/* Never 0. Of 64 bits with a seed of the process: no page can know two words that have the same. */
static uint64_t hash_of(const struct words *w, const struct cutter *c)
{
    uint64_t hash = w->seed;
    for (const uint32_t *at = c->word; at < c->word_end; at++) {
        hash = (hash ^ lower_of(w, *at)) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash | 1;
}

struct known {
    uint64_t hashes[MOST_KNOWN], mask;
    uint64_t letters; /* that they begin with, 64 of them to a bit: most words of a page need not be hashed */
    num count;
};

static uint64_t letter_bit(const struct words *w, const struct cutter *c)
{
    return (uint64_t)1 << (lower_of(w, *c->word) & 63);
}

static int knows(const struct known *k, uint64_t hash)
{
    if (!(k->mask >> (hash >> 58) & 1))
        return 0;
    for (num i = 0; i < k->count; i++)
        if (k->hashes[i] == hash)
            return 1;
    return 0;
}

/* The distinct words of the title; whether they are few, and plain. */
static int read_title(const struct words *w, struct known *k)
{
    struct cutter c = {.at = w->title, .end = w->title + w->title_length};
    k->count = 0;
    k->mask = k->letters = 0;
    for (int kind; (kind = next_word(w, &c));) {
        uint64_t hash = kind == LEFT ? 0 : hash_of(w, &c);
        if (kind == LEFT)
            return 0;
        if (knows(k, hash))
            continue;
        if (k->count == MOST_KNOWN)
            return 0;
        k->hashes[k->count++] = hash;
        k->mask |= (uint64_t)1 << (hash >> 58);
        k->letters |= letter_bit(w, &c);
    }
    return 1;
}

/* The distinct words of a short text, and how many of them are known. */
static void compare(const struct words *w, const struct known *k, struct cutter c, float *ours, float *theirs)
{
    uint64_t seen[SLOTS];
    num distinct = 0, common = 0, length = c.end - c.at;
    num slots = length <= 32 ? 64 : length <= 128 ? 256 : SLOTS; /* more than the text has words */
    memset(seen, 0, (size_t)slots * sizeof *seen);
    while (next_word(w, &c)) {
        uint64_t hash = hash_of(w, &c);
        num slot = (num)(hash >> 40) & (slots - 1);
        while (seen[slot] && seen[slot] != hash)
            slot = (slot + 1) & (slots - 1);
        if (seen[slot])
            continue;
        seen[slot] = hash;
        distinct++;
        common += knows(k, hash);
    }
    *ours = (float)((double)common / (double)distinct);
    *theirs = (float)((double)common / (double)k->count);
}

/* How many blocks are left to Python; -1 when the title is not to be read here, so that nothing was done. */
int nephila_words(const struct words *given, const uint32_t *title, const uint32_t *points, num points_count)
{
    struct words all = *given, *w = &all;
    struct known known;
    w->title = title;
    w->points = points;
    for (num i = 0; i < w->blocks && points_count >= 0; i++)
        points_count = w->lengths[i] < 0 ? -1 : points_count - w->lengths[i];
    if (points_count)
        return -1;
    const uint32_t *at = w->points;
    num left = 0;
    if (!read_title(w, &known))
        return -1;
    for (num i = 0; i < w->blocks; at += w->lengths[i++]) {
        num length = w->lengths[i];
        int is_short = length < LONGEST_HEADLINE, shares = 0, count = 0;
        struct cutter whole = {.at = at, .end = at + (is_short ? length : WORD_CHARACTERS)}, c = whole;
        int32_t *row = w->rows + i * WORDS_EACH;
        w->ours[i] = w->theirs[i] = 0;
        w->left[i] = 0;
        for (int each = 0; each < WORDS_EACH; each++)
            row[each] = 0;
        for (int kind; (kind = next_word(w, &c));) {
            if (kind == LEFT) {
                w->left[i] = 1;
                left++;
                break;
            }
            if (count < WORDS_EACH)
                row[count++] = bucket(w, &c);
            else if (!is_short || !known.count)
                break;
            shares |= is_short && known.letters & letter_bit(w, &c) && knows(&known, hash_of(w, &c));
        }
        if (shares && !w->left[i])
            compare(w, &known, whole, w->ours + i, w->theirs + i);
    }
    return (int)left;
}
