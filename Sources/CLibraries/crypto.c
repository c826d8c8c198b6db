#include "ccrypto.h"

#include "loader.h"

#include <limits.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(F) \
    F(BIO_free) F(BIO_new_mem_buf) F(BN_bn2binpad) F(ECDSA_SIG_free) F(ECDSA_SIG_get0) F(ERR_clear_error) F(EVP_CIPHER_CTX_ctrl) \
    F(EVP_CIPHER_CTX_free) F(EVP_CIPHER_CTX_new) F(EVP_CIPHER_fetch) F(EVP_CIPHER_free) F(EVP_DecryptFinal_ex) F(EVP_DecryptInit_ex) \
    F(EVP_DecryptUpdate) F(EVP_DigestFinal_ex) F(EVP_DigestInit_ex) F(EVP_DigestSign) F(EVP_DigestSignInit_ex) F(EVP_DigestUpdate) \
    F(EVP_EncryptFinal_ex) F(EVP_EncryptInit_ex) F(EVP_EncryptUpdate) F(EVP_MD_CTX_copy_ex) F(EVP_MD_CTX_free) F(EVP_MD_CTX_new) F(EVP_MD_fetch) \
    F(EVP_MD_free) F(EVP_PKEY_CTX_set_rsa_padding) F(EVP_PKEY_CTX_set_rsa_pss_saltlen) F(EVP_PKEY_free) F(EVP_PKEY_get_bits) \
    F(EVP_PKEY_get_group_name) F(EVP_PKEY_is_a) F(EVP_Q_mac) F(OPENSSL_init_crypto) F(PEM_read_bio_PrivateKey) F(d2i_ECDSA_SIG)

CLOADER_LIBRARY("libcrypto.so.3", "libssl3", ccrypto_load, FUNCTIONS)

// Without the exit handler of OpenSSL, which would free what other threads still use.
static void initialize(void) { CALL(OPENSSL_init_crypto)(OPENSSL_INIT_NO_ATEXIT, NULL); }

static void prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, initialize);
}

// MARK: Digests

ccrypto_digest *ccrypto_digest_create(const char *name) {
    prepare();
    EVP_MD *algorithm = CALL(EVP_MD_fetch)(NULL, name, NULL);
    EVP_MD_CTX *digest = CALL(EVP_MD_CTX_new)();
    if (algorithm == NULL || digest == NULL || CALL(EVP_DigestInit_ex)(digest, algorithm, NULL) != 1) {
        CALL(ERR_clear_error)();
        CALL(EVP_MD_CTX_free)(digest);
        digest = NULL;
    }
    CALL(EVP_MD_free)(algorithm);
    return digest;
}

ccrypto_digest *ccrypto_digest_copy(const ccrypto_digest *digest) {
    EVP_MD_CTX *copy = CALL(EVP_MD_CTX_new)();
    if (copy != NULL && CALL(EVP_MD_CTX_copy_ex)(copy, digest) == 1) return copy;
    CALL(EVP_MD_CTX_free)(copy);
    return NULL;
}

bool ccrypto_digest_update(ccrypto_digest *digest, const void *bytes, size_t count) {
    return CALL(EVP_DigestUpdate)(digest, bytes, count) == 1;
}

size_t ccrypto_digest_finish(ccrypto_digest *digest, unsigned char *result) {
    unsigned int size = 0;
    return CALL(EVP_DigestFinal_ex)(digest, result, &size) == 1 ? size : 0;
}

void ccrypto_digest_free(ccrypto_digest *digest) { CALL(EVP_MD_CTX_free)(digest); }

size_t ccrypto_hmac(const char *digest, const void *key, size_t key_count, const void *bytes, size_t count, unsigned char *result) {
    prepare();
    // A key without bytes is allowed, a null pointer as the key is not.
    static const unsigned char none = 0;
    size_t size = 0;
    if (CALL(EVP_Q_mac)(
            NULL, "HMAC", NULL, digest, NULL, key == NULL ? &none : key, key_count, bytes == NULL ? &none : bytes, count, result,
            ccrypto_largest_digest, &size) == NULL) {
        CALL(ERR_clear_error)();
        return 0;
    }
    return size;
}

