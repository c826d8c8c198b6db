internal import SortieBase

/// Computes the new text of a file that is a mapping, such as that of an endpoint or a service; unchanged parts keep their bytes.
struct FileEdit {
    /// The current file.
    let document: YAMLDocument
    /// The keys that the file may have, in their canonical order.
    let names: [String]
    /// The form of the file at its current location.
    let old: YAMLValue
    /// The form that the file gets; relative paths differ when it moves.
    let new: YAMLValue
    /// The places of what could not be read in the file.
    var unreadable: [SourceLocation] = []

    /// The candidate texts, the one with the smallest difference first.
    func candidates() -> [[UInt8]] {
        guard case .mapping(let old) = old, case .mapping(let new) = new else { return [] }
        var entries: [YAMLNode.Entry] = []
        if let root = document.root {
            guard case .mapping(let members) = root.content, !root.isAlias else { return [] }
            entries = members
        }
        return [false, true].compactMap { rewritesKeys in
            var patch = YAMLPatch(source: document.source, unreadable: unreadable)
            do {
                guard let root = document.root, !entries.isEmpty else {
                    try fill(with: new, patch: &patch)
                    return try patch.applied()
                }
                for key in names {
                    let before = old.first { $0.key == key }?.value
                    let after = new.first { $0.key == key }?.value
                    guard before != after else { continue }
                    try change(key, from: before, to: after, in: root, entries, rewrites: rewritesKeys, patch: &patch)
                }
                return try patch.applied()
            } catch {
                // The next candidate is tried, and its result is checked in the same way.
                return nil
            }
        }
    }

    /// Writes the members of a file that has none: in place of its `{}`, else after its comments.
    private func fill(with members: [YAMLValue.Member], patch: inout YAMLPatch) throws(CannotPatch) {
        let (source, text) = (document.source, YAMLText.block(.mapping(members), indentation: 0))
        if let root = document.root { return patch.add(root.start..<(try source.end(of: root, parentIndentation: 0)), text) }
        let isComplete = source.bytes.last.map { $0 == UInt8(ascii: "\n") } ?? true
        patch.add(source.bytes.count..<source.bytes.count, (isComplete ? "" : "\n") + text + "\n")
    }

    private func change(
        _ key: String, from before: YAMLValue?, to after: YAMLValue?, in root: YAMLNode, _ entries: [YAMLNode.Entry],
        rewrites: Bool,
        patch: inout YAMLPatch
    ) throws(CannotPatch) {
        let isFlow = document.source.isFlow(root)
        let indentation = root.column - 1
        let index = entries.firstIndex { $0.key.text == key }
        if let index { try patch.checkLists(in: entries[index].value, from: before, to: after, rewrites: rewrites) }
        if let index, let after, !rewrites {
            return try patch.change(entries[index], from: before, to: after, indentation: indentation, inFlow: isFlow)
        }
        if let index, !isFlow {
            return rewrite(index, of: entries, as: after, indentation: indentation, patch: &patch)
        }
        // The rules of the mapping for adding and removing apply: it gets this key, and the others as unchanged.
        let others = names.filter { name in name != key && entries.contains { $0.key.text == name } }
        func members(_ value: YAMLValue?) -> [YAMLValue.Member] {
            names.compactMap { name in
                if name == key { return value.map { .init(name, $0) } }
                return others.contains(name) ? .init(name, .token("")) : nil
            }
        }
        try patch.changeMapping(root, entries, from: members(before), to: members(after), inFlow: isFlow)
    }

    /// Replaces or removes all lines of a key, up to the comments and blank lines before the next key.
    private func rewrite(
        _ index: Int, of entries: [YAMLNode.Entry], as value: YAMLValue?, indentation: Int, patch: inout YAMLPatch
    ) {
        let source = document.source
        let entry = entries[index]
        let firstLine = source.lineIndex(at: entry.key.start)
        var lastLine =
            index + 1 < entries.count ? source.lineIndex(at: entries[index + 1].key.start) - 1 : source.lineStarts.count - 1
        while lastLine > firstLine, isBetweenKeys(source.bytes[source.lineStarts[lastLine]..<source.lineEnd(lastLine)]) {
            lastLine -= 1
        }
        let start = source.lineStart(at: entry.key.start)
        guard let value else {
            return patch.add(
                start..<(lastLine + 1 < source.lineStarts.count ? source.lineStarts[lastLine + 1] : source.bytes.count), "")
        }
        let key = YAMLText.key(entry.key.text ?? "", inFlow: false)
        let text = YAMLText.spaces(indentation) + YAMLText.entry(key, value, indentation: indentation)
        patch.add(start..<source.lineEnd(lastLine), text)
    }

    private func isBetweenKeys(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == UInt8(ascii: "#") || line.allSatisfy(\.isSpaceOrTab) || line.starts(with: "...".utf8)
    }
}
