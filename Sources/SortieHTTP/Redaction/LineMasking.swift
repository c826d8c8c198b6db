internal import SortieBase

/// Masks text line by line: the URLs in it, JSON of events and scripts, and lines of `name: value` or `name=value`.
struct LineMasking {
    package let redaction: Redaction
    /// Whether names at the beginning of lines identify secrets, as in YAML, properties and header fields; false for markup.
    let readsNames: Bool

    private static let mask = Array(HeaderField.mask.utf8)

    /// Writes the text in pieces.
    package func mask(_ bytes: UnsafeRawBufferPointer, afterEach: () -> Void, into write: (UnsafeRawBufferPointer) -> Void) {
        var start = 0
        var released = 0
        // Unchanged text is collected and written in long pieces.
        var waiting = 0
        var isLineStart = true
        // The rest of this line and the following lines with a larger indentation are secret.
        var isInSecret = false
        var secretIndent: Int?
        while start < bytes.count {
            let window = start..<min(bytes.count, start + Redaction.window)
            let newline = bytes.firstIndex(of: 0x0A, in: window)
            let end = newline.map { $0 + 1 } ?? place(toCut: bytes, window)
            let line = bytes[rebased: start..<end]
            if isLineStart, let indent = secretIndent, !Self.belongs(line, toSecretAt: indent) { secretIndent = nil }
            var replacement: [UInt8]?
            if isInSecret || secretIndent != nil {
                replacement = isLineStart ? Self.maskedBlockLine(line) : newline == nil ? [] : [0x0A]
            } else if readsNames, isLineStart, let value = NamedLine.secretValue(in: line, isSecret: redaction.isSecret) {
                secretIndent = value.isBlock ? value.indent : nil
                isInSecret = newline == nil
                if !value.range.isEmpty {
                    write(bytes[rebased: waiting..<start + value.range.lowerBound])
                    Self.mask.withUnsafeBytes { write($0) }
                    waiting = start + value.range.upperBound
                }
            } else if mayTell(line) {
                replacement = maskedLine(line)
            }
            if let replacement {
                if waiting < start { write(bytes[rebased: waiting..<start]) }
                replacement.withUnsafeBytes { write($0) }
                waiting = end
            }
            isLineStart = newline != nil
            if newline != nil { isInSecret = false }
            start = end
            if start - released >= Redaction.window {
                if waiting < start { write(bytes[rebased: waiting..<start]) }
                waiting = start
                released = start
                afterEach()
            }
        }
        if waiting < bytes.count { write(bytes[rebased: waiting..<bytes.count]) }
    }

    /// Masks a short text as a whole.
    package func masked(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        mask(bytes, afterEach: {}) { result.append(contentsOf: $0) }
        return result
    }

    /// Whether a line continues a value whose name has this indentation.
    private static func belongs(_ line: UnsafeRawBufferPointer, toSecretAt indent: Int) -> Bool {
        let spaces = line.prefix(while: \.isSpaceOrTab).count
        let first = spaces < line.count ? line[spaces] : 0x0A
        return first == 0x0A || first == 0x0D || spaces > indent || spaces == indent && first == UInt8(ascii: "-")
    }

    private static func maskedBlockLine(_ line: UnsafeRawBufferPointer) -> [UInt8] {
        let indent = line.prefix(while: \.isSpaceOrTab)
        let end = line.reversed().prefix { $0 == 0x0A || $0 == 0x0D }.count
        return indent.count + end == line.count ? Array(line) : Array(indent) + mask + line.suffix(end)
    }

    /// The offset at which a line longer than the window is divided: the end of a URL, or between two items of its query.
    private func place(toCut bytes: UnsafeRawBufferPointer, _ window: Range<Int>) -> Int { Redaction.place(toCut: bytes, window) }

    private func mayTell(_ line: UnsafeRawBufferPointer) -> Bool { redaction.mayTell(line) || readsNames && Self.hasQuotedName(line) }

    /// Whether a colon follows a quote, as in the JSON of a script or a log line.
    private static func hasQuotedName(_ line: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        while let colon = line.firstIndex(of: UInt8(ascii: ":"), in: start..<line.count) {
            var before = colon - 1
            while before >= 0, line[before] == 0x20 { before -= 1 }
            if before >= 0, line[before] == UInt8(ascii: "\"") { return true }
            start = colon + 1
        }
        return false
    }

    private func maskedLine(_ line: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        if line.starts(with: Redaction.eventStart) {
            // Server-sent events (WHATWG HTML §9.2) usually carry JSON.
            result = Redaction.eventStart
            redaction.maskJSON(line[rebased: Redaction.eventStart.count..<line.count], isLines: true, afterEach: {}) { result.append(contentsOf: $0) }
            return result
        }
        guard readsNames, Self.hasQuotedName(line) else { return redaction.maskedText(line) }
        redaction.maskJSON(line, isLines: true, afterEach: {}) { result.append(contentsOf: $0) }
        return result.withUnsafeBytes { redaction.maskedText($0) }
    }
}

