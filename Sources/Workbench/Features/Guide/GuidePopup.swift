internal import Guide
internal import Terminal

/// An article of the guide, in a popup.
struct GuidePopup: Hashable, Sendable {
    var article: GuideArticle
    var top = 0

    func lines(width: Int) -> [[Span]] {
        article.lines(width: width).flatMap { line -> [[Span]] in
            var rows: [[Span]] = [[]]
            var used = 0
            for span in line.spans {
                // Code may be wider than the popup.
                var rest = span.text[...]
                while !rest.isEmpty {
                    let part = CellWidth.prefix(of: rest, fitting: width - used)
                    if part.isEmpty, used > 0 {
                        rows.append([])
                        used = 0
                        continue
                    }
                    let taken = part.isEmpty ? rest.prefix(1) : part
                    rows[rows.count - 1].append(Span(String(taken), Self.style(of: span.role)))
                    used += CellWidth.width(of: taken)
                    rest = rest.dropFirst(taken.count)
                }
            }
            return rows
        }
    }

    /// The article as text.
    func text(width: Int) -> String { article.text(width: width) }

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

extension AppState {
    /// Opens the article about the focused pane.
    mutating func showGuide() {
        leaveEditing()
        guard let article = Guide.article(guideTopic) else { return }
        popup = .guide(GuidePopup(article: article))
    }

    /// The topic of the article about the focused pane.
    var guideTopic: String {
        switch focus {
        case .services: "workspaces"
        case .request: "requests"
        case .response: "responses"
        case .bottom:
            switch bottom.tab {
            case .transfers: "transfers"
            case .runs: "runs"
            case .log: "responses"
            case .history: "history"
            case .monitor: "addresses"
            }
        }
    }

    func guideText(_ popup: GuidePopup) -> ReadingText {
        ReadingText(title: "Guide", subtitle: "sortie guide \(popup.article.topic)", lines: popup.lines(width: readingRect.width - 4))
    }
}
