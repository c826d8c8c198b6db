public import SortieHTTP

/// Computes a signature that proves that the sender of a request knows a secret.
///
/// It is called for every attempt, because a retry has another time, and a redirect another path.
public protocol RequestSigner: Sendable {
    /// The signature to send with the request.
    ///
    /// - Throws: A `NetworkError` when the request cannot be signed; its message never contains the secret.
    func signature(of input: SigningInput) throws(NetworkError) -> String

    /// The text that ``signature(of:)`` covers, for diagnosing why a server rejects it.
    func base(of input: SigningInput) -> SignedText
}

/// The parts of one attempt that a signature can cover.
public struct SigningInput: Hashable, Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The path, percent-encoded as it is sent.
    public var path: String
    /// The query, percent-encoded as it is sent, without the signature; nil when there is none.
    public var query: String?
    /// The SHA-256 of the body's bytes as they are sent; that of no bytes where there is no body.
    public var bodyDigest: [UInt8]
    /// The timestamp as it is sent with the signature.
    public var timestamp: String
    /// The text of the first scheme up to its secret: method, path, `?` and the decoded parameters in order.
    public var base: SignedText
    /// The value of `Authorization`, which the first scheme also signs; empty when there is none.
    public var authorization: String

    /// Creates the input of a signature.
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
