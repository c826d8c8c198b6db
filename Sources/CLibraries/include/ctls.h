// OpenSSL for Swift: functions beyond libcurl's own options (the certificate chain of a server, and why it was
// rejected).
#ifndef CTLS_SHIM_H
#define CTLS_SHIM_H

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <string.h>
#include <openssl/x509v3.h>

// Loads OpenSSL, where that has not happened; any thread may call it.
//
// Returns NULL, or why OpenSSL cannot be used; the text is valid for the life of the process. The other functions load it at their first call and end
// the process where that fails.
const char *_Nullable ctls_load(void);

// The macro denotes a list of pointers, which Swift does not import.
static inline int ctls_count(const STACK_OF(X509) *_Nullable chain) {
    return chain == NULL ? 0 : sk_X509_num(chain);
}

static inline X509 *_Nullable ctls_certificate(const STACK_OF(X509) *_Nonnull chain, int index) {
    return sk_X509_value(chain, index);
}

// The common name in UTF-8; a negative length without one. Freed with ctls_free.
static inline int ctls_common_name(const X509_NAME *_Nonnull name, unsigned char *_Nullable *_Nonnull text) {
    int index = X509_NAME_get_index_by_NID((X509_NAME *)name, NID_commonName, -1);
    if (index < 0) return -1;
    return ASN1_STRING_to_UTF8(text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry((X509_NAME *)name, index)));
}

static inline void ctls_free(void *_Nullable memory) {
    OPENSSL_free(memory);
}

// The subject alternative names of a certificate. Freed with GENERAL_NAMES_free.
static inline GENERAL_NAMES *_Nullable ctls_names(const X509 *_Nonnull certificate) {
    return X509_get_ext_d2i((X509 *)certificate, NID_subject_alt_name, NULL, NULL);
}

static inline int ctls_names_count(const GENERAL_NAMES *_Nonnull names) {
    return sk_GENERAL_NAME_num(names);
}

// The bytes of a name and its kind, GEN_DNS or GEN_IPADD; NULL for other kinds.
static inline const unsigned char *_Nullable ctls_name(
    const GENERAL_NAMES *_Nonnull names, int index, int *_Nonnull kind, int *_Nonnull length) {
    GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
    *kind = name->type;
    if (name->type != GEN_DNS && name->type != GEN_IPADD) return NULL;
    ASN1_STRING *text = name->type == GEN_DNS ? name->d.dNSName : name->d.iPAddress;
    *length = ASN1_STRING_length(text);
    return ASN1_STRING_get0_data(text);
}

// Creates an index for application data in every SSL_CTX. `release` is called when the context is freed.
static inline int ctls_new_place(CRYPTO_EX_free *_Nonnull release) {
    return SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, release);
}

// The context of the passphrase callback. Without a callback OpenSSL would prompt on the terminal.
typedef struct {
    const char *_Nullable passphrase;
    bool was_asked;
} ctls_passphrase;

static inline int ctls_give_passphrase(char *_Nonnull buffer, int size, int writing, void *_Nullable context) {
    ctls_passphrase *passphrase = context;
    (void)writing;
    passphrase->was_asked = true;
    if (passphrase->passphrase == NULL) return -1;
    size_t length = strlen(passphrase->passphrase);
    if (length > (size_t)size) return -1;
    memcpy(buffer, passphrase->passphrase, length);
    return (int)length;
}

// The first private key of a PEM file, or NULL. Freed with EVP_PKEY_free.
static inline EVP_PKEY *_Nullable ctls_read_key(const char *_Nonnull path, ctls_passphrase *_Nonnull passphrase) {
    BIO *file = BIO_new_file(path, "r");
    if (file == NULL) return NULL;
    EVP_PKEY *key = PEM_read_bio_PrivateKey(file, NULL, ctls_give_passphrase, passphrase);
    BIO_free(file);
    return key;
}

// The first certificate of a PEM file, or NULL. Freed with X509_free.
static inline X509 *_Nullable ctls_read_certificate(const char *_Nonnull path) {
    BIO *file = BIO_new_file(path, "r");
    if (file == NULL) return NULL;
    ctls_passphrase none = {.passphrase = NULL, .was_asked = false};
    X509 *certificate = PEM_read_bio_X509(file, NULL, ctls_give_passphrase, &none);
    BIO_free(file);
    return certificate;
}

// The certificate and the key of a PKCS#12 file (RFC 7292). `was_asked` is set where the passphrase is missing or wrong. Freed with X509_free and
// EVP_PKEY_free.
static inline bool ctls_read_pkcs12(
    const char *_Nonnull path, ctls_passphrase *_Nonnull passphrase, X509 *_Nullable *_Nonnull certificate, EVP_PKEY *_Nullable *_Nonnull key) {
    BIO *file = BIO_new_file(path, "rb");
    if (file == NULL) return false;
    PKCS12 *store = d2i_PKCS12_bio(file, NULL);
    BIO_free(file);
    if (store == NULL) return false;
    bool is_read = PKCS12_parse(store, passphrase->passphrase, key, certificate, NULL);
    PKCS12_free(store);
    unsigned long code = ERR_peek_error();
    passphrase->was_asked = !is_read && ERR_GET_LIB(code) == ERR_LIB_PKCS12 && ERR_GET_REASON(code) == PKCS12_R_MAC_VERIFY_FAILURE;
    return is_read;
}

// Copies OpenSSL's message of the oldest error of this thread and clears its error queue. Returns false without an
// error.
static inline bool ctls_take_error(char *_Nonnull buffer, size_t size) {
    unsigned long code = ERR_peek_error();
    if (code != 0) ERR_error_string_n(code, buffer, size);
    ERR_clear_error();
    return code != 0;
}

#endif
