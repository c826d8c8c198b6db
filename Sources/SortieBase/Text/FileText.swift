/// The text of a file that a person or a tool wrote.
package enum FileText {
    /// A text without the byte order mark that editors of Windows write at its beginning.
    package static func withoutMark(_ text: String) -> String {
        text.unicodeScalars.first == "\u{feff}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// Bytes without the byte order mark of UTF-8.
    package static func withoutMark<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        bytes.starts(with: TextEncoding.utf8.mark) ? bytes.dropFirst(TextEncoding.utf8.mark.count) : bytes[...]
    }

    /// The bytes in UTF-8 where they begin with the mark of UTF-16, in which PowerShell and other programs of Windows write files.
    package static func inUTF8(_ bytes: [UInt8]) -> [UInt8] {
        for encoding in [TextEncoding.utf16LittleEndian, .utf16BigEndian] where bytes.starts(with: encoding.mark) {
            return Array(bytes[encoding.mark.count...].withUnsafeBytes { encoding.decode($0) }.utf8)
        }
        return bytes
    }

    /// The value that a text consists of: without a byte order mark, and without one line break at its end, which editors and `echo` write.
    package static func value(_ text: String) -> String {
        let text = withoutMark(text)
        return text.last?.isLineBreak == true ? String(text.dropLast()) : text
    }
}
