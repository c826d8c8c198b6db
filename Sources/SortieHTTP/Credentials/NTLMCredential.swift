/// A user and a password of NTLM; texts may contain `{{templates}}`.
///
/// NTLM authenticates a connection and has weak cryptography; it is meant for servers that offer nothing better.
///
/// Source: Microsoft, "[MS-NLMP]: NT LAN Manager (NTLM) Authentication Protocol" and "[MS-NTHT]: NTLM Over HTTP Protocol".
public struct NTLMCredential: Hashable, Sendable {
    /// The user, with its domain as in `DOMAIN\user` where the server needs it.
    public var user: String
    /// The password, which is not sent.
    public var password: String
    /// Whether Digest and Basic are permitted as well: the strongest scheme that the server offers is used.
    public var permitsOthers: Bool

    /// Creates a credential.
    public init(user: String, password: String, permitsOthers: Bool = false) {
        (self.user, self.password, self.permitsOthers) = (user, password, permitsOthers)
    }
}

extension NTLMCredential: CustomStringConvertible, CustomReflectable {
    /// The user, with the password masked.
    public var description: String { "NTLM credential of \(user) (••••)" }
    /// No children, so that `dump` does not print the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension NTLMCredential: FieldCredential {
    /// A text as it is named in files.
    package enum Field: String, CredentialField {
        case user, password

        package var isSecret: Bool { self == .password }
    }

    package static let empty = NTLMCredential(user: "", password: "")

    package static func path(of field: Field) -> WritableKeyPath<NTLMCredential, String> {
        switch field {
        case .user: \.user
        case .password: \.password
        }
    }

    package var missingFields: [Field] { user.isEmpty ? [.user] : [] }

    package func problem(of field: Field) -> String? {
        guard !permitsOthers else { return nil }
        // libcurl 7.88.1 widens bytes instead of characters, so that the server rejects such a login.
        guard !self[field: field].utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        return "\(field.rawValue) contains a character that libcurl cannot send with NTLM; use ASCII"
    }
}
