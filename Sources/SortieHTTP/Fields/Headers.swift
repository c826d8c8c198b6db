internal import FoundationEssentials
package import SortieBase

/// Header fields in the order in which they are sent or were received.
public struct Headers: Hashable, Sendable {
    /// The fields, including duplicates.
    public var fields: [HeaderField]

    /// Creates a list of fields.
    public init(_ fields: [HeaderField] = []) {
        self.fields = fields
    }

    /// The first value of `name`; setting replaces every field of that name, nil removes them.
    public subscript(name: String) -> String? {
        get { fields.first { $0.isNamed(name) }?.value }
        set {
            guard let newValue else {
                fields.removeAll { $0.isNamed(name) }
                return
            }
            guard let index = fields.firstIndex(where: { $0.isNamed(name) }) else {
                fields.append(HeaderField(name, newValue))
                return
            }
            fields[index] = HeaderField(name, newValue)
            let rest = fields[(index + 1)...].filter { !$0.isNamed(name) }
            fields.replaceSubrange((index + 1)..., with: rest)
        }
    }

    /// Every value of `name`, in order.
    public func values(of name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.map(\.value)
    }

    /// The tokens in the lists of all fields of `name`, in order and in lowercase, without parameters (RFC 9110 §5.6.1).
    public func tokens(of name: String) -> [String] {
        guard contains(name) else { return [] }
        return values(of: name).flatMap { $0.split(separator: ",") }
            .map { $0.drop(while: \.isSpaceOrTab).prefix { !$0.isSpaceOrTab && $0 != ";" }.lowercased() }
            .filter { !$0.isEmpty }
    }

    /// Whether a field of that name exists.
    public func contains(_ name: String) -> Bool {
        fields.contains { $0.isNamed(name) }
    }

    /// Adds a field after the others.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(HeaderField(name, value))
    }

    /// The fields, with those of `others` replacing fields of the same name (the more specific field takes precedence).
    public func overlaid(with others: Headers) -> Headers {
        Headers(fields.filter { field in !others.contains(field.name) } + others.fields)
    }
}

extension Headers: ExpressibleByArrayLiteral {
    /// Creates a list from a literal.
    public init(arrayLiteral elements: HeaderField...) {
        self.init(elements)
    }
}

extension Headers: ExpressibleByDictionaryLiteral {
    /// Creates a list from a literal such as `["Accept": "application/json"]`; the order is kept, and a name can occur several times.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { HeaderField($0.0, $0.1) })
    }
}

extension Headers: CustomStringConvertible {
    /// One line for each field, with secret values masked.
    public var description: String { fields.map(\.description).joined(separator: "\n") }
}

extension Headers {
    /// Why these fields must not frame a request, or nil when they may: two statements of where the body ends are how requests are smuggled
    /// (RFC 9112 §6.3).
    package var framingProblem: String? {
        if contains("Transfer-Encoding") { return "Sortie sets Transfer-Encoding; remove the header" }
        guard contains("Content-Length") else { return nil }
        let lengths = values(of: "Content-Length")
        if lengths.count > 1 { return "the request has \(lengths.count) Content-Length fields; remove them, Sortie sets the field" }
        return nil
    }
}

extension Headers {
    /// The fields as a record for JSON: an array of pairs of a name and a value, in order.
    package var record: JSONValue { .array(fields.map { .array([.string($0.name), .string($0.value)]) }) }
}

/// The credentials of the Basic authentication scheme (RFC 7617 §2).
package enum BasicCredentials {
    /// The value of `Authorization` for a user and a password, encoded in UTF-8.
    package static func field(user: String, password: String) -> String {
        "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }

    /// Whether the scheme can have a user: the first colon ends the name (RFC 7617 §2).
    package static func canHave(user: String) -> Bool { !user.utf8.contains(UInt8(ascii: ":")) }
}

/// A supported content coding (RFC 9110 §8.4.1, RFC 7932, RFC 8878).
package enum ContentCoding: String, Hashable, Sendable, CaseIterable {
    case deflate, gzip, br, zstd

    /// Creates the coding with a name in a header field, which is case-insensitive; `x-gzip` is `gzip` (RFC 9110 §8.4.1.3).
    package init?(named name: some StringProtocol) {
        let name = name.lowercased()
        guard let coding = name == "x-gzip" ? .gzip : ContentCoding(rawValue: name) else { return nil }
        self = coding
    }

    /// The value of `Accept-Encoding` that lists all codings.
    package static let offer = allCases.map(\.rawValue).joined(separator: ", ")
}

/// A header field: a name that keeps its spelling but is compared case-insensitively, and a value.
public struct HeaderField: Hashable, Sendable {
    /// The name as typed or received.
    public var name: String
    /// The value, without surrounding whitespace.
    public var value: String

    /// Creates a field without validation; a request with a name or value that RFC 9110 does not permit is not sent.
    public init(_ name: String, _ value: String) {
        (self.name, self.value) = (name, value)
    }

    /// Whether the field has the name `name`, case-insensitively (RFC 9110 §5.1).
    public func isNamed(_ name: String) -> Bool {
        self.name.utf8.count == name.utf8.count
            && zip(self.name.utf8, name.utf8).allSatisfy { $0 == $1 || ASCII.lowercased($0) == ASCII.lowercased($1) }
    }

    /// Why the field must not be sent; nil when it may (RFC 9110 §5.5).
    ///
    /// A CR, LF or NUL in a value would let its author add further header fields or a further request.
    package var problem: String? {
        if name.isEmpty { return "a header has no name" }
        if !Token.isValid(name) { return "the header name “\(name)” has a character that is not allowed in a name" }
        if let bad = Self.lineBreak(in: value) {
            let what = bad == 0 ? "a NUL character" : "a line break"
            return "the value of the header \(name) contains \(what), which would start another header"
        }
        return nil
    }

    /// The first byte that ends a line or a text.
    private static func lineBreak(in value: String) -> UInt8? {
        func find(in bytes: some Sequence<UInt8>) -> UInt8? { bytes.first { $0 == 0x0d || $0 == 0x0a || $0 == 0 } }
        // Almost every value is in one piece of memory, which is searched without indices of the string.
        return value.utf8.withContiguousStorageIfAvailable(find(in:)) ?? find(in: value.utf8)
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

/// The `token` of RFC 9110 §5.6.2, the syntax of methods and field names.
package enum Token {
    package static func isValid(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    /// Whether a byte may stand in a token.
    package static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
            true
        default:
            "!#$%&'*+.^_`|~".utf8.contains(byte)
        }
    }
}
