/* What lexbor writes out, piece by piece, side by side: see nephila/document/written.py. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t byte;
typedef int64_t num;

/* As lexbor declares them. */
typedef unsigned int (*piece_function)(const byte *piece, size_t length, void *to);
typedef unsigned int (*write_function)(void *node, piece_function each, void *to);

struct written {
    byte *text;
    num length, room;
};

/* What does not fit is only counted. */
static unsigned int append(const byte *piece, size_t length, void *to)
{
    struct written *w = to;
    if ((num)length > w->room - w->length) {
        w->room = w->length; /* nothing behind a gap */
    } else if (length == 1) { /* half of them: brackets, spaces, quotes */
        w->text[w->length] = *piece;
    } else {
        memcpy(w->text + w->length, piece, length);
    }
    w->length += (num)length;
    return 0;
}

/* The length of what lexbor writes of the node; what is longer than `room` is not all there. -1 where it fails. */
num nephila_written(write_function write, void *node, byte *text, num room)
{
    struct written w = {.text = text, .room = room};
    return write(node, append, &w) ? -1 : w.length;
}
