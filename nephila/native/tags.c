/* The loops over the tags of a page: what markup.py, layout.py and text.py of nephila/document do, in a fifth of the
 * time. It knows the regular HTML that lexbor writes (see markup.py), and arrays that the caller made.
 *
 * Nothing is allocated here, nothing outlives a call but the table of names; every array has room for one entry a tag
 * and a few more. What is too odd to be worth code (raw text that is shown, tags without an end) gets the answer ODD,
 * and the caller takes the way without this file. tests/document/test_native.py holds both ways against each other.
 */

#include <stdint.h>
#include <string.h>

typedef uint8_t byte;
typedef int64_t num;

enum { ODD = -1 };

/* As in tags.py; native.py checks that they are the same. */
enum kind {
    INLINE, BLOCK, SKIP, LINK, BREAK, RULE, IMAGE, HEAD, VOID, TITLE, REFERENCE, OPTION, KINDS
};
enum { HIDDEN = 32, CODE = 512, ARTICLE = 1024, MAIN = 2048, HEADER = 2, BUTTON = 16384, NOSCRIPT = 524288 };
#define HEADING_BITS ((num)7 << 24)
#define SKIPPED ((num)1 << 40)
#define HIDES ((num)1 << 41) /* told of a tag: not only read by nobody (aria-hidden), but not to be seen */
#define LINKED ((num)1 << 42)
#define PRESSED ((num)1 << 43) /* told of a tag: a script waits for it to be pressed */
#define BESIDES (HIDES | PRESSED) /* what is no flag */
enum { BODY_DEPTH = 1 };

/* -- names of elements --------------------------------------------------------------------------------------------- */

enum { SLOTS = 1024, LONGEST_NAME = 24, MOST_NAMES = 256, MOST_ROLES = 32 };
enum { UNKNOWN = 0, CUSTOM = 1, DECLARATION = 2 };

struct name {
    byte text[LONGEST_NAME];
    int length;
    int16_t place;
};

static struct name slots[SLOTS];
static int kinds[MOST_NAMES], raw[MOST_NAMES], shown_raw[MOST_NAMES], drawing[MOST_NAMES];
static num flags_of[MOST_NAMES];
static struct name roles[MOST_ROLES];
static num role_flags[MOST_ROLES];
static int role_count;
static num furniture;
static int16_t body_place, html_place, template_place;

static unsigned slot_of(const byte *text, num length)
{
    uint32_t hash = 2166136261u;
    for (num i = 0; i < length; i++)
        hash = (hash ^ text[i]) * 16777619u;
    return (hash ^ hash >> 15) % SLOTS;
}

static int is(const byte *text, num length, const char *word)
{
    return (num)strlen(word) == length && memcmp(text, word, (size_t)length) == 0;
}

/* The elements in the order of markup.py's NAMED, the names one after the other, each ended by a space. */
int nephila_names(const char *text, const num *of_kind, const num *of_flags, num count)
{
    if (count > MOST_NAMES)
        return ODD;
    memset(slots, 0, sizeof slots);
    for (num place = 0; place < count; place++) {
        num length = (num)strcspn(text, " ");
        const byte *name = (const byte *)text;
        if (length > LONGEST_NAME)
            return ODD;
        kinds[place] = (int)of_kind[place];
        flags_of[place] = of_flags[place];
        shown_raw[place] = is(name, length, "xmp") || is(name, length, "plaintext");
        raw[place] = shown_raw[place] || is(name, length, "script") || is(name, length, "style") ||
                     is(name, length, "iframe") || is(name, length, "noembed") || is(name, length, "noframes");
        drawing[place] = is(name, length, "svg");
        if (is(name, length, "body"))
            body_place = (int16_t)place;
        if (is(name, length, "html"))
            html_place = (int16_t)place;
        if (is(name, length, "template"))
            template_place = (int16_t)place;
        if (place > DECLARATION) {
            unsigned slot = slot_of(name, length);
            while (slots[slot].length)
                slot = (slot + 1) % SLOTS;
            memcpy(slots[slot].text, name, (size_t)length);
            slots[slot].length = (int)length;
            slots[slot].place = (int16_t)place;
        }
        text += length + 1;
    }
    return 0;
}

