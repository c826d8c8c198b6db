#include "cgssapi.h"

#include "loader.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Declared here, because only the library is needed to run the program, and its headers are not needed to build it (RFC 2744; gssapi.h of MIT
// Kerberos 1.20).
typedef struct { size_t length; void *value; } gss_buffer_desc, *gss_buffer_t;
typedef struct { uint32_t length; void *elements; } gss_OID_desc, *gss_OID;
typedef struct { size_t count; gss_OID elements; } gss_OID_set_desc, *gss_OID_set;
typedef void *gss_name_t, *gss_ctx_id_t, *gss_cred_id_t;
extern uint32_t gss_import_name(uint32_t *minor, gss_buffer_t text, gss_OID type, gss_name_t *name);
extern uint32_t gss_release_name(uint32_t *minor, gss_name_t *name);
extern uint32_t gss_acquire_cred(
    uint32_t *minor, gss_name_t name, uint32_t time, gss_OID_set mechanisms, int usage, gss_cred_id_t *credential, gss_OID_set *actual,
    uint32_t *lifetime);
extern uint32_t gss_release_cred(uint32_t *minor, gss_cred_id_t *credential);
extern uint32_t gss_init_sec_context(
    uint32_t *minor, gss_cred_id_t credential, gss_ctx_id_t *context, gss_name_t target, gss_OID mechanism, uint32_t flags, uint32_t time,
    void *bindings, gss_buffer_t input, gss_OID *actual, gss_buffer_t output, uint32_t *actual_flags, uint32_t *lifetime);
extern uint32_t gss_delete_sec_context(uint32_t *minor, gss_ctx_id_t *context, gss_buffer_t output);
extern uint32_t gss_display_status(uint32_t *minor, uint32_t status, int kind, gss_OID mechanism, uint32_t *more, gss_buffer_t text);
extern uint32_t gss_release_buffer(uint32_t *minor, gss_buffer_t buffer);

#define FUNCTIONS(F) \
    F(gss_acquire_cred) F(gss_delete_sec_context) F(gss_display_status) F(gss_import_name) F(gss_init_sec_context) F(gss_release_buffer) \
    F(gss_release_cred) F(gss_release_name)

CLOADER_LIBRARY("libgssapi_krb5.so.2", "libgssapi-krb5-2", cgssapi_load, FUNCTIONS)

// GSS_C_NT_HOSTBASED_SERVICE (RFC 2744), SPNEGO (RFC 4178) and Kerberos (RFC 4121).
static gss_OID_desc service_name = {10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x04"};
static gss_OID_desc negotiation = {6, "\x2b\x06\x01\x05\x05\x02"};
static gss_OID_desc kerberos = {9, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x02"};

enum { initiate = 1, message_of_library = 1, message_of_mechanism = 2 };

// The routine errors and calling errors of a result.
static int is_error(uint32_t status) { return (status & 0xffff0000u) != 0; }

// Appends the messages of a status.
static void append(cgssapi_token *token, uint32_t status, int kind) {
    uint32_t more = 0;
    do {
        uint32_t minor = 0;
        gss_buffer_desc text = {0, NULL};
        if (is_error(CALL(gss_display_status)(&minor, status, kind, kind == message_of_mechanism ? &kerberos : NULL, &more, &text))) return;
        size_t used = strlen(token->problem);
        snprintf(token->problem + used, sizeof token->problem - used, "%s%.*s", used == 0 ? "" : "; ", (int)text.length, (const char *)text.value);
        CALL(gss_release_buffer)(&minor, &text);
    } while (more != 0);
}

static void fail(cgssapi_token *token, uint32_t status, uint32_t minor) {
    token->problem[0] = '\0';
    if (minor != 0) append(token, minor, message_of_mechanism);
    if (token->problem[0] == '\0') append(token, status, message_of_library);
    if (token->problem[0] == '\0') snprintf(token->problem, sizeof token->problem, "GSS-API error 0x%x", status);
}

void cgssapi_negotiate(const char *service, cgssapi_token *token) {
    uint32_t minor = 0, ignored = 0;
    memset(token, 0, sizeof *token);
    // Without a ticket the negotiation says only that it has no mechanism; Kerberos itself names the reason.
    gss_cred_id_t credential = NULL;
    gss_OID_set_desc mechanisms = {1, &kerberos};
    uint32_t status = CALL(gss_acquire_cred)(&minor, NULL, UINT32_MAX, &mechanisms, initiate, &credential, NULL, NULL);
    if (is_error(status)) {
        fail(token, status, minor);
        return;
    }
    CALL(gss_release_cred)(&ignored, &credential);

    gss_name_t name = NULL;
    gss_buffer_desc text = {strlen(service), (void *)service};
    status = CALL(gss_import_name)(&minor, &text, &service_name, &name);
    if (is_error(status)) {
        fail(token, status, minor);
        return;
    }
    gss_ctx_id_t context = NULL;
    gss_buffer_desc output = {0, NULL};
    // Without flags, as in browsers: TLS identifies the server, and the credentials are not delegated.
    status = CALL(gss_init_sec_context)(&minor, NULL, &context, name, &negotiation, 0, 0, NULL, NULL, NULL, &output, NULL, NULL);
    if (is_error(status) || output.length == 0) {
        fail(token, status, minor);
    } else if ((token->bytes = malloc(output.length)) == NULL) {
        snprintf(token->problem, sizeof token->problem, "no memory for the token");
    } else {
        memcpy(token->bytes, output.value, output.length);
        token->length = output.length;
    }
    CALL(gss_release_buffer)(&ignored, &output);
    if (context != NULL) CALL(gss_delete_sec_context)(&ignored, &context, NULL);
    CALL(gss_release_name)(&ignored, &name);
}

void cgssapi_free(cgssapi_token *token) {
    free(token->bytes);
    token->bytes = NULL;
}
