// The functions of OpenSSL that this package uses, as forwarders to the library that is loaded at the first call.
//
// libcurl loads the same library. The symbols are hidden: other libraries of the process do not see them.
#include "ctls.h"

#include "loader.h"

#define FUNCTIONS(F) \
    F(ASN1_STRING_get0_data) F(ASN1_STRING_length) F(ASN1_STRING_to_UTF8) F(ASN1_TIME_to_tm) F(BIO_free) F(BIO_new_file) F(BIO_new_mem_buf) \
    F(CRYPTO_free) \
    F(CRYPTO_get_ex_new_index) F(ERR_clear_error) F(ERR_error_string_n) F(ERR_peek_error) F(EVP_PKEY_free) F(GENERAL_NAMES_free) \
    F(OPENSSL_init_crypto) F(OPENSSL_sk_num) F(OPENSSL_sk_value) F(PEM_read_bio) F(PEM_read_bio_PrivateKey) F(PEM_read_bio_X509) F(SSL_CTX_get_ex_data) \
    F(SSL_CTX_get_verify_mode) F(SSL_CTX_set_cert_verify_callback) F(SSL_CTX_set_ex_data) F(SSL_CTX_set_info_callback) F(SSL_CTX_set_verify) \
    F(SSL_get_SSL_CTX) F(X509_NAME_ENTRY_get_data) F(X509_NAME_get_entry) F(X509_NAME_get_index_by_NID) F(X509_NAME_oneline) \
    F(X509_STORE_CTX_get0_chain) F(X509_STORE_CTX_get0_untrusted) F(X509_STORE_CTX_get_current_cert) F(X509_STORE_CTX_get_error) \
    F(X509_STORE_CTX_get_error_depth) F(X509_STORE_CTX_set_error) F(X509_check_private_key) F(X509_free) F(X509_get0_notAfter) \
    F(X509_get0_notBefore) F(X509_get_X509_PUBKEY) F(X509_get_ext_d2i) F(X509_get_issuer_name) F(X509_get_subject_name) F(X509_verify_cert) \
    F(X509_verify_cert_error_string) F(PKCS12_free) F(PKCS12_parse) F(d2i_PKCS12_bio) F(d2i_PUBKEY) F(d2i_X509) F(i2d_X509) F(i2d_X509_PUBKEY)

CLOADER_LIBRARY("libssl.so.3", "libssl3", ctls_load, FUNCTIONS)

#pragma GCC visibility push(hidden)

// MARK: Memory, lists, errors

int OPENSSL_init_crypto(uint64_t options, const OPENSSL_INIT_SETTINGS *settings) { return CALL(OPENSSL_init_crypto)(options, settings); }
void CRYPTO_free(void *memory, const char *file, int line) { CALL(CRYPTO_free)(memory, file, line); }
int CRYPTO_get_ex_new_index(
    int class_index, long argl, void *argp, CRYPTO_EX_new *new_func, CRYPTO_EX_dup *dup_func, CRYPTO_EX_free *free_func) {
    return CALL(CRYPTO_get_ex_new_index)(class_index, argl, argp, new_func, dup_func, free_func);
}
int OPENSSL_sk_num(const OPENSSL_STACK *stack) { return CALL(OPENSSL_sk_num)(stack); }
void *OPENSSL_sk_value(const OPENSSL_STACK *stack, int index) { return CALL(OPENSSL_sk_value)(stack, index); }
unsigned long ERR_peek_error(void) { return CALL(ERR_peek_error)(); }
void ERR_clear_error(void) { CALL(ERR_clear_error)(); }
void ERR_error_string_n(unsigned long code, char *buffer, size_t size) { CALL(ERR_error_string_n)(code, buffer, size); }

// MARK: Files

BIO *BIO_new_file(const char *path, const char *mode) { return CALL(BIO_new_file)(path, mode); }
BIO *BIO_new_mem_buf(const void *bytes, int count) { return CALL(BIO_new_mem_buf)(bytes, count); }
int BIO_free(BIO *file) { return CALL(BIO_free)(file); }
int PEM_read_bio(BIO *file, char **name, char **header, unsigned char **bytes, long *count) {
    return CALL(PEM_read_bio)(file, name, header, bytes, count);
}
X509 *PEM_read_bio_X509(BIO *file, X509 **result, pem_password_cb *passphrase, void *context) {
    return CALL(PEM_read_bio_X509)(file, result, passphrase, context);
}
EVP_PKEY *PEM_read_bio_PrivateKey(BIO *file, EVP_PKEY **result, pem_password_cb *passphrase, void *context) {
    return CALL(PEM_read_bio_PrivateKey)(file, result, passphrase, context);
}
void EVP_PKEY_free(EVP_PKEY *key) { CALL(EVP_PKEY_free)(key); }
PKCS12 *d2i_PKCS12_bio(BIO *file, PKCS12 **result) { return CALL(d2i_PKCS12_bio)(file, result); }
int PKCS12_parse(PKCS12 *store, const char *passphrase, EVP_PKEY **key, X509 **certificate, STACK_OF(X509) **others) {
    return CALL(PKCS12_parse)(store, passphrase, key, certificate, others);
}
void PKCS12_free(PKCS12 *store) { CALL(PKCS12_free)(store); }

// MARK: Certificates

