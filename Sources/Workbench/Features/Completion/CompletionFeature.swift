internal import SortieTerminal

/// Completion while typing: header names and values, variables, URLs, methods.
struct CompletionFeature: Feature {
    let stacksOfTyping: [[Context]] = [[.completion], [.chosenCompletion, .completion]]

    var bindings: [Binding] {
        [
            Binding(.completion, [.tab], .chooseCompletion, "Complete", "Insert the selected or the first completion", hint: 1),
            Binding(.completion, [.down], .nextCompletion, "Next", "Select the next completion", hint: 2),
            Binding(.completion, [.up], .previousCompletion, "Previous", "Select the previous completion"),
            Binding(.completion, [.escape, .control("c")], .closeCompletion, "Close list", "Close the list, and go on typing", hint: 3),
            Binding(.chosenCompletion, [.enter], .chooseCompletion, "Complete", "Insert the selected completion"),
            Binding(
                .field, [.control(" "), .control("n")], .complete, "Complete",
                "List completions: header fields and values, variables after {{, URLs, names of GraphQL; in the list, select the next one"),
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
                state.toast = Toast("There is nothing to complete here", .warning)
                return []
            }
            state.states[CompletionState.self].list = list
        case .nextCompletion: state.states[CompletionState.self].list?.select(by: 1)
        case .previousCompletion: state.states[CompletionState.self].list?.select(by: -1)
        case .closeCompletion: state.states[CompletionState.self].list = nil
        case .chooseCompletion:
            guard let list = state.completionList else { return [] }
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
            case .edit, .newLine, .point, .replace, .replaceAll: false
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