int nephila_roles(const char *text, const num *of_flags, num count, num of_furniture)
{
    if (count > MOST_ROLES)
        return ODD;
    for (num place = 0; place < count; place++) {
        num length = (num)strcspn(text, " ");
        if (length > LONGEST_NAME)
            return ODD;
        memcpy(roles[place].text, text, (size_t)length);
        roles[place].length = (int)length;
        role_flags[place] = of_flags[place];
        text += length + 1;
    }
    role_count = (int)count;
    furniture = of_furniture;
    return 0;
}

static int16_t named(const byte *name, num length)
{
    if (length <= LONGEST_NAME)
        for (unsigned slot = slot_of(name, length); slots[slot].length; slot = (slot + 1) % SLOTS)
            if (slots[slot].length == length && memcmp(slots[slot].text, name, (size_t)length) == 0)
                return slots[slot].place;
    if (length && name[0] == '!')
        return DECLARATION;
    return memchr(name, '-', (size_t)length) ? CUSTOM : UNKNOWN;
}

/* -- tags ---------------------------------------------------------------------------------------------------------- */

static const byte *find(const byte *from, const byte *end, const char *what, num length)
{
    while (end - from >= length) {
        from = memchr(from, what[0], (size_t)(end - from - length + 1));
        if (!from)
            return NULL;
        if (memcmp(from, what, (size_t)length) == 0)
            return from;
        from++;
    }
    return NULL;
}

#define STARTS(at, end, word) ((end) - (at) >= (num)sizeof(word) - 1 && memcmp(at, word, sizeof(word) - 1) == 0)

static byte lower(byte c)
{
    return c >= 'A' && c <= 'Z' ? (byte)(c + 32) : c;
}

/* Whether a style says `word`, blanks and case aside. */
static int says(const byte *style, const byte *end, const char *word)
{
    for (; style < end; style++) {
        const byte *at = style;
        const char *next = word;
        while (at < end && *next && (*at == ' ' || lower(*at) == (byte)*next)) {
            if (*at != ' ')
                next++;
            at++;
        }
        if (!*next)
            return 1;
    }
    return 0;
}

/* What the attributes of a start tag say of its element. A quote ends a value, so none of these is inside of one. */
static num told(const byte *at, const byte *end)
{
    num flags = 0;
    while ((at = memchr(at, ' ', (size_t)(end - at)))) {
        byte next = end - at > 1 ? at[1] : 0;
        if (next != 'r' && next != 's' && next != 'h' && next != 'a' && next != 'o') {
            at++;
            continue;
        }
        if (STARTS(at, end, " role=\"")) {
            const byte *value = at + 7, *close = memchr(value, '"', (size_t)(end - value));
            for (int i = 0; close && i < role_count; i++)
                if (roles[i].length == close - value && memcmp(roles[i].text, value, (size_t)roles[i].length) == 0)
                    flags |= role_flags[i];
        } else if (STARTS(at, end, " style=\"")) {
            const byte *value = at + 8, *close = memchr(value, '"', (size_t)(end - value));
            if (close && (says(value, close, "display:none") || says(value, close, "visibility:hidden")))
                flags |= HIDDEN | HIDES;
        } else if (STARTS(at, end, " hidden=\"")) {
            if (!STARTS(at, end, " hidden=\"until-found\""))
                flags |= HIDDEN | HIDES;
        } else if (STARTS(at, end, " aria-hidden=\"true\"")) {
            flags |= HIDDEN;
        } else if (STARTS(at, end, " onclick=\"")) {
            flags |= PRESSED;
        }
        at++;
    }
    return flags;
}

static int childless(int kind)
{
    return kind == RULE || kind == IMAGE || kind == BREAK || kind == HEAD || kind == VOID || kind == REFERENCE ||
           kind == SKIP || kind == TITLE;
}

