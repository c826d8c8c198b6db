internal import SortieBase

/// Fuzzy matching of typed letters and names.
enum FuzzyMatch {
    /// The score, higher is better; nil when the name does not contain the letters in order.
    static func score(of searchTerm: String, in name: String) -> Int? {
        guard mayContain(searchTerm, name) else { return nil }
        let letters = Array(searchTerm.lowercased().filter { $0 != " " })
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
        let plain = searchTerm.lowercased()
        if name.lowercased().hasPrefix(plain) { score += 200 } else if name.lowercased().contains(plain) { score += 100 }
        return score * 4 - characters.count / 8
    }

    /// Whether a name has the ASCII letters of a text in their order, which is determined without reading characters.
    static func mayContain(_ searchTerm: some StringProtocol, _ name: String) -> Bool {
        func folded(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
        guard searchTerm.utf8.allSatisfy({ $0 < 0x80 }) else { return true }
        var rest = name.utf8[...]
        for byte in searchTerm.utf8 where byte != 0x20 {
            // Some letters outside of ASCII have an ASCII letter in lower case.
            guard let index = rest.firstIndex(where: { folded($0) == folded(byte) || $0 >= 0x80 }) else { return false }
            if rest[index] >= 0x80 { return true }
            rest = rest[rest.index(after: index)...]
        }
        return true
    }

    /// Whether the typed letters are starts of words of a text, in their order: `shlog` in *Show the Log*.
    static func isMadeOfWordStarts(_ searchTerm: String, in text: String) -> Bool {
        let letters = Array(searchTerm.lowercased().filter { $0 != " " })
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

/// Abbreviations of names: the typed letters are, word by word, letters of a name that begin with the first one of a word.
extension FuzzyMatch {
    /// The letters of a name that an abbreviation stands for.
    struct Abbreviation: Hashable, Sendable {
        /// How good the match is, at most 400; starts of words and letters in a row count most.
        var score: Int
        /// The indices of the matched characters, ascending.
        var letters: [Int]
    }

    /// The best reading of an abbreviation: `lstord` in *List orders* is *L-st ord*.
    ///
    /// Letters of one word may be skipped, but the first letter of every word that takes part must be typed, so that unrelated names with the same
    /// letters do not match. The time is the product of both lengths.
    ///
    /// - Returns: nil where the letters are not an abbreviation of the name.
    static func abbreviation(_ searchTerm: String, of name: String) -> Abbreviation? {
        let letters = searchTerm.lowercased().map(\.self)
        let characters = name.map(\.self)
        guard !letters.isEmpty, letters.count <= characters.count else { return nil }
        // The best score of the letters so far that ends at a character, and the character of the letter before.
        var rows: [[(score: Int, before: Int)?]] = []
        for (row, letter) in letters.enumerated() {
            var current = [(score: Int, before: Int)?](repeating: nil, count: characters.count)
            var best: (score: Int, at: Int)?
            var inWord: (score: Int, at: Int)?
            for (index, character) in characters.enumerated() {
                let startsWord = isWordStart(index, characters)
                if row > 0, index > 0, let (score, _) = rows[row - 1][index - 1] {
                    if best.map({ score > $0.score }) ?? true { best = (score, index - 1) }
                    if inWord.map({ score > $0.score }) ?? true { inWord = (score, index - 1) }
                }
                if startsWord { inWord = nil }
                guard character.lowercased() == String(letter) else { continue }
                let points = startsWord ? 4 : 1
                if row == 0 {
                    if startsWord { current[index] = (points, -1) }
                    continue
                }
                var choice: (score: Int, at: Int)?
                if index > 0, let (score, _) = rows[row - 1][index - 1] { choice = (score + 4, index - 1) }
                if let inWord, choice.map({ inWord.score > $0.score }) ?? true { choice = inWord }
                if startsWord, let best, choice.map({ best.score > $0.score }) ?? true { choice = best }
                if let choice { current[index] = (choice.score + points, choice.at) }
            }
            rows.append(current)
        }
        guard let last = rows.last, var index = last.indices.filter({ last[$0] != nil }).max(by: { (last[$0]?.score ?? 0) < (last[$1]?.score ?? 0) }),
            let score = last[index]?.score
        else { return nil }
        var found: [Int] = []
        for row in rows.indices.reversed() {
            found.append(index)
            index = rows[row][index]?.before ?? -1
            if index < 0 { break }
        }
        return Abbreviation(score: min(400, score * 8 - min(characters.count, 100) / 4), letters: found.reversed())
    }

    private static func isWordStart(_ index: Int, _ characters: [Character]) -> Bool {
        guard characters[index].isWordCharacter else { return false }
        guard index > 0 else { return true }
        let before = characters[index - 1]
        return !before.isWordCharacter || before == "_" || characters[index].isUppercase && before.isLowercase
    }
}
