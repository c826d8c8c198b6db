internal import SortieBase

/// Iterates over the rows of XML or HTML: a row for each tag, for each line of text, and for each line of a comment or a script.
///
/// An element whose content is a short text is one row. XML must be nested correctly; HTML is read leniently. The rows depend only on the bytes, not on
/// how many are known: a row whose end is not known yet is not closed.
struct MarkupScanner: Sendable {
    /// The deepest nesting that is laid out.
    static let depthLimit = 512
    /// The longest text in the row of its element.
    private static let inlineText = 120
    /// The number of bytes after a row that may have to be known to determine its end.
    static let lookahead = 512

    let isHTML: Bool
    /// The start of the next row.
    private(set) var offset = 0
    /// The elements around the next row.
    private(set) var elements = MarkupElements()
    private var phase = Phase.start
    private var hasRoot = false
    private var continues = false

    init(isHTML: Bool) { self.isHTML = isHTML }

    /// The open elements, the outermost first.
    var open: [MarkupElements.Element] { elements.open }

    /// Whether a comment, an instruction, a declaration or a section is open before the next row.
    var isInConstruct: Bool { if case .until = phase { true } else { false } }

    /// The next row before `limit`; nil at the limit.
    ///
    /// A row that is not closed is returned without advancing.
    mutating func next(_ bytes: UnsafeRawBufferPointer, limit: Int, isEnd: Bool) throws(MarkupFault) -> Row? {
        if case .start = phase {
            guard limit >= 3 || isEnd else { return nil }
            if limit >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { offset = 3 }
            phase = .content
        }
        if case .content = phase {
            while offset < limit, bytes[offset].isASCIIWhitespace { offset += 1 }
        }
        guard offset < limit else {
            if isEnd { try end(limit) }
            return nil
        }
        let row: Row?
        switch phase {
        case .start, .content: row = try content(bytes, limit: limit, isEnd: isEnd)
        case .text: row = text(bytes, limit: limit, isEnd: isEnd)
        case .until(let end): row = try construct(bytes, end, limit: limit, isEnd: isEnd)
        case .tag(let quote): row = try restOfTag(bytes, quote, limit: limit, isEnd: isEnd)
        case .raw: row = try rawText(bytes, limit: limit, isEnd: isEnd)
        }
        guard let row else {
            return Row(kind: .text, source: offset..<limit, next: limit, depth: open.count, continues: continues, isClosed: false)
        }
        offset = row.next
        return row
    }

    // MARK: Content