/* The tags of a page: how many, or ODD. `room`: how many the arrays hold, at least the number of `<`. */
num nephila_tags(const byte *html, num length, num room, num *start, num *stop, int16_t *tag, byte *closing, num *says_of)
{
    const byte *end = html + length, *at = html;
    num count = 0, drawings = 0;
    while ((at = memchr(at, '<', (size_t)(end - at)))) {
        const byte *close;
        if (count >= room)
            return ODD;
        start[count] = at - html;
        closing[count] = 0;
        says_of[count] = 0;
        if (STARTS(at, end, "<!--")) {
            if (!(close = find(at + 4, end, "-->", 3)))
                return ODD;
            tag[count] = DECLARATION;
            at = close + 3;
            stop[count++] = at - html;
            continue;
        }
        if (!(close = memchr(at, '>', (size_t)(end - at))) || memchr(at + 1, '<', (size_t)(close - at - 1)))
            return ODD; /* a name with a bracket in it: nobody writes that but to annoy */
        const byte *name = at + 1;
        if (*name == '/') {
            closing[count] = 1;
            name++;
        }
        const byte *name_end = name;
        while (*name_end != ' ' && *name_end != '>')
            name_end++;
        int16_t place = named(name, name_end - name);
        tag[count] = place;
        if (shown_raw[place])
            return ODD;
        if (drawing[place])
            drawings += closing[count] ? -1 : 1;
        if (name_end < close && !childless(kinds[place]))
            says_of[count] = told(name_end, close);
        stop[count] = close + 1 - html;
        at = close + 1;
        if (raw[place] && !closing[count] && drawings <= 0) {
            char last[LONGEST_NAME + 3] = "</";
            num size = name_end - name;
            memcpy(last + 2, name, (size_t)size);
            last[size + 2] = '>';
            if (!(at = find(at, end, last, size + 3)))
                return ODD;
        }
        count++;
    }
    return count;
}

/* -- text ---------------------------------------------------------------------------------------------------------- */

/* The bytes of the white space there, as Python's str.split sees it, or 0. */
static int blank(const byte *at, const byte *end)
{
    byte c = *at;
    if (c <= ' ')
        return (c >= 9 && c <= 13) || (c >= 28 && c <= 32);
    if (c < 0xC2 || c > 0xE3)
        return 0;
    if (c == 0xC2)
        return end - at > 1 && (at[1] == 0x85 || at[1] == 0xA0) ? 2 : 0;
    if (c < 0xE1 || end - at < 3)
        return 0;
    if (c == 0xE1)
        return at[1] == 0x9A && at[2] == 0x80 ? 3 : 0;
    if (c == 0xE2)
        return (at[1] == 0x80 && (at[2] <= 0x8A || at[2] == 0xA8 || at[2] == 0xA9 || at[2] == 0xAF)) ||
                       (at[1] == 0x81 && at[2] == 0x9F)
                   ? 3
                   : 0;
    return at[1] == 0x80 && at[2] == 0x80 ? 3 : 0;
}

/* Whether there is something besides ASCII white space. */
static int solid(const byte *at, const byte *end)
{
    for (; at < end; at++)
        if (*at > ' ' || *at < 9 || (*at > 13 && *at < 28))
            return 1;
    return 0;
}

/* A text that is being written: white space folded, escapes undone. */
struct writer {
    byte *out;
    num characters; /* of the block so far */
    num piece;      /* characters of the last piece, folded by itself */
    num stripped;   /* the same without the white space at its ends only */
    int space, line, odd;
};

static void begin_block(struct writer *w)
{
    w->characters = 0;
    w->space = w->line = 0;
}

static void put(struct writer *w, const byte *at, int size, int *gap, int *begun)
{
    if (w->characters && (w->line || w->space)) {
        *w->out++ = w->line ? '\n' : ' ';
        w->characters++;
    }
    if (*gap && *begun)
        w->piece++;
    w->line = w->space = *gap = 0;
    *begun = 1;
    while (size--)
        *w->out++ = *at++;
    w->characters++;
    w->piece++;
}

/* Letters, digits and marks of ASCII, of which nothing is to be folded or undone. */
static const byte plain[256] = {
    [0x21 ... 0x25] = 1, [0x27 ... 0x3B] = 1, ['='] = 1, [0x3F ... 0x7E] = 1,
};

/* Behind the words that begin there, single spaces between them: most of a text is written as it stands. */
static const byte *words_end(const byte *at, const byte *end)
{
    while (at < end && (plain[*at] || (*at == ' ' && end - at > 1 && plain[at[1]])))
        at++;
    return at;
}

