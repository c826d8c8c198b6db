internal import CCrypto

/// A private key for digital signatures, with OpenSSL's libcrypto.
package final class SigningKey: @unchecked Sendable {
    /// A scheme of signatures; the names of curves are those of OpenSSL.
    package enum Scheme: Sendable {
        /// RSASSA-PKCS1-v1_5 with a key of at least 2048 bits (RFC 7518 §3.3).
        case rsa(HashFunction)
        /// RSASSA-PSS with a salt of the digest's size (RFC 7518 §3.5).
        case rsaPSS(HashFunction)
        /// ECDSA; the signature is two numbers of equal size (RFC 7518 §3.4).
        case ecdsa(HashFunction, curve: String, size: Int)
        /// Ed25519 (RFC 8037).
        case ed25519
    }

    private static let leastRSABits = 2048

    // Safe: keys are not changed after they are read, and libcrypto allows signatures with one key on several threads.
    private let key: OpaquePointer

    /// Reads the first private key of a text in PEM; nil for a text without one, and for an encrypted key.
    package init?(pem: String) {
        var pem = pem
        guard let key = pem.withUTF8({ ccrypto_key_read($0.baseAddress, $0.count) }) else { return nil }
        self.key = key
    }

    deinit { ccrypto_key_free(key) }

    /// The signature of bytes; nil where the key does not fit the scheme.
    package func signature(of bytes: [UInt8], _ scheme: Scheme) -> [UInt8]? {
        guard let kind = ccrypto_key_kind(key).map({ String(cString: $0) }) else { return nil }
        let bits = Int(ccrypto_key_bits(key))
        switch scheme {
        case .rsa(let digest), .rsaPSS(let digest):
            guard kind == "RSA", bits >= Self.leastRSABits else { return nil }
            var form = ccrypto_signature_default
            if case .rsaPSS = scheme { form = ccrypto_signature_pss }
            return sign(bytes, digest, form, size: (bits + 7) / 8)
        case .ecdsa(let digest, let curve, let size):
            guard kind == "EC", self.curve == curve else { return nil }
            return sign(bytes, digest, ccrypto_signature_raw, size: size)
        case .ed25519:
            guard kind == "ED25519" else { return nil }
            return sign(bytes, nil, ccrypto_signature_default, size: 64)
        }
    }

    private var curve: String {
        var name = [CChar](repeating: 0, count: 64)
        guard ccrypto_key_curve(key, &name, name.count) else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func sign(_ bytes: [UInt8], _ digest: HashFunction?, _ form: ccrypto_signature_form, size: Int) -> [UInt8]? {
        var (result, count) = ([UInt8](repeating: 0, count: size), size)
        guard ccrypto_sign(key, digest?.rawValue, form, bytes, bytes.count, &result, &count) else { return nil }
        return Array(result.prefix(count))
    }
}
