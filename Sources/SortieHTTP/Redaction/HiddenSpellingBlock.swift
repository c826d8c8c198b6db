internal import SortieBase

/// Hidden values with their spellings and the matcher that finds these, which never change.
final class HiddenSpellingBlock: Sendable {
    let values: Set<String>
    let texts: Set<String>
    /// Finds the spellings in UTF-8 and in windows-1252.
    let matcher: ValueMatcher

    init(values: Set<String>, texts: Set<String>) {
        (self.values, self.texts) = (values, texts)
        var matcher = ValueMatcher()
        matcher.add(
            texts.flatMap { text in
                let other = text.utf8.allSatisfy { $0 < 0x80 } ? nil : TextEncoding.windows1252.encode(text)
                return [Array(text.utf8)] + (other.map { [$0] } ?? [])
            })
        self.matcher = matcher
    }
}
