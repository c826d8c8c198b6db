internal import SortieTerminal

/// A popup with a text field.
struct Prompt: Popup {
    /// What is done with the text; the popup stays open unless it is closed here.
    typealias Answer = @Sendable (Prompt, inout AppState) -> [Effect]

    var title: String
    var field: TextField
    var placeholder = ""
    /// The reason why the text was rejected.
    var problem: String?
    /// The message above the field.
    var message = ""
    /// Whether the text is a secret, which is always masked.
    var isSecret = false
    /// What completes the text; nil for nothing.
    var place: CompletionPlace?
    /// The file that the text names; nil for another text.
    var path: PathUse?
    /// Whether the user agreed to replace the file.
    var overwrites = false
    /// Handles Esc after the popup has closed.
    var cancel: (@Sendable (inout AppState) -> [Effect])?
    var answer: Answer

    /// Creates a prompt; `answer` gets it with the text.
    init(
        _ title: String, _ text: String = "", placeholder: String = "", message: String = "", isSecret: Bool = false, path: PathUse? = nil,
        cancel: (@Sendable (inout AppState) -> [Effect])? = nil, answer: @escaping Answer
    ) {
        self.title = title
        field = TextField(text)
        self.placeholder = placeholder
        self.message = message
        self.isSecret = isSecret
        self.path = path
        self.cancel = cancel
        self.answer = answer
    }

    var text: String { field.text }

    var contexts: [Context] { [.prompt, .field] }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .accept: return answer(self, &state)
        case .close:
            state.popups.pop()
            return cancel?(&state) ?? []
        default: return nil
        }
    }

    func typedText(_ state: AppState) -> TypedText? { TypedText(field, isSecret: isSecret, place: place) }

    mutating func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        field.apply(change)
        problem = nil
        return []
    }

    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] { [] }

    func draw(on canvas: inout Canvas, _ state: AppState) {
        let whole = state.popupArea
        let width = min(70, max(20, whole.width - 4))
        let message = message.isEmpty ? [] : WrappedText.lines(message, width: width - 4)
        let problem = problem.map { WrappedText.lines($0, width: width - 4).prefix(3) } ?? []
        let rect = whole.centered(Size(width: width, height: min(3 + message.count + problem.count, whole.height)))
        canvas.fill(rect, style: .overlay)
        canvas.box(rect, title: [Span(title, .titleFocused)], trailing: state.closingHint, style: .borderFocused)
        let inner = rect.inset(columns: 2, rows: 1)
        for (index, line) in message.prefix(max(0, inner.height - 1 - problem.count)).enumerated() {
            canvas.write(line, at: inner.origin.moved(rows: index), style: .muted, width: inner.width)
        }
        let row = inner.endRow - 1 - problem.count
        field.draw(on: &canvas, at: Point(column: inner.column, row: row), width: inner.width, placeholder: placeholder, isMasked: isSecret)
        for (offset, line) in problem.enumerated() {
            canvas.write(line, at: Point(column: inner.column, row: row + 1 + offset), style: .error, width: inner.width)
        }
    }
}
