internal import SortieBase

/// The bytes of a file and its lines, counted as libyaml counts them.
struct SourceText {
    /// The bytes without a byte order mark.
    var bytes: [UInt8]
    /// Whether the file has a byte order mark.
    var hasByteOrderMark: Bool
    /// The offset of the first byte of each line.
    private(set) var lineStarts: [Int]
    /// The last requested position.
    ///
    /// Positions are requested in order, and continuing from the last one keeps long lines linear.
    private var last = (line: 0, column: 1, offset: 0)

    init(bytes: [UInt8]) {
        hasByteOrderMark = bytes.starts(with: [0xef, 0xbb, 0xbf])
        let bytes = hasByteOrderMark ? Array(bytes.dropFirst(3)) : bytes
        self.bytes = bytes
        lineStarts = SourceText.lineStarts(of: bytes)
    }

    /// The offset of a line and column, both from 1.
    ///
    /// A column beyond the line's end gives the end of the line.
    mutating func offset(line: Int, column: Int) -> Int {
        guard line >= 1, line <= lineStarts.count else { return bytes.count }
        let end = line < lineStarts.count ? lineStarts[line] : bytes.count
        if last.line != line || last.column > column { last = (line, 1, lineStarts[line - 1]) }
        while last.column < column, last.offset < end {
            last.offset += 1
            while last.offset < end, bytes[last.offset] & 0xc0 == 0x80 { last.offset += 1 }
            last.column += 1
        }
        return last.offset
    }

    /// The index of the line that has the byte at `offset`, from 0.
    func lineIndex(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// The start of the line after the one that has the byte at `offset`, or the end of the text.
    func nextLineStart(after offset: Int) -> Int {
        let index = lineIndex(at: offset) + 1
        return index < lineStarts.count ? lineStarts[index] : bytes.count
    }

    /// The start of the line that has the byte at `offset`.
    func lineStart(at offset: Int) -> Int { lineStarts[lineIndex(at: offset)] }

    /// The line break of this file, taken from its first line.
    var lineBreak: String {
        guard let newline = bytes.firstIndex(of: 0x0a), newline > 0, bytes[newline - 1] == 0x0d else { return "\n" }
        return "\r\n"
    }

    private static func lineStarts(of bytes: [UInt8]) -> [Int] {
        var starts = [0]
        var index = 0
        while index < bytes.count {
            let length = lineBreakLength(in: bytes, at: index)
            index += max(1, length)
            if length > 0 { starts.append(index) }
        }
        return starts
    }

    /// The length of the line break at `index`, 0 when there is none: CR, LF, CR LF, and U+0085, U+2028, U+2029 as in YAML 1.1.
    static func lineBreakLength(in bytes: [UInt8], at index: Int) -> Int {
        switch bytes[index] {
        case 0x0a: 1
        case 0x0d: index + 1 < bytes.count && bytes[index + 1] == 0x0a ? 2 : 1
        case 0xc2: index + 1 < bytes.count && bytes[index + 1] == 0x85 ? 2 : 0
        case 0xe2:
            index + 2 < bytes.count && bytes[index + 1] == 0x80 && (bytes[index + 2] == 0xa8 || bytes[index + 2] == 0xa9) ? 3 : 0
        default: 0
        }
    }
}

/// The source has a form that cannot be changed in place.
struct CannotPatch: Error {}

extension SourceText {
    /// Returns the end offset of a node's source.
    ///
    /// `parentIndentation` is the indentation of the enclosing mapping or list, for block scalars.
    func end(of node: YAMLNode, parentIndentation: Int) throws(CannotPatch) -> Int {
        guard !node.isAlias else { throw CannotPatch() }
        if node.start < bytes.count, bytes[node.start] == UInt8(ascii: "&") || bytes[node.start] == UInt8(ascii: "!") {
            throw CannotPatch()
        }
        switch node.content {
        case .scalar(let scalar): return try end(of: scalar, at: node.start, parentIndentation: parentIndentation)
        case .mapping(let entries):
            let children = entries.flatMap { [$0.key, $0.value] }
            return try end(of: node, children: children, closedBy: "}", openedBy: "{")
        case .sequence(let items):
            return try end(of: node, children: items, closedBy: "]", openedBy: "[")
        }
    }

