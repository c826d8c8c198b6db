internal import SortieBase

/// The settings of a scheme that signs each attempt or adds a digest of a password; texts may contain `{{templates}}`.
public struct SignatureCredential: Hashable, Sendable {
    /// The schemes.
    public enum Scheme: String, Hashable, Sendable, CaseIterable {
        /// HTTP message signatures (RFC 9421) with a digest of the body (RFC 9530).
        case httpSignature
        /// Hawk; the body is not part of the code (https://github.com/mozilla/hawk).
        case hawk
        /// `X-WSSE`: a digest of a nonce, the time and the password, as AtomPub servers require it.
        case wsse

        fileprivate var fields: [Field] {
            switch self {
            case .httpSignature: [.key, .keyID, .algorithm, .components, .label, .tag, .lifetime]
            case .hawk: [.id, .key, .algorithm, .ext, .app, .dlg]
            case .wsse: [.user, .password]
            }
        }

        fileprivate var needed: [Field] {
            switch self {
            case .httpSignature: [.key]
            case .hawk: [.id, .key]
            case .wsse: [.user]
            }
        }

        /// The permitted algorithms; the first one is the default.
        fileprivate var algorithms: [String] {
            switch self {
            case .httpSignature: Self.signatureAlgorithms
            case .hawk: ["sha256", "sha1"]
            case .wsse: []
            }
        }

        /// The algorithms of RFC 9421 §3.3.
        private static let signatureAlgorithms = [
            "hmac-sha256", "ed25519", "ecdsa-p256-sha256", "ecdsa-p384-sha384", "rsa-pss-sha512", "rsa-v1_5-sha256",
        ]
    }

    /// A setting as it is named in files.
    package enum Field: String, CredentialField {
        case user, password, id, key, keyID, algorithm, components, label, tag, lifetime, ext, app, dlg

        package var isSecret: Bool { self == .password || self == .key }

        package var isOptional: Bool { true }
    }

    /// The scheme.
    public let scheme: Scheme
    private var texts: [Field: String] = [:]

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - texts: The settings by their names in files, such as `keyID`; others, and empty texts, have no effect.
    public init(_ scheme: Scheme, _ texts: [String: String] = [:]) {
        self.scheme = scheme
        for (name, text) in texts { if let field = Field(rawValue: name) { self[text: field] = text } }
    }
}

extension SignatureCredential: CustomStringConvertible, CustomReflectable {
    /// The scheme, with key and password masked.
    public var description: String { "\(scheme.rawValue) credential (••••)" }
    /// No children, so that `dump` does not print the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SignatureCredential: FieldCredential {
    package static let empty = SignatureCredential(.httpSignature)

    package static func path(of field: Field) -> WritableKeyPath<SignatureCredential, String> { \.[text: field] }

    private subscript(text field: Field) -> String {
        get { texts[field] ?? "" }
        set { texts[field] = newValue.isEmpty ? nil : newValue }
    }

    package func uses(_ field: Field) -> Bool { scheme.fields.contains(field) }

    package var missingFields: [Field] { scheme.needed.filter { self[field: $0].isEmpty } }

    package func problem(of field: Field) -> String? {
        switch field {
        case .algorithm:
            guard !algorithm.isEmpty, !scheme.algorithms.contains(algorithm) else { return nil }
            return "algorithm “\(algorithm)” is none of \(scheme.algorithms.joined(separator: ", "))"
        case .lifetime:
            guard !self[field: .lifetime].isEmpty, lifetimeSeconds == nil else { return nil }
            return "lifetime “\(self[field: .lifetime])” is not a duration; \(DurationText.form)"
        case .label:
            let label = self[field: .label]
            let isKey = label.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || "_-.*".utf8.contains($0) }
            return isKey ? nil : "label has characters other than lower-case letters, digits, “_”, “-”, “.” and “*”"
        // The key and the password are not sent.
        case .key, .password: return nil
        default: return HeaderField(field.rawValue, self[field: field]).problem
        }
    }

    /// The algorithm, or the default one.
    package var algorithm: String { texts[.algorithm] ?? scheme.algorithms.first ?? "" }

    /// The seconds until a signature expires; nil for none and for an invalid text.
    package var lifetimeSeconds: Int64? { texts[.lifetime].flatMap { DurationText.parse($0) }?.components.seconds }
}
