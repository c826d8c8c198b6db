// The decoders of content codings for Swift: zlib (gzip and deflate), brotli and zstd. libcurl depends on all three
// libraries.
#ifndef CCOMPRESSION_SHIM_H
#define CCOMPRESSION_SHIM_H

#define ZLIB_CONST
#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

// `inflateInit2` is a macro that Swift does not import. `windowBits` as in zlib's manual: 15 for zlib, 31 for gzip,
// -15 for raw deflate.
static inline int ccompression_inflate_init(z_stream *_Nonnull stream, int windowBits) {
    return inflateInit2(stream, windowBits);
}

#endif
