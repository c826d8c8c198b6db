internal import SortieBase

/// The settings of a JSON Web Token that is created and signed for each attempt (RFC 7519, RFC 7515); texts may contain `{{templates}}`.
public struct JWTCredential: Hashable, Sendable {
    /// The algorithms of signatures (RFC 7518 §3.1, RFC 8037 §3.1).
    public enum Algorithm: String, Hashable, Sendable, CaseIterable {
        case hs256 = "HS256"
        case hs384 = "HS384"
        case hs512 = "HS512"
        case rs256 = "RS256"
        case rs384 = "RS384"
        case rs512 = "RS512"
        case ps256 = "PS256"
        case ps384 = "PS384"
        case ps512 = "PS512"
        case es256 = "ES256"
        case es384 = "ES384"
        case es512 = "ES512"
        case edDSA = "EdDSA"
    }

    /// The algorithm.
    public var algorithm: Algorithm
    /// The secret of `HS…`, otherwise a private key in PEM.
    public var key: String
    /// The claims as a JSON object, which is kept on one line; `iat` is added where it is missing.
    public var claims: String { didSet { claims = Self.oneLine(claims) } }
    /// `kid` of the header; empty for none.
    public var keyID: String
    /// The duration until the token expires, such as `5m`: `exp` is added where it is missing; empty for a token that does not expire.
    public var lifetime: String

    /// The default of ``lifetime``.
    public static let defaultLifetime = "5m"

    /// Creates settings.
    public init(algorithm: Algorithm = .hs256, key: String, claims: String, keyID: String = "", lifetime: String = defaultLifetime) {
        (self.algorithm, self.key, self.keyID, self.lifetime) = (algorithm, key, keyID, lifetime)
        self.claims = Self.oneLine(claims)
    }
}

extension JWTCredential: CustomStringConvertible, CustomReflectable {
    /// The algorithm, with key and claims masked.
    public var description: String { "JSON Web Token with \(algorithm.rawValue) (••••)" }
    /// No children, so that `dump` does not print the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension JWTCredential: FieldCredential {
    /// A setting as it is named in files.
    package enum Field: String, CredentialField {
        case algorithm, key, claims, keyID, lifetime

        package var isSecret: Bool { self == .key }

        package var isJSON: Bool { self == .claims }

        package var isOptional: Bool { self == .keyID || self == .lifetime }

        package var words: [String]? { self == .algorithm ? Algorithm.allCases.map(\.rawValue) : nil }
    }

    package static let empty = JWTCredential(key: "", claims: "{}")

    package static func path(of field: Field) -> WritableKeyPath<JWTCredential, String> {
        switch field {
        case .algorithm: \.algorithm.word
        case .key: \.key
        case .claims: \.claims
        case .keyID: \.keyID
        case .lifetime: \.lifetime
        }
    }

    /// JSON on one line, as a form displays it; a text whose templates make it no JSON stays as it is.
    private static func oneLine(_ text: String) -> String {
        do { return try JSONValue(parsing: text).text } catch { return text }
    }

    package var missingFields: [Field] { key.isEmpty ? [.key] : [] }

    package func problem(of field: Field) -> String? {
        switch field {
        case .lifetime:
            guard !lifetime.isEmpty, lifetimeSeconds == nil else { return nil }
            return "lifetime “\(lifetime)” is not a duration; \(DurationText.form)"
        case .claims:
            do { if case .object = try JSONValue(parsing: claims) { return nil } } catch { return "claims are not JSON: \(error)" }
            return "claims are not a JSON object"
        case .algorithm, .key, .keyID: return nil
        }
    }

    /// The seconds until the token expires; nil for none and for an invalid text.
    package var lifetimeSeconds: Int64? { DurationText.parse(lifetime)?.components.seconds }
}
