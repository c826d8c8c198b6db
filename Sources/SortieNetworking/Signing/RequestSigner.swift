internal import SortieBase
package import SortieHTTP

/// Computes a signature that proves that the sender of a request has a secret.
///
/// It is called for every attempt, because a retry has another time, and a redirect another path.
package protocol RequestSigner: Sendable {
    /// The signature to send with the request.
    ///
    /// - Throws: A `NetworkError` when the request cannot be signed; its message never contains the secret.
    func signature(of input: SigningInput) throws(NetworkError) -> String

    /// The text that ``signature(of:)`` covers, for diagnosing why a server rejects it.
    func base(of input: SigningInput) -> SignedText
}

/// The parts of one attempt that a signature can cover.
package struct SigningInput: Hashable, Sendable {
    /// The method.
    package var method: HTTPMethod
    /// The path, percent-encoded as it is sent.
    package var path: String
    /// The query, percent-encoded as it is sent, without the signature; nil when there is none.
    package var query: String?
    /// The SHA-256 of the body's bytes as they are sent; that of no bytes where there is no body.
    package var bodyDigest: [UInt8]
    /// The timestamp as it is sent with the signature.
    package var timestamp: String
    /// The text of the first scheme up to its secret: method, path, `?` and the decoded parameters in order.
    package var base: SignedText
    /// The value of `Authorization`, which the first scheme also signs; empty when there is none.
    package var authorization: String

    /// Creates the input of a signature.
    package init(
        method: HTTPMethod, path: String, query: String? = nil, bodyDigest: [UInt8] = SigningInput.digest(of: []), timestamp: String = "",
        base: SignedText = SignedText([]), authorization: String = ""
    ) {
        (self.method, self.path, self.query, self.bodyDigest, self.timestamp) = (method, path, query, bodyDigest, timestamp)
        (self.base, self.authorization) = (base, authorization)
    }
}

extension SigningInput {
    /// The SHA-256 digest of `bytes`.
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        HashFunction.sha256.digest(of: bytes)
    }
}

/// A signer that computes HMAC-SHA256 over ``base(of:)``, in lowercase hexadecimal digits (RFC 2104, FIPS 180-4).
package struct HMACSigner: RequestSigner {
    private let secret: String

    /// Creates a signer whose key is the UTF-8 form of `secret`.
    package init(secret: String) {
        self.secret = secret
    }

    /// The signature of a request.
    ///
    /// - Throws: `invalidOption` when the secret is empty, or when there is no timestamp, without which a request could be replayed indefinitely.
    package func signature(of input: SigningInput) throws(NetworkError) -> String {
        guard !secret.isEmpty else { throw .emptySigningSecret }
        guard !input.timestamp.isEmpty else {
            throw NetworkError(.invalidOption, "the request to sign has no timestamp, so its signature would never expire")
        }
        return HexDigits.text(HashFunction.sha256.authenticationCode(of: base(of: input).text.utf8, key: secret.utf8))
    }

    /// The signed text: five lines joined by `\n`, without a final one.
    ///
    /// 1. the method
    /// 2. the path, percent-encoded as sent
    /// 3. the query's items, percent-encoded as sent, sorted by their bytes and joined by `&`; empty items are omitted; empty without a query
    /// 4. the SHA-256 of the body as sent, 64 lowercase hexadecimal digits; that of no bytes without a body
    /// 5. the timestamp as sent
    package func base(of input: SigningInput) -> SignedText {
        let items = (input.query ?? "").split(separator: "&")
        let query = items.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "&")
        return SignedText([
            .plain("\(input.method.rawValue)\n\(input.path)\n"), .query(query),
            .plain("\n\(HexDigits.text(input.bodyDigest))\n\(input.timestamp)"),
        ])
    }
}

extension HMACSigner: CustomStringConvertible, CustomReflectable {
    /// The name of the scheme, with the secret masked.
    package var description: String { "HMAC-SHA256 signer (••••)" }
    /// No children, so that `dump` does not print the secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A signer for the first scheme, byte for byte: MD5 over the base text, the secret and the credentials, in lowercase hexadecimal digits.
///
/// MD5 is broken and this construction was never strong; it exists for servers that require it. New services use ``HMACSigner``.
package struct MD5Signer: RequestSigner {
    private let secret: String

    /// Creates a signer.
    package init(secret: String) {
        self.secret = secret
    }

    /// The MD5 digest of `base + secret + authorization`.
    ///
    /// - Throws: `invalidOption` when the secret or the base is empty, because the result would prove nothing.
    package func signature(of input: SigningInput) throws(NetworkError) -> String {
        guard !secret.isEmpty else { throw .emptySigningSecret }
        guard !input.base.text.isEmpty else {
            throw NetworkError(.invalidOption, "the text to sign is empty, so the signature would protect nothing")
        }
        return HexDigits.text(HashFunction.md5.digest(of: base(of: input).text))
    }

    /// The signed text: `base + secret + authorization`.
    package func base(of input: SigningInput) -> SignedText {
        SignedText(input.base.pieces + [.secret(secret), .secret(input.authorization)])
    }
}

extension MD5Signer: CustomStringConvertible, CustomReflectable {
    /// The name of the scheme, with the secret masked.
    package var description: String { "MD5 signer (••••)" }
    /// No children, so that `dump` does not print the secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension NetworkError {
    static let emptySigningSecret = NetworkError(
        .invalidOption, "the secret to sign with is empty", remedy: .signingSecret)
}