    /// Whether a collection is written with braces or brackets.
    func isFlow(_ node: YAMLNode) -> Bool {
        guard node.start < bytes.count else { return false }
        switch node.content {
        case .scalar: return false
        case .mapping(let entries):
            // A block mapping may begin with a key that is a flow collection, which has the same offset.
            if let key = entries.first?.key, key.start == node.start { return false }
            return bytes[node.start] == UInt8(ascii: "{")
        case .sequence: return bytes[node.start] == UInt8(ascii: "[")
        }
    }

    private func end(
        of node: YAMLNode, children: [YAMLNode], closedBy close: Unicode.Scalar, openedBy open: Unicode.Scalar
    ) throws(CannotPatch) -> Int {
        var position = node.start
        let isFlow = isFlow(node)
        if isFlow { position += 1 }
        for child in children {
            // A block scalar ends before the first line that is not indented more than its collection.
            position = max(position, try end(of: child, parentIndentation: node.column - 1))
        }
        guard isFlow else { return position }
        position = skippingTrivia(from: position)
        guard position < bytes.count, bytes[position] == UInt8(ascii: close) else { throw CannotPatch() }
        return position + 1
    }

    private func end(of scalar: YAMLScalar, at start: Int, parentIndentation: Int) throws(CannotPatch) -> Int {
        switch scalar.style {
        case .plain:
            // A plain scalar on one line equals its text; one on several lines is left to the caller's fallback.
            guard bytes[min(start, bytes.count)...].starts(with: scalar.text.utf8) else { throw CannotPatch() }
            return start + scalar.text.utf8.count
        case .singleQuoted:
            var index = start + 1
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "'") {
                    guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "'") else { return index + 1 }
                    index += 1
                }
                index += 1
            }
            throw CannotPatch()
        case .doubleQuoted:
            var index = start + 1
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "\"") { return index + 1 }
                index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            throw CannotPatch()
        case .literal, .folded:
            return endOfBlockText(at: start, parentIndentation: parentIndentation)
        }
    }

    private func endOfBlockText(at start: Int, parentIndentation: Int) -> Int {
        var line = lineIndex(at: start)
        var end = lineEnd(line)
        let header = bytes[start..<end].prefix { $0 != UInt8(ascii: "#") }
        let keepsBlankLines = header.contains(UInt8(ascii: "+"))
        while line + 1 < lineStarts.count {
            line += 1
            let content = bytes[lineStarts[line]..<lineEnd(line)]
            let indentation = content.prefix { $0 == 0x20 }.count
            if indentation == content.count {
                if keepsBlankLines { end = lineEnd(line) }
            } else if indentation > parentIndentation {
                end = lineEnd(line)
            } else {
                break
            }
        }
        return end
    }

    /// The end offset of a line, without its line break.
    func lineEnd(_ index: Int) -> Int {
        var end = index + 1 < lineStarts.count ? lineStarts[index + 1] : bytes.count
        while end > lineStarts[index], bytes[end - 1] == 0x0a || bytes[end - 1] == 0x0d { end -= 1 }
        return end
    }

    private func skippingTrivia(from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ","): index += 1
            case let byte where byte.isSpaceOrLineBreak: index += 1
            case UInt8(ascii: "#"): index = lineEnd(lineIndex(at: index))
            default: return index
            }
        }
        return index
    }

    /// Whether only spaces precede `offset` on its line.
    func isFirstOnLine(_ offset: Int) -> Bool {
        bytes[lineStart(at: offset)..<offset].allSatisfy { $0 == 0x20 }
    }

    /// Whether only spaces and a comment follow `offset` on its line.
    func isLastOnLine(_ offset: Int) -> Bool {
        let rest = bytes[offset..<max(offset, lineEnd(lineIndex(at: offset)))].drop(while: \.isSpaceOrTab)
        return rest.isEmpty || rest.first == UInt8(ascii: "#")
    }

    /// Whether a comment follows `offset` on its line.
    func hasComment(after offset: Int) -> Bool {
        bytes[offset..<max(offset, lineEnd(lineIndex(at: offset)))].contains(UInt8(ascii: "#"))
    }
}
