internal import SortieBase

/// A header field: a name that keeps its spelling but is compared case-insensitively, and a value.
public struct HeaderField: Hashable, Sendable {
    /// The name as typed or received.
    public var name: String
    /// The value, without surrounding whitespace.
    public var value: String

    /// Creates a field without validation; ``problem`` describes why it must not be sent.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether the field has the name `name`, case-insensitively (RFC 9110 §5.1).
    public func isNamed(_ name: String) -> Bool {
        self.name.utf8.count == name.utf8.count
            && zip(self.name.utf8, name.utf8).allSatisfy { $0 == $1 || ASCII.lowercased($0) == ASCII.lowercased($1) }
    }

    /// Why the field must not be sent; nil when it may (RFC 9110 §5.5).
    ///
    /// A CR, LF or NUL in a value would let its author add further header fields or a further request.
    public var problem: String? {
        if name.isEmpty { return "a header has no name" }
        if !Token.isValid(name) { return "the header name “\(name)” has a character that is not allowed in a name" }
        if let bad = value.utf8.first(where: { $0 == 0x0d || $0 == 0x0a || $0 == 0 }) {
            let what = bad == 0 ? "a NUL character" : "a line break"
            return "the value of the header \(name) contains \(what), which would start another header"
        }
        return nil
    }

    /// Whether the value is a credential, which is sent only to the origin that it was configured for.
    public var isSecret: Bool { CredentialNames.contains(name) }

    /// The text shown in place of a secret.
    public static let mask = "••••"
}

extension HeaderField: CustomStringConvertible {
    /// `Name: value`, with a secret value masked, so that printing a field does not reveal it.
    public var description: String { "\(name): \(Redaction.standard.masked(self).value)" }
}