    /// Reads a tag, a comment or a text; nil when more bytes are needed.
    private mutating func content(_ bytes: UnsafeRawBufferPointer, limit: Int, isEnd: Bool) throws(MarkupFault) -> Row? {
        guard bytes[offset] == UInt8(ascii: "<") else { return try beginText(bytes, limit: limit, isEnd: isEnd) }
        guard offset + 9 <= limit || isEnd else { return nil }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[offset..<limit])
        if rest.starts(with: "<!--".utf8) { return try begin(.comment, bytes, limit: limit, isEnd: isEnd) }
        if rest.starts(with: "<![CDATA[".utf8) {
            if !isHTML, open.isEmpty { throw MarkupFault("a CDATA section outside of the root element", offset) }
            return try begin(.data, bytes, limit: limit, isEnd: isEnd)
        }
        guard offset + 1 < limit else {
            if isHTML { return try beginText(bytes, limit: limit, isEnd: isEnd) }
            throw MarkupFault("the body ends inside a tag", limit)
        }
        let second = bytes[offset + 1]
        if second == UInt8(ascii: "?") { return try begin(.instruction, bytes, limit: limit, isEnd: isEnd) }
        if second == UInt8(ascii: "!") {
            let window = min(limit, offset + BodyRow.byteLimit)
            guard let end = bytes[offset..<window].firstIndex(where: { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "[") }) else {
                guard isEnd || window == offset + BodyRow.byteLimit else { return nil }
                return try begin(.declaration, bytes, limit: limit, isEnd: isEnd)
            }
            return try begin(bytes[end] == UInt8(ascii: "[") ? .subset : .declaration, bytes, limit: limit, isEnd: isEnd)
        }
        if second == UInt8(ascii: "/") || Self.beginsName(second) { return try tag(bytes, limit: limit, isEnd: isEnd) }
        if isHTML { return try beginText(bytes, limit: limit, isEnd: isEnd) }
        throw MarkupFault("'<' is not followed by a name; as text it is written &lt;", offset)
    }

    private mutating func beginText(_ bytes: UnsafeRawBufferPointer, limit: Int, isEnd: Bool) throws(MarkupFault) -> Row? {
        if !isHTML, open.isEmpty {
            throw MarkupFault(hasRoot ? "text after the root element" : "text before the root element", offset)
        }
        return text(bytes, limit: limit, isEnd: isEnd)
    }

    /// A line of text up to the next tag.
    private mutating func text(_ bytes: UnsafeRawBufferPointer, limit: Int, isEnd: Bool) -> Row? {
        let window = min(limit, offset + BodyRow.byteLimit + RowCut.lookahead)
        // The first byte may be a '<' that begins no tag.
        var end = offset + 1
        while end < window, bytes[end] != 0x0A, bytes[end] != 0x0D, bytes[end] != UInt8(ascii: "<") { end += 1 }
        return line(bytes, offset..<end, window: window, limit: limit, isEnd: isEnd, .text, keeps: .text, then: .content)
    }

    /// A row of a line that ends at the end of `range`, which is the end of the window where the line continues.
    private mutating func line(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, window: Int, limit: Int, isEnd: Bool, _ kind: Row.Kind, keeps: Phase,
        then next: Phase
    ) -> Row? {
        let (start, end) = (range.lowerBound, range.upperBound)
        let isOpen = end == window && !(isEnd && window == limit)
        if isOpen, window < start + BodyRow.byteLimit + RowCut.lookahead { return nil }
        let wasContinued = continues
        if end - start > BodyRow.byteLimit {
            let cut = RowCut.boundary(bytes, from: start, wanted: start + BodyRow.byteLimit, end: end, encoding: .utf8)
            (phase, continues) = (keeps, true)
            return Row(kind: kind, source: start..<cut, next: cut, depth: open.count, continues: wasContinued)
        }
        (phase, continues) = (next, false)
        var last = end
        if kind != .raw { while last > start, bytes[last - 1].isASCIIWhitespace { last -= 1 } }
        return Row(kind: kind, source: start..<last, next: end, depth: open.count, continues: wasContinued)
    }

    // MARK: Comments, instructions, declarations

    private mutating func begin(_ end: StaticEnd, _ bytes: UnsafeRawBufferPointer, limit: Int, isEnd: Bool) throws(MarkupFault) -> Row? {
        let before = phase
        let row = try construct(bytes, end, limit: limit, isEnd: isEnd)
        if row == nil { phase = before }
        return row
    }

    /// A line of a construct up to its end.
    private mutating func construct(_ bytes: UnsafeRawBufferPointer, _ end: StaticEnd, limit: Int, isEnd: Bool) throws(MarkupFault) -> Row? {
        let window = min(limit, offset + BodyRow.byteLimit + RowCut.lookahead)
        let mark = end.bytes
        let length = mark.utf8CodeUnitCount
        // Blanks at the start of a line, and the line break before it.
        if continues == false, case .until = phase {
            while offset < limit, bytes[offset].isASCIIWhitespace { offset += 1 }
            guard offset < limit else {
                if isEnd, !isHTML { throw MarkupFault("the body ends inside a comment, an instruction or a section", limit) }
                return nil
            }
        }
        var index = offset
        while index < window, bytes[index] != 0x0A, bytes[index] != 0x0D {
            if bytes[index] == mark.utf8Start[length - 1], index + 1 >= (continues ? 0 : offset) + length,
                (0..<length).allSatisfy({ bytes[index + 1 - length + $0] == mark.utf8Start[$0] }), index + 1 - offset <= BodyRow.byteLimit
            {
                let wasContinued = continues
                (phase, continues) = (.content, false)
                return Row(kind: .comment, source: offset..<index + 1, next: index + 1, depth: open.count, continues: wasContinued)
            }
            index += 1
        }
        let isLast = isEnd && window == limit && index == window
        if isLast, !isHTML, index - offset <= BodyRow.byteLimit {
            throw MarkupFault("the body ends inside a comment, an instruction or a section", limit)
        }
        return line(
            bytes, offset..<index, window: window, limit: limit, isEnd: isEnd, .comment, keeps: .until(end), then: .until(end))
    }

    // MARK: Tags

    private mutating func tag(_ bytes: UnsafeRawBufferPointer, limit: Int, isEnd: Bool) throws(MarkupFault) -> Row? {
        let window = min(limit, offset + BodyRow.byteLimit)
        var quote: UInt8 = 0
        var end = offset + 1
        while end < window {
            let byte = bytes[end]
            if quote != 0 {
                if byte == quote { quote = 0 }
                if byte == UInt8(ascii: "<"), !isHTML { throw MarkupFault("'<' in the value of an attribute; it is written &lt;", end) }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                // Elsewhere a quote is part of a name or of a value without quotes, in HTML.
                if !isHTML || Self.isValueStart(bytes, end) { quote = byte }
            } else if byte == UInt8(ascii: ">") {
                return try wholeTag(bytes, offset..<end + 1, limit: limit, isEnd: isEnd)
            } else if byte == UInt8(ascii: "<") {
                if !isHTML { throw MarkupFault("'<' inside a tag", end) }
                // The tag was not closed.
                return try wholeTag(bytes, offset..<end, limit: limit, isEnd: isEnd)
            }
            end += 1
        }
        if window == offset + BodyRow.byteLimit { return try longTag(bytes, quote, end: window) }
        guard isEnd else { return nil }
        if !isHTML { throw MarkupFault("the body ends inside a tag", limit) }
        return try wholeTag(bytes, offset..<limit, limit: limit, isEnd: true)
    }

    private static func isValueStart(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Bool {
        var index = offset - 1
        while index > 0, bytes[index].isASCIIWhitespace { index -= 1 }
        return index >= 0 && bytes[index] == UInt8(ascii: "=")
    }

    /// A tag that is too long for one row.
    private mutating func longTag(_ bytes: UnsafeRawBufferPointer, _ quote: UInt8, end: Int) throws(MarkupFault) -> Row {
        let isEndTag = bytes[offset + 1] == UInt8(ascii: "/")
        let name = nameRange(bytes, from: offset + (isEndTag ? 2 : 1), to: end)
        let cut = RowCut.boundary(bytes, from: offset, wanted: end, end: end + 1, encoding: .utf8)
        let depth = open.count
        if !isHTML, depth == 0, hasRoot { throw MarkupFault("a second root element", offset) }
        hasRoot = true
        if !isEndTag {
            elements.begin(name, bytes, ignoringCase: isHTML)
            try push(name)
        }
        (phase, continues) = (.tag(quote: quote), true)
        return Row(kind: .tag, source: offset..<cut, next: cut, depth: depth)
    }

    private mutating func restOfTag(_ bytes: UnsafeRawBufferPointer, _ quote: UInt8, limit: Int, isEnd: Bool) throws(MarkupFault) -> Row? {
        let window = min(limit, offset + BodyRow.byteLimit)
        var quote = quote
        var end = offset
        while end < window {
            let byte = bytes[end]
            end += 1
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                (phase, continues) = (.content, false)
                let isEmpty = end >= 2 && bytes[end - 2] == UInt8(ascii: "/")
                let row = Row(kind: .tag, source: offset..<end, next: end, depth: max(0, open.count - 1), continues: true)
                if isEmpty, !open.isEmpty { elements.close(from: open.count - 1) }
                return row
            }
        }
        if window == offset + BodyRow.byteLimit {
            let cut = RowCut.boundary(bytes, from: offset, wanted: window, end: window + 1, encoding: .utf8)
            phase = .tag(quote: quote)
            return Row(kind: .tag, source: offset..<cut, next: cut, depth: max(0, open.count - 1), continues: true)
        }
        guard isEnd else { return nil }
        if !isHTML { throw MarkupFault("the body ends inside a tag", limit) }
        phase = .content
        return Row(kind: .tag, source: offset..<limit, next: limit, depth: max(0, open.count - 1), continues: true)
    }

    /// A tag whose end is known; with the text and the end tag of its element where these are short.
    private mutating func wholeTag(_ bytes: UnsafeRawBufferPointer, _ tag: Range<Int>, limit: Int, isEnd: Bool) throws(MarkupFault) -> Row? {
        let isEndTag = tag.count > 1 && bytes[tag.lowerBound + 1] == UInt8(ascii: "/")
        let name = nameRange(bytes, from: tag.lowerBound + (isEndTag ? 2 : 1), to: tag.upperBound)
        if isEndTag {
            try pop(name, bytes)
            phase = .content
            return Row(kind: .tag, source: tag, next: tag.upperBound, depth: open.count)
        }
        let lowercase = isHTML ? lowercased(name, bytes) : ""
        let isRaw = isHTML && MarkupNames.raw.contains(lowercase)
        let isEmpty =
            (tag.count > 2 && bytes[tag.upperBound - 2] == UInt8(ascii: "/") && !isRaw) || (isHTML && MarkupNames.void.contains(lowercase))
        if !isHTML { try checkAttributes(bytes, name.upperBound..<tag.upperBound - 1) }
        var end = tag.upperBound
        if !isEmpty {
            guard let inline = inlineEnd(bytes, name, from: tag.upperBound, limit: limit, isEnd: isEnd) else { return nil }
            end = inline
        }
        if isHTML {
            while let last = open.last, MarkupNames.closes(lowercase, open: lowercased(last.name, bytes)) { elements.close(from: open.count - 1) }
        }
        if !isHTML, open.isEmpty, hasRoot { throw MarkupFault("a second root element", tag.lowerBound) }
        let depth = open.count
        hasRoot = true
        phase = .content
        elements.begin(name, bytes, ignoringCase: isHTML)
        if !isEmpty, end == tag.upperBound {
            try push(name)
            if isRaw { phase = .raw }
        }
        return Row(kind: .tag, source: tag.lowerBound..<end, next: end, depth: depth)
    }

    /// The end of the element where its content is a short text without a line break, else `start`; nil when more bytes are needed.
    private func inlineEnd(_ bytes: UnsafeRawBufferPointer, _ name: Range<Int>, from start: Int, limit: Int, isEnd: Bool) -> Int? {
        let window = min(limit, start + Self.inlineText)
        var index = start
        while index < window, bytes[index] != UInt8(ascii: "<"), bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
        if index == window { return window == start + Self.inlineText || isEnd ? start : nil }
        guard bytes[index] == UInt8(ascii: "<") else { return start }
        let end = index + 2 + name.count
        guard name.count <= 128 else { return start }
        guard end < limit else { return isEnd ? start : nil }
        guard bytes[index + 1] == UInt8(ascii: "/"), isSame(index + 2..<end, name, bytes) else { return start }
        return bytes[end] == UInt8(ascii: ">") ? end + 1 : start
    }

    // MARK: Raw text

    /// A line of a script or a style sheet, up to the end tag.
    private mutating func rawText(_ bytes: UnsafeRawBufferPointer, limit: Int, isEnd: Bool) throws(MarkupFault) -> Row? {
        guard let name = open.last?.name else {
            phase = .content
            return try content(bytes, limit: limit, isEnd: isEnd)
        }
        var start = offset
        if !continues {
            // The line break before the line.
            if bytes[start] == 0x0D {
                guard start + 1 < limit || isEnd else { return nil }
                start += 1
            }
            if start < limit, bytes[start] == 0x0A { start += 1 }
        }
        let window = min(limit, start + BodyRow.byteLimit + RowCut.lookahead)
        var end = start
        while end < window, bytes[end] != 0x0A, bytes[end] != 0x0D {
            if bytes[end] == UInt8(ascii: "<") {
                let after = end + 2 + name.count
                if after > limit, !isEnd { return nil }
                if after <= limit, bytes[end + 1] == UInt8(ascii: "/"), isSame(end + 2..<after, name, bytes) {
                    guard bytes[start..<end].allSatisfy(\.isASCIIWhitespace) else {
                        // The window is longer than the line, which ends here.
                        return line(bytes, start..<end, window: .max, limit: limit, isEnd: isEnd, .raw, keeps: .raw, then: .content)
                    }
                    (offset, phase, continues) = (end, .content, false)
                    return try content(bytes, limit: limit, isEnd: isEnd)
                }
            }
            end += 1
        }
        return line(bytes, start..<end, window: window, limit: limit, isEnd: isEnd, .raw, keeps: .raw, then: .raw)
    }

    // MARK: Names

    /// Opens the element that began last.
    private mutating func push(_ name: Range<Int>) throws(MarkupFault) {
        guard open.count < Self.depthLimit else {
            if isHTML { return }
            throw MarkupFault("elements nested deeper than \(Self.depthLimit) levels are not laid out", name.lowerBound)
        }
        elements.push(elements.last)
    }

    private mutating func pop(_ name: Range<Int>, _ bytes: UnsafeRawBufferPointer) throws(MarkupFault) {
        if isHTML {
            if let index = open.lastIndex(where: { isSame($0.name, name, bytes) }) { elements.close(from: index) }
            return
        }
        guard let last = open.last else { throw MarkupFault("an end tag without its start tag", max(0, name.lowerBound - 2)) }
        guard isSame(last.name, name, bytes) else {
            let (expected, found) = (text(last.name, bytes), text(name, bytes))
            throw MarkupFault("</\(found)> ends no element here; </\(expected)> is expected", name.lowerBound - 2)
        }
        elements.close(from: open.count - 1)
    }

    /// Checks that the body may end here.
    private func end(_ limit: Int) throws(MarkupFault) {
        guard !isHTML else { return }
        switch phase {
        case .until, .tag: throw MarkupFault("the body ends inside a tag, a comment or a section", limit)
        default: break
        }
        if !open.isEmpty { throw MarkupFault("the body ends before \(NumberWord.count(open.count)) closed", limit) }
        if !hasRoot { throw MarkupFault("there is no element", limit) }
    }

    private enum NumberWord {
        static func count(_ number: Int) -> String { number == 1 ? "an element is" : "\(number) elements are" }
    }
}

