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
                return BodyProblem(error.message, at: error.offset, in: bytes)
            }
        }
    }
}
