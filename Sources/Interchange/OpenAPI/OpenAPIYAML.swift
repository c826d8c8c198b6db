internal import SortieBase
internal import Yams

/// A description as YAML.
enum OpenAPIYAML {
    /// The text of a value.
    ///
    /// - Throws: A diagnostic where the YAML library reports an error.
    static func text(of value: JSONValue) throws(Diagnostic) -> String {
        do { return try Yams.serialize(node: node(value), width: -1, allowUnicode: true) } catch {
            throw Diagnostic(SourceLocation(file: "openapi"), "the description cannot be written as YAML: \(error)")
        }
    }

    private static func node(_ value: JSONValue) -> Node {
        switch value {
        case .null: Node("null", Tag(.null))
        case .bool(let value): Node(value ? "true" : "false", Tag(.bool))
        case .number(let text): Node(text, Tag(text.contains { ".eE".contains($0) } ? .float : .int))
        case .string(let text): Node(text, Tag(.str), style(of: text))
        case .array(let items): Node(items.map(node), Tag(.seq), items.isEmpty ? .flow : .block)
        case .object(let members): Node(members.map { (node(.string($0.key)), node($0.value)) }, Tag(.map), members.isEmpty ? .flow : .block)
        }
    }

    /// Quotes for every text that a version of YAML could read as another type.
    private static func style(of text: String) -> Node.Scalar.Style {
        if text.contains("\n") { return .literal }
        let isWord = text.utf8.allSatisfy { byte in
            (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || " /{}_-".utf8.contains(byte)
        }
        let first = text.utf8.first.map { (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "/") } ?? false
        let isType = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"].contains(text.lowercased())
        return isWord && first && !isType && !text.hasSuffix(" ") ? .plain : .doubleQuoted
    }
}
