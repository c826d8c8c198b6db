// The functions of libcurl that this package uses, as forwarders to the library that is loaded at the first call.
//
// Their symbols are hidden: other libraries of the process do not see them.
#include "ccurl.h"

#include "loader.h"
#include <stdarg.h>

#define FUNCTIONS(F) \
    F(curl_easy_cleanup) F(curl_easy_getinfo) F(curl_easy_init) F(curl_easy_pause) F(curl_easy_recv) F(curl_easy_reset) F(curl_easy_send) F(curl_easy_setopt) F(curl_easy_strerror) \
    F(curl_global_init) F(curl_mime_addpart) F(curl_mime_data) F(curl_mime_data_cb) F(curl_mime_filename) F(curl_mime_free) F(curl_mime_init) \
    F(curl_mime_name) F(curl_mime_type) F(curl_multi_add_handle) F(curl_multi_cleanup) F(curl_multi_info_read) F(curl_multi_init) \
    F(curl_multi_remove_handle) F(curl_multi_setopt) F(curl_multi_socket_action) F(curl_slist_append) F(curl_slist_free_all) F(curl_version_info) \
    F(curl_free) F(curl_multi_assign) F(curl_url) F(curl_url_cleanup) F(curl_url_get) F(curl_url_set) F(curl_version)

CLOADER_LIBRARY("libcurl.so.4", "libcurl4", ccurl_load, FUNCTIONS)

#pragma GCC visibility push(hidden)

// MARK: Easy handles

CURL *curl_easy_init(void) { return CALL(curl_easy_init)(); }
void curl_easy_cleanup(CURL *easy) { CALL(curl_easy_cleanup)(easy); }
void curl_easy_reset(CURL *easy) { CALL(curl_easy_reset)(easy); }
CURLcode curl_easy_pause(CURL *easy, int mask) { return CALL(curl_easy_pause)(easy, mask); }
CURLcode curl_easy_recv(CURL *easy, void *buffer, size_t size, size_t *count) { return CALL(curl_easy_recv)(easy, buffer, size, count); }
CURLcode curl_easy_send(CURL *easy, const void *buffer, size_t size, size_t *count) { return CALL(curl_easy_send)(easy, buffer, size, count); }
const char *curl_easy_strerror(CURLcode code) { return CALL(curl_easy_strerror)(code); }

// The third argument is a long, a curl_off_t or a pointer: one register on the supported systems, which are 64-bit.
_Static_assert(sizeof(long) == sizeof(void *) && sizeof(curl_off_t) == sizeof(void *), "an argument is one register");
#define THIRD(last, value) \
    va_list arguments; \
    va_start(arguments, last); \
    void *value = va_arg(arguments, void *); \
    va_end(arguments)

CURLcode curl_easy_setopt(CURL *easy, CURLoption option, ...) {
    THIRD(option, value);
    return CALL(curl_easy_setopt)(easy, option, value);
}

CURLcode curl_easy_getinfo(CURL *easy, CURLINFO info, ...) {
    THIRD(info, value);
    return CALL(curl_easy_getinfo)(easy, info, value);
}

// MARK: Multi handles

CURLM *curl_multi_init(void) { return CALL(curl_multi_init)(); }
CURLMcode curl_multi_cleanup(CURLM *multi) { return CALL(curl_multi_cleanup)(multi); }
CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy) { return CALL(curl_multi_add_handle)(multi, easy); }
CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy) { return CALL(curl_multi_remove_handle)(multi, easy); }
CURLMsg *curl_multi_info_read(CURLM *multi, int *left) { return CALL(curl_multi_info_read)(multi, left); }
CURLMcode curl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events, int *running) {
    return CALL(curl_multi_socket_action)(multi, socket, events, running);
}

CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option, ...) {
    THIRD(option, value);
    return CALL(curl_multi_setopt)(multi, option, value);
}

// MARK: Multipart bodies

curl_mime *curl_mime_init(CURL *easy) { return CALL(curl_mime_init)(easy); }
void curl_mime_free(curl_mime *mime) { CALL(curl_mime_free)(mime); }
curl_mimepart *curl_mime_addpart(curl_mime *mime) { return CALL(curl_mime_addpart)(mime); }
CURLcode curl_mime_name(curl_mimepart *part, const char *name) { return CALL(curl_mime_name)(part, name); }
CURLcode curl_mime_filename(curl_mimepart *part, const char *name) { return CALL(curl_mime_filename)(part, name); }
CURLcode curl_mime_type(curl_mimepart *part, const char *type) { return CALL(curl_mime_type)(part, type); }
CURLcode curl_mime_data(curl_mimepart *part, const char *data, size_t size) { return CALL(curl_mime_data)(part, data, size); }
CURLcode curl_mime_data_cb(
    curl_mimepart *part, curl_off_t size, curl_read_callback read, curl_seek_callback seek, curl_free_callback release, void *context) {
    return CALL(curl_mime_data_cb)(part, size, read, seek, release, context);
}

// MARK: Other functions

CURLcode curl_global_init(long flags) { return CALL(curl_global_init)(flags); }
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *line) { return CALL(curl_slist_append)(list, line); }
void curl_slist_free_all(struct curl_slist *list) { CALL(curl_slist_free_all)(list); }
curl_version_info_data *curl_version_info(CURLversion age) { return CALL(curl_version_info)(age); }

// MARK: For FoundationNetworking

// FlyingFox imports it, so a statically linked program contains it, and its references to these functions would link libcurl.

void curl_free(void *memory) { CALL(curl_free)(memory); }
CURLMcode curl_multi_assign(CURLM *multi, curl_socket_t socket, void *context) { return CALL(curl_multi_assign)(multi, socket, context); }
CURLU *curl_url(void) { return CALL(curl_url)(); }
void curl_url_cleanup(CURLU *url) { CALL(curl_url_cleanup)(url); }
CURLUcode curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) { return CALL(curl_url_set)(url, part, text, flags); }
char *curl_version(void) { return CALL(curl_version)(); }

// Another name in C, because the first parameter is a pointer to a constant in newer versions.
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) __asm__("curl_url_get");
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) { return CALL(curl_url_get)(url, part, text, flags); }
