#ifndef SORTIE_GUIDE_H
#define SORTIE_GUIDE_H

#include <stddef.h>

/// An article of the guide, embedded when the program is built.
struct guide_article {
    /// The name of the article's file without `.md`.
    const char *name;
    /// The Markdown text in UTF-8, without a terminating zero.
    const unsigned char *text;
    /// The number of bytes of the text.
    size_t size;
};

/// Returns an article by its place in the guide's list; NULL after the last one.
const struct guide_article *guide_article_at(size_t index);

#endif
