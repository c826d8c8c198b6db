#include "chttp2.h"

#include "loader.h"

#include <stdlib.h>
#include <sys/types.h>

// Declared here, because only the library is needed to run the program, and its headers are not needed to build it (nghttp2.h of libnghttp2 1.52, which
// later versions keep). Of a frame, a union, only the header is used, with which all of its members begin.
typedef struct nghttp2_session nghttp2_session;
typedef struct nghttp2_session_callbacks nghttp2_session_callbacks;
typedef struct {
    size_t length;
    int32_t stream_id;
    uint8_t type;
    uint8_t flags;
    uint8_t reserved;
} nghttp2_frame;
typedef struct {
    int32_t settings_id;
    uint32_t value;
} nghttp2_settings_entry;
typedef union {
    int fd;
    void *ptr;
} nghttp2_data_source;
typedef ssize_t (*nghttp2_data_source_read_callback)(
    nghttp2_session *session, int32_t stream, uint8_t *buffer, size_t size, uint32_t *flags, nghttp2_data_source *source, void *context);
typedef struct {
    nghttp2_data_source source;
    nghttp2_data_source_read_callback read_callback;
} nghttp2_data_provider;
typedef int (*nghttp2_on_header_callback)(
    nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t nameSize, const uint8_t *value, size_t valueSize, uint8_t flags,
    void *context);
typedef int (*nghttp2_on_frame_recv_callback)(nghttp2_session *session, const nghttp2_frame *frame, void *context);
typedef int (*nghttp2_on_data_chunk_recv_callback)(
    nghttp2_session *session, uint8_t flags, int32_t stream, const uint8_t *bytes, size_t count, void *context);
typedef int (*nghttp2_on_stream_close_callback)(nghttp2_session *session, int32_t stream, uint32_t code, void *context);

extern int nghttp2_session_callbacks_new(nghttp2_session_callbacks **callbacks);
extern void nghttp2_session_callbacks_del(nghttp2_session_callbacks *callbacks);
extern void nghttp2_session_callbacks_set_on_header_callback(nghttp2_session_callbacks *callbacks, nghttp2_on_header_callback callback);
extern void nghttp2_session_callbacks_set_on_frame_recv_callback(nghttp2_session_callbacks *callbacks, nghttp2_on_frame_recv_callback callback);
extern void nghttp2_session_callbacks_set_on_data_chunk_recv_callback(
    nghttp2_session_callbacks *callbacks, nghttp2_on_data_chunk_recv_callback callback);
extern void nghttp2_session_callbacks_set_on_stream_close_callback(
    nghttp2_session_callbacks *callbacks, nghttp2_on_stream_close_callback callback);
extern int nghttp2_session_server_new(nghttp2_session **session, const nghttp2_session_callbacks *callbacks, void *context);
extern void nghttp2_session_del(nghttp2_session *session);
extern int nghttp2_submit_settings(nghttp2_session *session, uint8_t flags, const nghttp2_settings_entry *entries, size_t count);
extern int nghttp2_submit_response(
    nghttp2_session *session, int32_t stream, const chttp2_field *fields, size_t count, const nghttp2_data_provider *body);
extern int nghttp2_submit_trailer(nghttp2_session *session, int32_t stream, const chttp2_field *fields, size_t count);
extern int nghttp2_session_resume_data(nghttp2_session *session, int32_t stream);
extern ssize_t nghttp2_session_mem_recv(nghttp2_session *session, const uint8_t *bytes, size_t count);
extern ssize_t nghttp2_session_mem_send(nghttp2_session *session, const uint8_t **bytes);
extern int nghttp2_session_want_read(nghttp2_session *session);
extern int nghttp2_session_want_write(nghttp2_session *session);

enum { FRAME_DATA = 0, FRAME_HEADERS = 1, END_STREAM = 1 };
enum { SETTING_STREAMS = 3, SETTING_HEADER_SIZE = 6 };
enum { BODY_ENDS = 1, NO_END_STREAM = 2 };
enum { ERROR_DEFERRED = -508, ERROR_OF_STREAM = -521 };

#define FUNCTIONS(F) \
    F(nghttp2_session_callbacks_del) F(nghttp2_session_callbacks_new) F(nghttp2_session_callbacks_set_on_data_chunk_recv_callback) \
    F(nghttp2_session_callbacks_set_on_frame_recv_callback) F(nghttp2_session_callbacks_set_on_header_callback) \
    F(nghttp2_session_callbacks_set_on_stream_close_callback) F(nghttp2_session_del) F(nghttp2_session_mem_recv) F(nghttp2_session_mem_send) \
    F(nghttp2_session_resume_data) F(nghttp2_session_server_new) F(nghttp2_session_want_read) F(nghttp2_session_want_write) \
    F(nghttp2_submit_response) F(nghttp2_submit_settings) F(nghttp2_submit_trailer)

