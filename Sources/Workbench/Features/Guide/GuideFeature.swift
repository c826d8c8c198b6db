internal import SortieBase
internal import SortieGuide
internal import SortieTerminal
internal import WorkspaceModel

/// The part of the guide about the popup that is shown, else about what has the focus; its search, and its headings, which the palette finds.
struct GuideFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(.always, [.function(1)], .guide, "Guide", "Show the part of the guide about what has the focus, or close it")
                .alsoKnownAs("Docs", "Documentation", "Manual")
        ]
    }

    func places(_ state: AppState) -> [ListPopup.Item] {
        Guide.headings.map { heading in
            // A command whose name begins with the text is more likely meant than what explains the text itself.
            .init(name: heading.text, label: heading.article.title, place: "Guide", keywords: heading.words, handicap: 1740) { state in
                let address = "\(heading.article.topic)#\(GuideArticle.anchor(heading.text))"
                if let popup = GuidePopup(address, state) { state.popups.push(popup) }
                return []
            }
        }
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .guide else { return nil }
        let offered = state.toast?.guideAddress
        if offered != nil { state.toast = nil }
        if state.popup is GuidePopup {
            state.popups.pop()
        } else if let popup = GuidePopup(offered ?? state.popup?.guideAddress ?? state.focusedPane.guideAddress(state), state) {
            if state.popups.isEmpty { state.focusedPane.stopEditing(&state) }
            state.popups.push(popup)
        }
        return []
    }
}

extension AppState {
    /// Offers a part of the guide as a tour, in a message that any other key than the one for it dismisses.
    mutating func offer(tour address: String) {
        toast = Toast("\(key(.guide)) opens a tour of this workspace; any other key begins without it")
        toast?.guideAddress = address
    }
}

extension Command {
    /// Show the part of the guide about the popup that is shown, else about what has the focus.
    static let guide = Command.named("guide")
}

/// An article of the guide, in a popup.
struct GuidePopup: ReadingPopup {
    let article: GuideArticle
    /// The address of the part at which the article was opened.
    let address: String
    var position = ReadingPosition()

    /// Opens an article at an address such as `addresses#proxies`; nil where the guide does not have it.
    ///
    /// - Parameter words: The words that were searched, which n and N find in the article.
    init?(_ address: String, _ state: AppState, words: String = "") {
        let pieces = address.split(separator: "#", maxSplits: 1).map(String.init)
        guard let topic = pieces.first, let article = Guide.article(topic) else { return nil }
        (self.article, self.address) = (article, address)
        let width = state.readingRect.width - 4
        if pieces.count == 2 {
            let lines = article.lines(width: width)
            guard let line = lines.firstIndex(where: { Self.isHeading($0, pieces[1]) }) else { return nil }
            // Longer lines have several rows.
            position.top = lines[..<line].reduce(0) { $0 + $1.pieces(width: width).count }
        }
        guard !words.isEmpty else { return }
        let below = lines(width: width)[position.top...].map { $0.map(\.text).joined() }
        let terms = [words] + words.split(separator: " ").map(String.init).sorted { $0.count > $1.count }
        position.searchTerm = terms.first { below.contains(where: LineSearch(searchTerm: $0).matches) }
    }

    private static func isHeading(_ line: GuideLine, _ anchor: String) -> Bool {
        line.spans.first?.role == .heading && GuideArticle.anchor(line.text) == anchor
    }

    var name: String { "the article" }

    func text(width: Int, _ state: AppState) -> ReadingText {
        ReadingText(title: "Guide", subtitle: "sortie guide \(address)", lines: lines(width: width))
    }

    func plainText(_ state: AppState) -> String { article.text(width: state.readingRect.width - 4) }

    /// Searches all articles, not only this one.
    mutating func startSearch(_ state: inout AppState) {
        state.popups.push(
            ListPopup(
                title: "Search the guide", items: Self.found(""), filter: TextField(),
                emptyText: "The guide has nothing about these words; try others.", source: Self.found))
    }

    /// The parts that have the words, the best first; all articles before a word is typed.
    private static let found: @Sendable (String) -> [ListPopup.Item] = { words in
        if words.trimmingBlanks.isEmpty {
            return Guide.articles.map { article in
                ListPopup.Item(name: article.topic, label: article.summary) { open(article.topic, words, &$0) }
            }
        }
        let matches = Guide.search.matches(for: words, atMost: 30)
        if matches.isEmpty, let nearest = Suggestion.nearest(to: words.trimmingBlanks, in: Guide.search.words.sorted()),
            let best = Guide.search.matches(for: nearest, atMost: 1).first
        {
            let headings = best.headings.joined(separator: " › ")
            return [ListPopup.Item(label: "Did you mean “\(nearest)”?", detail: headings) { open(best.address, nearest, &$0) }]
        }
        return matches.map { match in
            ListPopup.Item(label: match.headings.joined(separator: " › "), detail: match.excerpt) { open(match.address, words, &$0) }
        }
    }

    /// Shows a part in place of the article that was open.
    private static func open(_ address: String, _ words: String, _ state: inout AppState) -> [Effect] {
        guard let popup = GuidePopup(address, state, words: words) else { return [] }
        if state.popup is GuidePopup { state.popups.pop() }
        state.popups.push(popup)
        return []
    }

    func lines(width: Int) -> [[Span]] {
        // Code may be wider than the popup.
        article.lines(width: width).flatMap { $0.pieces(width: width) }.map { $0.spans.map { Span($0.text, Self.style(of: $0.role)) } }
    }

    private static func style(of role: GuideSpan.Role) -> Style {
        switch role {
        case .text: .text
        case .strong: .strong
        case .code: .info
        case .heading: .titleFocused
        case .muted: .muted
        }
    }
}

extension GuidePlace {
    /// The address of the part about a key of the file of an endpoint or of a service; nil for one without.
    static func address(ofWorkspaceKey key: String) -> String? { EndpointKey.guide(ofKey: key) ?? address(ofKey: key) }
}
