extension YAMLPatch {
    mutating func changeSequence(
        _ node: YAMLNode, _ items: [YAMLNode], from old: [YAMLValue], to new: [YAMLValue], indentation: Int, inFlow: Bool
    ) throws(CannotPatch) {
        guard items.count == old.count else { throw CannotPatch() }
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
            try changeItem(items[index], from: old[index], to: new[index], dash: node.column - 1, inFlow: isFlow || inFlow)
        }
        for index in (prefix + changed)..<(old.count - suffix) where old.count > new.count {
            try delete(index, of: items, dash: node.column - 1, isFlow: isFlow)
        }
        for index in (prefix + changed)..<(new.count - suffix) where new.count > old.count {
            try insert(new[index], at: prefix + changed, in: items, dash: node.column - 1, isFlow: isFlow)
        }
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
    private func dashOffset(before item: YAMLNode, dash: Int) throws(CannotPatch) -> Int {
        let offset = source.lineStart(at: item.start) + dash
        guard offset < item.start, source.bytes[offset] == UInt8(ascii: "-"), source.isFirstOnLine(offset) else {
            throw CannotPatch()
        }
        return offset
    }
}
