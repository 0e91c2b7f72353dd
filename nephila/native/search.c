/* What is asked of all bytes of a page. Python's own search looks at one place after the other; this one at many at
 * once, by three bytes of the word, in loops that compilers turn into a few instructions: a fifth of the time on a page
 * of 60 KB. */

#include <stdint.h>
#include <string.h>

typedef uint8_t byte;
typedef int64_t num;

enum { AT_ONCE = 64 };

/* Whether three bytes of the word stand at their distances from one of the next AT_ONCE places. */
static inline __attribute__((always_inline)) int may_begin(const byte *at, const byte *word, num middle, num last)
{
    byte first_byte = word[0], middle_byte = word[middle], last_byte = word[last], any = 0;
    for (int i = 0; i < AT_ONCE; i++)
        any |= (byte)((at[i] == first_byte) & (at[i + middle] == middle_byte) & (at[i + last] == last_byte));
    return any;
}

static inline __attribute__((always_inline)) num find(const byte *text, num length, num from, const byte *word, num size)
{
    num last = size - 1, middle = size / 2;
    if (size < 1 || from < 0)
        return -1;
    for (num at = from; at + size <= length;) {
        num until = at + AT_ONCE, end = length - last;
        if (until + last <= length && !may_begin(text + at, word, middle, last)) {
            at = until;
            continue;
        }
        for (end = until < end ? until : end; at < end; at++)
            if (text[at] == word[0] && memcmp(text + at, word, (size_t)size) == 0)
                return at;
    }
    return -1;
}

#if defined(__x86_64__)
/* See products.c. */
__attribute__((target("avx2"))) static num find_wide(const byte *text, num length, num from, const byte *word, num size)
{
    return find(text, length, from, word, size);
}
#endif

/* Where a word begins, at or behind `from`; -1 if nowhere. */
num nephila_find(const byte *text, num length, num from, const byte *word, num size)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return find_wide(text, length, from, word, size);
#endif
    return find(text, length, from, word, size);
}

num nephila_count(const byte *text, num length, int wanted)
{
    num count = 0, at = 0;
    for (; at + AT_ONCE <= length; at += AT_ONCE) {
        byte found = 0;
        for (int i = 0; i < AT_ONCE; i++)
            found += text[at + i] == (byte)wanted;
        count += found;
    }
    for (; at < length; at++)
        count += text[at] == (byte)wanted;
    return count;
}

static int is_digit(byte c)
{
    return c >= '0' && c <= '9';
}

enum { DATE = 10 };

/* Whether there is a day as machines write it, such as 2024-05-06. */
static int has_date(const byte *at, const byte *end)
{
    for (; end - at >= DATE; at++)
        if (at[4] == '-' && at[7] == '-' && ((at[0] == '1' && at[1] == '9') || (at[0] == '2' && at[1] == '0')) &&
            is_digit(at[2]) && is_digit(at[3]) && (at[5] == '0' || at[5] == '1') && is_digit(at[6]) && at[8] >= '0' &&
            at[8] <= '3' && is_digit(at[9]))
            return 1;
    return 0;
}

/* Whether there is a day anywhere: two hyphens tell most places apart, many at once. */
static inline __attribute__((always_inline)) int has_day(const byte *text, num length)
{
    num at = 0;
    for (; at + AT_ONCE + DATE <= length; at += AT_ONCE) {
        byte any = 0;
        for (int i = 0; i < AT_ONCE; i++)
            any |= (byte)((text[at + i + 4] == '-') & (text[at + i + 7] == '-'));
        if (any && has_date(text + at, text + at + AT_ONCE + DATE - 1))
            return 1;
    }
    return has_date(text + at, text + length);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static int has_day_wide(const byte *text, num length)
{
    return has_day(text, length);
}
#endif

int nephila_has_day(const byte *text, num length)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return has_day_wide(text, length);
#endif
    return has_day(text, length);
}

/* The places `before` bytes before each of the words, at most `most` of each; and whether a date is written within
 * `window` bytes from there. `words`: each is ended by a NUL, the last by two. How many places there are. */
num nephila_dated(const byte *text, num length, const byte *words, num before, num window, num most, num *starts,
                  byte *dated)
{
    num count = 0;
    for (; *words; words += strlen((const char *)words) + 1) {
        num size = (num)strlen((const char *)words), at = 0;
        for (num each = 0; each < most && (at = nephila_find(text, length, at, words, size)) >= 0; each++, at += size) {
            num start = at > before ? at - before : 0, end = length - start < window ? length : start + window;
            starts[count] = start;
            dated[count++] = (byte)has_date(text + start, text + end);
        }
    }
    return count;
}

static int follows(byte c)
{
    return (c & 0xC0) == 0x80;
}

/* The bytes of the character there, one beyond ASCII; 0 where it is none of UTF-8, as Python has it. */
static int character(const byte *at, num left)
{
    byte c = at[0];
    if (c < 0xC2 || c > 0xF4 || left < 2 || !follows(at[1]))
        return 0;
    if (c < 0xE0)
        return 2;
    if (left < 3 || !follows(at[2]) || (c == 0xE0 && at[1] < 0xA0) || (c == 0xED && at[1] > 0x9F))
        return 0;
    if (c < 0xF0)
        return 3;
    return left > 3 && follows(at[3]) && !(c == 0xF0 && at[1] < 0x90) && !(c == 0xF4 && at[1] > 0x8F) ? 4 : 0;
}

/* By how many bytes the text is longer than its characters are many; -1 where it is no UTF-8. */
num nephila_beyond_ascii(const byte *text, num length)
{
    num beyond = 0, at = 0;
    while (at < length) {
        uint64_t next[4];
        if (length - at >= (num)sizeof next) {
            memcpy(next, text + at, sizeof next);
            if (!((next[0] | next[1] | next[2] | next[3]) & 0x8080808080808080u)) {
                at += sizeof next;
                continue;
            }
            if (!(next[0] & 0x8080808080808080u)) {
                at += sizeof *next;
                continue;
            }
        }
        if (text[at] < 0x80) {
            at++;
            continue;
        }
        int size = character(text + at, length - at);
        if (!size)
            return -1;
        beyond += size - 1;
        at += size;
    }
    return beyond;
}

/* Whether a character stands there that may follow the first one of UTF-8 which was taken for Windows-1252. */
static int goes_on(const byte *at)
{
    switch (at[0]) {
    case 0xC2:
        return follows(at[1]);
    case 0xE2:
        return at[1] >= 0x80 && at[1] <= 0x84;
    case 0xC5:
        return at[1] && strchr("\x92\x93\xA0\xA1\xB8\xBD\xBE", at[1]) != NULL;
    case 0xC6:
        return at[1] == 0x92;
    case 0xCB:
        return at[1] == 0x86 || at[1] == 0x9C;
    }
    return 0;
}

/* How often UTF-8 begins that was encoded once more, as nephila/document/mojibake.py has it; `most` times at most. */
int nephila_twice_encoded(const byte *text, num length, int most)
{
    enum { BEGUN = 4 }; /* bytes */
    const byte *at = text, *end = text + length;
    int found = 0;
    while (found < most && end - at >= BEGUN && (at = memchr(at, 0xC3, (size_t)(end - at - BEGUN + 1))) != NULL) {
        found += at[1] >= 0x82 && at[1] <= 0xB4 && goes_on(at + 2);
        at++;
    }
    return found;
}
