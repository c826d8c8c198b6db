public import Model

/// Proves to a server that a request comes from somebody who knows a secret (S0.30).
///
/// It is asked again for every attempt: a retry has another time, and a redirect another path.
public protocol RequestSigner: Sendable {
    /// The text that goes out as the request's signature.
    ///
    /// - Throws: a ``NetworkError`` when this request cannot be signed; its message never holds the secret.
    func signature(of input: SigningInput) throws(NetworkError) -> String

    /// The text that ``signature(of:)`` is made of, for a person who looks why a server refuses it.
    func base(of input: SigningInput) -> SignedText
}

/// What there is to sign of one attempt.
public struct SigningInput: Hashable, Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The path, percent-encoded as it is sent.
    public var path: String
    /// The query, percent-encoded as it is sent, without the signature; nil when there is none.
    public var query: String?
    /// The SHA-256 of the body's bytes as they are sent; that of no bytes where there is no body.
    public var bodyDigest: [UInt8]
    /// The time as it is sent beside the signature.
    public var timestamp: String
    /// The text of the first scheme up to its secret: method, path, `?` and the decoded parameters in their order (S0.30).
    public var base: SignedText
    /// The value of `Authorization`, which the first scheme signs too; empty when there is none.
    public var authorization: String

    /// What there is to sign.
    public init(
        method: HTTPMethod, path: String, query: String? = nil, bodyDigest: [UInt8] = SigningInput.digest(of: []), timestamp: String = "",
        base: SignedText = SignedText([]), authorization: String = ""
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.bodyDigest = bodyDigest
        self.timestamp = timestamp
        self.base = base
        self.authorization = authorization
    }
}
