internal import SortieGuide
internal import SortieTerminal

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
