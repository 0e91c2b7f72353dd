/* The words of a text that tell its language: as content/metadata/language.py cuts and counts them. Code points come in,
 * classed by the caller's tables; the caller's table of common words is fixed, so no page can make it collide. */

#include <stdint.h>
#include <string.h>

typedef uint8_t byte;
typedef int64_t num;

enum { NONE, LETTER, LEFT };
enum { PLANE = 0x10000, EMOJI_FIRST = 0x1F300, EMOJI_LAST = 0x1FAFF, ODD = -1 };

struct language {
    const uint16_t *lower; /* of each code point of the plane */
    const byte *classes;   /* of its lower case */
    const uint32_t *points;
    num length;
    const uint32_t *scripts; /* first and last letter of each */
    num script_count;
    const uint32_t *common; /* the common words, `longest` letters each, zeros behind them */
    num longest;
    const int32_t *slots; /* places of the words by their hashes, -1 is none */
    num slot_count;       /* a power of two, more than there are words */
    /* what comes out */
    num *found;   /* words, letters */
    num *written; /* letters of each script */
    num *counts;  /* of each common word */
};

static uint32_t next_hash(uint32_t hash, uint32_t letter)
{
    return (hash ^ letter) * 16777619u;
}

/* Counts a word of at most `longest` letters, if it is one of the common ones. */
static void count_word(const struct language *l, const uint32_t *word, num length, uint32_t hash)
{
    num slot = (num)(hash ^ hash >> 15) & (l->slot_count - 1), place;
    for (; (place = l->slots[slot]) >= 0; slot = (slot + 1) & (l->slot_count - 1)) {
        const uint32_t *known = l->common + place * l->longest;
        num at = 0;
        while (at < length && known[at] == l->lower[word[at]])
            at++;
        if (at == length && (length == l->longest || !known[length])) {
            l->counts[place]++;
            return;
        }
    }
}

static void count_script(const struct language *l, uint32_t letter)
{
    for (num script = 0; script < l->script_count; script++)
        l->written[script] += letter >= l->scripts[2 * script] && letter <= l->scripts[2 * script + 1];
}

/* ODD where Python must read: letters whose lower case no table can tell. */
int nephila_language(const struct language *l)
{
    const uint32_t *at = l->points, *end = at + l->length;
    num words = 0, letters = 0;
    while (at < end) {
        const uint32_t *word = at;
        uint32_t hash = 2166136261u;
        int kind = NONE;
        for (; at < end; at++) {
            if (*at >= PLANE && (*at < EMOJI_FIRST || *at > EMOJI_LAST))
                return ODD;
            kind = *at < PLANE ? l->classes[*at] : NONE;
            if (kind != LETTER)
                break;
            uint32_t letter = l->lower[*at];
            hash = next_hash(hash, letter);
            if (letter >= 0x80)
                count_script(l, letter);
        }
        if (kind == LEFT)
            return ODD;
        if (at > word) {
            words++;
            letters += at - word;
            if (at - word <= l->longest)
                count_word(l, word, at - word, hash);
        }
        at += at < end;
    }
    l->found[0] = words;
    l->found[1] = letters;
    return 0;
}
