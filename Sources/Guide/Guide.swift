private import CEmbedded

/// The guide inside the program: the articles of `Sources/sortie/Documentation.docc`.
package enum Guide {
    /// All articles, in the order in which they are listed.
    package static let articles: [GuideArticle] = sequence(state: 0) { index -> GuideArticle? in
        defer { index += 1 }
        return guide_article_at(index).map { article in
            GuideArticle(
                fileName: String(cString: article.pointee.name),
                markdown: String(decoding: UnsafeBufferPointer(start: article.pointee.bytes, count: article.pointee.size), as: UTF8.self))
        }
    }.map(\.self)

    /// The list of the articles.
    package static var contents: GuideArticle {
        let rows = articles.map { "| `\($0.topic)` | \($0.summary.replacing("|", with: "\\|")) |" }
        let use = "`sortie guide TOPIC` shows an article, F1 in the workbench the part about what has the focus; `/` there searches all articles."
        let head = "# Sortie guide\n\n\(use)\n\n"
        return GuideArticle(fileName: "Contents", markdown: head + "| topic | contents |\n" + rows.joined(separator: "\n"))
    }

    /// The article with this topic, or the only one whose topic begins with it or whose title contains it as a word.
    ///
    /// Case makes no difference.
    ///
    /// - Returns: nil when there is none, or more than one, and for a word that is a heading or that people type for a part
    ///   (``GuidePlace``), which the search finds.
    package static func article(_ name: String) -> GuideArticle? {
        let name = name.lowercased()
        if let exact = articles.first(where: { $0.topic == name }) { return exact }
        guard !name.isEmpty else { return nil }
        let beginning = articles.filter { $0.topic.hasPrefix(name) }
        if beginning.count == 1 { return beginning.first }
        let titled = articles.filter { $0.title.lowercased().split(whereSeparator: { !$0.isLetter }).contains { $0 == name } }
        guard titled.count == 1, let article = titled.first else { return nil }
        let isOfPart = GuidePlace.all.contains { place in
            place.heading != article.title && ([place.heading] + place.words).contains { $0.lowercased() == name }
        }
        return isOfPart ? nil : article
    }

    /// The part with an address such as `addresses#proxies`, with its smaller headings, or a whole article; nil where there is none.
    package static func part(_ address: String) -> GuideArticle? {
        let pieces = address.split(separator: "#", maxSplits: 1).map(String.init)
        guard pieces.count == 2 else { return article(address) }
        return article(pieces[0])?.part(pieces[1])
    }

    /// A heading of an article, or its title.
    package struct Heading: Sendable {
        /// The article.
        package let article: GuideArticle
        /// The heading as plain text.
        package let text: String
        /// Other words that people type for it (``GuidePlace``).
        package let words: [String]
    }

    /// The titles and headings of all articles apart from references, which are read once.
    package static let headings: [Heading] = articles.filter { !$0.isReference }.flatMap { article in
        ([article.title] + article.headings).map { Heading(article: article, text: $0, words: GuidePlace.words(of: article.topic, $0)) }
    }

    /// The search in the articles, which are read once.
    package static let search = GuideSearch()

    /// The best part for words that are searched, followed by a list of further ones; nil where no part has them.
    package static func answer(to words: String) -> GuideArticle? {
        let matches = search.matches(for: words)
        guard let best = matches.first, let part = part(best.address) else { return nil }
        let above = best.headings.dropLast().joined(separator: " › ")
        var text = above.isEmpty ? part.markdown : "\(above)\n\n\(part.markdown)"
        if matches.count > 1 {
            let rows = matches.dropFirst().map { "| `sortie guide \($0.address)` | \(MarkdownText.escaped(String($0.excerpt.prefix(120)))) |\n" }
            text += "\n\n## More\n\n| | |\n|---|---|\n" + rows.joined()
        }
        return GuideArticle(fileName: part.topic, markdown: text)
    }
}