extension Redaction {
    static let eventStart = Array("data:".utf8)

    /// The offset at which a line longer than the window is divided: the end of a URL, or between two items of its query.
    package static func place(toCut bytes: UnsafeRawBufferPointer, _ window: Range<Int>) -> Int {
        guard window.upperBound < bytes.count else { return bytes.count }
        let last = window.lowerBound + window.count / 2..<window.upperBound
        return last.last { " \t\"'<>?#".utf8.contains(bytes[$0]) } ?? last.last { bytes[$0] == UInt8(ascii: "&") } ?? window.upperBound
    }

    /// Whether the line may contain a URL with a query or a password, or an event.
    func mayTell(_ line: UnsafeRawBufferPointer) -> Bool {
        let all = 0..<line.count
        func has(_ character: Unicode.Scalar) -> Bool { line.firstIndex(of: UInt8(ascii: character), in: all) != nil }
        return has("=") && (has("?") || has("&") || has("#")) || has("@") && has(":") || line.starts(with: Redaction.eventStart)
    }

    func maskedText(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        if let text = String(validating: bytes, as: UTF8.self) { return Array(maskedURLs(text).utf8) }
        // Not UTF-8: each byte is mapped to a character and back.
        let text = maskedURLs(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })))
        return text.unicodeScalars.flatMap { $0.value < 0x100 ? [UInt8($0.value)] : Array(String($0).utf8) }
    }

    /// Masks the secrets of the URLs in a JSON string; nil where there are none.
    func maskedURLs(in text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard mayTell(text), hasScheme(text) else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var start = 0
        while start < text.count {
            let end = Self.place(toCut: text, start..<min(text.count, start + Redaction.window))
            result += maskedText(text[rebased: start..<end])
            start = end
        }
        return result.elementsEqual(text) ? nil : result
    }

    /// Whether the text contains `://`, or `:\/\/` as JSON may write it.
    private func hasScheme(_ text: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        while let colon = text.firstIndex(of: UInt8(ascii: ":"), in: start..<text.count) {
            let rest = text[(colon + 1)...]
            if rest.starts(with: "//".utf8) || rest.starts(with: #"\/\/"#.utf8) { return true }
            start = colon + 1
        }
        return false
    }
}

/// A line that consists of a name and a value: YAML, properties, environment files, header fields.
enum NamedLine {
    /// The maximum length of a name, in bytes.
    private static let longestName = 64

    /// The value of a secret name at the beginning of a line; nil where there is none.
    ///
    /// For a value on the following lines, with a larger indentation than `indent`, the range is empty and `isBlock` is true.
    static func secretValue(
        in line: UnsafeRawBufferPointer, isSecret: (String) -> Bool
    ) -> (range: Range<Int>, isBlock: Bool, indent: Int)? {
        var index = 0
        func skipSpaces() { while index < line.count, line[index].isSpaceOrTab { index += 1 } }
        skipSpaces()
        let indent = index
        if index + 1 < line.count, line[index] == UInt8(ascii: "-"), line[index + 1] == 0x20 {
            index += 2
            skipSpaces()
        }
        for word in ["export ", "set "] where line[index...].starts(with: word.utf8) { index += word.utf8.count }
        let quote = index < line.count && (line[index] == UInt8(ascii: "\"") || line[index] == UInt8(ascii: "'")) ? line[index] : nil
        if quote != nil { index += 1 }
        let start = index
        while index < line.count, index - start <= longestName, isNameByte(line[index]) { index += 1 }
        let end = index
        guard end > start, end - start <= longestName else { return nil }
        if let quote {
            guard index < line.count, line[index] == quote else { return nil }
            index += 1
        }
        skipSpaces()
        guard index < line.count, line[index] == UInt8(ascii: ":") || line[index] == UInt8(ascii: "=") else { return nil }
        let name = line[rebased: start..<end].text
        guard isSecret(name) || name.split(separator: ".").contains(where: { isSecret(String($0)) }) else { return nil }
        // The scheme of a URL is not a name.
        if line[(index + 1)...].starts(with: "//".utf8) { return nil }
        index += 1
        skipSpaces()
        var last = line.count
        while last > index, line[last - 1] <= 0x20 { last -= 1 }
        let isBlock = index >= last || line[index] == UInt8(ascii: "|") || line[index] == UInt8(ascii: ">")
        return (isBlock ? index..<index : index..<last, isBlock, indent)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}