static void write_piece(struct writer *w, const byte *at, const byte *end)
{
    int gap = 0, begun = 0;
    num passed = 0;
    w->piece = w->stripped = 0;
    for (; at < end; passed += begun) {
        num before = w->piece;
        byte c = *at;
        if (plain[c]) {
            put(w, at, 1, &gap, &begun);
            at++;
            num rest = words_end(at, end) - at;
            memcpy(w->out, at, (size_t)rest);
            at += rest;
            w->out += rest;
            w->characters += rest;
            w->piece += rest;
            passed += rest;
            w->stripped = passed + 1;
            continue;
        }
        int size = c > 0x20 && c < 0x7F ? 0 : blank(at, end);
        if (size) {
            w->space = gap = 1;
            at += size;
        } else if (c == '&') {
            if (STARTS(at, end, "&nbsp;")) {
                w->space = gap = 1;
                at += 6;
            } else if (STARTS(at, end, "&lt;")) {
                put(w, (const byte *)"<", 1, &gap, &begun);
                at += 4;
            } else if (STARTS(at, end, "&gt;")) {
                put(w, (const byte *)">", 1, &gap, &begun);
                at += 4;
            } else if (STARTS(at, end, "&amp;")) {
                put(w, at, 1, &gap, &begun);
                at += 5;
            } else {
                put(w, at++, 1, &gap, &begun);
            }
        } else {
            if (c == '<' || c == '>' || c == 0)
                w->odd = 1;
            size = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
            if (size > end - at)
                size = (int)(end - at);
            put(w, at, size, &gap, &begun);
            at += size;
        }
        if (w->piece > before)
            w->stripped = passed + 1;
    }
}

/* -- containers and blocks ----------------------------------------------------------------------------------------- */

/* One array of numbers each; as in layout.py. */
struct layout {
    const byte *html;
    num length, tags;
    const num *start, *stop;
    const int16_t *tag;
    const byte *closing;
    const num *told;
    num max_depth, max_blocks, max_links;
    /* of each tag */
    num *at_tag, *structural, *filled;
    /* of each container */
    num *tag_of, *end_tag, *parent, *depth, *own, *flags;
    /* of each block */
    num *container, *first, *last, *pieces, *begin, *end, *images, *link_length, *link_count, *in_code, *characters;
    /* of each link */
    num *link_tag, *link_end, *link_block;
    /* room for one number a tag */
    num *scratch;
    byte *text;
    /* what came out; `listings`: blocks of code, whose text the caller writes */
    num containers, blocks, links, text_length, truncated, listings;
};

static int structural_kind(int kind)
{
    return kind == BLOCK || kind == SKIP || kind == TITLE;
}

/* Hidden parts of a line are blocks of their own, so that a reader can leave them out. */
static void mark_structural(struct layout *l)
{
    num open[MOST_NAMES], any = 0;
    for (num i = 0; i < l->tags; i++) {
        l->structural[i] = structural_kind(kinds[l->tag[i]]);
        any |= (l->told[i] & HIDES) && !l->structural[i];
    }
    if (!any)
        return;
    /* The last open element of each name, and in `scratch` the one before it. */
    for (int i = 0; i < MOST_NAMES; i++)
        open[i] = -1;
    for (num i = 0; i < l->tags; i++) {
        int place = l->tag[i];
        if (structural_kind(kinds[place]) || childless(kinds[place]))
            continue;
        if (!l->closing[i]) {
            l->scratch[i] = open[place];
            open[place] = i;
        } else if (open[place] >= 0) {
            if (l->told[open[place]] & HIDES)
                l->structural[open[place]] = l->structural[i] = 1;
            open[place] = l->scratch[open[place]];
        }
    }
}

/* Text that stands in a pressed element itself, not further down in it: what it says is on a button. */
static void press(struct layout *l)
{
    for (num c = 0; c < l->containers; c++)
        if (l->told[l->tag_of[c]] & PRESSED && l->depth[c] > BODY_DEPTH && !(l->own[c] & HEADING_BITS))
            l->flags[c] |= BUTTON;
}

static num inherit(num own, num above)
{
    return own | (own & HEADING_BITS ? above & ~HEADING_BITS : above);
}

