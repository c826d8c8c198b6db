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
            let startsWord = index == 0 || !TextField.isWord(characters[index - 1])
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
}
