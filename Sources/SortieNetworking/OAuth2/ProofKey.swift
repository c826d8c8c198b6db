internal import SortieBase

/// The proof that the program that redeems an authorization code is the one that requested it (PKCE, RFC 7636 §4).
struct ProofKey: Sendable {
    /// The secret, 43 characters.
    let verifier: String
    /// The digest of the secret, which the authorization request contains (`S256`).
    let challenge: String

    /// Creates a random key.
    init() {
        self.init(verifier: Self.random())
    }

    init(verifier: String) {
        self.verifier = verifier
        challenge = JWTSignature.base64URL(HashFunction.sha256.digest(of: verifier))
    }

    /// A text of 256 random bits that URLs contain unchanged.
    static func random() -> String {
        var source = SystemRandomNumberGenerator()
        return JWTSignature.base64URL((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &source) })
    }
}