static void nest(struct layout *l)
{
    num *opened = l->scratch, level = 0, highest = -1, current = -1, count = 0, deep = 0; /* opened: last at a level */
    opened[0] = -1;
    for (num i = 0; i < l->tags; i++) {
        if (l->structural[i]) {
            if (!l->closing[i]) {
                int place = l->tag[i], kind = kinds[place];
                num above = level > 0 ? opened[level] : -1;
                num own = flags_of[place] | (l->told[i] & ~BESIDES) | (kind == SKIP || kind == TITLE ? SKIPPED : 0);
                level++;
                if (level > highest)
                    highest = level;
                l->tag_of[count] = i;
                l->end_tag[count] = l->tags;
                l->parent[count] = above;
                l->depth[count] = level - 1;
                l->own[count] = own;
                l->flags[count] = above >= 0 ? inherit(own, l->flags[above]) : own;
                deep |= level - 1 > l->max_depth;
                opened[level] = count++;
            } else if (level > 0) {
                l->end_tag[opened[level]] = i;
                level--;
            }
            current = level > 0 ? opened[level] : -1;
        }
        l->at_tag[i] = current > 0 ? current : 0;
    }
    l->containers = count;
    press(l);
    if (!deep)
        return;
    /* Below the deepest depth, the container that stands for each. */
    for (num c = 0; c < count; c++) {
        int shared = l->depth[c] > l->max_depth && !(l->flags[c] & SKIPPED);
        l->scratch[c] = shared ? l->scratch[l->parent[c]] : c;
    }
    for (num i = 0; i < l->tags; i++)
        l->at_tag[i] = l->scratch[l->at_tag[i]];
}

/* Behind which tags there is text; what is shown when scripts do not run counts when it is more than all the rest. */
static void fill(struct layout *l)
{
    num inside = 0, outside = 0;
    for (num i = 0; i < l->tags; i++) {
        num after = i + 1 < l->tags ? l->start[i + 1] : l->length, flags = l->flags[l->at_tag[i]];
        l->filled[i] = !(flags & SKIPPED) && solid(l->html + l->stop[i], l->html + after);
        if (l->filled[i])
            *(flags & NOSCRIPT ? &inside : &outside) += after - l->stop[i];
    }
    if (inside && inside <= outside)
        for (num i = 0; i < l->tags; i++)
            if (l->flags[l->at_tag[i]] & NOSCRIPT)
                l->filled[i] = 0;
}

static void find_links(struct layout *l)
{
    num waiting = 0, count = 0; /* links whose end is still to come */
    for (num i = 0; i < l->tags; i++) {
        if (kinds[l->tag[i]] != LINK)
            continue;
        if (l->closing[i]) {
            for (; waiting < count; waiting++)
                l->link_end[waiting] = i;
        } else if (find(l->html + l->start[i], l->html + l->stop[i], " href=\"", 7)) {
            if (count == l->max_links) {
                l->truncated = 1;
                break;
            }
            l->link_tag[count] = i;
            l->link_end[count] = l->tags;
            l->link_block[count++] = -1;
        }
    }
    if (count == l->max_links) /* ends behind the last link that counts */
        for (num i = waiting < count ? l->link_tag[waiting] : l->tags; i < l->tags && waiting < count; i++)
            if (kinds[l->tag[i]] == LINK && l->closing[i])
                for (; waiting < count && l->link_tag[waiting] < i; waiting++)
                    l->link_end[waiting] = i;
    l->links = count;
}

/* The markup of a block ends at the first edge behind its last text. */
static void end_blocks(struct layout *l, num *ended, num block, num place, num images)
{
    for (; *ended <= block; ++*ended) {
        l->end[*ended] = place;
        l->images[*ended] = images;
    }
}

/* A block that turned out to be white space alone is none; its links, `link` the last of them, are in no block. */
static int is_empty(struct layout *l, num block, num link)
{
    if (block < 0 || l->characters[block] || l->in_code[block])
        return 0;
    for (; link >= 0; link--) {
        if (l->link_block[link] == block)
            l->link_block[link] = -1;
        if (l->link_tag[link] <= l->first[block])
            break;
    }
    return 1;
}

