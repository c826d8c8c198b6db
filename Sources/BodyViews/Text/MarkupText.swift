package import SortieBase

/// Checks, completion and formatting of XML and HTML that are small enough to be read at once.
package enum MarkupText {
    /// The first mistake in XML; nil where it is nested correctly.
    package static func problem(in text: String) -> BodyProblem? {
        scanning(text) { scanner, bytes in scanner.fault(in: bytes).map { BodyProblem($0.message, at: $0.offset, in: bytes) } }
    }

    /// The innermost element that is open at the end of a text: its name and the offset of its start tag in UTF-8; nil where none is, and after a mistake.
    package static func openElement(in text: String, isHTML: Bool) -> (name: String, offset: Int)? {
        scanning(text, isHTML: isHTML) { scanner, bytes in
            // At the end of the text the fault is that the element is open.
            if scanner.fault(in: bytes) != nil, scanner.offset != bytes.count { return nil }
            guard !scanner.isInConstruct, let element = scanner.open.last else { return nil }
            return (String(decoding: bytes[element.name], as: UTF8.self), element.start)
        }
    }

    /// XML with a line for each tag, or with nothing between the tags; text, and what is beside it, stays as it is.
    ///
    /// - Returns: Nil where it is not nested correctly.
    package static func rewritten(_ text: String, inLines: Bool) -> String? {
        scanning(text) { scanner, bytes in
            var output: [UInt8] = []
            output.reserveCapacity(bytes.count)
            var before: (end: Int, isText: Bool)?
            // Whether the row is a part of a CDATA section, which is text.
            var isData = false
            do throws(MarkupFault) {
                while true {
                    let isContinued = scanner.isInConstruct
                    guard let row = try scanner.next(bytes, limit: bytes.count, isEnd: true) else { break }
                    guard row.isClosed else { return nil }
                    if !isContinued { isData = bytes[row.source].starts(with: "<![CDATA[".utf8) }
                    let isText = row.kind == .text || isData
                    if let before {
                        if isContinued || row.continues || before.isText || isText {
                            output += bytes[before.end..<row.source.lowerBound]
                        } else if inLines {
                            output += Array(("\n" + JSONText.indentation(row.depth)).utf8)
                        }
                    }
                    output += bytes[row.source]
                    before = (row.source.upperBound, isText)
                }
            } catch { return nil }
            return String(decoding: output, as: UTF8.self)
        }
    }

    private static func scanning<Value>(
        _ text: String, isHTML: Bool = false, _ scan: (inout MarkupScanner, UnsafeRawBufferPointer) -> Value
    ) -> Value {
        var text = text
        return text.withUTF8 { buffer in
            var scanner = MarkupScanner(isHTML: isHTML)
            return scan(&scanner, UnsafeRawBufferPointer(buffer))
        }
    }
}

extension MarkupScanner {
    /// Reads the text to its end, or to the first fault.
    fileprivate mutating func fault(in bytes: UnsafeRawBufferPointer) -> MarkupFault? {
        do throws(MarkupFault) {
            while let row = try next(bytes, limit: bytes.count, isEnd: true), row.isClosed {}
            return nil
        } catch { return error }
    }
}
