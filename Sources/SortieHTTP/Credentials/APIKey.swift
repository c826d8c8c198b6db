/// A key that is sent as a header field or as a parameter of the query; texts may contain `{{templates}}`.
///
/// Source: OpenAPI 3.1 §4.8.27, `apiKey`.
public struct APIKey: Hashable, Sendable {
    /// Where the key is sent.
    public enum Place: String, Hashable, Sendable, CaseIterable {
        /// As a header field.
        case header
        /// As a parameter of the query.
        case query
    }

    /// The name of the header field or of the parameter.
    public var name: String
    /// The key.
    public var value: String
    /// Where the key is sent.
    public var place: Place

    /// Creates a key.
    public init(name: String, value: String, in place: Place = .header) {
        (self.name, self.value, self.place) = (name, value, place)
    }
}

extension APIKey: CustomStringConvertible, CustomReflectable {
    /// The name, with the key masked.
    public var description: String { "API key \(name) (••••)" }
    /// No children, so that `dump` does not print the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension APIKey: FieldCredential {
    /// A text as it is named in files.
    package enum Field: String, CredentialField {
        case name, value, place = "in"

        package var isSecret: Bool { self == .value }

        package var isOptional: Bool { self == .place }

        package var words: [String]? { self == .place ? Place.allCases.map(\.rawValue) : nil }
    }

    package static let empty = APIKey(name: "", value: "")

    package static func path(of field: Field) -> WritableKeyPath<APIKey, String> {
        switch field {
        case .name: \.name
        case .value: \.value
        case .place: \.place.word
        }
    }

    package var missingFields: [Field] { [Field.name, .value].filter { self[field: $0].isEmpty } }

    package var problem: String? {
        if let field = missingFields.first { return "\(field.rawValue) is missing" }
        guard place == .header else { return nil }
        let field = HeaderField(name, value)
        return field.problem.map { "\($0); a header field cannot have it" }
    }

    package func problem(of field: Field) -> String? {
        guard place == .header else { return nil }
        switch field {
        case .name: return HeaderField(name, "").problem
        case .value:
            // The name may have a template.
            guard HeaderField("x", value).problem != nil else { return nil }
            return "the value contains a line break or a NUL character, which would start another header"
        case .place: return nil
        }
    }
}
