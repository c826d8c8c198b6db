// Digests, message authentication codes, AES-GCM and signatures of OpenSSL's libcrypto (EVP), which is loaded at the first call.
//
// The declarations need no header of OpenSSL, so that modules that import them are compiled without it.
#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stdbool.h>
#include <stddef.h>

// The size of the largest digest in bytes (EVP_MAX_MD_SIZE).
enum { ccrypto_largest_digest = 64 };

// Loads libcrypto, where that has not happened; any thread may call it.
//
// Returns NULL, or why libcrypto cannot be used. The other functions load it at their first call and end the process where that fails.
const char *_Nullable ccrypto_load(void);

// A digest of bytes that arrive in pieces. `name` is a name of OpenSSL, such as "SHA2-256". Returns NULL where the library refuses the algorithm.
typedef struct evp_md_ctx_st ccrypto_digest;
ccrypto_digest *_Nullable ccrypto_digest_create(const char *_Nonnull name);
ccrypto_digest *_Nullable ccrypto_digest_copy(const ccrypto_digest *_Nonnull digest);
bool ccrypto_digest_update(ccrypto_digest *_Nonnull digest, const void *_Nullable bytes, size_t count);
// Writes the digest and returns its size; 0 for a failure. The digest accepts no further bytes.
size_t ccrypto_digest_finish(ccrypto_digest *_Nonnull digest, unsigned char *_Nonnull result);
void ccrypto_digest_free(ccrypto_digest *_Nonnull digest);

// Writes the HMAC (RFC 2104) of the bytes and returns its size; 0 for a failure.
size_t ccrypto_hmac(
    const char *_Nonnull digest, const void *_Nullable key, size_t key_count, const void *_Nullable bytes, size_t count,
    unsigned char *_Nonnull result);

// Encrypts with AES-GCM (NIST SP 800-38D). The key has 16, 24 or 32 bytes, the nonce 12, the tag 16, and `result` the size of the bytes.
bool ccrypto_gcm_seal(
    const void *_Nonnull key, size_t key_count, const void *_Nonnull nonce, const void *_Nullable bytes, size_t count,
    unsigned char *_Nullable result, unsigned char *_Nonnull tag);

// An encryption with AES-GCM in pieces.
typedef struct evp_cipher_ctx_st ccrypto_gcm;

// Begins an encryption, with a key and a nonce as above; null for a failure.
ccrypto_gcm *_Nullable ccrypto_gcm_begin(const void *_Nonnull key, size_t key_count, const void *_Nonnull nonce);

// Encrypts the next bytes into `result`, which has their size; false for a failure.
bool ccrypto_gcm_update(ccrypto_gcm *_Nonnull encryption, const void *_Nullable bytes, size_t count, unsigned char *_Nullable result);

// Writes the tag of all bytes; false for a failure.
bool ccrypto_gcm_end(ccrypto_gcm *_Nonnull encryption, unsigned char *_Nonnull tag);

void ccrypto_gcm_free(ccrypto_gcm *_Nonnull encryption);

// Decrypts; false, with an undefined result, where the tag does not fit.
bool ccrypto_gcm_open(
    const void *_Nonnull key, size_t key_count, const void *_Nonnull nonce, const void *_Nullable bytes, size_t count,
    unsigned char *_Nullable result, const unsigned char *_Nonnull tag);

// A private key.
typedef struct evp_pkey_st ccrypto_key;

// Reads the first private key of a text in PEM that is not encrypted; NULL where there is none. Freed with ccrypto_key_free.
ccrypto_key *_Nullable ccrypto_key_read(const void *_Nullable text, size_t count);
void ccrypto_key_free(ccrypto_key *_Nonnull key);

// The kind of a key: "RSA", "EC" or "ED25519"; NULL for another one.
const char *_Nullable ccrypto_key_kind(const ccrypto_key *_Nonnull key);

// The size of a key in bits.
int ccrypto_key_bits(const ccrypto_key *_Nonnull key);

// Writes OpenSSL's name of the curve of an elliptic-curve key, such as "prime256v1"; false where it has none.
bool ccrypto_key_curve(const ccrypto_key *_Nonnull key, char *_Nonnull name, size_t size);

typedef enum {
    // The usual form of the key's kind: PKCS #1 v1.5 of RSA keys.
    ccrypto_signature_default,
    // RSASSA-PSS with a salt of the digest's size (RFC 7518 §3.5).
    ccrypto_signature_pss,
    // ECDSA as two numbers of equal size (RFC 7518 §3.4); `*size` is that of both.
    ccrypto_signature_raw,
} ccrypto_signature_form;

// Signs bytes. `digest` is NULL for Ed25519. `*size` is the size of `result`, and then that of the signature.
bool ccrypto_sign(
    ccrypto_key *_Nonnull key, const char *_Nullable digest, ccrypto_signature_form form, const void *_Nullable bytes, size_t count,
    unsigned char *_Nonnull result, size_t *_Nonnull size);

#endif
