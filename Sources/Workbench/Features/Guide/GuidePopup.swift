internal import SortieGuide
internal import SortieTerminal

/// An article of the guide, in a popup.
struct GuidePopup: ReadingPopup {
    var article: GuideArticle
    var top = 0

    var name: String { "the article" }

    func text(width: Int, _ state: AppState) -> ReadingText {
        ReadingText(title: "Guide", subtitle: "sortie guide \(article.topic)", lines: lines(width: width))
    }

    func plainText(_ state: AppState) -> String { article.text(width: state.readingRect.width - 4) }

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
