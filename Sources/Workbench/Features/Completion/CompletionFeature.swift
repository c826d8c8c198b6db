internal import SortieBase
internal import SortieTerminal

/// Completion while typing: header names and values, variables, URLs, methods.
struct CompletionFeature: Feature {
    let stacksOfTyping: [[Context]] = [[.completion], [.chosenCompletion, .completion]]

    var bindings: [Binding] {
        [
            Binding(.completion, [.tab], .chooseCompletion, "Complete", "Insert the selected or the first completion", hint: 1),
            Binding(.completion, [.down], .nextCompletion, "Next", "Select the next completion", hint: 2),
            Binding(.completion, [.up], .previousCompletion, "Previous", "Select the previous completion"),
            Binding(.completion, [.escape, .control("c")], .closeCompletion, "Close list", "Close the list, and continue typing", hint: 3),
            Binding(.chosenCompletion, [.enter], .chooseCompletion, "Complete", "Insert the selected completion"),
            Binding(
                .field, [.control(" "), .control("n")], .complete, "Complete",
                "List completions: variables after {{, header fields, URLs, names and values of GraphQL and of the API's description; in the list, select "
                    + "the next one"),
        ]
    }

    func contextsOfTyping(_ state: AppState) -> [Context] {
        guard let list = state.completionList else { return [] }
        return list.selected == nil ? [.completion] : [.chosenCompletion, .completion]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .complete:
            if state.completionList != nil { return perform(.nextCompletion, &state) }
            guard let text = state.typedText, let list = CompletionSource(state, text).list(isAsked: true) else {
                if state.typedText?.place == .graphQL, let endpoint = state.openEndpoint, state.graphQLSchema(of: endpoint) == nil {
                    return GraphQLFeature.read(isAsked: true, &state)
                }
                let reading = state.readDescription(isAsked: true)
                guard reading.isEmpty else { return reading }
                state.toast = Toast("There is nothing to complete here", .warning)
                return []
            }
            state.states[CompletionState.self].list = list
        case .nextCompletion: state.states[CompletionState.self].list?.select(by: 1)
        case .previousCompletion: state.states[CompletionState.self].list?.select(by: -1)
        case .closeCompletion: state.states[CompletionState.self].list = nil
        case .chooseCompletion:
            guard let list = state.completionList else { return [] }
            guard !list.keepsTyped else {
                state.states[CompletionState.self].list = nil
                return state.perform(.nextField)
            }
            return state.changeText(list.change)
        default: return nil
        }
        return []
    }

    func typed(_ change: TextChange, _ state: inout AppState) {
        let wasOpen = state.states[CompletionState.self].list != nil
        let opens =
            switch change {
            case .insert(let text): text.count == 1
            case .edit(.deleteBefore), .edit(.deleteAfter): wasOpen
            case .edit, .newLine, .indent, .outdent, .point, .replace, .replaceAll, .vi: false
            }
        guard opens else {
            if wasOpen { state.states[CompletionState.self].list = nil }
            return
        }
        state.states[CompletionState.self].list = state.typedText.flatMap { CompletionSource(state, $0).list(isAsked: false) }
    }

    func accepted(_ state: inout AppState) {
        // A text that is refused stays, and the list would cover the reason.
        if state.states[CompletionState.self].list != nil { state.states[CompletionState.self].list = nil }
    }

    func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect]? {
        guard let list = state.completionList, let view = CompletionView(list, on: state.draw()) else { return nil }
        guard view.frame.contains(mouse.position) else { return nil }
        switch mouse.kind {
        case .scrollUp, .scrollDown: state.states[CompletionState.self].list?.select(by: mouse.kind == .scrollUp ? -1 : 1)
        case .press where mouse.button == .left:
            guard let index = view.index(at: mouse.position) else { break }
            state.states[CompletionState.self].list?.selected = index
            return perform(.chooseCompletion, &state)
        case .press, .release, .drag, .doubleClick: break
        }
        return []
    }

    func drawAbove(on canvas: inout Canvas, _ state: AppState) {
        if let list = state.completionList {
            CompletionView(list, on: canvas)?.draw(on: &canvas, key: state.key(.chooseCompletion))
        } else {
            drawProblem(on: &canvas, state)
        }
    }

    /// Draws why the text of a field is not valid, below the field or above it.
    private func drawProblem(on canvas: inout Canvas, _ state: AppState) {
        guard let text = state.typedText, text.content.isSingleLine, text.place?.hasTemplates == true, let area = canvas.editedArea,
            let endpoint = state.openEndpoint, let problem = TextProblem.first(in: text.content.text, RequestPreview(state, endpoint))
        else { return }
        let lines = WrappedText.lines(problem.description, width: max(20, min(canvas.size.width - 4, 70))).prefix(2)
        let width = lines.reduce(0) { max($0, CellWidth.width(of: $1)) } + 2
        let column = max(0, min(area.column, canvas.size.width - width))
        let isBelow = area.endRow + lines.count < canvas.size.height
        let row = isBelow ? area.endRow : area.row - lines.count
        canvas.fill(Rect(column: column, row: row, width: width, height: lines.count), style: .overlay)
        for (offset, line) in lines.enumerated() { canvas.write(line, at: Point(column: column + 1, row: row + offset), style: .error) }
    }
}

