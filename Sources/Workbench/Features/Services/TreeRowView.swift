internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Draws a row of the tree: folding, method and name on the left, the state of the call and of the file on the right.
struct TreeRowView {
    var row: TreeRow
    var width: Int
    /// The state of the latest call, or a mark of an unreadable file.
    var mark: Span?
    /// The difference of the file from the last commit.
    var git: GitStatus.Mark?
    /// Whether the column for ``git`` is used.
    var hasGitColumn = false
    /// Whether the endpoint is shown in Request.
    var isOpen = false
    /// Whether there are unsaved edits.
    var isEdited = false

    /// The number of characters of a name for which the method is abbreviated, and for which the mark of the call is left out.
    private static let (wanted, least) = (8, 4)

    func draw(on canvas: inout Canvas, at point: Point) {
        let gitWidth = hasGitColumn && width >= 16 ? 2 : 0
        var markWidth = mark.map { CellWidth.width(of: $0.text) + 1 } ?? 0
        let editedWidth = isEdited ? 2 : 0
        let nameWidth = CellWidth.width(of: row.name)
        func room(for prefix: [Span]) -> Int { width - gitWidth - markWidth - editedWidth - ColumnText.width(of: prefix) }
        let prefixes = self.prefixes
        var prefix = prefixes.first { room(for: $0) >= min(nameWidth, Self.wanted) } ?? prefixes[prefixes.count - 1]
        if room(for: prefix) < min(nameWidth, Self.least) { markWidth = 0 }
        let used = max(0, room(for: prefix))
        prefix += name(in: used)
        var end = canvas.write(prefix, at: point, width: max(0, width - gitWidth - markWidth - editedWidth))
        if isEdited { end += canvas.write(" •", at: point.moved(columns: end), style: .accent) }
        if let mark, markWidth > 0 { canvas.write([mark], at: point.moved(columns: width - gitWidth - markWidth + 1)) }
        if gitWidth > 0, let git { canvas.write(git.rawValue, at: point.moved(columns: width - 1), style: Self.style(of: git)) }
    }

    static func style(of mark: GitStatus.Mark) -> Style {
        switch mark {
        case .modified: .warning
        case .added: .success
        case .untracked: .muted
        case .conflicted: .error
        }
    }

    /// What comes before the name, the widest form first.
    private var prefixes: [[Span]] {
        let indents = [min(row.depth, 8), min(row.depth, 1)].map { Span(String(repeating: " ", count: $0)) }
        switch row.kind {
        case .service, .runs, .group: return indents.map { [$0, Span(row.isFolded == true ? "▸ " : "▾ ", .muted)] }
        case .run: return indents.map { [$0, row.isUnreadable ? Span("✗ ", .error) : Span("  ")] }
        case .endpoint where row.isUnreadable: return [[indents[0], Span("✗    ", .error)], [indents[1], Span("✗ ", .error)]]
        case .endpoint:
            guard let method = row.method else { return indents.map { [$0] } }
            let short = StatusText.short(method)
            let style = StatusText.style(of: method)
            return [
                [indents[0], Span(short + String(repeating: " ", count: max(1, 5 - short.count)), style)], [indents[1], Span(short + " ", style)],
                [indents[1], Span(short.prefix(1) + " ", style)],
            ]
        }
    }

    private var nameStyle: Style {
        switch row.kind {
        case .service, .runs: .strong
        case .group: .text
        case .endpoint: isOpen ? .strong : row.isUnreadable ? .muted : .text
        case .run: row.isUnreadable ? .muted : .text
        }
    }

    /// The name with the letters that the filter matches, and the note where it fits.
    private func name(in room: Int) -> [Span] {
        let shown = CellWidth.truncated(row.name, to: room)
        var spans: [Span] = []
        if row.letters.isEmpty {
            spans.append(Span(shown, nameStyle))
        } else {
            for (index, character) in shown.enumerated() {
                let style = row.letters.contains(index) ? Style.accent.bold() : nameStyle
                if spans.last?.style == style { spans[spans.count - 1].text.append(character) } else { spans.append(Span(String(character), style)) }
            }
        }
        let rest = room - CellWidth.width(of: shown) - 2
        guard !row.note.isEmpty, rest >= min(Self.wanted, CellWidth.width(of: row.note)) else { return spans }
        spans.append(Span("  " + CellWidth.truncated(row.note, to: rest), .muted))
        return spans
    }
}