static int read_blocks(struct layout *l)
{
    struct writer w = {.out = l->text};
    num run = 0, block = -1, block_run = -1, breaks = 0, seen_breaks = 0, blanks = 0, edge = -1, images = 0, begun = 0;
    num ended = 0, link = -1, link_of = -1, full = 0; /* full: only the end of the last block is looked for */
    for (num i = 0; i < l->tags; i++) {
        int kind = kinds[l->tag[i]], boundary = kind == RULE || (l->structural[i] && kind != SKIP && kind != TITLE);
        num after = i + 1 < l->tags ? l->start[i + 1] : l->length;
        if (boundary || kind == BREAK) {
            end_blocks(l, &ended, block, l->start[i], images);
            edge = i;
        }
        run += boundary;
        breaks += (kind == BREAK || kind == OPTION) && !l->closing[i];
        images += kind == IMAGE && !l->closing[i];
        while (link + 1 < l->links && l->link_tag[link + 1] <= i)
            link++;
        num flags = l->flags[l->at_tag[i]];
        if (full)
            continue;
        if (!l->filled[i]) {
            if (!(flags & SKIPPED))
                blanks += after - l->stop[i];
            continue;
        }
        int in_code = (flags & CODE) != 0;
        int twice = breaks - seen_breaks > 1 && !in_code && kind != OPTION;
        if (run != block_run || twice) {
            if (begun == l->max_blocks) {
                l->truncated = full = 1;
                continue;
            }
            begun++;
            if (!is_empty(l, block, link) && ++block)
                *w.out++ = 0;
            begin_block(&w);
            block_run = run;
            l->container[block] = l->at_tag[i];
            l->first[block] = i;
            l->pieces[block] = l->link_length[block] = l->link_count[block] = 0;
            l->begin[block] = l->stop[edge >= 0 ? edge : 0];
            l->in_code[block] = in_code;
            link_of = -1;
        } else if (breaks > seen_breaks) {
            w.line = 1;
        } else if (blanks) {
            w.space = 1;
        }
        seen_breaks = breaks;
        blanks = 0;
        l->last[block] = i;
        if (ended > block)
            ended = block;
        l->pieces[block]++;
        write_piece(&w, l->html + l->stop[i], l->html + after);
        l->characters[block] = w.characters;
        if (link >= 0 && l->link_end[link] > i) {
            l->link_length[block] += w.piece;
            if (link != link_of) {
                l->link_count[block]++;
                link_of = link;
            }
            if (l->link_block[link] < 0 || !l->characters[l->link_block[link]])
                l->link_block[link] = block;
        }
    }
    end_blocks(l, &ended, block, l->length, images);
    if (is_empty(l, block, l->links - 1) && block--)
        w.out--;
    for (link = 0; link < l->links; link++)
        if (l->link_block[link] >= 0 && !l->characters[l->link_block[link]])
            l->link_block[link] = -1;
    l->blocks = block + 1;
    l->text_length = w.out - l->text;
    for (block = l->blocks - 1; block >= 0; block--) {
        l->listings += l->in_code[block];
        l->images[block] -= block ? l->images[block - 1] : 0; /* those since the block before */
    }
    return w.odd ? ODD : 0;
}

/* As native.py gives it: `arrays` has a row of `room` numbers for each array of `struct layout`, in its order. */
struct page {
    num length, tags;
    const num *start, *stop;
    const int16_t *tag;
    const byte *closing;
    const num *told;
    num max_depth, max_blocks, max_links, room;
    num *arrays;
    byte *text;
    num containers, blocks, links, text_length, truncated, listings;
};

int nephila_lay_out(const byte *html, struct page *p)
{
    num *row = p->arrays, room = p->room;
    struct layout l = {
        .html = html, .length = p->length, .tags = p->tags, .start = p->start, .stop = p->stop, .tag = p->tag,
        .closing = p->closing, .told = p->told, .max_depth = p->max_depth, .max_blocks = p->max_blocks,
        .max_links = p->max_links, .at_tag = row, .structural = row + room, .filled = row + 2 * room,
        .tag_of = row + 3 * room, .end_tag = row + 4 * room, .parent = row + 5 * room, .depth = row + 6 * room,
        .own = row + 7 * room, .flags = row + 8 * room, .container = row + 9 * room, .first = row + 10 * room,
        .last = row + 11 * room, .pieces = row + 12 * room, .begin = row + 13 * room, .end = row + 14 * room,
        .images = row + 15 * room, .link_length = row + 16 * room, .link_count = row + 17 * room,
        .in_code = row + 18 * room, .characters = row + 19 * room, .link_tag = row + 20 * room,
        .link_end = row + 21 * room, .link_block = row + 22 * room, .scratch = row + 23 * room, .text = p->text,
    };
    mark_structural(&l);
    nest(&l);
    if (!l.containers)
        return ODD;
    fill(&l);
    find_links(&l);
    if (read_blocks(&l))
        return ODD;
    p->containers = l.containers;
    p->blocks = l.blocks;
    p->links = l.links;
    p->text_length = l.text_length;
    p->truncated = l.truncated;
    p->listings = l.listings;
    return 0;
}


