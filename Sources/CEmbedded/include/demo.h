#ifndef SORTIE_DEMO_H
#define SORTIE_DEMO_H

#include <stddef.h>

/// A file of the demo, embedded when the program is built.
struct demo_file {
    /// The path relative to the workspace.
    const char *path;
    /// The content, without a terminating zero.
    const unsigned char *bytes;
    /// The number of bytes of the content.
    size_t size;
};

/// Returns a file of the demo by its place in the list; NULL after the last one.
const struct demo_file *demo_file_at(size_t index);

#endif
