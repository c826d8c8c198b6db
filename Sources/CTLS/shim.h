// OpenSSL for Swift: what libcurl's own options do not reach (the chain that a server showed, and why it was refused), and nothing else.
#ifndef CTLS_SHIM_H
#define CTLS_SHIM_H

#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// The macro names a list of pointers that Swift does not import.
static inline int ctls_count(const STACK_OF(X509) *_Nullable chain) {
    return chain == NULL ? 0 : sk_X509_num(chain);
}

static inline X509 *_Nullable ctls_certificate(const STACK_OF(X509) *_Nonnull chain, int index) {
    return sk_X509_value(chain, index);
}

// The common name in UTF-8, or the length -1; freed with ctls_free.
static inline int ctls_common_name(const X509_NAME *_Nonnull name, unsigned char *_Nullable *_Nonnull text) {
    int index = X509_NAME_get_index_by_NID((X509_NAME *)name, NID_commonName, -1);
    if (index < 0) return -1;
    return ASN1_STRING_to_UTF8(text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry((X509_NAME *)name, index)));
}

static inline void ctls_free(void *_Nullable memory) {
    OPENSSL_free(memory);
}

// The names that a certificate is for; freed with GENERAL_NAMES_free.
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

// A place in every SSL_CTX for something of ours, released with it.
static inline int ctls_new_place(CRYPTO_EX_free *_Nonnull release) {
    return SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, release);
}

#endif
