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
