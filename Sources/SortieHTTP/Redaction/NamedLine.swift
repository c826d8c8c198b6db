internal import SortieBase

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
        func skipSpaces() { while index < line.count, line[index] == 0x20 || line[index] == 0x09 { index += 1 } }
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