extension Context {
    /// The list of completions is open.
    static let completion = Context("Completion")
    /// A row of the list of completions was selected.
    static let chosenCompletion = Context("Selected completion")
}

extension Command {
    static let complete = Command.named("complete", isInPalette: false)
    static let chooseCompletion = Command.named("chooseCompletion", isInPalette: false)
    static let nextCompletion = Command.named("nextCompletion", isInPalette: false)
    static let previousCompletion = Command.named("previousCompletion", isInPalette: false)
    static let closeCompletion = Command.named("closeCompletion", isInPalette: false)
}

/// A text that can be inserted while typing.
struct Completion: Hashable, Sendable {
    /// The name in the list, which is matched with what was typed.
    var label: String
    /// The value or the description.
    var detail = ""
    /// Where the value comes from.
    var source = ""
    /// The text that is inserted.
    var text: String
    /// The number of characters of ``text`` after which the cursor is placed; nil for its end.
    var cursor: Int?

    init(_ label: String, detail: String = "", source: String = "", text: String? = nil, cursor: Int? = nil) {
        self.label = label
        self.detail = detail
        self.source = source
        self.text = text ?? label
        self.cursor = cursor
    }

    /// The maximum number of listed completions.
    private static let limit = 60

    /// The completions that match a typed text, the best first.
    ///
    /// - Parameters:
    ///   - isAsked: Whether the user asked for them. Otherwise the text must be part of a name, or consist of the starts of its words.
    ///   - hidesComplete: Whether a text that is complete already has no completions unless the user asked for them.
    static func ranked(_ completions: [Completion], typed: String, isAsked: Bool, hidesComplete: Bool) -> [Completion] {
        let plain = typed.lowercased()
        if !isAsked, hidesComplete, completions.contains(where: { $0.label.lowercased() == plain }) { return [] }
        let scored = completions.enumerated().compactMap { index, completion -> (score: Int, index: Int)? in
            guard let score = FuzzyMatch.score(of: typed, in: completion.label) else { return nil }
            let isClose = completion.label.lowercased().contains(plain) || FuzzyMatch.isMadeOfWordStarts(typed, in: completion.label)
            return isAsked || isClose ? (score, index) : nil
        }
        return scored.sorted { ($0.score, $1.index) > ($1.score, $0.index) }.prefix(limit).map { completions[$0.index] }
    }
}

/// The list of completions below the text that is being typed.
struct CompletionList: Sendable {
    /// The text that the list belongs to; the list ends with any other change of the text or its cursor.
    var content: EditableText
    /// The numbers of characters before and after the cursor that a completion replaces.
    var before: Int
    var after: Int
    var items: [Completion]
    /// The row that the user selected; nil while the list was only shown.
    var selected: Int?
    /// Whether what was typed can be a whole name, such as `X-Request` of `X-Request-ID`, which is kept unless a row is selected.
    var isWholeName = false
    var keepsTyped: Bool { isWholeName && selected == nil }

