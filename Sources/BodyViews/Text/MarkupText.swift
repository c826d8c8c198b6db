package import SortieBase

/// Checks of XML that is small enough to be read at once.
package enum MarkupText {
    /// The first mistake in XML; nil where it is nested correctly.
    package static func problem(in text: String) -> BodyProblem? {
        var text = text
        return text.withUTF8 { buffer in
            let bytes = UnsafeRawBufferPointer(buffer)
            var scanner = MarkupScanner(isHTML: false)
            do throws(MarkupFault) {
                while let row = try scanner.next(bytes, limit: bytes.count, isEnd: true), row.isClosed {}
                return nil
            } catch {
                let before = bytes[..<min(error.offset, bytes.count)]
                let line = before.count { $0 == 0x0A }
                let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
                let characters = bytes[start..<before.endIndex].count { $0 & 0xC0 != 0x80 }
                return BodyProblem(message: error.message, line: line + 1, column: characters + 1, byte: error.offset)
            }
        }
    }
}
