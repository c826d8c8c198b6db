// libcurl for Swift: typed wrappers of functions that Swift cannot call itself.
//
// `curl_easy_setopt` and similar functions are variadic, which Swift does not import. An argument of the wrong width
// is undefined behaviour, so there is one function for each argument type.
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Loads libcurl, where that has not happened; any thread may call it.
//
// Returns NULL, or why libcurl cannot be used; the text is valid for the life of the process. The other functions load it at their first call and end
// the process where that fails.
const char *_Nullable ccurl_load(void);

static inline CURLcode ccurl_set_long(CURL *_Nonnull easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *_Nonnull easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

// libcurl copies the string, unless the manual page of the option says otherwise.
static inline CURLcode ccurl_set_string(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}

// libcurl keeps the pointer.
static inline CURLcode ccurl_set_pointer(CURL *_Nonnull easy, CURLoption option, void *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}

// libcurl keeps the list.
static inline CURLcode ccurl_set_list(CURL *_Nonnull easy, CURLoption option, struct curl_slist *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_mime(CURL *_Nonnull easy, curl_mime *_Nullable value) {
    return curl_easy_setopt(easy, CURLOPT_MIMEPOST, value);
}

// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode ccurl_set_write(CURL *_Nonnull easy, CURLoption option, curl_write_callback _Nullable value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_read(CURL *_Nonnull easy, curl_read_callback _Nullable value) {
    return curl_easy_setopt(easy, CURLOPT_READFUNCTION, value);
}

static inline CURLcode ccurl_set_seek(CURL *_Nonnull easy, curl_seek_callback _Nullable value) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}

static inline CURLcode ccurl_set_debug(CURL *_Nonnull easy, curl_debug_callback _Nullable value) {
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, value);
}

static inline CURLcode ccurl_set_progress(CURL *_Nonnull easy, curl_xferinfo_callback _Nullable value) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value);
}

static inline CURLcode ccurl_set_opensocket(CURL *_Nonnull easy, curl_opensocket_callback _Nullable value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode ccurl_set_prerequest(CURL *_Nonnull easy, curl_prereq_callback _Nullable value) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode ccurl_set_closesocket(CURL *_Nonnull easy, curl_closesocket_callback _Nullable value) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value);
}

static inline CURLcode ccurl_set_ssl_context(CURL *_Nonnull easy, curl_ssl_ctx_callback _Nullable value) {
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, value);
}

static inline CURLcode ccurl_get_long(CURL *_Nonnull easy, CURLINFO info, long *_Nonnull value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_offset(CURL *_Nonnull easy, CURLINFO info, curl_off_t *_Nonnull value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_socket(CURL *_Nonnull easy, curl_socket_t *_Nonnull value) {
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);
}

// The string is valid until the handle is used again.
static inline CURLcode ccurl_get_string(CURL *_Nonnull easy, CURLINFO info, const char *_Nullable *_Nonnull value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_pointer(CURL *_Nonnull easy, CURLINFO info, void *_Nullable *_Nonnull value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode ccurl_multi_set_pointer(CURLM *_Nonnull multi, CURLMoption option, void *_Nullable value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode ccurl_multi_set_socket(CURLM *_Nonnull multi, curl_socket_callback _Nullable value) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
}

static inline CURLMcode ccurl_multi_set_timer(CURLM *_Nonnull multi, curl_multi_timer_callback _Nullable value) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);
}

// Swift does not import the macro CURLVERSION_NOW.
static inline const curl_version_info_data *_Nonnull ccurl_version(void) {
    return curl_version_info(CURLVERSION_NOW);
}

// The macros are casts that Swift does not import.
static const long ccurl_auth_digest = (long)CURLAUTH_DIGEST;
static const long ccurl_auth_ntlm = (long)CURLAUTH_NTLM;
static const long ccurl_auth_basic = (long)CURLAUTH_BASIC;

// Swift imports the union of CURLMsg without names for its members.
static inline CURLcode ccurl_message_result(const CURLMsg *_Nonnull message) {
    return message->data.result;
}

#endif