CLOADER_LIBRARY("libnghttp2.so.14", "libnghttp2-14", chttp2_load, FUNCTIONS)

struct chttp2_session {
    nghttp2_session *state;
    chttp2_handlers handlers;
    void *context;
};

static int header_received(
    nghttp2_session *state, const nghttp2_frame *frame, const uint8_t *name, size_t nameSize, const uint8_t *value, size_t valueSize, uint8_t flags,
    void *context) {
    const chttp2_session *session = context;
    return session->handlers.field(session->context, frame->stream_id, name, nameSize, value, valueSize) ? 0 : ERROR_OF_STREAM;
}

static int frame_received(nghttp2_session *state, const nghttp2_frame *frame, void *context) {
    const chttp2_session *session = context;
    if ((frame->type == FRAME_DATA || frame->type == FRAME_HEADERS) && (frame->flags & END_STREAM) != 0) {
        session->handlers.end(session->context, frame->stream_id);
    }
    return 0;
}

static int data_received(nghttp2_session *state, uint8_t flags, int32_t stream, const uint8_t *bytes, size_t count, void *context) {
    const chttp2_session *session = context;
    session->handlers.data(session->context, stream, bytes, count);
    return 0;
}

static int stream_closed(nghttp2_session *state, int32_t stream, uint32_t code, void *context) {
    const chttp2_session *session = context;
    session->handlers.closed(session->context, stream);
    return 0;
}

static ssize_t read_body(
    nghttp2_session *state, int32_t stream, uint8_t *buffer, size_t size, uint32_t *flags, nghttp2_data_source *source, void *context) {
    const chttp2_session *session = context;
    ptrdiff_t count = session->handlers.body(session->context, stream, buffer, size);
    if (count == CHTTP2_WAITS) return ERROR_DEFERRED;
    if (count != CHTTP2_ENDS) return count;
    *flags |= BODY_ENDS | NO_END_STREAM;
    return 0;
}

chttp2_session *chttp2_open(const chttp2_handlers *handlers, void *context, chttp2_limits limits) {
    chttp2_session *session = calloc(1, sizeof *session);
    if (session == NULL) return NULL;
    session->handlers = *handlers;
    session->context = context;
    nghttp2_session_callbacks *callbacks = NULL;
    if (CALL(nghttp2_session_callbacks_new)(&callbacks) != 0) {
        free(session);
        return NULL;
    }
    CALL(nghttp2_session_callbacks_set_on_header_callback)(callbacks, header_received);
    CALL(nghttp2_session_callbacks_set_on_frame_recv_callback)(callbacks, frame_received);
    CALL(nghttp2_session_callbacks_set_on_data_chunk_recv_callback)(callbacks, data_received);
    CALL(nghttp2_session_callbacks_set_on_stream_close_callback)(callbacks, stream_closed);
    int result = CALL(nghttp2_session_server_new)(&session->state, callbacks, session);
    CALL(nghttp2_session_callbacks_del)(callbacks);
    if (result != 0) {
        free(session);
        return NULL;
    }
    const nghttp2_settings_entry settings[] = {{SETTING_STREAMS, limits.streams}, {SETTING_HEADER_SIZE, limits.header_size}};
    if (CALL(nghttp2_submit_settings)(session->state, 0, settings, 2) != 0) {
        chttp2_close(session);
        return NULL;
    }
    return session;
}

void chttp2_close(chttp2_session *session) {
    CALL(nghttp2_session_del)(session->state);
    free(session);
}

bool chttp2_receive(chttp2_session *session, const uint8_t *bytes, size_t count) {
    // No callback pauses, so all of the bytes are consumed.
    return CALL(nghttp2_session_mem_recv)(session->state, bytes, count) >= 0;
}

ptrdiff_t chttp2_send(chttp2_session *session, const uint8_t **bytes) { return CALL(nghttp2_session_mem_send)(session->state, bytes); }

bool chttp2_is_ended(chttp2_session *session) {
    return CALL(nghttp2_session_want_read)(session->state) == 0 && CALL(nghttp2_session_want_write)(session->state) == 0;
}

bool chttp2_respond(chttp2_session *session, int32_t stream, const chttp2_field *fields, size_t count, bool has_body) {
    const nghttp2_data_provider body = {.read_callback = read_body};
    return CALL(nghttp2_submit_response)(session->state, stream, fields, count, has_body ? &body : NULL) == 0;
}

bool chttp2_trailer(chttp2_session *session, int32_t stream, const chttp2_field *fields, size_t count) {
    return CALL(nghttp2_submit_trailer)(session->state, stream, fields, count) == 0;
}

void chttp2_resume(chttp2_session *session, int32_t stream) {
    // A failure means that the stream is closed or that its body does not wait.
    CALL(nghttp2_session_resume_data)(session->state, stream);
}
