internal import SortieBase

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
    /// The places of what could not be read in the source; an item of a list that has one is in no value, and is kept.
    private let unreadable: [SourceLocation]
    private(set) var edits: [Edit] = []

    init(source: SourceText, unreadable: [SourceLocation] = []) {
        self.source = source
        self.unreadable = unreadable
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

extension YAMLPatch {
    mutating func changeMapping(
        _ node: YAMLNode, _ entries: [YAMLNode.Entry], from old: [YAMLValue.Member], to new: [YAMLValue.Member], inFlow: Bool
    ) throws(CannotPatch) {
        let isFlow = source.isFlow(node)
        let indentation = node.column - 1
        var byKey: [String: Int] = [:]
        for (index, entry) in entries.enumerated() {
            guard let key = entry.key.text, byKey[key] == nil else { throw CannotPatch() }
            byKey[key] = index
        }
        let oldByKey = Dictionary(old.map { ($0.key, $0.value) }) { first, _ in first }
        let newKeys = new.map(\.key)
        let kept = old.map(\.key).filter(newKeys.contains)
        guard oldByKey.count == old.count, Set(newKeys).count == new.count, kept == newKeys.filter({ oldByKey[$0] != nil }) else {
            throw CannotPatch()
        }
        guard newKeys.contains(where: { byKey[$0] != nil }) else { throw CannotPatch() }

        for key in old.map(\.key) where !newKeys.contains(key) {
            guard let index = byKey[key] else { throw CannotPatch() }
            try delete(index, of: entries, indentation: indentation, isFlow: isFlow)
        }
        var predecessor: Int?
        for member in new {
            guard let index = byKey[member.key] else {
                guard oldByKey[member.key] != member.value else { continue }
                try insert(member, after: predecessor, in: entries, indentation: indentation, isFlow: isFlow)
                continue
            }
            predecessor = index
            try change(
                entries[index], from: oldByKey[member.key], to: member.value, indentation: indentation, inFlow: isFlow || inFlow)
        }
    }

    /// Adds the edits for the value of an entry, or for the whole entry when the value cannot be changed in place.
    mutating func change(
        _ entry: YAMLNode.Entry, from old: YAMLValue?, to new: YAMLValue, indentation: Int, inFlow: Bool
    ) throws(CannotPatch) {
        guard old != new else { return }
        if let old {
            var attempt = self
            if !inFlow, try gainsLines(entry.value, from: old, to: new) {
                return try replaceEntry(entry, with: new, indentation: indentation, inFlow: false)
            }
            do {
                try attempt.change(entry.value, from: old, to: new, indentation: indentation, inFlow: inFlow)
                self = attempt
                return
            } catch {
                // The whole entry is replaced below.
            }
            if !inFlow, case .mapping(let members) = old, case .sequence(let rows) = new,
                try changeToRows(entry.value, members: members, rows: rows)
            {
                return
            }
        }
        try replaceEntry(entry, with: new, indentation: indentation, inFlow: inFlow)
    }

    /// Whether a mapping in braces on one line gets a text of several lines, which can be read without braces only.
    ///
    /// The whole entry is then written again, so the braces must have nothing that only the source has, and no comment may follow them.
    private func gainsLines(_ node: YAMLNode, from old: YAMLValue, to new: YAMLValue) throws(CannotPatch) -> Bool {
        guard case .mapping(let entries) = node.content, case .mapping(let before) = old, case .mapping(let after) = new, !node.isAlias,
            source.isFlow(node), entries.map(\.key.text) == before.map(\.key)
        else { return false }
        let isLong = after.contains { member in
            guard !before.contains(member) else { return false }
            return switch member.value {
            case .text(let text), .string(let text): YAMLText.literal(text, indentation: 0) != nil
            case .block(let text): text.contains("\n")
            case .token, .json, .mapping, .sequence: false
            }
        }
        guard isLong else { return false }
        let end = try source.end(of: node, parentIndentation: 0)
        return !source.bytes[node.start..<end].contains(0x0A) && source.isLastOnLine(end) && !source.hasComment(after: end)
    }

    /// Replaces `name: value` lines with `- {name: …, value: …}` lines, so that the comments between them stay.
    private mutating func changeToRows(_ node: YAMLNode, members: [YAMLValue.Member], rows: [YAMLValue]) throws(CannotPatch)
        -> Bool
    {
        guard case .mapping(let entries) = node.content, !node.isAlias, !source.isFlow(node), rows.count == members.count,
            entries.map(\.key.text) == members.map(\.key)
        else { return false }
        var attempt = self
        for (entry, row) in zip(entries, rows) {
            let end = try source.end(of: entry.value, parentIndentation: node.column - 1)
            guard source.isFirstOnLine(entry.key.start), source.isLastOnLine(end) else { return false }
            attempt.add(
                entry.key.start..<max(end, try source.end(of: entry.key, parentIndentation: 0)), "- " + YAMLText.flow(row))
        }
        self = attempt
        return true
    }

    private mutating func delete(_ index: Int, of entries: [YAMLNode.Entry], indentation: Int, isFlow: Bool) throws(CannotPatch) {
        let entry = entries[index]
        let end = try self.end(of: entry, indentation: indentation)
        guard isFlow else {
            guard source.isFirstOnLine(entry.key.start), source.isLastOnLine(end) else { throw CannotPatch() }
            return add(source.lineStart(at: entry.key.start)..<source.nextLineStart(after: end), "")
        }
        if index + 1 < entries.count { return add(entry.key.start..<entries[index + 1].key.start, "") }
        let start = index > 0 ? try self.end(of: entries[index - 1], indentation: indentation) : entry.key.start
        add(start..<end, "")
    }

    private mutating func insert(
        _ member: YAMLValue.Member, after predecessor: Int?, in entries: [YAMLNode.Entry], indentation: Int, isFlow: Bool
    ) throws(CannotPatch) {
        let key = YAMLText.key(member.key, inFlow: isFlow)
        guard isFlow else {
            let text = YAMLText.entry(key, member.value, indentation: indentation)
            return try insertLines(
                text, after: predecessor.map { entries[$0] }, first: entries.first, indentation: indentation)
        }
        let text = "\(key): \(YAMLText.flow(member.value))"
        if let predecessor {
            let end = try self.end(of: entries[predecessor], indentation: indentation)
            return add(end..<end, ", " + text)
        }
        guard let first = entries.first else { throw CannotPatch() }
        add(first.key.start..<first.key.start, text + ", ")
    }

    private mutating func insertLines(
        _ text: String, after entry: YAMLNode.Entry?, first: YAMLNode.Entry?, indentation: Int
    ) throws(CannotPatch) {
        let lines = YAMLText.spaces(indentation) + text
        if let entry {
            let end = try self.end(of: entry, indentation: indentation)
            guard source.isLastOnLine(end) else { throw CannotPatch() }
            return insertLines(lines, atLineAfter: end)
        }
        guard let first, source.isFirstOnLine(first.key.start) else { throw CannotPatch() }
        let start = source.lineStart(at: first.key.start)
        add(start..<start, lines + "\n")
    }

    /// Inserts lines after the line that has the byte at `offset`.
    mutating func insertLines(_ lines: String, atLineAfter offset: Int) {
        let line = source.lineIndex(at: offset)
        if line + 1 < source.lineStarts.count {
            let start = source.lineStarts[line + 1]
            add(start..<start, lines + "\n")
        } else {
            add(source.bytes.count..<source.bytes.count, "\n" + lines)
        }
    }

    /// The end offset of an entry.
    func end(of entry: YAMLNode.Entry, indentation: Int) throws(CannotPatch) -> Int {
        let keyEnd = try source.end(of: entry.key, parentIndentation: indentation)
        return max(keyEnd, try source.end(of: entry.value, parentIndentation: indentation))
    }
}

extension YAMLPatch {
    mutating func changeSequence(
        _ node: YAMLNode, _ items: [YAMLNode], from old: [YAMLValue], to new: [YAMLValue], indentation: Int, inFlow: Bool
    ) throws(CannotPatch) {
        let readable = items.count == old.count ? Array(items.indices) : try indices(ofReadable: items, in: node)
        guard readable.count == old.count else { throw CannotPatch() }
        let isFlow = source.isFlow(node)
        // The common prefix and suffix locate the item that was removed or added.
        var prefix = 0
        while prefix < min(old.count, new.count), old[prefix] == new[prefix] { prefix += 1 }
        var suffix = 0
        while suffix < min(old.count, new.count) - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] {
            suffix += 1
        }

        let changed = min(old.count, new.count) - prefix - suffix
        for index in prefix..<(prefix + changed) {
            try changeItem(items[readable[index]], from: old[index], to: new[index], dash: node.column - 1, inFlow: isFlow || inFlow)
        }
        for index in (prefix + changed)..<(old.count - suffix) where old.count > new.count {
            try delete(readable[index], of: items, dash: node.column - 1, isFlow: isFlow)
        }
        for index in (prefix + changed)..<(new.count - suffix) where new.count > old.count {
            let place = prefix + changed
            try insert(
                new[index], at: place == 0 ? 0 : readable[place - 1] + 1, in: items, dash: node.column - 1, isFlow: isFlow)
        }
    }

    /// Checks that a change keeps the items of lists that could not be read.
    ///
    /// - Parameter rewrites: Whether the whole value is written again.
    func checkLists(in node: YAMLNode, from old: YAMLValue?, to new: YAMLValue?, rewrites: Bool) throws(CannotPatch) {
        guard old != new, !unreadable.isEmpty else { return }
        switch node.content {
        case .scalar: break
        case .mapping(let entries):
            for entry in entries {
                guard let key = entry.key.text else { continue }
                try checkLists(in: entry.value, from: old?.member(key), to: new?.member(key), rewrites: rewrites)
            }
        case .sequence(let items):
            var count = 0
            if case .sequence(let values)? = old { count = values.count }
            guard items.count != count, try indices(ofReadable: items, in: node).count < items.count else { return }
            guard !rewrites, case .sequence? = old, case .sequence(let values)? = new, !values.isEmpty else { throw CannotPatch() }
        }
    }

    private func indices(ofReadable items: [YAMLNode], in node: YAMLNode) throws(CannotPatch) -> [Int] {
        var indices: [Int] = []
        for (index, item) in items.enumerated() {
            let end = source.place(of: try source.end(of: item, parentIndentation: node.column - 1), file: "")
            let isUnreadable = unreadable.contains { place in
                (place.line, place.column) >= (item.line, item.column) && (place.line, place.column) <= (end.line, end.column)
            }
            if !isUnreadable { indices.append(index) }
        }
        return indices
    }

    private mutating func changeItem(
        _ item: YAMLNode, from old: YAMLValue, to new: YAMLValue, dash: Int, inFlow: Bool
    ) throws(CannotPatch) {
        guard old != new else { return }
        var attempt = self
        do {
            try attempt.change(item, from: old, to: new, indentation: dash, inFlow: inFlow)
            self = attempt
        } catch {
            let end = try source.end(of: item, parentIndentation: dash)
            let text = inFlow ? YAMLText.flow(new) : YAMLText.block(new, indentation: item.column - 1)
            add(item.start..<end, text)
        }
    }

    private mutating func delete(_ index: Int, of items: [YAMLNode], dash: Int, isFlow: Bool) throws(CannotPatch) {
        let item = items[index]
        let end = try source.end(of: item, parentIndentation: dash)
        guard isFlow else {
            let start = try dashOffset(before: item, dash: dash)
            guard source.isLastOnLine(end) else { throw CannotPatch() }
            return add(source.lineStart(at: start)..<source.nextLineStart(after: end), "")
        }
        if index + 1 < items.count { return add(item.start..<items[index + 1].start, "") }
        let start = index > 0 ? try source.end(of: items[index - 1], parentIndentation: dash) : item.start
        add(start..<end, "")
    }

    private mutating func insert(_ value: YAMLValue, at index: Int, in items: [YAMLNode], dash: Int, isFlow: Bool)
        throws(CannotPatch)
    {
        guard let previous = index > 0 ? items[index - 1] : items.first else { throw CannotPatch() }
        guard isFlow else {
            let lines = YAMLText.spaces(dash) + YAMLText.block(.sequence([value]), indentation: dash)
            guard index > 0 else {
                let start = source.lineStart(at: try dashOffset(before: previous, dash: dash))
                return add(start..<start, lines + "\n")
            }
            let end = try source.end(of: previous, parentIndentation: dash)
            guard source.isLastOnLine(end) else { throw CannotPatch() }
            return insertLines(lines, atLineAfter: end)
        }
        if index > 0 {
            let end = try source.end(of: previous, parentIndentation: dash)
            add(end..<end, ", " + YAMLText.flow(value))
        } else {
            add(previous.start..<previous.start, YAMLText.flow(value) + ", ")
        }
    }

    /// The offset of the `-` of an item, which must be the first character of the item's line.
    func dashOffset(before item: YAMLNode, dash: Int) throws(CannotPatch) -> Int {
        let offset = source.lineStart(at: item.start) + dash
        guard offset < item.start, source.bytes[offset] == UInt8(ascii: "-"), source.isFirstOnLine(offset) else {
            throw CannotPatch()
        }
        return offset
    }
}
