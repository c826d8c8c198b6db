internal import FoundationEssentials
public import SortieHTTP

/// A signer that computes HMAC-SHA256 over ``base(of:)``, in lowercase hexadecimal digits (RFC 2104, FIPS 180-4).
public struct HMACSigner: RequestSigner {
    private let secret: String

    /// Creates a signer whose key is the UTF-8 form of `secret`.
    public init(secret: String) {
        self.secret = secret
    }

    /// The signature of a request.
    ///
    /// - Throws: `invalidOption` when the secret is empty, or when there is no timestamp, without which a request could be replayed indefinitely.
    public func signature(of input: SigningInput) throws(NetworkError) -> String {
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
    public func base(of input: SigningInput) -> SignedText {
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
    public var description: String { "HMAC-SHA256 signer (••••)" }
    /// No children, so that `dump` does not print the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
