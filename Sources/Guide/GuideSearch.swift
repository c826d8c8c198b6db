private import Foundation

/// A full-text search in the guide, which ranks parts of articles by BM25F: words in headings count most, then those in the first column of tables and in code,
/// and a word that few parts have counts more than a common one.
///
/// A part is a heading with the text below it, and the words that people type for it (``GuidePlace``), which count as a heading. A word also matches its
/// inflected forms.
package struct GuideSearch: Sendable {
    /// A part of an article that matches.
    package struct Match: Hashable, Sendable {
        /// The article.
        package let article: GuideArticle
        /// The headings from that of the article to that of the part.
        package let headings: [String]
        /// The sentence, row or line that matches best, as plain text; empty where only the heading does.
        package let excerpt: String

        /// The address of the part, which ``Guide/part(_:)`` reads: `addresses#proxies`.
        package var address: String {
            headings.count < 2 ? article.topic : "\(article.topic)#\(GuideArticle.anchor(headings[headings.count - 1]))"
        }
    }

    private let parts: [Part]
    private let averageLength: Double
    /// In how many parts a stem occurs.
    private let frequencies: [Substring: Int]

    /// Reads the articles.
    package init(_ articles: [GuideArticle] = Guide.articles) {
        parts = articles.flatMap(Part.parts)
        averageLength = max(1, parts.reduce(0) { $0 + $1.length } / Double(max(1, parts.count)))
        frequencies = parts.reduce(into: [:]) { frequencies, part in
            for stem in part.weights.keys { frequencies[stem, default: 0] += 1 }
        }
    }

    /// The parts that have the words, the best first; those that have only some of them count less.
    ///
    /// Words such as *how* and *the* are left out.
    package func matches(for text: String, atMost limit: Int = 8) -> [Match] {
        let wanted = wanted(text)
        let typed = text.trimmingCharacters(in: .whitespaces).lowercased()
        let stems = Set(wanted.compactMap { $0.first?.stem })
        var found: [(score: Double, index: Int)] = []
        for (index, part) in parts.enumerated() {
            let scores = wanted.map { word in word.map { score(of: $0.stem, in: part) * $0.share }.max() ?? 0 }
            let share = Double(scores.count { $0 > 0 }) / Double(max(1, wanted.count))
            guard share >= 0.5 else { continue }
            let shareOfName = part.shareOfName(in: stems) + (part.spellings.contains(typed) ? 1 : 0)
            let sum = scores.reduce(0, +) * (part.article.isReference ? 0.5 : 1) + Self.scoreOfName * shareOfName
            found.append((sum * share, index))
        }
        found.sort { ($1.score, $0.index) < ($0.score, $1.index) }
        return found.prefix(limit).map { parts[$0.index].match(for: wanted.map { $0.map(\.stem) }) }
    }

    /// What the score of a part gains where the text is one of the words that people type for it, above that of a rare word: the part has the answer, however
    /// long it is.
    ///
    /// It gains the same again for the exact spelling, because *log* and *log in* differ only by a common word.
    private static let scoreOfName = 8.0

    /// The words that are found, for suggestions where nothing matches.
    package var words: Set<String> { parts.reduce(into: []) { $0.formUnion($1.words) } }

    private func score(of stem: Substring, in part: Part) -> Double {
        guard let weight = part.weights[stem], let frequency = frequencies[stem] else { return 0 }
        // The usual parameters of BM25.
        let saturation = 1.2 * (0.25 + 0.75 * part.length / averageLength)
        return log(1 + (Double(parts.count - frequency) + 0.5) / (Double(frequency) + 0.5)) * weight / (weight + saturation)
    }

    /// For each word its stem and the stems that begin with it.
    private func wanted(_ text: String) -> [[(stem: Substring, share: Double)]] {
        GuideWords.of(text).map { word in
            let stem = GuideWords.stem(word)
            let longer = stem.count < 4 ? [] : frequencies.keys.filter { $0.hasPrefix(stem) && $0 != stem }
            return [(stem, 1)] + longer.map { ($0, 0.5) }
        }
    }
}

extension GuideSearch {
    /// A heading with the text below it.
    private struct Part: Sendable {
        let article: GuideArticle
        private let headings: [String]
        /// How often each stem occurs, where one in a heading counts several times.
        private(set) var weights: [Substring: Double] = [:]
        /// The number of words in the text.
        private(set) var length = 0.0
        private(set) var words: Set<String> = []
        /// The stems of each of the words that people type for the part.
        private var names: Set<Set<Substring>> = []
        /// The words that people type for the part, in lower case.
        private(set) var spellings: Set<String> = []
        /// Sentences, rows of tables and lines of code.
        private var texts: [String] = []

