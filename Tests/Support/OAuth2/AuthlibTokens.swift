internal import Foundation

/// Keys of `cryptography` and the verification of JSON Web Tokens by Authlib, both from PyPI.
///
/// `.ci/setup test` installs them below `.build`.
public enum AuthlibTokens {
    /// A private key in PEM (PKCS #8) with its public key.
    public struct Key: Codable, Sendable {
        /// The private key.
        public let secret: String
        /// The public key.
        public let shared: String
    }

    /// A verified token.
    public struct Verified: Codable, Hashable, Sendable {
        /// The header.
        public let header: [String: String]
        /// The subject.
        public let sub: String?
        /// Whether `iat` and `exp` are there; their difference in seconds.
        public let lifetime: Int?
    }

    private struct Token: Encodable {
        let text: String
        let algorithm: String
        let key: String
    }

    /// Whether this machine has Authlib; for `@Test(.enabled(if:))`.
    public static var isAvailable: Bool { python != nil }

    /// New keys: `RS` and `PS` have RSA with 2048 bits, `ES256` to `ES512` their curves, `EdDSA` has Ed25519.
    public static func keys() async throws -> [String: Key] {
        try JSONDecoder().decode([String: Key].self, from: Data(try await output(of: makeKeys, "")))
    }

    /// Verifies tokens with public keys; the error names the problem of the first token that is not valid.
    public static func verified(_ tokens: [(text: String, algorithm: String, key: String)]) async throws -> [Verified] {
        let input = try JSONEncoder().encode(tokens.map { Token(text: $0.text, algorithm: $0.algorithm, key: $0.key) })
        return try JSONDecoder().decode([Verified].self, from: Data(try await output(of: verify, String(decoding: input, as: UTF8.self))))
    }

    /// An error of Authlib.
    public struct Failure: Error {
        /// The error output.
        public let words: String
    }

    private static func output(of program: String, _ input: String) async throws -> [UInt8] {
        guard let python else { throw CocoaError(.fileNoSuchFile) }
        let run = try await ProcessRun.run(python, ["-W", "ignore", "-c", program, input])
        guard run.succeeded else { throw Failure(words: run.errorOutput) }
        return run.outputBytes
    }

    private static let python = OthersPython.path(with: "authlib")

    private static let makeKeys = """
        import json
        from cryptography.hazmat.primitives import serialization as form
        from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
        def pair(key):
            secret = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
            shared = key.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)
            return {"secret": secret.decode(), "shared": shared.decode()}
        one = pair(rsa.generate_private_key(65537, 2048))
        curves = {"ES256": ec.SECP256R1(), "ES384": ec.SECP384R1(), "ES512": ec.SECP521R1()}
        keys = {name: pair(ec.generate_private_key(curve)) for name, curve in curves.items()}
        print(json.dumps({**keys, "RS": one, "PS": one, "EdDSA": pair(ed25519.Ed25519PrivateKey.generate())}))
        """

    private static let verify = """
        import json, sys
        from authlib.jose import JsonWebToken
        results = []
        for token in json.loads(sys.argv[1]):
            claims = JsonWebToken([token["algorithm"]]).decode(token["text"], token["key"])
            claims.validate()
            lifetime = claims["exp"] - claims["iat"] if "exp" in claims and "iat" in claims else None
            results.append({"header": claims.header, "sub": claims.get("sub"), "lifetime": lifetime})
        print(json.dumps(results))
        """
}
