internal import CCrypto

/// AES in Galois/Counter Mode (NIST SP 800-38D) with nonces of 12 and tags of 16 bytes.
package struct AESGCM: Sendable {
    package static let keySizes = [16, 24, 32]
    package static let nonceSize = 12
    package static let tagSize = 16

    private let key: [UInt8]

    /// The size of the key in bits.
    package var keyBits: Int { key.count * 8 }

    /// Creates a cipher; nil where the key does not have one of ``keySizes`` bytes.
    package init?(key: [UInt8]) {
        guard Self.keySizes.contains(key.count) else { return nil }
        self.key = key
    }

    /// A random nonce.
    package static func randomNonce() -> [UInt8] {
        var source = SystemRandomNumberGenerator()
        return (0..<nonceSize).map { _ in UInt8.random(in: .min ... .max, using: &source) }
    }

    /// Encrypts bytes; nil where libcrypto fails.
    ///
    /// - Parameter nonce: Repeating a nonce under the same key reveals the key; only test vectors give one.
    /// - Returns: The nonce, the ciphertext and the tag.
    package func seal(_ bytes: [UInt8], nonce: [UInt8] = randomNonce()) -> [UInt8]? {
        precondition(nonce.count == Self.nonceSize)
        var (result, tag) = ([UInt8](repeating: 0, count: bytes.count), [UInt8](repeating: 0, count: Self.tagSize))
        guard ccrypto_gcm_seal(key, key.count, nonce, bytes, bytes.count, &result, &tag) else { return nil }
        return nonce + result + tag
    }

    /// Decrypts a nonce, a ciphertext and a tag; nil where the key is another one, or bytes are missing or changed.
    package func open(_ sealed: [UInt8]) -> [UInt8]? {
        let count = sealed.count - Self.nonceSize - Self.tagSize
        guard count >= 0 else { return nil }
        var result = [UInt8](repeating: 0, count: count)
        let isAuthentic = sealed.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return false }
            let content = start + Self.nonceSize
            return ccrypto_gcm_open(key, key.count, start, content, count, &result, content + count)
        }
        return isAuthentic ? result : nil
    }
}

extension AESGCM {
    /// An encryption of bytes in pieces, whose result is that of ``AESGCM/seal(_:nonce:)`` without the nonce.
    ///
    /// `@unchecked Sendable`: one reader at a time uses it.
    package final class Sealing: @unchecked Sendable {
        private let context: OpaquePointer

        fileprivate init(_ context: OpaquePointer) {
            self.context = context
        }

        deinit {
            ccrypto_gcm_free(context)
        }

        /// Encrypts the next bytes; nil where libcrypto fails.
        package func encrypt(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
            var result = [UInt8](repeating: 0, count: bytes.count)
            return ccrypto_gcm_update(context, bytes.baseAddress, bytes.count, &result) ? result : nil
        }

        /// The tag of all bytes; nil where libcrypto fails.
        package func end() -> [UInt8]? {
            var tag = [UInt8](repeating: 0, count: AESGCM.tagSize)
            return ccrypto_gcm_end(context, &tag) ? tag : nil
        }
    }

    /// Begins an encryption in pieces; nil where libcrypto fails.
    ///
    /// - Parameter nonce: Only the same bytes may be encrypted again with the same nonce.
    package func beginSealing(nonce: [UInt8]) -> Sealing? {
        precondition(nonce.count == Self.nonceSize)
        return ccrypto_gcm_begin(key, key.count, nonce).map(Sealing.init)
    }
}
