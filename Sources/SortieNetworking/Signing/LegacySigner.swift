internal import FoundationEssentials
public import SortieHTTP

/// A signer for the first scheme, byte for byte: MD5 over the base text, the secret and the credentials, in lowercase hexadecimal digits.
///
/// MD5 is broken and this construction was never strong; it exists for servers that require it. New services use ``HMACSigner``.
public struct LegacySigner: RequestSigner {
    private let secret: String

    /// Creates a signer.
    public init(secret: String) {
        self.secret = secret
    }

    /// The MD5 digest of `base + secret + authorization`.
    ///
    /// - Throws: `invalidOption` when the secret or the base is empty, because the result would prove nothing.
    public func signature(of input: SigningInput) throws(NetworkError) -> String {
        guard !secret.isEmpty else { throw .emptySigningSecret }
        guard !input.base.text.isEmpty else {
            throw NetworkError(.invalidOption, "the text to sign is empty, so the signature would protect nothing")
        }
        return HexDigits.text(HashFunction.md5.digest(of: base(of: input).text))
    }

    /// The signed text: `base + secret + authorization`.
    public func base(of input: SigningInput) -> SignedText {
        SignedText(input.base.pieces + [.secret(secret), .secret(input.authorization)])
    }
}

extension LegacySigner: CustomStringConvertible, CustomReflectable {
    /// The name of the scheme, with the secret masked.
    public var description: String { "legacy signer (••••)" }
    /// No children, so that `dump` does not print the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension NetworkError {
    static let emptySigningSecret = NetworkError(
        .invalidOption, "the secret to sign with is empty", remedy: .signingSecret)
}
