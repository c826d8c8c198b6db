internal import SortieGuide
internal import SortieTerminal

/// The article of the guide about the popup that is shown, else about the focused pane; and its parts that the palette finds.
struct GuideFeature: Feature {
    var bindings: [Binding] {
        [Binding(.always, [.function(1)], .guide, "Guide", "Show the article of the guide about this popup or pane, or close it")]
            + GuidePart.all.map(\.binding)
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        if let part = GuidePart.of(command) {
            guard let popup = part.popup(state) else { return [] }
            state.focusedPane.stopEditing(&state)
            state.popups.push(popup)
            return []
        }
        guard command == .guide else { return nil }
        if state.popup is GuidePopup {
            state.popups.pop()
        } else if let article = Guide.article(state.popup?.guideTopic ?? state.focusedPane.guideTopic) {
            if state.popups.isEmpty { state.focusedPane.stopEditing(&state) }
            state.popups.push(GuidePopup(article: article))
        }
        return []
    }
}

extension Command {
    /// Show the article of the guide about the popup that is shown, else about the focused pane.
    static let guide = Command.named("guide")
}

/// A part of an article that the palette finds by what people type, for what is done in a file or by a command and has no key.
struct GuidePart: Sendable {
    let command: Command
    let label: String
    let summary: String
    /// The topic of the article, and the heading in it.
    let topic: String
    let heading: String
    /// Other words that the palette finds, which `sortie guide` finds as well.
    var words: [String] { GuidePlace.words(of: topic, heading) }

    static let all = [
        GuidePart(
            command: .named("guideMeasuring"), label: "Measure", summary: "Guide: how sortie bench measures an endpoint", topic: "scripting",
            heading: "Measure an endpoint"),
        GuidePart(
            command: .named("guideMocking"), label: "Mock", summary: "Guide: how sortie mock serves the endpoints without their servers",
            topic: "scripting", heading: "Mock a service"),
        GuidePart(
            command: .named("guideProxies"), label: "Proxies", summary: "Guide: how requests go through a proxy, with proxy: of a service",
            topic: "addresses", heading: "Proxies"),
        GuidePart(
            command: .named("guideCertificates"), label: "Certificates",
            summary: "Guide: how certificates are trusted, pinned or not verified, with trust: of a service", topic: "addresses",
            heading: "Certificates"),
        GuidePart(
            command: .named("guideTunnels"), label: "Tunnels", summary: "Guide: how requests go through SSH or another program, with tunnel:",
            topic: "addresses", heading: "Tunnels"),
        GuidePart(
            command: .named("guideBuiltins"), label: "Built-in values", summary: "Guide: {{$uuid}}, {{$timestamp}}, {{$random}} and other variables",
            topic: "workspaces", heading: "Variables"),
        GuidePart(
            command: .named("guideHooks"), label: "Hooks", summary: "Guide: how programs take part in calls, with hooks:", topic: "plugins",
            heading: "Hooks: programs in any language"),
        GuidePart(
            command: .named("guideCI"), label: "CI", summary: "Guide: how requests and runs are sent in CI", topic: "scripting", heading: "CI"),
    ]

    static func of(_ command: Command) -> GuidePart? { all.first { $0.command == command } }

    var binding: Binding {
        var binding = Binding(.everywhere, [], command, label, summary)
        binding.synonyms = words
        return binding
    }

    /// The article, scrolled to the heading; nil where the guide does not have it.
    func popup(_ state: AppState) -> GuidePopup? {
        guard let article = Guide.article(topic) else { return nil }
        var popup = GuidePopup(article: article)
        let lines = popup.lines(width: state.readingRect.width - 4)
        guard let line = lines.firstIndex(where: { $0.map(\.text).joined() == heading }) else { return nil }
        popup.position.top = line
        return popup
    }
}

/// An article of the guide, in a popup.
struct GuidePopup: ReadingPopup {
    var article: GuideArticle
    var position = ReadingPosition()

    var name: String { "the article" }

    func text(width: Int, _ state: AppState) -> ReadingText {
        ReadingText(title: "Guide", subtitle: "sortie guide \(article.topic)", lines: lines(width: width))
    }

    func plainText(_ state: AppState) -> String { article.text(width: state.readingRect.width - 4) }

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