// MARK: AES-GCM

enum { nonce_size = 12, tag_size = 16 };

// The functions take an int as size.
static const size_t largest_piece = (size_t)1 << 30;

static EVP_CIPHER *gcm(size_t key_count) {
    prepare();
    const char *name = key_count == 16 ? "AES-128-GCM" : key_count == 24 ? "AES-192-GCM" : key_count == 32 ? "AES-256-GCM" : NULL;
    return name == NULL ? NULL : CALL(EVP_CIPHER_fetch)(NULL, name, NULL);
}

ccrypto_gcm *ccrypto_gcm_begin(const void *key, size_t key_count, const void *nonce) {
    EVP_CIPHER *cipher = gcm(key_count);
    EVP_CIPHER_CTX *context = CALL(EVP_CIPHER_CTX_new)();
    bool succeeded = cipher != NULL && context != NULL && CALL(EVP_EncryptInit_ex)(context, cipher, NULL, key, nonce) == 1;
    // The context keeps the cipher.
    CALL(EVP_CIPHER_free)(cipher);
    if (succeeded) return context;
    CALL(ERR_clear_error)();
    CALL(EVP_CIPHER_CTX_free)(context);
    return NULL;
}

bool ccrypto_gcm_update(ccrypto_gcm *encryption, const void *bytes, size_t count, unsigned char *result) {
    bool succeeded = true;
    int size = 0;
    for (size_t done = 0; succeeded && done < count; done += (size_t)size) {
        size_t piece = count - done < largest_piece ? count - done : largest_piece;
        succeeded = CALL(EVP_EncryptUpdate)(encryption, result + done, &size, (const unsigned char *)bytes + done, (int)piece) == 1 && size > 0;
    }
    if (!succeeded) CALL(ERR_clear_error)();
    return succeeded;
}

bool ccrypto_gcm_end(ccrypto_gcm *encryption, unsigned char *tag) {
    unsigned char rest[16];
    int size = 0;
    bool succeeded = CALL(EVP_EncryptFinal_ex)(encryption, rest, &size) == 1
                     && CALL(EVP_CIPHER_CTX_ctrl)(encryption, EVP_CTRL_AEAD_GET_TAG, tag_size, tag) == 1;
    if (!succeeded) CALL(ERR_clear_error)();
    return succeeded;
}

void ccrypto_gcm_free(ccrypto_gcm *encryption) { CALL(EVP_CIPHER_CTX_free)(encryption); }

bool ccrypto_gcm_seal(
    const void *key, size_t key_count, const void *nonce, const void *bytes, size_t count, unsigned char *result, unsigned char *tag) {
    ccrypto_gcm *encryption = ccrypto_gcm_begin(key, key_count, nonce);
    if (encryption == NULL) return false;
    bool succeeded = ccrypto_gcm_update(encryption, bytes, count, result) && ccrypto_gcm_end(encryption, tag);
    ccrypto_gcm_free(encryption);
    return succeeded;
}

bool ccrypto_gcm_open(
    const void *key, size_t key_count, const void *nonce, const void *bytes, size_t count, unsigned char *result, const unsigned char *tag) {
    EVP_CIPHER *cipher = gcm(key_count);
    EVP_CIPHER_CTX *context = CALL(EVP_CIPHER_CTX_new)();
    bool succeeded = cipher != NULL && context != NULL && CALL(EVP_DecryptInit_ex)(context, cipher, NULL, key, nonce) == 1;
    int size = 0;
    for (size_t done = 0; succeeded && done < count; done += (size_t)size) {
        size_t piece = count - done < largest_piece ? count - done : largest_piece;
        succeeded = CALL(EVP_DecryptUpdate)(context, result + done, &size, (const unsigned char *)bytes + done, (int)piece) == 1 && size > 0;
    }
    unsigned char rest[16];
    succeeded = succeeded && CALL(EVP_CIPHER_CTX_ctrl)(context, EVP_CTRL_AEAD_SET_TAG, tag_size, (void *)tag) == 1
                && CALL(EVP_DecryptFinal_ex)(context, rest, &size) == 1;
    if (!succeeded) CALL(ERR_clear_error)();
    CALL(EVP_CIPHER_CTX_free)(context);
    CALL(EVP_CIPHER_free)(cipher);
    return succeeded;
}

