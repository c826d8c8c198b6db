#ifndef SORTIE_EMBEDDED_H
#define SORTIE_EMBEDDED_H

#include <stddef.h>

/// A file inside the program, embedded when that is built.
struct embedded_file {
    /// The path relative to the workspace of the demo, or the name of an article without `.md`.
    const char *name;
    /// The content, without a terminating zero.
    const unsigned char *bytes;
    /// The number of bytes of the content.
    size_t size;
};

/// Returns a file of the demo by its place in the list; NULL after the last one.
const struct embedded_file *demo_file_at(size_t index);

/// Returns an article by its place in the guide's list, as Markdown in UTF-8; NULL after the last one.
const struct embedded_file *guide_article_at(size_t index);

/// Returns the commit that the program was built from; empty where the build did not state it.
const char *version_commit(void);

#endif
