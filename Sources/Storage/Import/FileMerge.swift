internal import SortieBase

/// Merges what a source changed in a file with what the user changed, by the members of the file, and within them by their entries and named rows
/// (``MemberMerge``).
///
/// The record of an import has a digest of each member instead of its text, which is enough to see who changed it.
struct FileMerge {
    /// The text of the user with what only the source changed.
    private(set) var bytes: [UInt8]
    /// The paths of what both changed; that of the user stays.
    private(set) var conflicts: [String] = []
    /// The digests that the next import is compared with, by path.
    private(set) var members: [String: String]

    /// A member with its lines.
    private struct Part {
        var name: String
        var range: Range<Int>
    }

    /// Merges two texts.
    ///
    /// - Parameters:
    ///   - new: The text of the import.
    ///   - current: The text of the user.
    ///   - base: The digests of what the earlier import wrote, by path.
    /// - Returns: nil where a text is no mapping with members on separate lines, so that it cannot be merged.
    init?(_ new: [UInt8], into current: [UInt8], base: [String: String]) {
        guard let wanted = Self.digests(of: new), let present = Self.digests(of: current), let newParts = Self.parts(of: new),
            let parts = Self.parts(of: current), !parts.isEmpty
        else { return nil }
        members = wanted
        var result: [UInt8] = []
        var position = 0
        var expected = present
        /// Whether the member comes from the source.
        func isTaken(_ name: String) -> Bool { wanted[name] != base[name] && wanted[name] != present[name] && present[name] == base[name] }
        /// The members that the user has only commented.
        var commented: Set<String> = []
        for part in parts {
            guard isTaken(part.name) else { continue }
            guard !Self.hasComment(Array(current[part.range])) else {
                commented.insert(part.name)
                continue
            }
            result += current[position..<part.range.lowerBound]
            if let replacement = newParts.first(where: { $0.name == part.name }) { result += new[replacement.range] }
            position = part.range.upperBound
            expected[part.name] = wanted[part.name]
        }
        // New members follow the last one of the user.
        let end = parts.last?.range.upperBound ?? current.count
        if position < end {
            result += current[position..<end]
            position = end
        }
        for part in newParts where present[part.name] == nil && isTaken(part.name) {
            if let last = result.last, last != 0x0a { result.append(0x0a) }
            result += new[part.range]
            expected[part.name] = wanted[part.name]
        }
        result += current[position...]
        func isMember(_ path: String) -> Bool { !path.contains(MemberMerge.separator) }
        guard let written = Self.digests(of: result), written.filter({ isMember($0.key) }) == expected.filter({ isMember($0.key) }) else {
            return nil
        }
        bytes = result
        for name in Set(wanted.keys).union(base.keys).filter(isMember).sorted()
        where commented.contains(name) || wanted[name] != base[name] && wanted[name] != present[name] && present[name] != base[name] {
            var merge = MemberMerge(base: base, ours: present, theirs: wanted)
            if !commented.contains(name), let merged = merge.merged(name, of: new, into: bytes) {
                bytes = merged
                conflicts += merge.conflicts
            } else {
                conflicts.append(name)
            }
        }
        for path in conflicts { restore(path, of: base) }
    }

    /// Keeps the digests of the earlier import for a conflict, so that the next import finds it again.
    private mutating func restore(_ path: String, of base: [String: String]) {
        let inner = path + MemberMerge.separator
        for key in Set(members.keys).union(base.keys) where key == path || key.hasPrefix(inner) || path.hasPrefix(key + MemberMerge.separator) {
            members[key] = base[key]
        }
    }

    /// The digests of the values of a file's members, of their entries and of their named rows, by path; nil for a file that is no mapping.
    static func digests(of bytes: [UInt8]) -> [String: String]? {
        do throws(Diagnostic) {
            guard let members = try YAMLSource.node(parsing: bytes, file: "").members else { return nil }
            var result: [String: String] = [:]
            func add(_ value: SourceNode, at path: String, depth: Int) {
                // A part of a digest is enough to distinguish two texts.
                result[path] = String(ImportRecord.digest(of: Array(value.json.text.utf8)).prefix(depth == 0 ? 32 : 16))
                guard depth < MemberMerge.maximumDepth else { return }
                for child in children(of: value) { add(child.value, at: MemberMerge.path(child.name, in: path), depth: depth + 1) }
            }
            for member in members { add(member.value, at: member.name, depth: 0) }
            return result
        } catch { return nil }
    }

    /// The entries of a mapping, or the rows of a list by their names; empty for other values.
    private static func children(of value: SourceNode) -> [(name: String, value: SourceNode)] {
        if let members = value.members { return members.map { ($0.name, $0.value) } }
        let rows = (value.items ?? []).map { item in (name: item["name"]?.text, value: item) }
        guard rows.allSatisfy({ $0.name != nil }), Set(rows.map(\.name)).count == rows.count else { return [] }
        return rows.map { ($0.name ?? "", $0.value) }
    }

    /// Whether a member has comments, which are not part of its value: then its text has more number signs than its value.
    private static func hasComment(_ bytes: [UInt8]) -> Bool {
        func count(_ bytes: some Sequence<UInt8>) -> Int { bytes.count { $0 == UInt8(ascii: "#") } }
        guard count(bytes) > 0 else { return false }
        do throws(Diagnostic) { return try count(bytes) > count(YAMLSource.node(parsing: bytes, file: "").json.text.utf8) } catch {
            // The member needs others, which have its anchors.
            return true
        }
    }

    /// The members with their lines, without the blank lines and the comments after them.
    private static func parts(of bytes: [UInt8]) -> [Part]? {
        // Offsets are those without a byte order mark.
        guard !bytes.starts(with: TextEncoding.utf8.mark) else { return nil }
        do throws(Diagnostic) {
            let document = try YAMLDocument(bytes: bytes, file: "")
            guard let root = document.root, case .mapping(let entries) = root.content, !document.source.isFlow(root) else { return nil }
            var parts: [Part] = []
            for (index, entry) in entries.enumerated() {
                guard let name = entry.key.text, document.source.lineStart(at: entry.key.start) == entry.key.start else { return nil }
                let next = index + 1 < entries.count ? entries[index + 1].key.start : bytes.count
                parts.append(Part(name: name, range: entry.key.start..<document.source.endOfLines(from: entry.key.start, to: next)))
            }
            return parts
        } catch { return nil }
    }
}

extension SourceText {
    /// The end of the last line before an offset that is neither blank nor a comment at the margin.
    fileprivate func endOfLines(from start: Int, to end: Int) -> Int {
        var end = end
        while end > start {
            let line = lineStart(at: end - 1)
            let content = bytes[line..<end].drop(while: \.isSpaceOrLineBreak)
            guard line > start, content.isEmpty || bytes[line] == UInt8(ascii: "#") else { break }
            end = line
        }
        return end
    }
}
