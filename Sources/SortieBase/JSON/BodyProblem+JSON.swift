extension BodyProblem {
    package init(_ fault: JSONFault, _ bytes: UnsafeRawBufferPointer, _ tokenizer: JSONTokenizer) {
        guard case .invalid(let message, let offset) = fault else {
            self.init(message: "not JSON", line: 1, column: 1, byte: 0)
            return
        }
        let start = min(tokenizer.lineStart, offset)
        // Counting the characters of a gigabyte would take a noticeable time.
        let characters = offset - start > 1 << 20 ? offset - start : bytes[start..<offset].count { $0 & 0xC0 != 0x80 }
        self.init(message: message, line: tokenizer.line + 1, column: characters + 1, byte: offset)
    }
}
