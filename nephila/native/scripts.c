/* A page without the insides of its scripts and style sheets, which are a third of its bytes and none of its text: what
 * is left is parsed in three quarters of the time.
 *
 * The cuts are those of which it is sure that a parser of HTML sees them the same way: it reads tags with their quotes,
 * comments, and the elements whose content is raw, as the standard does. Before anything that it does not know (drawings,
 * declarations, a script with a comment in it) it cuts nothing, or stops.
 */

#include <stdint.h>
#include <string.h>

typedef uint8_t byte;
typedef int64_t num;

static int is_space(byte c)
{
    return c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f');
}

static byte low(byte c)
{
    return c >= 'A' && c <= 'Z' ? (byte)(c + 32) : c;
}

/* Whether the word, in small letters, stands there in either case. */
static int reads(const byte *at, const byte *end, const char *word)
{
    for (; *word; at++, word++)
        if (at >= end || low(*at) != (byte)*word)
            return 0;
    return 1;
}

/* Whether the name of a tag is this word. */
static int called(const byte *name, const byte *end, const char *word)
{
    const byte *behind = name + strlen(word);
    return reads(name, end, word) && behind < end && (is_space(*behind) || *behind == '/' || *behind == '>');
}

/* Behind the `>` that ends the tag whose name begins there, attribute by attribute; NULL where none does. `most`: the
 * most attributes of any tag so far. */
static const byte *tag_end(const byte *at, const byte *end, num *most)
{
    num count = 0;
    while (at < end && !is_space(*at) && *at != '/' && *at != '>')
        at++;
    for (;;) {
        while (at < end && (is_space(*at) || *at == '/'))
            at++;
        if (at >= end || *at == '>')
            return at < end ? at + 1 : NULL;
        if (++count > *most)
            *most = count;
        at++; /* an equals sign here begins a name */
        while (at < end && !is_space(*at) && *at != '/' && *at != '>' && *at != '=')
            at++;
        while (at < end && is_space(*at))
            at++;
        if (at >= end || *at != '=')
            continue;
        at++;
        while (at < end && is_space(*at))
            at++;
        if (at < end && (*at == '"' || *at == '\'')) {
            if (!(at = memchr(at + 1, *at, (size_t)(end - at - 1))))
                return NULL;
            at++;
        } else {
            while (at < end && !is_space(*at) && *at != '>')
                at++;
        }
    }
}

/* Where the end tag of an element with raw content begins; NULL where there is none, or where the beginning of a
 * comment and another script in it may hide it. */
static const byte *raw_end(const byte *at, const byte *end, const char *name)
{
    int remarks = 0;
    for (; (at = memchr(at, '<', (size_t)(end - at))) && end - at > 2; at++) {
        if (at[1] == '/') {
            if (called(at + 2, end, name))
                return at;
        } else if (at[1] == '!') {
            remarks |= at[2] == '-';
        } else if (remarks && reads(at + 1, end, "script")) {
            return NULL;
        }
    }
    return NULL;
}

static int contains(const byte *at, const byte *end, const char *word)
{
    for (; at < end; at++)
        if (low(*at) == (byte)*word && reads(at, end, word))
            return 1;
    return 0;
}

static const char *const raw_names[] = {"script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp"};
enum { CUT = 2, SHORT = 3, RAW_NAMES = sizeof raw_names / sizeof *raw_names }; /* the first ones may be cut */

static int raw_name(const byte *name, const byte *end)
{
    byte first = low(*name), second = end - name > 1 ? low(name[1]) : 0;
    int place = 0; /* two letters tell nearly all others apart */
    while (place < RAW_NAMES && (raw_names[place][0] != first || raw_names[place][1] != second ||
                                 !called(name, end, raw_names[place])))
        place++;
    return place;
}

/* Elements that are asked for later: as document/native.py has them. Who was not seen is not in the tree. */
enum { DATA = 1, SCRIPT = 2, STYLE = 4, DRAWING = 8, BASE = 16, FRAME = 32 };

static int is_letter(byte c)
{
    return low(c) >= 'a' && low(c) <= 'z';
}

/* Elements after which nothing is sure. */
static int unknown(const byte *name, const byte *end)
{
    byte first = low(*name);
    return (first == 'm' && called(name, end, "math")) || (first == 'p' && called(name, end, "plaintext")) ||
           (first == 'f' && called(name, end, "frameset"));
}

/* Behind a comment or declaration; NULL where it is of a rare form. */
static const byte *remark_end(const byte *at, const byte *end)
{
    if (at[2] != '-' || at[3] != '-') {
        if (reads(at + 2, end, "[cdata["))
            return NULL;
        at = memchr(at, '>', (size_t)(end - at));
        return at ? at + 1 : NULL;
    }
    if (end - at < 6 || at[4] == '>' || (at[4] == '-' && at[5] == '>'))
        return NULL;
    for (at += 4; (at = memchr(at, '-', (size_t)(end - at))); at++)
        if (end - at > 2 && at[1] == '-' && (at[2] == '>' || at[2] == '!'))
            return at[2] == '>' ? at + 3 : NULL;
    return NULL;
}

