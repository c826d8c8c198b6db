internal import BodyViews
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The request pane: the request line, the tabs, and the rows of the shown tab.
struct RequestView {
    private let state: AppState
    private let layout: Layout
    private let shown: RequestState
    private let list: Rect
    /// The lines below the list for the whole text of the selected row; empty where there is room for it below all rows.
    private let detail: Rect
    private let rows: [RequestRow]

    /// - Parameter layout: The layout on the screen, which a click refers to; nil for that of the state.
    init(_ state: AppState, _ layout: Layout? = nil) {
        self.state = state
        self.layout = layout ?? state.layout
        shown = state.requestState
        // A text that is edited takes the place of the rows.
        let rows = shown.editing?.area == nil ? RequestFeature.rows(state) : []
        let (whole, tab) = (Self.listRect(self.layout), shown.tab)
        var height = 0
        // Only settings have descriptions that are longer than their values.
        if [.auth, .rules, .options].contains(tab) {
            let nameWidth = RequestRowView.nameWidth(rows, width: whole.width)
            height = RequestRowView.detailHeight(rows, in: whole) { RequestRowView(row: $0, nameWidth: nameWidth, hasBoxes: tab != .auth) }
        }
        (list, detail) = whole.split(bottomHeight: height)
        self.rows = rows
    }

    /// The area of the rows.
    static func listRect(_ layout: Layout) -> Rect { layout.request.inset(columns: 2, rows: 1).split(topHeight: 2).bottom }

