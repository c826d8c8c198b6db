/// The edits that turn one YAML text into another and leave every unchanged byte alone.
///
/// The old and the new value are serialisations of the same model; parts that exist only in the source, such as unknown keys, are preserved.
struct YAMLPatch {
    /// A replacement of bytes.
    struct Edit {
        var range: Range<Int>
        var text: String
    }

    let source: SourceText
    private(set) var edits: [Edit] = []

    init(source: SourceText) {
        self.source = source
    }

    mutating func add(_ range: Range<Int>, _ text: String) {
        edits.append(Edit(range: range, text: text))
    }

    /// The bytes of the new text, with the line breaks of the file.
    func applied() throws(CannotPatch) -> [UInt8] {
        let sorted = edits.enumerated().sorted {
            ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset) < (
                $1.element.range.lowerBound, $1.element.range.upperBound, $1.offset
            )
        }
        var result: [UInt8] = source.hasByteOrderMark ? [0xef, 0xbb, 0xbf] : []
        var position = 0
        for (_, edit) in sorted {
            guard edit.range.lowerBound >= position else { throw CannotPatch() }
            result += source.bytes[position..<edit.range.lowerBound]
            result += edit.text.replacing("\n", with: source.lineBreak).utf8
            position = edit.range.upperBound
        }
        return result + source.bytes[position...]
    }

    /// Adds the edits for a value in a collection that has the given indentation.
    mutating func change(
        _ node: YAMLNode, from old: YAMLValue, to new: YAMLValue, indentation: Int, inFlow: Bool
    ) throws(CannotPatch) {
        guard old != new else { return }
        guard !node.isAlias else { throw CannotPatch() }
        switch (node.content, old, new) {
        case (.scalar(let scalar), _, _) where new.isScalar:
            try changeScalar(node, scalar, to: new, indentation: indentation, inFlow: inFlow)
        case (.mapping(let entries), .mapping(let old), .mapping(let new)) where !new.isEmpty && !entries.isEmpty:
            try changeMapping(node, entries, from: old, to: new, inFlow: inFlow)
        case (.sequence(let items), .sequence(let old), .sequence(let new)) where !new.isEmpty && !items.isEmpty:
            try changeSequence(node, items, from: old, to: new, indentation: indentation, inFlow: inFlow)
        default:
            throw CannotPatch()
        }
    }

    private mutating func changeScalar(
        _ node: YAMLNode, _ scalar: YAMLScalar, to new: YAMLValue, indentation: Int, inFlow: Bool
    ) throws(CannotPatch) {
        let end = try source.end(of: node, parentIndentation: indentation)
        var style = scalar.style
        // Quotes would change the meaning of a token. For a text, the writer checks whether it can be plain.
        if case .token = new { style = .plain }
        // An empty text has quotes only because it is empty.
        if scalar.text.isEmpty { style = .plain }
        var text = YAMLText.scalar(new, style: style, inFlow: inFlow)
        if case .block(let content) = new {
            guard !inFlow, !source.hasComment(after: end) else { throw CannotPatch() }
            text = YAMLText.anyLiteral(content, indentation: indentation + 2)
        }
        if case .text(let content) = new, !inFlow,
            scalar.style == .literal || scalar.style == .folded || !source.hasComment(after: end),
            let block = YAMLText.literal(content, indentation: indentation + 2)
        {
            text = block
        }
        let needsSpace = node.start == end && node.start > 0 && source.bytes[node.start - 1] == UInt8(ascii: ":")
        add(node.start..<end, needsSpace ? " " + text : text)
    }

    /// Replaces `key: value` as a whole.
    mutating func replaceEntry(
        _ entry: YAMLNode.Entry, with value: YAMLValue, indentation: Int, inFlow: Bool
    ) throws(CannotPatch) {
        let keyEnd = try source.end(of: entry.key, parentIndentation: indentation)
        let end = max(keyEnd, try source.end(of: entry.value, parentIndentation: indentation))
        let key = String(decoding: source.bytes[entry.key.start..<keyEnd], as: UTF8.self)
        if inFlow {
            add(entry.key.start..<end, "\(key): \(YAMLText.flow(value))")
        } else {
            guard source.isLastOnLine(end) else { throw CannotPatch() }
            let hasComment = source.hasComment(after: end)
            let text = YAMLText.entry(key, value, indentation: indentation)
            // A comment after the value would become part of a block scalar.
            add(entry.key.start..<end, hasComment && text.contains("\n") ? "\(key): \(YAMLText.flow(value))" : text)
        }
    }
}