/* What else is told of the page: whether all of it was understood, the most attributes of a tag, the tags of its roots,
 * and which of the elements above were seen. */
enum { UNDERSTOOD, ATTRIBUTES, ROOTS, SEEN, TOLD };

/* Behind the end tag of a drawing or a list of options, in which raw content is none; NULL where something in it might
 * be read in two ways. `at`: behind its start tag. */
static const byte *plain_end(const byte *at, const byte *end, const char *name, num *told)
{
    num *most = told + ATTRIBUTES;
    while ((at = memchr(at, '<', (size_t)(end - at))) && end - at > 2) {
        if (at[1] == '/' && is_letter(at[2])) {
            int last = called(at + 2, end, name);
            if (!(at = tag_end(at + 2, end, most)) || last)
                return at;
        } else if (is_letter(at[1])) {
            int raw = raw_name(at + 1, end);
            const byte *close = tag_end(at + 1, end, most), *next = close ? memchr(close, '<', (size_t)(end - close)) : NULL;
            if (!next || called(at + 1, end, name) || called(at + 1, end, "foreignobject") || unknown(at + 1, end))
                return NULL;
            /* A title or style sheet without any other tag in it is the same either way. */
            if (raw < RAW_NAMES &&
                (raw == 0 || raw >= SHORT || end - next < 2 || next[1] != '/' || !called(next + 2, end, raw_names[raw])))
                return NULL;
            told[SEEN] |= (raw < RAW_NAMES ? STYLE : 0) | (called(at + 1, end, "base") ? BASE : 0);
            at = close;
        } else if (at[1] == '!') {
            if (end - at < 4 || !(at = remark_end(at, end)))
                return NULL;
        } else if (at[1] == '?' || at[1] == '/') {
            return NULL;
        } else {
            at++;
        }
    }
    return NULL;
}

/* Whether a character reference in the type of a script may hide what it is. */
static int hides_type(const byte *at, const byte *end)
{
    for (; end - at > 4; at++) {
        if (low(*at) != 't' || !reads(at, end, "type"))
            continue;
        const byte *value = at + 4;
        while (value < end && (is_space(*value) || *value == '='))
            value++;
        int quoted = value < end && (*value == '"' || *value == '\'');
        byte quote = quoted ? *value++ : ' ';
        for (; value < end && (quoted ? *value != quote : !is_space(*value)); value++)
            if (*value == '&')
                return 1;
    }
    return 0;
}

/* What the start tag of an element says of the page; `raw`: its place among the raw names. */
static void note(const byte *at, const byte *close, const byte *end, int raw, num *told)
{
    const byte *name = at + 1;
    if (raw == 0)
        told[SEEN] |= SCRIPT | (contains(at, close, "json") || hides_type(at, close) ? DATA : 0);
    else if (raw < CUT)
        told[SEEN] |= STYLE;
    else if (raw < RAW_NAMES)
        told[SEEN] |= low(*name) == 'i' ? FRAME : 0;
    else if (low(*name) == 'b' || low(*name) == 'h')
        told[ROOTS] += called(name, end, "body") || called(name, end, "html");
    if (low(*name) == 'b' && called(name, end, "base"))
        told[SEEN] |= BASE;
}

/* Writes the page to `out`, which has room for all of it; how many bytes it wrote. */
num nephila_without_scripts(const byte *html, num length, byte *out, num *told)
{
    const byte *end = html + length, *at = html, *done = html, *close;
    byte *to = out;
    num *most = told + ATTRIBUTES;
    memset(told, 0, TOLD * sizeof *told);
    while ((at = memchr(at, '<', (size_t)(end - at))) && end - at > 3) {
        if (!is_letter(at[1])) {
            if (at[1] == '!')
                at = remark_end(at, end);
            else if (at[1] == '/' && is_letter(at[2]))
                at = tag_end(at + 2, end, most);
            else if (at[1] == '/' || at[1] == '?') /* browsers take it for a comment */
                at = memchr(at, '>', (size_t)(end - at));
            else
                at++;
            if (!at)
                goto stop;
            continue;
        }
        const byte *name = at + 1;
        if (unknown(name, end) || !(close = tag_end(name, end, most)))
            goto stop;
        int raw = raw_name(name, end);
        note(at, close, end, raw, told);
        if (low(*name) == 's' && called(name, end, "svg")) {
            told[SEEN] |= DRAWING;
            close = plain_end(close, end, "svg", told);
        } else if (low(*name) == 's' && called(name, end, "select")) {
            close = plain_end(close, end, "select", told);
        } else if (raw < RAW_NAMES) {
            const byte *last = raw_end(close, end, raw_names[raw]);
            if (!last)
                goto stop;
            if (raw < CUT && !contains(at, close, "json")) {
                memcpy(to, done, (size_t)(close - done));
                to += close - done;
                done = last;
            }
            close = last;
        }
        if (!close)
            goto stop;
        at = close;
    }
    told[UNDERSTOOD] = 1;
stop:
    memcpy(to, done, (size_t)(end - done));
    return to + (end - done) - out;
}
