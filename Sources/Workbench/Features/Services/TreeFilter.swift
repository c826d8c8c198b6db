internal import SortieHTTP
internal import WorkspaceModel

/// The filter of Services: words that all have to match an endpoint by its name, its path, its method or a tag.
///
/// A word that begins with `#` only matches tags.
struct TreeFilter: Hashable, Sendable {
    /// How an endpoint or a run matches.
    struct Match: Hashable, Sendable {
        /// Higher is better.
        var score = 0
        /// The indices of the matched characters of the name.
        var letters: Set<Int> = []
        /// The path or the tag that matches instead of the name; empty for none.
        var reason = ""
    }

    /// The words in lower case.
    private let words: [String]

    init(_ text: String) { words = text.lowercased().split(separator: " ").map(String.init) }

    /// Whether everything matches.
    var isEmpty: Bool { words.isEmpty }

    /// How an endpoint matches; nil when it does not.
    func match(_ endpoint: Endpoint, tags: [String]) -> Match? {
        let path = FilePath.components(of: endpoint.target).dropFirst().joined(separator: "/")
        return combined { word in
            if word.first == "#" { return Self.match(tag: word.dropFirst(), tags) }
            let byName = Self.match(word, name: endpoint.name)
            if let byName, byName.score >= Rank.startOfName { return byName }
            let method = endpoint.method.rawValue.lowercased()
            let others = [
                Self.match(tag: word[...], tags), byName, method.hasPrefix(word) ? Match(score: Rank.method) : nil,
                Self.match(word, path: path, endpoint.target),
            ]
            return others.compactMap(\.self).max { $0.score < $1.score }
        }
    }

    /// How a run, or an endpoint whose file cannot be read, matches by its name.
    func match(name: String) -> Match? { combined { Self.match($0, name: name) } }

    /// Whether the name of a service has all words.
    func isIn(_ service: String) -> Bool {
        let name = service.lowercased()
        return words.allSatisfy { name.contains($0) }
    }

    /// The ranks of matches; abbreviations have up to 400 points more.
    private enum Rank {
        static let (path, pathAbbreviation, nameAbbreviation, method, tag) = (3000, 1000, 2000, 3500, 5000)
        static let (partOfName, startOfWord, file, startOfName, name) = (4000, 6000, 6500, 7000, 8000)
    }

    private func combined(_ match: (String) -> Match?) -> Match? {
        var result = Match()
        for word in words {
            guard let found = match(word) else { return nil }
            result.score += found.score
            result.letters.formUnion(found.letters)
            if result.reason.isEmpty { result.reason = found.reason }
        }
        return result
    }

    private static func match(_ word: String, name: String) -> Match? {
        let characters = name.map { $0.lowercased() }
        let letters = word.map(String.init)
        if let start = start(of: letters, in: characters) {
            let isWordStart = start == 0 || !(characters[start - 1].first?.isWordCharacter ?? false)
            let ranks = [(letters.count == characters.count, Rank.name), (start == 0, Rank.startOfName), (isWordStart, Rank.startOfWord)]
            let rank = ranks.first { $0.0 }?.1 ?? Rank.partOfName
            return Match(score: rank, letters: Set(start..<start + letters.count))
        }
        return FuzzyMatch.abbreviation(word, of: name).map { Match(score: Rank.nameAbbreviation + $0.score, letters: Set($0.letters)) }
    }

    private static func match(_ word: String, path: String, _ target: String) -> Match? {
        if FilePath.name(of: path).lowercased() == word { return Match(score: Rank.file, reason: path) }
        // The folder of the service is above the endpoint, so that it needs no note.
        if target.lowercased().contains(word) { return Match(score: Rank.path, reason: path.lowercased().contains(word) ? path : "") }
        return FuzzyMatch.abbreviation(word, of: target).map { Match(score: Rank.pathAbbreviation + $0.score, reason: path) }
    }

    private static func match(tag word: Substring, _ tags: [String]) -> Match? {
        let found = tags.filter { $0.lowercased().hasPrefix(word) }.min { $0.count < $1.count }
        return found.map { Match(score: $0.count == word.count ? Rank.tag : Rank.tag - 1500, reason: "#" + $0) }
    }

    /// The index of the first occurrence at the start of a word, else anywhere.
    private static func start(of letters: [String], in characters: [String]) -> Int? {
        guard letters.count <= characters.count else { return nil }
        let starts = (0...characters.count - letters.count).filter { start in letters.indices.allSatisfy { characters[start + $0] == letters[$0] } }
        return starts.first { $0 == 0 || !(characters[$0 - 1].first?.isWordCharacter ?? false) } ?? starts.first
    }
}
