/// Header fields in the order they are sent or were received.
public struct Headers: Hashable, Sendable {
    /// The fields, duplicates included.
    public var fields: [HeaderField]

    /// A list of fields.
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

    /// The tokens that all fields of `name` list, in order and in lower case, without parameters (RFC 9110 §5.6.1).
    public func tokens(of name: String) -> [String] {
        guard contains(name) else { return [] }
        return values(of: name).flatMap { $0.split(separator: ",") }
            .map { $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" && $0 != ";" }.lowercased() }
            .filter { !$0.isEmpty }
    }

    /// Whether a field of that name is there.
    public func contains(_ name: String) -> Bool {
        fields.contains { $0.isNamed(name) }
    }

    /// Adds a field after the others.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(HeaderField(name, value))
    }

    /// These fields, with `others` replacing those of the same name (S1.2: the more special wins).
    public func overlaid(with others: Headers) -> Headers {
        Headers(fields.filter { field in !others.contains(field.name) } + others.fields)
    }
}

extension Headers: ExpressibleByArrayLiteral {
    /// A value of a literal.
    public init(arrayLiteral elements: HeaderField...) {
        self.init(elements)
    }
}

extension Headers: CustomStringConvertible {
    /// The text as a person reads it.
    public var description: String { fields.map(\.description).joined(separator: "\n") }
}
