internal import SortieBase

/// The attributes of a tag of XML.
extension MarkupScanner {
    /// Checks that attributes have the form `name="value"`.
    func checkAttributes(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) throws(MarkupFault) {
        var index = range.lowerBound
        var isSeparated = false
        while true {
            while index < range.upperBound, Self.isBlank(bytes[index]) {
                index += 1
                isSeparated = true
            }
            guard index < range.upperBound else { return }
            if bytes[index] == UInt8(ascii: "/"), index + 1 == range.upperBound { return }
            guard Self.beginsName(bytes[index]) else { throw MarkupFault("a name of an attribute is expected", index) }
            guard isSeparated else { throw MarkupFault("a space is expected before an attribute", index) }
            index = nameRange(bytes, from: index, to: range.upperBound).upperBound
            while index < range.upperBound, Self.isBlank(bytes[index]) { index += 1 }
            guard index < range.upperBound, bytes[index] == UInt8(ascii: "=") else { throw MarkupFault("an attribute has no value", index) }
            index += 1
            while index < range.upperBound, Self.isBlank(bytes[index]) { index += 1 }
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