    /// The area within the border.
    var area: Rect { layout.request.inset(columns: 2, rows: 1) }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        let (openTarget, openEndpoint, workspace) = (state.openTarget, state.openEndpoint, state.workspace)
        let draft = openTarget.flatMap { state.drafts[$0] }
        var title = [Span("Request", state.titleStyle(.request))]
        if let endpoint = openEndpoint { title += [Span("  "), Span(endpoint.name, .muted)] }
        if draft?.isEdited == true { title += [Span(" • edited", .accent)] }
        var trailing = openEndpoint.map { endpoint in [Span(endpoint.target, .muted)] } ?? []
        if draft?.onDisk != nil { title += [Span(" • changed on disk", .warning)] }
        if let openTarget, openEndpoint != nil, let problem = workspace.problem(of: .endpoint(openTarget)) {
            let room = rect.width - title.reduce(0) { $0 + CellWidth.width(of: $1.text) } - 7
            trailing = [Span(CellWidth.truncated("✗ \(problem.workbenchLine)", to: max(0, room)), .error)]
        }
        if let openEndpoint, shown.editing == nil, let name = state.needsScan.needs(of: openEndpoint).undefined.first {
            let room = rect.width - title.reduce(0) { $0 + CellWidth.width(of: $1.text) } - 7
            trailing = [Span(CellWidth.truncated("\(state.key(.defineVariable)) defines {{\(name)}}", to: max(0, room)), .error)]
        }
        if let endpoint = openEndpoint, let (text, style) = sectionNotice(endpoint) {
            var room = rect.width - title.reduce(0) { $0 + CellWidth.width(of: $1.text) } - 7
            if case .section = shown.editing, room < CellWidth.width(of: text) {
                // On a narrow screen the name of what is being edited takes the place of the endpoint's.
                title = [title[0]]
                room = rect.width - CellWidth.width(of: title[0].text) - 7
            }
            trailing = [Span(CellWidth.truncated(text, to: max(0, room)), style)]
        }
        canvas.box(rect, title: title, trailing: trailing, style: state.borderStyle(.request))
        let inner = rect.inset(columns: 2, rows: 1)
        guard inner.height > 0, inner.width > 0 else { return }
        guard let endpoint = openEndpoint else {
            if let openTarget, drawProblems(of: openTarget, on: &canvas, in: inner) { return }
            let hint =
                workspace.endpoints.isEmpty
                ? "There is no endpoint in this workspace."
                : "Choose an endpoint in Services with ↑ and ↓; \(state.key(.open)) opens it here, \(state.key(.send)) sends it."
            canvas.writeHint([hint], in: inner)
            return
        }
        drawRequestLine(endpoint, on: &canvas, at: inner.origin, width: inner.width)
        guard inner.height > 1 else { return }
        canvas.write(tabBar(endpoint, room: inner.width).spans, at: inner.origin.moved(rows: 1), width: inner.width)
        drawRows(endpoint, on: &canvas)
        state.drawSearch(.request, on: &canvas, in: inner)
    }

    /// The section that is being edited, or the first one that cannot be read, with its problem.
    private func sectionNotice(_ endpoint: Endpoint) -> (text: String, style: Style)? {
        guard let sections = state.sections else { return nil }
        if case .section(let section, _) = shown.editing {
            return ("\(section.rawValue):", areaProblem.isEmpty ? .accent : .error)
        }
        return sections.problem(of: endpoint).map { ("\($0.location.file) \($0.place)", .error) }
    }

    /// Draws the problems of the file of an unreadable endpoint; false when there are none.
    private func drawProblems(of target: EndpointID, on canvas: inout Canvas, in rect: Rect) -> Bool {
        guard let first = state.workspace.problem(of: .endpoint(target)) else { return false }
        let others = state.problems.filter { $0.location.file == first.location.file && $0 != first }
        var lines: [Span] = []
        for problem in [first] + others {
            let style: Style = problem.severity == .error ? .error : .warning
            lines.append(Span(CellWidth.truncated(problem.location.description, to: rect.width), .strong))
            lines += WrappedText.lines(problem.workbenchSentence, width: rect.width).map { Span($0, style) }
        }
        if let editor = state.keymap.keyLabel(of: .editOutside) {
            lines.append(Span(""))
            lines += WrappedText.lines("\(editor) opens the file at this place; Sortie reads it after saving.", width: rect.width)
                .map { Span($0, .muted) }
        }
        canvas.write(lines: lines.prefix(rect.height).map { [$0] }, at: rect.origin, width: rect.width)
        return true
    }

    private func tabBar(_ endpoint: Endpoint, room: Int) -> TabBar {
        let marks = RequestTab.allCases.indices.filter { endpoint.hasContent(RequestTab.allCases[$0], in: state.workspace) }
        return TabBar(
            titles: RequestTab.allCases.map(\.title), selected: RequestTab.allCases.firstIndex(of: shown.tab) ?? 0,
            marks: Set(marks), room: room)
    }

    private func drawRequestLine(_ endpoint: Endpoint, on canvas: inout Canvas, at point: Point, width: Int) {
        var column = canvas.write(
            endpoint.shownMethod.rawValue, at: point, style: StatusText.style(of: endpoint.shownMethod).bold(), width: width)
        column += 2
        let place = point.moved(columns: column)
        if case .url(let field) = shown.editing {
            field.draw(on: &canvas, at: place, width: width - column, placeholder: urlPlaceholder(endpoint))
            return
        }
        let preview = RequestPreview(state, endpoint)
        if preview.problem != nil, endpoint.path.isEmpty {
            canvas.write(CellWidth.truncated("No URL yet; \(state.key(.editURL)) types one", to: width - column), at: place, style: .placeholder)
        } else if let problem = preview.problem {
            // The undefined templates are red, and the message follows as far as it fits.
            let spans = preview.pieces(of: preview.text).map { Span($0.text, $0.isUndefined ? .error : .text) }
            canvas.write(spans + [Span("  " + problem, .error)], at: place, width: max(0, width - column))
        } else {
            canvas.write(CellWidth.truncated(preview.text, to: width - column), at: place, style: .text)
        }
        if shown.row < 0 {
            let line = Rect(column: point.column, row: point.row, width: width, height: 1)
            canvas.select(row: point.row, in: line, isFocused: state.isActive(.request))
        }
    }

    /// What can be typed as the URL.
    private func urlPlaceholder(_ endpoint: Endpoint) -> String {
        RequestFeature.hasServer(endpoint, state) ? "/path or https://…" : "type a URL; \(state.key(.send)) sends it"
    }

    private func drawRows(_ endpoint: Endpoint, on canvas: inout Canvas) {
        guard list.height > 0 else { return }
        if let area = shown.editing?.area {
            area.draw(on: &canvas, in: areaRect, decoration)
            drawSectionPlaceholder(on: &canvas)
            drawAreaHelp(on: &canvas)
            return
        }
        if rows.isEmpty { canvas.writeHint([emptyRowsHint], in: list) }
        if rows.count > list.height, list.width >= 52 {
            // Shows that there are more rows than are visible.
            let text = " \(max(0, shown.row) + 1)/\(rows.count) "
            canvas.write(text, at: Point(column: list.endColumn - text.count, row: list.row - 1), style: .muted)
        }
        let nameWidth = RequestRowView.nameWidth(rows, width: list.width)
        let hasBoxes = shown.tab != .auth
        var room = list.split(topHeight: max(1, rows.count)).bottom
        if state.isActive(.request), shown.editing == nil, rows.indices.contains(shown.row) {
            let description = endpoint.summary.map { WrappedText.lines($0, width: list.width).count } ?? 0
            let view = RequestRowView(row: rows[shown.row], nameWidth: nameWidth, hasBoxes: hasBoxes)
            if detail.height == 0 { room = view.drawWhole(on: &canvas, in: room, keeping: description) }
            view.drawWhole(on: &canvas, inDetail: detail)
        }
        drawDescription(of: endpoint, on: &canvas, in: room)
        let preview = RequestPreview(state, endpoint)
        var lines = BodyLines(endpoint, rows)
        let window = window
        for index in window.indices {
            let line = window.line(of: index)
            var edit: RequestState.RowEdit?
            if case .row(let current) = shown.editing, current.row == index { edit = current }
            var row = rows[index]
            if let edit, edit.column == .value, case .pair = row.kind, shown.tab != .headers {
                row.problem = RequestRows.problem(
                    of: row.name, value: edit.field.text, by: state.workspace.parameterStyle(of: endpoint).rules, preview)
            }
            if row.problem.isEmpty, row.isEnabled, row.mayHaveTemplates {
                row.problem = preview.problem(of: row.name) ?? preview.problem(of: row.value) ?? ""
            }
            if case .line(let line, let part) = row.kind {
                row.spans = lines.spans(ofLine: line, part, atRow: index, preview)
                if part != .file, row.value.contains("{{") { row.problem = preview.problem(of: row.value) ?? "" }
            }
            RequestRowView(row: row, nameWidth: nameWidth, hasBoxes: hasBoxes, edit: edit).draw(on: &canvas, in: line)
            if index == shown.row, edit == nil {
                canvas.select(row: line.row, in: line, isFocused: state.isActive(.request))
            }
        }
    }

    /// Draws the endpoint's `description:` at the bottom of `room`, the part of the list without rows, and below it what else is known where
    /// the pane is as high as the screen.
    private func drawDescription(of endpoint: Endpoint, on canvas: inout Canvas, in room: Rect) {
        var room = room
        if layout.isSideBySide, room.height >= EndpointFacts.leastHeight {
            let facts = EndpointFacts(state, endpoint).lines(width: room.width, height: room.height - 4)
            let lower: Rect
            (room, lower) = room.split(bottomHeight: facts.count)
            canvas.write(lines: facts, at: lower.origin, width: lower.width)
        }
        guard let summary = endpoint.summary, room.height > 0 else { return }
        var lines = WrappedText.lines(summary, width: room.width)
        if lines.count > room.height {
            lines = Array(lines[..<room.height])
            lines[room.height - 1] = CellWidth.truncated(lines[room.height - 1] + " …", to: room.width)
        }
        canvas.write(lines: lines, at: Point(column: room.column, row: room.endRow - lines.count), style: .muted, width: room.width)
    }

    private var emptyRowsHint: String {
        switch shown.tab {
        case .params: "No parameters. \(state.key(.addRow)) adds one."
        case .headers: "No headers. \(state.key(.addRow)) adds one."
        case .body, .auth, .options, .rules: "Nothing here."
        }
    }

    private var window: ListWindow {
        ListWindow(list, showing: max(0, shown.row), of: rows.count, at: state.pressedLine(.pane(.request), in: list))
    }

    /// The keys of the edited section, displayed below its text: with their meaning where the text has room above them, else their names.
    private var sectionHelp: [[Span]] {
        guard case .section(let section, let area) = shown.editing, let keys = state.sections?.keys(of: section), !keys.isEmpty else { return [] }
        // An empty text needs one row; a text has an empty row below it.
        let needed = area.text.isEmpty ? 1 : min(6, area.lines.count + 1)
        guard list.height - keys.count - 1 < needed else {
            let nameWidth = keys.reduce(0) { max($0, CellWidth.width(of: $1.name)) } + 2
            return keys.map { [Span(ColumnText.padded($0.name, to: nameWidth), .headerName), Span("\($0.value) · \($0.summary)", .muted)] }
        }
        let names = WrappedText.lines(keys.map(\.name).joined(separator: "  "), width: list.width)
        return list.height - names.count - 1 >= needed ? names.map { [Span($0, .headerName)] } : []
    }

    /// Why the edited body or section is not valid, wrapped to at most two lines; empty for a valid text.
    private var areaProblem: [String] {
        guard let problem = state.requests.check.problem, list.height > 1 else { return [] }
        return Array(WrappedText.lines(problem.description, width: list.width).prefix(list.height > 3 ? 2 : 1))
    }

    /// The appearance of the text of several lines that is being edited.
    private var decoration: TextDecoration {
        var decoration = TextDecoration()
        decoration.mistake = state.requests.check.problem.map { .init(row: $0.line - 1, column: $0.column - 1) }
        if let search = state.lineSearch(.request) { decoration.matches = { search.ranges(in: $0) } }
        guard case .body(let part, _) = shown.editing, let endpoint = state.openEndpoint else { return decoration }
        decoration.language = endpoint.language(of: part)
        decoration.hasLineNumbers = true
        let preview = RequestPreview(state, endpoint)
        if part != .file { decoration.isUndefined = { preview.problem(of: $0) != nil } }
        return decoration
    }

    /// The area of the text of several lines that is being edited.
    var areaRect: Rect {
        let help = sectionHelp
        return list.split(bottomHeight: areaProblem.count + (help.isEmpty ? 0 : help.count + 1)).top
    }

    /// Draws the names of the keys into an empty section, where there is no room for the keys with their meanings.
    private func drawSectionPlaceholder(on canvas: inout Canvas) {
        guard case .section(let section, let area) = shown.editing, area.text.isEmpty, sectionHelp.isEmpty,
            let keys = state.sections?.keys(of: section)
        else { return }
        let names = keys.map { "\($0.name): …" }.joined(separator: "  ")
        let lines = WrappedText.lines(names, width: areaRect.width).prefix(areaRect.height)
        canvas.write(lines: lines, at: areaRect.origin, style: .placeholder, width: areaRect.width)
    }

    /// Draws the problem of the edited text, and the keys of a section, below it.
    private func drawAreaHelp(on canvas: inout Canvas) {
        let help = sectionHelp
        let problem = areaProblem
        let row = list.endRow - (help.isEmpty ? 0 : help.count + 1) - problem.count
        canvas.write(lines: problem, at: Point(column: list.column, row: row), style: .error, width: list.width)
        canvas.write(lines: help, at: Point(column: list.column, row: list.endRow - help.count), width: list.width)
    }

    /// What a click selects.
    enum Target {
        case tab(RequestTab)
        /// A row or its checkbox, or the method (−1).
        case row(Int, isBox: Bool, RequestRow.Column = .value)
        /// The URL, as a position in a field of this width.
        case url(column: Int, width: Int)
        /// The empty space below the rows.
        case empty
    }

    /// What is at a point.
    func target(at point: Point) -> Target? {
        guard let endpoint = state.openEndpoint else { return nil }
        let pane = layout.request
        let inner = pane.inset(columns: 2, rows: 1)
        if point.row == inner.row, point.row > pane.row {
            let start = inner.column + CellWidth.width(of: endpoint.shownMethod.rawValue) + 2
            return point.column < start ? .row(-1, isBox: false) : .url(column: point.column - start, width: inner.endColumn - start)
        }
        if point.row == inner.row + 1, let index = tabBar(endpoint, room: inner.width).index(atColumn: point.column - inner.column) {
            return .tab(RequestTab.allCases[index])
        }
        guard list.contains(point) else { return nil }
        guard shown.editing?.area == nil else { return nil }
        guard let index = window.index(at: point) else { return .empty }
        let view = RequestRowView(row: rows[index], nameWidth: RequestRowView.nameWidth(rows, width: list.width), hasBoxes: shown.tab != .auth)
        return .row(index, isBox: rows[index].listIndex != nil && point.column < list.column + 3, view.column(at: point.column, in: list))
    }
}

