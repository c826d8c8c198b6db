internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The services pane: the tree of services, endpoints and runs.
struct ServicesView {
    private let state: AppState
    /// The area of the pane with its border.
    private let rect: Rect

    private let services: ServicesState
    /// Finds endpoints that cannot be sent in the environment, because nothing defines a variable that they use.
    private let needs: TemplateNeedsScan

    init(_ state: AppState, _ rect: Rect) {
        self.state = state
        self.rect = rect
        services = state.services
        needs = state.needsScan
    }

    func draw(on canvas: inout Canvas) {
        let marks = services.marked.isEmpty ? [] : [Span("\(services.marked.count) marked", .accent)]
        canvas.box(rect, title: [Span("Services", state.titleStyle(.services))], trailing: marks, style: state.borderStyle(.services))
        let list = list
        if services.filter != nil, rect.height > 3 {
            let point = Point(column: rect.column + 1, row: rect.endRow - 2)
            canvas.write("/", at: point, style: .key)
            if services.isFiltering {
                services.filter?.draw(on: &canvas, at: point.moved(columns: 1), width: rect.width - 3, placeholder: "filter")
            } else {
                canvas.write(services.filter?.text ?? "", at: point.moved(columns: 1), style: .accent, width: rect.width - 3)
            }
        }
        guard !services.rows.isEmpty else {
            let isFiltered = services.filter?.isEmpty == false
            canvas.writeHint(
                isFiltered
                    ? ["Nothing matches.", "\(state.key(.back)) shows all."]
                    : [
                        "No services yet.",
                        "\(state.key(.newItem)) creates a request or a service; \(state.key(.palette)) and “import” reads those of another tool.",
                    ], in: list)
            return
        }
        let window = window
        for index in window.indices {
            let (row, line) = (services.rows[index], window.line(of: index))
            rowView(row, width: list.width).draw(on: &canvas, at: line.origin)
            if row.kind == services.selected { canvas.select(row: line.row, in: list, isFocused: state.isActive(.services)) }
        }
        drawFacts(on: &canvas, in: list.split(topHeight: min(list.height, services.rows.count)).bottom)
    }

    private func rowView(_ row: TreeRow, width: Int) -> TreeRowView {
        var view = TreeRowView(row: row, width: width)
        view.git = row.file.flatMap { state.git.marks[$0] }
        view.hasGitColumn = !state.git.marks.isEmpty
        switch row.kind {
        case .endpoint(let target):
            // The draft has the name and the method that the user sees in Request.
            if let endpoint = state.endpoint(target) {
                view.row.method = row.isUnreadable ? nil : endpoint.shownMethod
                if row.isUnreadable { view.row.name = endpoint.name }
            }
            view.isOpen = target == state.openTarget
            view.markNumber = services.marked.firstIndex(of: target).map { $0 + 1 }
            view.isEdited = state.drafts[target]?.isEdited == true
            if !row.isUnreadable { view.mark = mark(of: target) ?? undefinedMark(of: target) }
        case .service, .runs:
            if row.isUnreadable { view.mark = Span("✗", .error) }
            if case .service(let folder) = row.kind { view.isEdited = state.markedServices.contains(folder) }
        case .group, .run: break
        }
        return view
    }

    /// Draws what is known about the open endpoint below the tree, where at least a few lines are free.
    private func drawFacts(on canvas: inout Canvas, in room: Rect) {
        // Beside the response, Request has free rows itself.
        guard room.height >= EndpointFacts.leastHeight, !state.layout.isSideBySide, let endpoint = state.openEndpoint else { return }
        let lines = EndpointFacts(state, endpoint).linesWithHeading(width: room.width, height: room.height - 1)
        canvas.write(lines: lines, at: Point(column: room.column, row: room.endRow - lines.count), width: room.width)
    }

    /// The mark for an endpoint that uses an undefined variable; muted where only runs supply it.
    private func undefinedMark(of target: EndpointID) -> Span? {
        guard var endpoint = state.endpoint(target) else { return nil }
        // A long body is not read with each key that is typed in it.
        if target == state.openTarget, let area = state.requestState.editing?.area, area.lines.bytes > 16 << 10 { endpoint.body = .none }
        let undefined = needs.needs(of: endpoint).undefined
        return undefined.isEmpty ? nil : Span("{}", undefined.allSatisfy { $0.contains(".") } ? .muted : .warning)
    }

    /// The mark for the state of the endpoint's latest call.
    private func mark(of target: EndpointID) -> Span? {
        guard let call = state.calls[target] else { return nil }
        switch call.outcome {
        case nil where state.calls.isWaiting(call.id) || call.isSuspended: return Span("⏸", .warning)
        case nil: return Span(Spinner.frame(at: state.now), .accent)
        case .notSent?: return Span("✗", .error)
        case .finished(let exchange)?:
            // The result of another request says nothing about the one that the row has now.
            if state.requestChange(since: call)?.isOtherRequest == true { return nil }
            if call.isCancelled { return Span("–", .muted) }
            guard exchange.error == nil, let response = exchange.response else { return Span("✗", .error) }
            return Span(StatusText.code(response), StatusText.style(of: response))
        }
    }

    private var list: Rect {
        let inner = rect.inset()
        return services.filter != nil && rect.height > 3 ? inner.split(bottomHeight: 1).top : inner
    }

    private var window: ListWindow {
        let pointer = state.states[PointerState.self]
        // The wheel moves the selected row also out of the area.
        let line = pointer.place == .pane(.services) ? pointer.line - list.row : nil
        return ListWindow(list, showing: services.selectedIndex ?? 0, of: services.rows.count, at: line)
    }

    /// The line of the screen at which the selected row is after the rows were scrolled by one.
    func lineOfSelected(afterScrolling movement: Movement) -> Int {
        let top = Window.limited(window.indices.lowerBound + (movement == .up ? -1 : 1), count: services.rows.count, height: list.height)
        return list.row + (services.selectedIndex ?? 0) - top
    }

    /// The row of the tree at a point.
    func row(at point: Point) -> TreeRow? { window.index(at: point).map { services.rows[$0] } }
}

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
    /// The position of the endpoint among the marked ones, from 1; nil for one that is not marked.
    var markNumber: Int?

    /// The number of characters of a name for which the method is abbreviated, and for which the mark of the call is left out.
    private static let (wanted, least) = (8, 4)

    func draw(on canvas: inout Canvas, at point: Point) {
        let gitWidth = hasGitColumn && width >= 16 ? 2 : 0
        var markWidth = mark.map { CellWidth.width(of: $0.text) + 1 } ?? 0
        let editedWidth = isEdited ? 2 : 0
        let nameWidth = CellWidth.width(of: row.name)
        func room(for prefix: [Span]) -> Int { width - gitWidth - markWidth - editedWidth - ColumnText.width(of: prefix) }
        let number = markNumber.map { [Span("\($0) ", .accent)] } ?? []
        let prefixes = self.prefixes.map { number + $0 }
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