        private init(article: GuideArticle, headings: [String]) {
            (self.article, self.headings) = (article, headings)
            for (index, heading) in headings.enumerated() { count(heading, index == headings.count - 1 ? 10 : 2) }
            for words in GuidePlace.words(of: article.topic, headings[headings.count - 1]) {
                count(words, 10)
                spellings.insert(words.lowercased())
                names.insert(Set(GuideWords.of(words).map(GuideWords.stem)))
            }
        }

        /// How much of a text the longest name in it is, from 0 to 1; squared, because a single word of a longer text says little.
        func shareOfName(in stems: Set<Substring>) -> Double {
            let longest = names.filter { $0.isSubset(of: stems) }.map(\.count).max() ?? 0
            let share = Double(longest) / Double(max(1, stems.count))
            return share * share
        }

        static func parts(of article: GuideArticle) -> [Part] {
            var parts = [Part(article: article, headings: [article.title])]
            for block in MarkdownBlock.blocks(of: article.markdown) {
                if case .heading(let level, let text) = block {
                    guard level > 1 else { continue }
                    parts.append(Part(article: article, headings: parts[parts.count - 1].headings.prefix(level - 1) + [MarkdownText.plain(text)]))
                } else {
                    parts[parts.count - 1].take(block)
                }
            }
            return parts
        }

        private mutating func take(_ block: MarkdownBlock) {
            switch block {
            case .heading: break
            case .paragraph(let text), .item(_, _, let text):
                for span in MarkdownText.spans(text) where span.role == .code || span.role == .strong { count(span.text, 1) }
                for sentence in MarkdownText.plain(text).split(separator: ". ") { add(sentence.hasSuffix(".") ? String(sentence) : "\(sentence).") }
            case .code(let lines): for line in lines { add(line) }
            case .table(let rows):
                for row in rows.dropFirst() {
                    if let name = row.first { count(MarkdownText.plain(name), 2) }
                    add(row.map(MarkdownText.plain).filter { !$0.isEmpty }.joined(separator: ": "))
                }
            }
        }

        private mutating func add(_ text: String) {
            length += Double(count(text, 1))
            texts.append(text)
        }

        @discardableResult private mutating func count(_ text: String, _ weight: Double) -> Int {
            let found = GuideWords.of(text)
            words.formUnion(found)
            for word in found { weights[GuideWords.stem(word), default: 0] += weight }
            return found.count
        }

        func match(for wanted: [[Substring]]) -> Match {
            let scores = texts.map { text in
                let stems = Set(GuideWords.of(text).map(GuideWords.stem))
                return wanted.reduce(0) { $0 + ($1.first.map(stems.contains) == true ? 2 : $1.contains(where: stems.contains) ? 1 : 0) }
            }
            let best = scores.max().flatMap(scores.firstIndex)
            return Match(article: article, headings: headings, excerpt: best.map { texts[$0] } ?? "")
        }
    }
}

/// The words of a text, as the search compares them.
enum GuideWords {
    /// Words in lower case: letters and digits, so that `--no-proxy` has the words *no* and *proxy*; without common ones such as *how*.
    static func of(_ text: some StringProtocol) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init).filter { !common.contains($0) }
    }

    /// A word without the endings of plural, participle and gerund.
    static func stem(_ word: String) -> Substring {
        var stem = word[...]
        if names.contains(word) { return stem }
        for (ending, least) in [("ies", 3), ("ing", 4), ("ed", 4), ("s", 3), ("e", 4), ("y", 3)]
        where stem.hasSuffix(ending) && stem.count - ending.count >= least && !stem.hasSuffix("ss") {
            stem = stem.dropLast(ending.count)
        }
        // The doubled letter of "cancelled" and "getting".
        if stem.count > 4, let last = stem.last, stem.dropLast().last == last, last != "s" { stem = stem.dropLast() }
        return stem
    }

    /// Names that are no forms of a verb.
    private static let names: Set = ["pipelining", "posting"]

    private static let common: Set = [
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "do", "does", "for", "from", "has", "have", "how", "i", "in", "is", "it",
        "its", "make", "me", "my", "of", "on", "or", "set", "sortie", "than", "that", "the", "their", "them", "then", "they", "this", "to", "use",
        "using", "want", "was", "what", "when", "where", "which", "with", "you", "your",
    ]
}
