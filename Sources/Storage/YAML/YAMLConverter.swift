internal import SortieBase
internal import Yams

/// Converts nodes of Yams to `YAMLNode`, and expands aliases within limits.
struct YAMLConverter {
    private var source: SourceText
    private let file: String
    private let limits: YAMLLimits
    private var valueCount = 0
    /// The position and kind of the last node that is no alias.
    private var last = (line: 0, column: 0, kind: 0)

    init(source: SourceText, file: String, limits: YAMLLimits) {
        self.source = source
        self.file = file
        self.limits = limits
    }

    mutating func node(_ node: Node, depth: Int, insideAlias: Bool = false) throws(Diagnostic) -> YAMLNode {
        let line = node.mark?.line ?? 1
        let column = node.mark?.column ?? 1
        valueCount += 1
        guard depth <= limits.depth else {
            throw Diagnostic(
                SourceLocation(file: file, line: line, column: column),
                "collections are nested deeper than \(limits.depth) levels")
        }
        guard valueCount <= limits.values else {
            throw Diagnostic(
                SourceLocation(file: file, line: line, column: column),
                "the file has more than \(limits.values) values once its aliases are followed")
        }
        // A node that does not follow the last node in the file was reached through an alias. Only a collection shares its position
        // with its first child.
        let kind = YAMLConverter.kind(of: node)
        let isAlias = insideAlias || (line, column) < (last.line, last.column) || (line, column, kind) == last
        if !isAlias { last = (line, column, kind) }

        var result = YAMLNode(
            content: .sequence([]), line: line, column: column, start: source.offset(line: line, column: column), isAlias: isAlias
        )
        switch node {
        case .scalar(let scalar):
            result.content = .scalar(
                YAMLScalar(text: byteOrderMark(at: result.start) + scalar.string, style: .init(scalar.style), tag: tag(at: result.start)))
        case .mapping(let mapping):
            var entries: [YAMLNode.Entry] = []
            for (key, value) in mapping {
                let key = try self.node(key, depth: depth + 1, insideAlias: isAlias)
                entries.append(.init(key: key, value: try self.node(value, depth: depth + 1, insideAlias: isAlias)))
            }
            result.content = .mapping(entries)
        case .sequence(let sequence):
            var items: [YAMLNode] = []
            for item in sequence { items.append(try self.node(item, depth: depth + 1, insideAlias: isAlias)) }
            result.content = .sequence(items)
        case .alias:
            throw Diagnostic(SourceLocation(file: file, line: line, column: column), "this alias has no anchor")
        }
        return result
    }

    /// The byte order mark with which a quoted text begins, which Yams drops; empty for other texts.
    private func byteOrderMark(at offset: Int) -> String {
        let start = source.bytes.dropFirst(offset).prefix(7)
        guard start.starts(with: "\"\\u".utf8) else { return "" }
        return String(decoding: start.dropFirst(3), as: UTF8.self).lowercased() == "feff" ? "\u{feff}" : ""
    }

    private static func kind(of node: Node) -> Int {
        switch node {
        case .scalar: 1
        case .mapping: 2
        case .sequence: 3
        case .alias: 4
        }
    }

    /// The tag at `offset`, before or after an anchor.
    private func tag(at offset: Int) -> String? {
        var index = offset
        while index < source.bytes.count, source.bytes[index] == UInt8(ascii: "!") || source.bytes[index] == UInt8(ascii: "&") {
            let word = source.bytes[index...].prefix { $0 > 0x20 }
            if word.first == UInt8(ascii: "!") { return String(decoding: word, as: UTF8.self) }
            index += word.count
            while index < source.bytes.count, source.bytes[index] == 0x20 { index += 1 }
        }
        return nil
    }
}

extension YAMLScalar.Style {
    init(_ style: Node.Scalar.Style) {
        switch style {
        case .doubleQuoted: self = .doubleQuoted
        case .singleQuoted: self = .singleQuoted
        case .literal: self = .literal
        case .folded: self = .folded
        default: self = .plain
        }
    }
}
