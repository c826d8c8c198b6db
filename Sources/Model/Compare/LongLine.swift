/// Lines too long to be shown whole.
enum LongLine {
    /// The most bytes of a line that are shown.
    static let limit = 600
    /// How many of them stand before the first difference.
    private static let lead = 80

    /// The line, or the part of it around its first difference with another; `…` stands for what is missing.
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
    /// The beginning of the scalar that a byte belongs to.
    fileprivate func startOfScalar(at place: Index) -> Index {
        var place = place
        while place > startIndex, place < endIndex, utf8[place] & 0xC0 == 0x80 { utf8.formIndex(before: &place) }
        return place
    }
}