/* -- plain text ---------------------------------------------------------------------------------------------------- */

/* As in text.py: runs of text outside furniture that are not mostly links. */
struct plain {
    const byte *html;
    num length, tags;
    const num *start, *stop;
    const int16_t *tag;
    const byte *closing;
    const num *told;
    num max_blocks;
    /* of each run; a run of code is written as it stands, and its linked characters are told */
    num *flags, *region, *linked;
    num *around; /* of each region the one around it */
    /* room for one number a tag each */
    num *above, *above_region, *above_ends;
    byte *text;
    num runs, regions, text_length;
};

#define KEPT (LINKED | HEADING_BITS | CODE | NOSCRIPT | ARTICLE | MAIN)

static int is_void(int kind)
{
    return kind == RULE || kind == IMAGE || kind == BREAK || kind == HEAD || kind == VOID || kind == REFERENCE;
}

/* The end tag of the element that tag `i` opens. */
static num end_of(const struct plain *p, num i)
{
    for (num depth = 0; i < p->tags; i++) {
        if (!is_void(kinds[p->tag[i]]))
            depth += p->closing[i] ? -1 : 1;
        if (!depth)
            break;
    }
    return i;
}

static int all_blank(const byte *at, const byte *end)
{
    while (at < end) {
        int size = STARTS(at, end, "&nbsp;") ? 6 : blank(at, end);
        if (!size)
            return 0;
        at += size;
    }
    return 1;
}

static void write_raw(struct writer *w, const byte *at, const byte *end)
{
    while (at < end) {
        int size = 1;
        byte c = *at;
        if (STARTS(at, end, "&nbsp;")) {
            *w->out++ = 0xC2;
            c = 0xA0;
            size = 6;
        } else if (STARTS(at, end, "&lt;")) {
            c = '<';
            size = 4;
        } else if (STARTS(at, end, "&gt;")) {
            c = '>';
            size = 4;
        } else if (STARTS(at, end, "&amp;")) {
            size = 5;
        }
        w->odd |= !c;
        *w->out++ = c;
        at += size;
    }
}

struct run {
    byte *begin;
    num flags, region, linked;
    int open;
};

static void close_run(struct plain *p, struct run *r, struct writer *w)
{
    if (!r->open)
        return;
    r->open = 0;
    if (!(r->flags & CODE) && (!w->characters || 2 * r->linked > w->characters)) {
        w->out = r->begin;
        return;
    }
    p->flags[p->runs] = r->flags;
    p->region[p->runs] = r->region;
    p->linked[p->runs++] = r->linked;
    *w->out++ = 0;
}

int nephila_plain(struct plain *p)
{
    struct writer w = {.out = p->text};
    struct run r = {0};
    num flags = 0, region = 0, depth = 0, breaks = 0, left = p->max_blocks, i = 0, root = -1;
    int fresh = 1;
    p->runs = p->regions = 0;
    p->around[0] = 0;
    for (i = 0; i < p->tags && (root < 0 || p->tag[root] != body_place); i++)
        if (!p->closing[i] && (p->tag[i] == body_place || (p->tag[i] == html_place && root < 0)))
            root = i;
    if (root < 0)
        return ODD;
    for (i = root; i < p->tags; i++) {
        int kind = kinds[p->tag[i]];
        if (i > root && p->closing[i]) {
            if (--depth < 0)
                break;
            flags = p->above[depth];
            region = p->above_region[depth];
            fresh |= (int)p->above_ends[depth];
        } else if (i > root) {
            num own = flags_of[p->tag[i]] | (p->told[i] & ~BESIDES) | (kind == LINK ? LINKED : 0);
            int ends = kind == BLOCK || kind == RULE || kind == TITLE;
            if (ends) {
                fresh = 1;
            } else if (kind == BREAK || kind == OPTION) {
                breaks++;
                w.line = 1;
                if (r.open && r.flags & CODE)
                    *w.out++ = '\n';
            }
            /* The header of an article holds its title and its lead, that of the page its logo and menu. */
            if (own & furniture && (own & furniture & ~(num)HEADER || !(flags & (ARTICLE | MAIN)))) {
                fresh = 1;
                if (!is_void(kind))
                    i = end_of(p, i);
            } else if (kind == SKIP || kind == TITLE || kind == HEAD) {
                if (!is_void(kind))
                    i = end_of(p, i);
            } else if (!is_void(kind)) {
                p->above[depth] = flags;
                p->above_region[depth] = region;
                p->above_ends[depth++] = ends;
                if (own & KEPT)
                    flags = (own & HEADING_BITS ? flags & ~HEADING_BITS : flags) | (own & KEPT);
                if (own & (ARTICLE | MAIN)) {
                    p->around[++p->regions] = region;
                    region = p->regions;
                }
            }
            if (i >= p->tags)
                break;
        }
        const byte *begin = p->html + p->stop[i], *end = p->html + (i + 1 < p->tags ? p->start[i + 1] : p->length);
        if (begin == end)
            continue;
        if (all_blank(begin, end)) {
            if (r.open && r.flags & CODE && !fresh)
                write_raw(&w, begin, end);
            w.space = 1;
            continue;
        }
        if (fresh || breaks > 1) {
            close_run(p, &r, &w);
            if (!--left)
                break;
            begin_block(&w);
            r = (struct run){.begin = w.out, .flags = flags, .region = region, .open = 1};
            fresh = 0;
        }
        breaks = 0;
        byte *at = w.out;
        write_piece(&w, begin, end);
        if (flags & LINKED)
            r.linked += w.stripped;
        if (r.flags & CODE) {
            w.out = at;
            write_raw(&w, begin, end);
        }
    }
    if (left)
        close_run(p, &r, &w);
    p->text_length = w.out - p->text;
    return w.odd ? ODD : 0;
}