/// The attributes of a tag of XML.
extension MarkupScanner {
    /// Checks that attributes have the form `name="value"`.
    func checkAttributes(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) throws(MarkupFault) {
        var index = range.lowerBound
        var isSeparated = false
        while true {
            while index < range.upperBound, bytes[index].isASCIIWhitespace {
                index += 1
                isSeparated = true
            }
            guard index < range.upperBound else { return }
            if bytes[index] == UInt8(ascii: "/"), index + 1 == range.upperBound { return }
            guard Self.beginsName(bytes[index]) else { throw MarkupFault("a name of an attribute is expected", index) }
            guard isSeparated else { throw MarkupFault("a space is expected before an attribute", index) }
            index = nameRange(bytes, from: index, to: range.upperBound).upperBound
            while index < range.upperBound, bytes[index].isASCIIWhitespace { index += 1 }
            guard index < range.upperBound, bytes[index] == UInt8(ascii: "=") else { throw MarkupFault("an attribute has no value", index) }
            index += 1
            while index < range.upperBound, bytes[index].isASCIIWhitespace { index += 1 }
            guard index < range.upperBound, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
                throw MarkupFault("the value of an attribute is not in quotes", index)
            }
            guard let close = bytes.firstIndex(of: bytes[index], in: index + 1..<range.upperBound) else {
                throw MarkupFault("the value of an attribute is not closed", index)
            }
            index = close + 1
            isSeparated = false
        }
    }
}