X509 *d2i_X509(X509 **result, const unsigned char **bytes, long count) { return CALL(d2i_X509)(result, bytes, count); }
int i2d_X509(const X509 *certificate, unsigned char **bytes) { return CALL(i2d_X509)(certificate, bytes); }
EVP_PKEY *d2i_PUBKEY(EVP_PKEY **result, const unsigned char **bytes, long count) { return CALL(d2i_PUBKEY)(result, bytes, count); }
void X509_free(X509 *certificate) { CALL(X509_free)(certificate); }
int X509_check_private_key(const X509 *certificate, const EVP_PKEY *key) { return CALL(X509_check_private_key)(certificate, key); }
const ASN1_TIME *X509_get0_notBefore(const X509 *certificate) { return CALL(X509_get0_notBefore)(certificate); }
const ASN1_TIME *X509_get0_notAfter(const X509 *certificate) { return CALL(X509_get0_notAfter)(certificate); }
X509_PUBKEY *X509_get_X509_PUBKEY(const X509 *certificate) { return CALL(X509_get_X509_PUBKEY)(certificate); }
int i2d_X509_PUBKEY(const X509_PUBKEY *key, unsigned char **bytes) { return CALL(i2d_X509_PUBKEY)(key, bytes); }
void *X509_get_ext_d2i(const X509 *certificate, int identifier, int *critical, int *index) {
    return CALL(X509_get_ext_d2i)(certificate, identifier, critical, index);
}
X509_NAME *X509_get_issuer_name(const X509 *certificate) { return CALL(X509_get_issuer_name)(certificate); }
X509_NAME *X509_get_subject_name(const X509 *certificate) { return CALL(X509_get_subject_name)(certificate); }
char *X509_NAME_oneline(const X509_NAME *name, char *buffer, int size) { return CALL(X509_NAME_oneline)(name, buffer, size); }
int X509_NAME_get_index_by_NID(const X509_NAME *name, int identifier, int after) {
    return CALL(X509_NAME_get_index_by_NID)(name, identifier, after);
}
X509_NAME_ENTRY *X509_NAME_get_entry(const X509_NAME *name, int index) { return CALL(X509_NAME_get_entry)(name, index); }
ASN1_STRING *X509_NAME_ENTRY_get_data(const X509_NAME_ENTRY *entry) { return CALL(X509_NAME_ENTRY_get_data)(entry); }
int ASN1_STRING_to_UTF8(unsigned char **text, const ASN1_STRING *string) { return CALL(ASN1_STRING_to_UTF8)(text, string); }
int ASN1_STRING_length(const ASN1_STRING *string) { return CALL(ASN1_STRING_length)(string); }
const unsigned char *ASN1_STRING_get0_data(const ASN1_STRING *string) { return CALL(ASN1_STRING_get0_data)(string); }
int ASN1_TIME_to_tm(const ASN1_TIME *time, struct tm *parts) { return CALL(ASN1_TIME_to_tm)(time, parts); }
void GENERAL_NAMES_free(GENERAL_NAMES *names) { CALL(GENERAL_NAMES_free)(names); }

// MARK: Verification

int X509_verify_cert(X509_STORE_CTX *store) { return CALL(X509_verify_cert)(store); }
const char *X509_verify_cert_error_string(long code) { return CALL(X509_verify_cert_error_string)(code); }
STACK_OF(X509) *X509_STORE_CTX_get0_chain(const X509_STORE_CTX *store) { return CALL(X509_STORE_CTX_get0_chain)(store); }
STACK_OF(X509) *X509_STORE_CTX_get0_untrusted(const X509_STORE_CTX *store) { return CALL(X509_STORE_CTX_get0_untrusted)(store); }
X509 *X509_STORE_CTX_get_current_cert(const X509_STORE_CTX *store) { return CALL(X509_STORE_CTX_get_current_cert)(store); }
int X509_STORE_CTX_get_error(const X509_STORE_CTX *store) { return CALL(X509_STORE_CTX_get_error)(store); }
int X509_STORE_CTX_get_error_depth(const X509_STORE_CTX *store) { return CALL(X509_STORE_CTX_get_error_depth)(store); }
void X509_STORE_CTX_set_error(X509_STORE_CTX *store, int code) { CALL(X509_STORE_CTX_set_error)(store, code); }

// MARK: Connections

SSL_CTX *SSL_get_SSL_CTX(const SSL *connection) { return CALL(SSL_get_SSL_CTX)(connection); }
void *SSL_CTX_get_ex_data(const SSL_CTX *context, int index) { return CALL(SSL_CTX_get_ex_data)(context, index); }
int SSL_CTX_set_ex_data(SSL_CTX *context, int index, void *data) { return CALL(SSL_CTX_set_ex_data)(context, index, data); }
int SSL_CTX_get_verify_mode(const SSL_CTX *context) { return CALL(SSL_CTX_get_verify_mode)(context); }
void SSL_CTX_set_verify(SSL_CTX *context, int mode, SSL_verify_cb callback) { CALL(SSL_CTX_set_verify)(context, mode, callback); }
void SSL_CTX_set_cert_verify_callback(SSL_CTX *context, int (*callback)(X509_STORE_CTX *, void *), void *argument) {
    CALL(SSL_CTX_set_cert_verify_callback)(context, callback, argument);
}
void SSL_CTX_set_info_callback(SSL_CTX *context, void (*callback)(const SSL *, int, int)) {
    CALL(SSL_CTX_set_info_callback)(context, callback);
}
