/// The credential of AWS Signature Version 4 with its scope; texts may contain `{{templates}}`, and an empty ``sessionToken`` is not sent.
///
/// Source: AWS, "Signature Version 4 for API requests".
public struct AWSCredential: Hashable, Sendable {
    /// The region, such as `eu-central-1`.
    public var region: String
    /// The service as it is named in signatures, such as `execute-api`, `dynamodb` or `s3`.
    public var service: String
    /// The access key ID, which is sent.
    public var accessKey: String
    /// The secret access key, which is not sent.
    public var secretKey: String
    /// The session token of temporary credentials; empty for others.
    public var sessionToken: String

    /// Creates a credential.
    public init(region: String, service: String, accessKey: String, secretKey: String, sessionToken: String = "") {
        (self.region, self.service, self.accessKey) = (region, service, accessKey)
        (self.secretKey, self.sessionToken) = (secretKey, sessionToken)
    }
}

extension AWSCredential: CustomStringConvertible, CustomReflectable {
    /// Region and service, with the keys masked.
    public var description: String { "AWS credential for \(service) in \(region) (••••)" }
    /// No children, so that `dump` does not print the keys.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension AWSCredential: FieldCredential {
    /// A text as it is named in files.
    package enum Field: String, CredentialField {
        case region, service, accessKey, secretKey, sessionToken

        package var isSecret: Bool { self == .secretKey || self == .sessionToken }

        package var isOptional: Bool { self == .sessionToken }
    }

    package static let empty = AWSCredential(region: "", service: "", accessKey: "", secretKey: "")

    package static func path(of field: Field) -> WritableKeyPath<AWSCredential, String> {
        switch field {
        case .region: \.region
        case .service: \.service
        case .accessKey: \.accessKey
        case .secretKey: \.secretKey
        case .sessionToken: \.sessionToken
        }
    }

    package var missingFields: [Field] { Field.allCases.filter { $0 != .sessionToken && self[field: $0].isEmpty } }

    package func problem(of field: Field) -> String? {
        guard field != .secretKey else { return nil }
        // They are part of header fields, where `/` and `,` separate the parts of the scope.
        let isScope = field != .sessionToken
        let isValid = self[field: field].utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !(isScope && "/,".utf8.contains($0)) }
        guard !isValid else { return nil }
        return "\(field.rawValue) contains a character that a signature cannot have; use visible ASCII" + (isScope ? " without “/” and “,”" : "")
    }
}