// MARK: Signatures

// Without this, OpenSSL would ask for a passphrase on the terminal.
static int no_passphrase(char *buffer, int size, int writing, void *context) {
    (void)buffer, (void)size, (void)writing, (void)context;
    return -1;
}

ccrypto_key *ccrypto_key_read(const void *text, size_t count) {
    if (text == NULL || count == 0 || count > INT_MAX) return NULL;
    prepare();
    BIO *file = CALL(BIO_new_mem_buf)(text, (int)count);
    if (file == NULL) return NULL;
    EVP_PKEY *key = CALL(PEM_read_bio_PrivateKey)(file, NULL, no_passphrase, NULL);
    CALL(BIO_free)(file);
    CALL(ERR_clear_error)();
    return key;
}

void ccrypto_key_free(ccrypto_key *key) { CALL(EVP_PKEY_free)(key); }

const char *ccrypto_key_kind(const ccrypto_key *key) {
    static const char *const kinds[] = {"RSA", "EC", "ED25519"};
    for (size_t index = 0; index < sizeof kinds / sizeof *kinds; index++) {
        if (CALL(EVP_PKEY_is_a)(key, kinds[index]) == 1) return kinds[index];
    }
    return NULL;
}

int ccrypto_key_bits(const ccrypto_key *key) { return CALL(EVP_PKEY_get_bits)(key); }

bool ccrypto_key_curve(const ccrypto_key *key, char *name, size_t size) {
    size_t count = 0;
    if (CALL(EVP_PKEY_get_group_name)(key, name, size, &count) == 1) return true;
    CALL(ERR_clear_error)();
    return false;
}

// Writes the two numbers of a signature in DER.
static bool write_numbers(const unsigned char *bytes, size_t count, unsigned char *result, size_t size) {
    ECDSA_SIG *signature = CALL(d2i_ECDSA_SIG)(NULL, &bytes, (long)count);
    if (signature == NULL) return false;
    const BIGNUM *first, *second;
    CALL(ECDSA_SIG_get0)(signature, &first, &second);
    int half = (int)(size / 2);
    bool succeeded = CALL(BN_bn2binpad)(first, result, half) == half && CALL(BN_bn2binpad)(second, result + half, half) == half;
    CALL(ECDSA_SIG_free)(signature);
    return succeeded;
}

bool ccrypto_sign(
    ccrypto_key *key, const char *digest, ccrypto_signature_form form, const void *bytes, size_t count, unsigned char *result, size_t *size) {
    EVP_MD_CTX *context = CALL(EVP_MD_CTX_new)();
    EVP_PKEY_CTX *options = NULL;
    bool succeeded = context != NULL && CALL(EVP_DigestSignInit_ex)(context, &options, digest, NULL, NULL, key, NULL) == 1;
    if (form == ccrypto_signature_pss) {
        succeeded = succeeded && CALL(EVP_PKEY_CTX_set_rsa_padding)(options, RSA_PKCS1_PSS_PADDING) == 1
                    && CALL(EVP_PKEY_CTX_set_rsa_pss_saltlen)(options, RSA_PSS_SALTLEN_DIGEST) == 1;
    }
    size_t length = 0;
    succeeded = succeeded && CALL(EVP_DigestSign)(context, NULL, &length, bytes, count) == 1;
    unsigned char *signature = succeeded ? malloc(length) : NULL;
    succeeded = signature != NULL && CALL(EVP_DigestSign)(context, signature, &length, bytes, count) == 1;
    if (succeeded && form == ccrypto_signature_raw) {
        succeeded = write_numbers(signature, length, result, *size);
    } else if (succeeded && length <= *size) {
        memcpy(result, signature, length);
        *size = length;
    } else {
        succeeded = false;
    }
    if (!succeeded) CALL(ERR_clear_error)();
    free(signature);
    CALL(EVP_MD_CTX_free)(context);
    return succeeded;
}
