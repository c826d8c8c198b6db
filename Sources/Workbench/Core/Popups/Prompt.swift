package import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The use of a file that a prompt names.
struct PathUse: Hashable, Sendable {
    /// The key under which a rejected path is kept.
    var key: String
    /// The name of what is written, for messages.
    var content: String
    /// The type of the popup that the prompt belongs to, above which it may be shown again; nil for a prompt of a pane.
    var owner: ObjectIdentifier?
}

/// Writing to a file that the user named.
package struct SaveFileJob: WorkJob {
    /// What is written.
    package enum Content: Hashable, Sendable {
        case body(BodyBytes)
        case log(LogText)
    }

    package let content: Content
    let prompt: Prompt

    /// The path as typed, relative to the working directory.
    package var path: String { prompt.text }
    /// Whether an existing file is replaced, and a protected place is used.
    package var overwrites: Bool { prompt.overwrites }

    func finish(_ outcome: JobOutcome, _ state: inout AppState) -> [Effect] {
        switch outcome {
        case .done(let place): state.notify("Saved \(prompt.path?.content ?? "it") to \(place)")
        case .failed(let sentence):
            state.log.append(LogEntry(.error, "Not saved: \(sentence)"))
            state.askAgain(prompt, sentence)
        case .exists(let name): return state.askToOverwrite(prompt, name)
        case .protected(let reason): state.askToUseProtected(prompt, reason)
        }
        return []
    }
}

/// Files named by the user: a body, the log, cookies.
extension AppState {
    /// Opens a prompt for a path, with a previously rejected path for correction.
    mutating func askForPath(
        _ title: String, _ use: PathUse, suggesting name: String, placeholder: String = "a path", onAccept: @escaping Prompt.Handler
    ) {
        let text = failedPaths.removeValue(forKey: use.key) ?? name
        popups.push(Prompt(title, text, placeholder: placeholder, path: use, onAccept: onAccept))
    }

    /// Shows a prompt again with the reason for its rejection.
    ///
    /// While something else is open, the text is kept for the next time.
    mutating func askAgain(_ prompt: Prompt, _ sentence: String) {
        var prompt = prompt
        prompt.problem = sentence
        if mayReopen(prompt) {
            popups.push(prompt)
        } else {
            if let use = prompt.path { failedPaths[use.key] = prompt.text }
            toast = Toast(sentence, .error)
        }
    }

    /// Asks whether to replace an existing file, or replaces it where the settings say so.
    ///
    /// The place of the file was checked before: a protected location has its own question.
    mutating func askToOverwrite(_ prompt: Prompt, _ name: String) -> [Effect] {
        if !settings.confirmsOverwriting {
            var prompt = prompt
            prompt.overwrites = true
            // The handler closes the prompt.
            popups.push(prompt)
            return prompt.onAccept(prompt, &self)
        }
        ask("Replace the file?", about: prompt, name, choice: "Replace it", detail: "its current content is lost")
        return []
    }

    /// Asks whether to write a file to a protected location (`Security.md` 6).
    mutating func askToUseProtected(_ prompt: Prompt, _ reason: String) {
        ask("Write to a protected place?", about: prompt, reason, choice: "Write there", detail: "a file of that name is replaced")
    }

    /// Asks whether to write where the user said, or to another file, which is the default.
    private mutating func ask(_ title: String, about prompt: Prompt, _ message: String, choice: String, detail: String) {
        guard mayReopen(prompt) else {
            if let use = prompt.path { failedPaths[use.key] = prompt.text }
            toast = Toast("Not saved: \(message)", .warning)
            return
        }
        popups.push(prompt)
        var list = ListPopup(
            title: title, message: message,
            items: [
                .plain(label: "Choose another file", isCurrent: true),
                .init(label: choice, detail: detail) { state in
                    var prompt = prompt
                    prompt.overwrites = true
                    return prompt.onAccept(prompt, &state)
                },
            ])
        list.selectCurrent()
        popups.push(list)
    }

    /// Asks before something is lost; the first choice keeps it.
    mutating func confirm(
        _ title: String, _ message: String, keep: String, _ choice: String, detail: String, _ action: @escaping ListPopup.Choice
    ) {
        let items: [ListPopup.Item] = [.plain(label: keep, isCurrent: true), .init(label: choice, detail: detail, choice: action)]
        show(ListPopup(title: title, message: message, items: items))
    }

    /// Whether nothing is open apart from the popup that the prompt belongs to.
    private func mayReopen(_ prompt: Prompt) -> Bool {
        guard let owner = prompt.path?.owner else { return !isOccupied }
        return popup.map { ObjectIdentifier(type(of: $0)) } == owner
    }
}

/// A popup with a text field.
struct Prompt: Popup {
    /// What is done with the text; the popup stays open unless it is closed here.
    typealias Handler = @Sendable (Prompt, inout AppState) -> [Effect]

    var title: String
    var field: TextField
    /// The text that the field began with.
    private let firstText: String
    var placeholder = ""
    /// The reason why the text was rejected.
    var problem: String?
    /// The message above the field.
    var message = ""
    /// Whether the text is a secret, which is always masked.
    var isSecret = false
    /// What completes the text; nil for nothing.
    var place: CompletionPlace?
    /// The address of the part of the guide about it; nil for that of the pane below.
    var guideAddress: String?
    /// The file that the text names; nil for another text.
    var path: PathUse?
    /// Whether the user agreed to replace the file.
    var overwrites = false
    /// Handles Esc after the popup has closed.
    var cancel: (@Sendable (inout AppState) -> [Effect])?
    var onAccept: Handler

    /// Creates a prompt; `onAccept` gets it with the text.
    init(
        _ title: String, _ text: String = "", placeholder: String = "", message: String = "", isSecret: Bool = false, path: PathUse? = nil,
        cancel: (@Sendable (inout AppState) -> [Effect])? = nil, onAccept: @escaping Handler
    ) {
        self.title = title
        field = TextField(text, keepsLineBreaks: isSecret)
        firstText = text
        self.placeholder = placeholder
        self.message = message
        self.isSecret = isSecret
        self.path = path
        self.cancel = cancel
        self.onAccept = onAccept
    }

    var text: String { field.text }

    var contexts: [Context] { [.prompt, .field] }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .accept: return onAccept(self, &state)
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

    func area(_ state: AppState) -> Rect { layout(in: state.popupArea).frame }

    var hasInput: Bool { text != firstText }

    private func layout(in whole: Rect) -> (frame: Rect, message: [String], problem: [String]) {
        let width = min(70, max(20, whole.width - 4))
        let message = message.isEmpty ? [] : WrappedText.lines(message, width: width - 4)
        let problem = problem.map { Array(WrappedText.lines($0, width: width - 4).prefix(3)) } ?? []
        return (whole.centered(Size(width: width, height: min(3 + message.count + problem.count, whole.height))), message, problem)
    }

    func draw(on canvas: inout Canvas, _ state: AppState) {
        let (rect, message, problem) = layout(in: state.popupArea)
        let inner = canvas.popup(rect, title: [Span(title, .titleFocused)], trailing: state.closingHint)
        canvas.write(lines: message.prefix(max(0, inner.height - 1 - problem.count)), at: inner.origin, style: .muted, width: inner.width)
        let row = inner.endRow - 1 - problem.count
        field.draw(on: &canvas, at: Point(column: inner.column, row: row), width: inner.width, placeholder: placeholder, isMasked: isSecret)
        canvas.write(lines: problem, at: Point(column: inner.column, row: row + 1), style: .error, width: inner.width)
    }
}
