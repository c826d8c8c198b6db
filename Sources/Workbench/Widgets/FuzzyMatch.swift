/// Fuzzy matching of typed letters and names.
enum FuzzyMatch {
    /// The score, higher is better; nil when the name does not contain the letters in order.
    static func score(of needle: String, in name: String) -> Int? {
        let letters = Array(needle.lowercased().filter { $0 != " " })
        let characters = Array(name.lowercased())
        guard !letters.isEmpty else { return 0 }
        var score = 0
        var next = 0
        var lastHit = -2
        for (index, character) in characters.enumerated() where next < letters.count && character == letters[next] {
            let startsWord = index == 0 || !characters[index - 1].isWordCharacter
            score += 1 + (lastHit == index - 1 ? 4 : 0) + (startsWord ? 3 : 0)
            lastHit = index
            next += 1
        }
        guard next == letters.count else { return nil }
        // A name that contains the text itself ranks above one with scattered letters.
        let plain = needle.lowercased()
        if name.lowercased().hasPrefix(plain) { score += 200 } else if name.lowercased().contains(plain) { score += 100 }
        return score * 4 - characters.count / 8
    }

    /// Whether the typed letters are starts of words of a text, in their order: `shlog` in *Show the Log*.
    static func isMadeOfWordStarts(_ needle: String, in text: String) -> Bool {
        let letters = Array(needle.lowercased().filter { $0 != " " })
        // The numbers of letters that the words so far can have matched.
        var matched: Set<Int> = [0]
        for word in text.lowercased().split(whereSeparator: { !$0.isWordCharacter }) {
            var more: Set<Int> = []
            for start in matched {
                var count = start
                for character in word {
                    guard count < letters.count, letters[count] == character else { break }
                    count += 1
                    more.insert(count)
                }
            }
            matched.formUnion(more)
            if matched.contains(letters.count) { return true }
        }
        return matched.contains(letters.count)
    }
}
