// The server's side of HTTP/2 connections by libnghttp2, which is loaded at the first call. Only the demo's gRPC server uses it.
#ifndef CHTTP2_HTTP2_H
#define CHTTP2_HTTP2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The state of one connection. It does no input and output; its functions must not be called at the same time.
typedef struct chttp2_session chttp2_session;

// A field of a header or a trailer; the layout is that of nghttp2_nv. The bytes are copied by the functions that take it.
typedef struct {
    const uint8_t *_Nonnull name;
    const uint8_t *_Nonnull value;
    size_t name_size;
    size_t value_size;
    uint8_t flags;
} chttp2_field;

// What a body has to send: some bytes, nothing until chttp2_resume, or the end, after which the trailer follows.
enum { CHTTP2_WAITS = -1, CHTTP2_ENDS = -2 };

// Functions that are called by chttp2_receive and chttp2_send.
typedef struct {
    // A field of the header of a request; false resets the stream.
    bool (*_Nonnull field)(
        void *_Nonnull context, int32_t stream, const uint8_t *_Nonnull name, size_t name_size, const uint8_t *_Nonnull value, size_t value_size);
    // Bytes of the body of a request.
    void (*_Nonnull data)(void *_Nonnull context, int32_t stream, const uint8_t *_Nonnull bytes, size_t count);
    // A request is complete.
    void (*_Nonnull end)(void *_Nonnull context, int32_t stream);
    // A stream is closed, whatever the reason; no further function is called for it.
    void (*_Nonnull closed)(void *_Nonnull context, int32_t stream);
    // Writes at most `size` bytes of the body of a response; returns their number, CHTTP2_WAITS or CHTTP2_ENDS.
    ptrdiff_t (*_Nonnull body)(void *_Nonnull context, int32_t stream, uint8_t *_Nonnull bytes, size_t size);
} chttp2_handlers;

// The largest values that a client is told.
typedef struct {
    uint32_t streams;
    uint32_t header_size;
} chttp2_limits;

// Loads libnghttp2; returns NULL, or why it cannot be used.
const char *_Nullable chttp2_load(void);

// Creates the state of a connection; NULL without memory. `context` must outlive it.
chttp2_session *_Nullable chttp2_open(const chttp2_handlers *_Nonnull handlers, void *_Nonnull context, chttp2_limits limits);

void chttp2_close(chttp2_session *_Nonnull session);

// Passes received bytes; false where they are not HTTP/2 and the connection is to be closed.
bool chttp2_receive(chttp2_session *_Nonnull session, const uint8_t *_Nonnull bytes, size_t count);

// The next bytes to send, which are valid until the next call; their number, 0 for none, negative after a failure.
ptrdiff_t chttp2_send(chttp2_session *_Nonnull session, const uint8_t *_Nullable *_Nonnull bytes);

// Whether the connection has ended: nothing is to be received or sent any more.
bool chttp2_is_ended(chttp2_session *_Nonnull session);

// Sends the header of a response; with a body, which `body` provides, a trailer follows. False after a failure.
bool chttp2_respond(chttp2_session *_Nonnull session, int32_t stream, const chttp2_field *_Nonnull fields, size_t count, bool has_body);

// Sends the trailer; called by `body` before it returns CHTTP2_ENDS.
bool chttp2_trailer(chttp2_session *_Nonnull session, int32_t stream, const chttp2_field *_Nonnull fields, size_t count);

// Continues a body that waits.
void chttp2_resume(chttp2_session *_Nonnull session, int32_t stream);

#endif
