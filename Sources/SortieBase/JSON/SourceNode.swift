/// A value of a JSON or YAML source with its place, for importers that report where something is.
package struct SourceNode: Sendable {
    /// The kinds of values.
    package enum Content: Sendable {
        case null
        case bool(Bool)
        /// A number as it is written.
        case number(String)
        case string(String)
        case array([SourceNode])
        /// The members in their order; of several with one name, the last one counts.
        case object([Member])
    }

    /// A member of an object.
    package struct Member: Sendable {
        /// The name.
        package var name: String
        /// The value.
        package var value: SourceNode

        /// Creates a member.
        package init(_ name: String, _ value: SourceNode) {
            (self.name, self.value) = (name, value)
        }
    }

    /// The value.
    package var content: Content
    /// The line, from 1.
    package var line: Int
    /// The column in characters, from 1.
    package var column: Int

    /// Creates a node.
    package init(_ content: Content, line: Int, column: Int) {
        (self.content, self.line, self.column) = (content, line, column)
    }

    /// The place in a file.
    package func place(in file: String) -> SourceLocation { SourceLocation(file: file, line: line, column: column) }

    /// The value of a member; nil where there is none, and for other values than objects.
    package subscript(name: String) -> SourceNode? { members?.last { $0.name == name }?.value }

    /// The members of an object; nil for other values.
    package var members: [Member]? { if case .object(let members) = content { members } else { nil } }

    /// The items of an array; nil for other values.
    package var items: [SourceNode]? { if case .array(let items) = content { items } else { nil } }

    /// The text of a string; nil for other values.
    package var string: String? { if case .string(let text) = content { text } else { nil } }

    /// The truth value; nil for other values.
    package var bool: Bool? { if case .bool(let value) = content { value } else { nil } }

    /// The text of a string, a number or a truth value; nil for other values.
    package var text: String? {
        switch content {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// Whether the value is null.
    package var isNull: Bool { if case .null = content { true } else { false } }

    /// The value as JSON.
    package var json: JSONValue {
        switch content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let text): Self.json(ofNumber: text)
        case .string(let text): .string(text)
        case .array(let items): .array(items.map(\.json))
        case .object(let members): .object(members.map { .init($0.name, $0.value.json) })
        }
    }

    /// A number of YAML, of which JSON permits only some (YAML 1.2 §10.3.2, RFC 8259 §6).
    ///
    /// Digits after a zero or a plus sign are text, because such values are postal codes and telephone numbers, which numbers do not keep.
    private static func json(ofNumber text: String) -> JSONValue {
        if isJSONNumber(text) { return .number(text) }
        for (prefix, radix) in [("0x", 16), ("0o", 8)] where text.hasPrefix(prefix) {
            return UInt64(text.dropFirst(2), radix: radix).map { .number(String($0)) } ?? .string(text)
        }
        let sign = text.hasPrefix("-") ? "-" : ""
        var number = text.dropFirst(sign.count)
        if number.hasPrefix(".") { number = "0" + number }
        // A fraction needs a digit.
        if let point = number.firstIndex(of: "."), number[number.index(after: point)...].utf8.first.map(isDigit) != true {
            number.insert("0", at: number.index(after: point))
        }
        return isJSONNumber(sign + number) ? .number(sign + number) : .string(text)
    }

    private static func isJSONNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let whole = rest.prefix(while: isDigit)
        guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return false }
        rest = rest.dropFirst(whole.count)
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let fraction = rest.prefix(while: isDigit)
            guard !fraction.isEmpty else { return false }
            rest = rest.dropFirst(fraction.count)
        }
        guard rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") else { return rest.isEmpty }
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        return !rest.isEmpty && rest.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
