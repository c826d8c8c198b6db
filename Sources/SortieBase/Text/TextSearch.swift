// Overloads of the functions of the standard library, whose search by characters took a third of the time of loading a workspace.

extension String {
    /// The first range of a text, as `Collection.firstRange(of:)`.
    package func firstRange(of text: String) -> Range<Index>? { self[...].firstRange(of: text) }

    /// Whether a text occurs in this one.
    package func contains(_ text: String) -> Bool { self[...].firstRange(of: text) != nil }
}

extension Substring {
    /// The first range of a text, as `Collection.firstRange(of:)`.
    package func firstRange(of text: String) -> Range<Index>? {
        switch offset(ofBytes: text.utf8) {
        case .found(let offset)?:
            let start = utf8.index(startIndex, offsetBy: offset)
            return start..<utf8.index(start, offsetBy: text.utf8.count)
        case .absent?: return nil
        case nil: return rangeByCharacters(of: text)
        }
    }

    /// Whether a text occurs in this one.
    package func contains(_ text: String) -> Bool { firstRange(of: text) != nil }

    private enum ByteSearch {
        case found(Int)
        case absent
    }

    /// Whether a byte is a character that only this byte stands for: “\r\n” is one character, and ; K and ` have canonically equivalent ones.
    private static func isItself(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x0d, 0x0a, UInt8(ascii: ";"), UInt8(ascii: "K"), UInt8(ascii: "`"), 0x80...: false
        default: true
        }
    }

    /// The first place of bytes; nil where a search of bytes can have another result than that of characters.
    private func offset(ofBytes text: String.UTF8View) -> ByteSearch? {
        guard !text.isEmpty, text.allSatisfy(Self.isItself) else { return nil }
        return utf8.withContiguousStorageIfAvailable { bytes in
            text.withContiguousStorageIfAvailable { wanted -> ByteSearch? in
                guard let offset = UnsafeRawBufferPointer(bytes).firstIndex(of: UnsafeRawBufferPointer(wanted)) else { return .absent }
                // Beside a byte of another character, an ASCII character may be a part of that one.
                let end = offset + wanted.count
                guard offset == 0 || bytes[offset - 1] < 0x80, end == bytes.count || bytes[end] < 0x80 else { return nil }
                return .found(offset)
            } ?? nil
        } ?? nil
    }
}

extension Collection where Element == Character {
    /// The function of the standard library, which the overloads above hide.
    fileprivate func rangeByCharacters(of text: String) -> Range<Index>? { firstRange(of: text) }
}
