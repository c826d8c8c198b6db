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
            .map { $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" && $0 != ";" }.lowercased() }
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