    /// Selects the row at a distance, wrapping around; the first step selects the first or the last row.
    mutating func select(by distance: Int) {
        let start = selected ?? (distance > 0 ? -1 : items.count)
        selected = (start + distance + items.count) % items.count
    }

    /// The change of the text by the selected row, or by the first one.
    var change: TextChange {
        let item = items[selected ?? 0]
        return .replace(TextReplacement(before: before, after: after, text: item.text, cursor: item.cursor))
    }
}

/// The state of completion.
struct CompletionState: FeatureState {
    var list: CompletionList?

    init() {}
}

extension AppState {
    /// The list of completions of the text that is being typed; nil when none is open.
    var completionList: CompletionList? {
        guard let list = states[CompletionState.self].list, let text = typedText, text.content == list.content else { return nil }
        return list
    }
}

/// Draws the list of completions below the cursor, or above it where there is more room.
struct CompletionView {
    /// The maximum number of visible rows.
    private static let mostRows = 8

    let frame: Rect
    private let list: CompletionList
    private let labelWidth: Int
    private let top: Int

    /// - Parameter canvas: The screen with the text that is being typed. Nil where there is no room.
    init?(_ list: CompletionList, on canvas: Canvas) {
        guard let cursor = canvas.cursor else { return nil }
        self.list = list
        let size = canvas.size
        let (above, below) = (cursor.row, size.height - cursor.row - 2)
        let isBelow = below >= min(list.items.count, Self.mostRows) + 2 || below >= above
        let rows = min(list.items.count, Self.mostRows, max(above, below) - 2)
        guard rows > 0 else { return nil }
        let widest = list.items.reduce(0) { max($0, CellWidth.width(of: $1.label)) }
        let most = max(8, size.width - 6)
        labelWidth = min(widest, max(8, most * 3 / 5), 44)
        let details = list.items.reduce(0) { max($0, Self.detailWidth($1)) }
        let width = min(labelWidth + (details > 0 ? details + 2 : 0), most) + 4
        let column = max(0, min(cursor.column - list.before - 2, size.width - width))
        frame = Rect(column: column, row: isBelow ? cursor.row + 1 : cursor.row - rows - 2, width: width, height: rows + 2)
        top = Window.top(0, showing: list.selected ?? 0, count: list.items.count, height: rows)
    }

    private static func detailWidth(_ item: Completion) -> Int {
        let parts = [item.detail, item.source].filter { !$0.isEmpty }.map { min(40, CellWidth.width(of: $0)) }
        return parts.reduce(0, +) + (parts.count > 1 ? 2 : 0)
    }

    /// The index of the completion at a point; nil on the border.
    func index(at point: Point) -> Int? {
        guard frame.inset().contains(point) else { return nil }
        let index = top + point.row - frame.row - 1
        return list.items.indices.contains(index) ? index : nil
    }

    func draw(on canvas: inout Canvas, key: String) {
        let cursor = canvas.cursor
        let hint = list.keepsTyped ? "↓ selects" : "\(key) inserts"
        let inner = canvas.popup(frame, trailing: frame.width > 24 ? [Span(hint, .muted)] : [])
        for offset in 0..<inner.height where top + offset < list.items.count {
            let item = list.items[top + offset]
            let line = Rect(column: inner.column, row: inner.row + offset, width: inner.width, height: 1)
            var spans = [Span(ColumnText.padded(CellWidth.truncated(item.label, to: labelWidth), to: labelWidth), .strong)]
            if !item.detail.isEmpty { spans.append(Span("  " + CellWidth.truncated(item.detail, to: 40))) }
            if !item.source.isEmpty { spans.append(Span("  " + CellWidth.truncated(item.source, to: 40), .muted)) }
            canvas.write(spans, at: line.origin, width: line.width)
            if top + offset == list.selected { canvas.select(row: line.row, in: line, isFocused: true) }
        }
        canvas.cursor = cursor
    }
}
