/// Shortens lines that are too long to show.
enum LongLine {
    /// The maximum number of bytes shown of a line.
    static let limit = 600
    /// The number of bytes shown before the first difference.
    private static let lead = 80

    /// The line, or the part around its first difference from another line; `…` marks omitted text.
    static func cut(_ text: String, differingFrom other: String? = nil) -> String {
        guard text.utf8.count > limit else { return text }
        var start = text.startIndex
        if let other {
            let shared = zip(text.utf8, other.utf8).prefix { $0 == $1 }.count
            if shared > lead, let place = text.utf8.index(text.startIndex, offsetBy: shared - lead, limitedBy: text.endIndex) {
                start = text.startOfScalar(at: place)
            }
        }
        var end = text.endIndex
        if let place = text.utf8.index(start, offsetBy: limit, limitedBy: text.endIndex) { end = text.startOfScalar(at: place) }
        return (start > text.startIndex ? "…" : "") + text[start..<end] + (end < text.endIndex ? "…" : "")
    }
}

extension String {
    /// The index of the first byte of the scalar that contains `place`.
    fileprivate func startOfScalar(at place: Index) -> Index {
        var place = place
        while place > startIndex, place < endIndex, utf8[place] & 0xC0 == 0x80 { utf8.formIndex(before: &place) }
        return place
    }
}
