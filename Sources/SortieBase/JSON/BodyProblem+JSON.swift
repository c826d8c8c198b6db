extension BodyProblem {
    package init(_ fault: JSONFault, _ bytes: UnsafeRawBufferPointer, _ tokenizer: JSONTokenizer) {
        guard case .invalid(let message, let offset) = fault else {
            self.init(message: "not JSON", line: 1, column: 1, byte: 0)
            return
        }
        self.init(message, at: offset, in: bytes, line: tokenizer.line, lineStart: min(tokenizer.lineStart, offset))
    }

    /// Creates an error at an offset, whose line is counted.
    package init(_ message: String, at offset: Int, in bytes: UnsafeRawBufferPointer) {
        let end = min(offset, bytes.count)
        let lineStart = bytes.lastIndex(of: 0x0A, before: end).map { $0 + 1 } ?? 0
        self.init(message, at: end, in: bytes, line: bytes.count(of: 0x0A, in: 0..<lineStart), lineStart: lineStart)
    }

    private init(_ message: String, at offset: Int, in bytes: UnsafeRawBufferPointer, line: Int, lineStart start: Int) {
        // Counting the characters of a gigabyte would take a noticeable time.
        let characters = offset - start > 1 << 20 ? offset - start : bytes[start..<offset].count { $0 & 0xC0 != 0x80 }
        self.init(message: message, line: line + 1, column: characters + 1, byte: offset)
    }
}
