// The decoders of content codings for Swift: zlib (gzip and deflate), brotli and zstd. libcurl depends on all three
// libraries. zlib also compresses the messages of WebSocket connections.
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

// `windowBits` as above. The least effort, because the engine's thread compresses.
static inline int ccompression_deflate_init(z_stream *_Nonnull stream, int windowBits) {
    return deflateInit2(stream, Z_BEST_SPEED, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
}

#endif
