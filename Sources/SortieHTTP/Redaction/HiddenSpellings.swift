internal import SortieBase

/// The spellings of the hidden values, and their matcher.
struct HiddenSpellings: Hashable, Sendable {
    /// The spellings.
    package private(set) var texts: Set<String> = []
    /// Finds the spellings in UTF-8 and in windows-1252.
    private(set) var matcher = ValueMatcher()

    /// Whether no value is hidden.
    package var isEmpty: Bool { texts.isEmpty }

    /// Adds spellings.
    package mutating func add(_ more: Set<String>) {
        let new = more.subtracting(texts)
        texts.formUnion(new)
        matcher.add(
            new.flatMap { text in
                let other = text.utf8.allSatisfy { $0 < 0x80 } ? nil : TextEncoding.windows1252.encode(text)
                return [Array(text.utf8)] + (other.map { [$0] } ?? [])
            })
    }

    static func == (left: HiddenSpellings, right: HiddenSpellings) -> Bool { left.texts == right.texts }

    package func hash(into hasher: inout Hasher) { hasher.combine(texts.count) }
}
