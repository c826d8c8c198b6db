internal import SortieBase

/// The view of a value of a description in which null is the same as nothing, and an object has each name once.
struct OpenAPIValue {
    /// A member of an object.
    struct Member {
        var name: String
        var value: OpenAPIValue
    }

    /// The place of a value, which identifies it.
    struct Identity: Hashable {
        private let file: String
        private let line: Int
        private let column: Int

        init(_ value: OpenAPIValue) {
            (file, line, column) = (value.node.file, value.node.line, value.node.column)
        }
    }

    let node: SourceNode

    init(_ node: SourceNode) { self.node = node }

    /// The file, because references are relative to it.
    var file: String { node.file }

    /// The value of a member; nil where there is none or where it is null.
    subscript(name: String) -> OpenAPIValue? {
        guard let value = node[name], !value.isNull else { return nil }
        return OpenAPIValue(value)
    }

    /// The members of an object in order, each name once; empty for other values.
    var members: [Member] {
        guard let members = node.members else { return [] }
        var positions: [String: Int] = [:]
        var result: [Member] = []
        result.reserveCapacity(members.count)
        for member in members {
            let value = Member(name: member.name, value: OpenAPIValue(member.value))
            if let position = positions.updateValue(result.count, forKey: member.name) {
                positions[member.name] = position
                result[position] = value
            } else {
                result.append(value)
            }
        }
        return result
    }

    /// The items of an array; empty for other values.
    var items: [OpenAPIValue] { node.items?.map { OpenAPIValue($0) } ?? [] }

    /// The reference of a schema; a dynamic one leads to the same place as long as no other resource has a schema of the anchor.
    var reference: String? { self["$ref"]?.string ?? self["$dynamicRef"]?.string }

    var isObject: Bool { node.isObject }
    var string: String? { node.string }
    var text: String? { node.text }
    var bool: Bool? { node.bool }

    /// The texts of an array, or the text of a single value.
    var texts: [String] { node.items?.compactMap(\.text) ?? text.map { [$0] } ?? [] }

    var place: SourceLocation { node.place(in: file) }
}

/// Texts of descriptions for display.
enum OpenAPIText {
    /// The text on one line; nil where it is empty.
    static func line(_ text: String?) -> String? {
        guard let text else { return nil }
        let line = text.split { $0.isWhitespace || $0.isNewline || $0.unicodeScalars.contains { $0.value < 0x20 } }.joined(separator: " ")
        return line.isEmpty ? nil : line
    }

    /// The paragraphs of a text without spaces around it; nil where it is empty.
    static func paragraphs(_ text: String?) -> String? {
        guard let text else { return nil }
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line -> String in
            var line = line
            while line.last?.isWhitespace == true { line.removeLast() }
            return String(line)
        }
        while lines.first?.isEmpty == true { lines.removeFirst() }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}
