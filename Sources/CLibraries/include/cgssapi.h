// Tokens of Negotiate (SPNEGO, RFC 4178) with a Kerberos ticket, made by the GSS-API library of MIT Kerberos.
//
// libcurl makes them as well, but calls the library in its event loop, which a key distribution center that does not respond blocks for 27 s.
#ifndef CGSSAPI_NEGOTIATE_H
#define CGSSAPI_NEGOTIATE_H

#include <stddef.h>

// A token, or why there is none.
typedef struct {
    // The token; NULL without one. Freed with cgssapi_free.
    unsigned char *_Nullable bytes;
    size_t length;
    // Messages of the library; empty with a token.
    char problem[1024];
} cgssapi_token;

// Loads the library, where that has not happened; any thread may call it.
//
// Returns NULL, or why it cannot be used; the text is valid for the life of the process.
const char *_Nullable cgssapi_load(void);

// Makes the first token for a service such as HTTP@www.example.com with the default credentials of the user.
//
// Blocks while the key distribution center is asked for a ticket. The library must have been loaded.
void cgssapi_negotiate(const char *_Nonnull service, cgssapi_token *_Nonnull token);

// Frees the bytes of a token.
void cgssapi_free(cgssapi_token *_Nonnull token);

#endif