/* -- links --------------------------------------------------------------------------------------------------------- */

/* The values of href and rel of each <a href>, begin and end of both; -1 where there is no rel. */
num nephila_hrefs(const byte *html, num tags, const num *start, const num *stop, const int16_t *tag, const byte *closing,
                  num limit, num *found)
{
    num count = 0, templates = 0, seen = 0;
    for (num i = 0; i < tags && seen < limit; i++) {
        if (tag[i] == template_place)
            templates += closing[i] ? -1 : 1;
        if (kinds[tag[i]] != LINK || closing[i] || templates > 0)
            continue;
        seen++;
        const byte *end = html + stop[i], *from = html + start[i], *href = find(from, end, " href=\"", 7);
        if (!href)
            continue;
        const byte *rel = find(from, end, " rel=\"", 6);
        const byte *href_end = memchr(href + 7, '"', (size_t)(end - href - 7));
        const byte *rel_end = rel ? memchr(rel + 6, '"', (size_t)(end - rel - 6)) : NULL;
        if (!href_end)
            continue;
        num *row = found + 4 * count++;
        row[0] = href + 7 - html;
        row[1] = href_end - html;
        row[2] = rel_end ? rel + 6 - html : -1;
        row[3] = rel_end ? rel_end - html : -1;
    }
    return count;
}

/* In search.c. */
num nephila_find(const byte *text, num length, num from, const byte *word, num size);

/* Whether a link's whole text may be a sign (see anchors.py): each is ended by a NUL, the last by two. */
int nephila_signed(const byte *html, num length, const char *signs)
{
    for (num at = 0; (at = nephila_find(html, length, at, (const byte *)"</a>", 4)) >= 0; at += 4)
        for (const char *sign = signs; *sign; sign += strlen(sign) + 1) {
            num size = (num)strlen(sign);
            if (at > size && html[at - size - 1] == '>' && memcmp(html + at - size, sign, (size_t)size) == 0)
                return 1;
        }
    return 0;
}

/* -- what may cost the parser too much ----------------------------------------------------------------------------- */

enum { TAGS, UNCLOSED };

/* As in guard.py, of a page as it came: how many `<` there are, and how many formatting elements are open at once if each
 * end tag closes one. `starts`: whether two bytes begin the name of a formatting element. */
void nephila_glance(const byte *html, num length, const byte *starts, num *found)
{
    const byte *end = html + length, *at = html;
    num open = 0;
    found[TAGS] = found[UNCLOSED] = 0;
    while ((at = memchr(at, '<', (size_t)(end - at))) && end - at > 3) {
        found[TAGS]++;
        if (starts[at[1] << 8 | at[2]])
            open++;
        else if (open && at[1] == '/' && starts[at[2] << 8 | at[3]])
            open--;
        if (open > found[UNCLOSED])
            found[UNCLOSED] = open;
        at++;
    }
}