/// The lines of texts of a body in their colours, as they are shown before they are edited.
private struct BodyLines {
    private let endpoint: Endpoint
    private let rows: [RequestRow]
    private var colours: LineColours?
    /// The line that follows the last one.
    private var next: (line: Int, part: BodyText)?

    init(_ endpoint: Endpoint, _ rows: [RequestRow]) { (self.endpoint, self.rows) = (endpoint, rows) }

    /// A line with its undefined templates marked.
    mutating func spans(ofLine line: Int, _ part: BodyText, atRow row: Int, _ preview: RequestPreview) -> [Span] {
        if next?.line != line || next?.part != part {
            colours = LineColours(endpoint.language(of: part), before: line) { [rows] in Array(rows[row - line + $0].value) }
        }
        next = (line + 1, part)
        let characters = Array(rows[row].value)
        var styles = LineStyles(characters, &colours)
        var decoration = TextDecoration()
        if part != .file { decoration.isUndefined = { preview.problem(of: $0) != nil } }
        for range in decoration.mistakes(inRow: line, characters) { styles.restyle(range, of: characters.count) { $0 = .error.underlined() } }
        var spans: [Span] = []
        // A line is cut at the edge of the pane.
        for (column, character) in characters.prefix(LineStyles.longestLine).enumerated() {
            let style = styles[column]
            if spans.last?.style == style { spans[spans.count - 1].text.append(character) } else { spans.append(Span(String(character), style)) }
        }
        return spans
    }
}

extension Diagnostic {
    /// The line and the column in the text of a section, and the message.
    var place: String { "\(location.line):\(location.column): \(message)" }
}

extension RequestView {
    /// The positions of the URL, the tabs and the rows.
    var jumpPoints: [Point] {
        let inner = area
        guard !inner.isEmpty else { return [] }
        var points: [Point] = []
        var isURL = false
        var tab: RequestTab?
        for point in inner.columns.flatMap({ column in [0, 1].map { Point(column: column, row: inner.row + $0) } }) {
            switch target(at: point) {
            case .url where !isURL:
                isURL = true
                points.append(point)
            case .tab(let other) where other != tab:
                tab = other
                points.append(point)
            default: break
            }
        }
        for row in inner.rows.dropFirst(2) {
            let start = Point(column: inner.column, row: row)
            guard case .row(_, let hasBox, _) = target(at: start) else { continue }
            // Beside the box, which a click switches.
            points.append(hasBox ? start.moved(columns: 4) : start)
        }
        return points
    }
}
