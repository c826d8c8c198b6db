internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// A popup with several fields.
struct Form: Popup {
    /// What is done with the values; the popup stays open unless it is closed here.
    typealias Handler = @Sendable (Form, inout AppState) throws(FormProblem) -> [Effect]

    /// The value of a row.
    enum Value: Sendable {
        case text(TextField, placeholder: String = "", isSecret: Bool = false)
        /// One of several words.
        case choice([String], Int)
    }

    /// A field with its label.
    struct Row: Sendable {
        var label: String
        var value: Value
        /// What completes the text; nil for nothing.
        var place: CompletionPlace?
        /// The label of a list whose last row this is, so that typing in it adds another one; nil for other rows.
        var listLabel: String?

        /// Creates a text field.
        ///
        /// - Parameter keepsLineBreaks: Whether a pasted text keeps its line breaks, as that of a secret does.
        init(
            _ label: String, _ text: String, placeholder: String = "", isSecret: Bool = false, keepsLineBreaks: Bool = false,
            place: CompletionPlace? = nil
        ) {
            self.label = label
            self.place = place
            value = .text(TextField(text, keepsLineBreaks: isSecret || keepsLineBreaks), placeholder: placeholder, isSecret: isSecret)
        }

        /// Creates a text field with a proposed text, which is selected, so that typing replaces it.
        init(_ label: String, proposing text: String, placeholder: String = "", place: CompletionPlace? = nil) {
            self.label = label
            self.place = place
            var field = TextField(text)
            field.apply(.selectAll)
            value = .text(field, placeholder: placeholder)
        }

        /// Creates a choice of words; the first is selected when `chosen` is not among them.
        init(_ label: String, _ chosen: String, of words: [String]) {
            self.label = label
            value = .choice(words, words.firstIndex(of: chosen) ?? 0)
        }

        /// The value as text.
        var text: String {
            switch value {
            case .text(let field, _, _): field.text
            case .choice(let words, let index): words[index]
            }
        }
    }

    let title: String
    var rows: [Row]
    var selected = 0
    /// The reason why the values are not valid.
    var problem: String?
    let guideAddress: String?
    let onAccept: Handler
    /// The values that the form began with.
    private var firstValues: [String: String] = [:]
    /// What the form is stored as while it is open, with the values that it had at first; nil for a form that the next session does not open again.
    private var beginning: FormDraft?
    /// The values that are stored.
    private var storedValues: @Sendable (Form, AppState) -> [String: String] = { form, _ in form.values }

    /// Creates a form; `onAccept` gets it with the values.
    ///
    /// - Parameter guide: The address of the part of the guide about it; nil for that of the pane below.
    init(_ title: String, _ rows: [Row], guide: String? = nil, onAccept: @escaping Handler) {
        self.title = title
        self.rows = rows
        guideAddress = guide
        self.onAccept = onAccept
        firstValues = values
    }

    /// Lets the next session open the form again with what was typed, unless it is closed before.
    ///
    /// - Parameters:
    ///   - kind: What it creates or changes, by which the next session opens it.
    ///   - stored: Returns the values that may be stored: those that are no secrets.
    mutating func keep(
        as kind: KeptForm, of subject: [String] = [], _ stored: @escaping @Sendable (Form, AppState) -> [String: String] = { form, _ in form.values }
    ) {
        beginning = FormDraft(kind: kind.rawValue, subject: subject, values: values)
        storedValues = stored
    }

    /// The form as it is stored; nil where nothing was typed, and for a form that is not kept.
    func draft(_ state: AppState) -> FormDraft? {
        guard var draft = beginning else { return nil }
        let masked = Set(rows.filter { if case .text(_, _, true) = $0.value { true } else { false } }.map(\.label))
        let stored = storedValues(self, state).filter { !masked.contains($0.key) && state.secrets.masked($0.value) == $0.value }
        guard stored.contains(where: { $0.value != draft.values[$0.key] }) else { return nil }
        draft.values = stored
        return draft
    }

    /// The values by the labels of their rows.
    var values: [String: String] { Dictionary(rows.map { ($0.label, $0.text) }) { $1 } }

    /// Sets the values of rows by their labels; words that a row does not have are left out.
    mutating func set(_ values: [String: String]) {
        for (label, text) in values { set(label, to: text) }
    }

    private mutating func set(_ label: String, to text: String) {
        guard let index = rows.firstIndex(where: { $0.label == label }) else { return }
        switch rows[index].value {
        case .text(let field, let placeholder, let isSecret):
            let field = TextField(text, keepsLineBreaks: field.content.keepsLineBreaks)
            rows[index].value = .text(field, placeholder: placeholder, isSecret: isSecret)
        case .choice(let words, _): if let chosen = words.firstIndex(of: text) { rows[index].value = .choice(words, chosen) }
        }
    }

    /// The value of the row with this label.
    func text(_ label: String) -> String { rows.first { $0.label == label }?.text ?? "" }

    /// Whether the selected row is a text field.
    var isTyping: Bool {
        if case .text = rows[selected].value { true } else { false }
    }

    mutating func select(_ row: Int) { selected = row.clamped(to: 0...(rows.count - 1)) }

    mutating func changeText(_ work: (inout TextField) -> Void) {
        guard case .text(var field, let placeholder, let isSecret) = rows[selected].value else { return }
        work(&field)
        rows[selected].value = .text(field, placeholder: placeholder, isSecret: isSecret)
        problem = nil
    }

    /// Selects the word at a distance from the current one, wrapping around.
    mutating func turn(by distance: Int) {
        guard case .choice(let words, let index) = rows[selected].value else { return }
        rows[selected].value = .choice(words, (index + distance + words.count) % words.count)
        problem = nil
    }

    // MARK: Popup

    var contexts: [Context] { isTyping ? [.form, .field] : [.form, .choice] }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .accept: return accept(&state)
        case .nextField: select(selected + 1)
        case .previousField: select(selected - 1)
        case .toggle: turn(by: 1)
        case .fold: turn(by: -1)
        case .close: state.popups.pop()
        default: return nil
        }
        return []
    }

    /// Accepts the values, or shows why they are not valid.
    private mutating func accept(_ state: inout AppState) -> [Effect] {
        do throws(FormProblem) {
            return try onAccept(self, &state)
        } catch {
            problem = error.sentence
            // A choice is not selected: what is typed to correct a text would choose another word.
            if let label = error.label, let row = rows.firstIndex(where: { $0.label == label }), case .text(let field, _, _) = rows[row].value {
                select(row)
                // Without a text in it, nothing shows which row the sentence is about.
                if field.isEmpty, error.sentence.first?.isLowercase == true { problem = "\(label): \(error.sentence)" }
            }
            return []
        }
    }

    func typedText(_ state: AppState) -> TypedText? {
        guard case .text(let field, _, let isSecret) = rows[selected].value else { return nil }
        return TypedText(field, isSecret: isSecret, place: rows[selected].place)
    }

    mutating func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        changeText { $0.apply(change) }
        extendList()
        return []
    }

    /// Adds an empty row below the last one of a list when that has a text.
    private mutating func extendList() {
        let row = rows[selected]
        guard let label = row.listLabel, !row.text.isEmpty, case .text(_, let placeholder, _) = row.value else { return }
        let count = rows.count { $0.label == label || $0.label.hasPrefix("\(label) ") }
        var next = Row("\(label) \(count + 1)", "", placeholder: placeholder, place: row.place)
        next.listLabel = label
        rows[selected].listLabel = nil
        rows.insert(next, at: selected + 1)
    }

    /// Selects the next word that begins with a letter.
    mutating func name(_ character: Character, isKey: Bool, _ state: inout AppState) -> [Effect]? {
        guard !isKey, case .choice(let words, let index) = rows[selected].value else { return nil }
        let distance = (1...words.count).first { words[(index + $0) % words.count].lowercased().hasPrefix(character.lowercased()) }
        return distance.map { distance in
            turn(by: distance)
            return []
        }
    }

    /// Handles the mouse: the wheel selects rows; a click selects a row, and in it a word or the place in the text.
    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] {
        switch mouse.kind {
        case .scrollUp: select(selected - 1)
        case .scrollDown: select(selected + 1)
        case .press, .doubleClick:
            let layout = layout(in: state.popupArea)
            let line = mouse.position.row - layout.rows.row
            guard layout.rows.contains(mouse.position), rows.indices.contains(layout.top + line) else { break }
            select(layout.top + line)
            let place = Point(column: mouse.position.column - layout.rows.column - layout.labelWidth, row: 0)
            guard place.column >= 0 else { break }
            if let word = rows[selected].value.word(atColumn: place.column, width: layout.valueWidth) { turn(by: word) }
            changeText { $0.apply(.point(TextPoint(point: place, size: Size(width: layout.valueWidth, height: 1), action: .move))) }
        case .release, .drag: break
        }
        return []
    }

    func area(_ state: AppState) -> Rect { layout(in: state.popupArea).frame }

    var hasInput: Bool { values != firstValues }

    // MARK: Drawing

    /// The positions of the parts.
    private struct Layout {
        var frame: Rect
        /// The area of the rows.
        var rows: Rect
        /// The index of the first visible row.
        var top: Int
        var labelWidth: Int
        /// The lines of the reason why the values are not valid.
        var problem: [String]

        var valueWidth: Int { max(0, rows.width - labelWidth) }
    }

    private func layout(in area: Rect) -> Layout {
        let width = min(76, max(20, area.width - 4))
        let problem = problem.map { Array(WrappedText.lines($0, width: width - 4).prefix(3)) } ?? []
        let frame = area.centered(Size(width: width, height: min(rows.count + 3 + max(1, problem.count), area.height)))
        let list = frame.inset(columns: 2, rows: 1).split(bottomHeight: max(1, problem.count)).top
        return Layout(
            frame: frame, rows: list, top: Window.top(0, showing: selected, count: rows.count, height: list.height),
            labelWidth: rows.reduce(0) { max($0, CellWidth.width(of: $1.label)) } + 2, problem: problem)
    }

    func draw(on canvas: inout Canvas, _ state: AppState) {
        let layout = layout(in: state.popupArea)
        _ = canvas.popup(layout.frame, title: [Span(title, .titleFocused)], trailing: state.closingHint)
        for offset in 0..<max(0, layout.rows.height) where layout.top + offset < rows.count {
            let row = rows[layout.top + offset]
            let isSelected = layout.top + offset == selected
            let start = layout.rows.origin.moved(rows: offset)
            canvas.write(row.label, at: start, style: isSelected ? .accent : .muted, width: layout.labelWidth)
            row.value.draw(
                on: &canvas, at: start.moved(columns: layout.labelWidth), width: layout.valueWidth, isSelected: isSelected,
                showsSecrets: state.showsSecrets)
        }
        canvas.write(
            lines: layout.problem, at: Point(column: layout.rows.column, row: layout.rows.endRow), style: .warning, width: layout.rows.width)
    }
}

extension Form.Value {
    fileprivate func draw(on canvas: inout Canvas, at point: Point, width: Int, isSelected: Bool, showsSecrets: Bool) {
        switch self {
        case .text(let field, let placeholder, let isSecret):
            let isMasked = isSecret && !showsSecrets
            if isSelected {
                field.draw(on: &canvas, at: point, width: width, placeholder: placeholder, isMasked: isMasked)
            } else if field.isEmpty {
                canvas.write(CellWidth.truncated(placeholder, to: width), at: point, style: .placeholder, width: width)
            } else {
                canvas.write(CellWidth.truncated(isMasked ? HeaderField.mask : field.text, to: width), at: point, width: width)
            }
        case .choice(let words, let chosen):
            let spans =
                Self.showsAll(words, width: width)
                ? words.enumerated().flatMap { number, word in
                    [Span(number == chosen ? "(•) " : "( ) ", number == chosen ? .accent : .muted), Span(word), Span("  ")]
                }
                : [Span("‹ ", .accent), Span(words[chosen]), Span(" ›", .accent), Span("  \(chosen + 1) of \(words.count)", .muted)]
            canvas.write(spans, at: point, width: width)
            if isSelected {
                canvas.select(row: point.row, in: Rect(column: point.column, row: point.row, width: width, height: 1), isFocused: true)
            }
        }
    }

    /// Whether all words are displayed; words that do not fit are displayed one at a time.
    private static func showsAll(_ words: [String], width: Int) -> Bool {
        words.reduce(0) { $0 + wordWidth($1) } <= width + 2
    }

    /// The cells of a word with its mark and the blanks after it.
    private static func wordWidth(_ word: String) -> Int { CellWidth.width(of: word) + 6 }

    /// The distance from the chosen word to the one at a column: one of the displayed words, or the next or the previous one where the chosen one
    /// is displayed only; nil beside the words, and for a text.
    fileprivate func word(atColumn column: Int, width: Int) -> Int? {
        guard case .choice(let words, let chosen) = self else { return nil }
        guard Self.showsAll(words, width: width) else { return column < 2 ? -1 : 1 }
        var end = 0
        for (index, word) in words.enumerated() {
            end += Self.wordWidth(word)
            if column < end - 2 { return index - chosen }
        }
        return nil
    }
}

/// The reason why the values of a form are not valid.
struct FormProblem: Error {
    var sentence: String
    /// The label of the invalid row, if there is one.
    var label: String?

    init(_ sentence: String, at label: String? = nil) {
        self.sentence = sentence
        self.label = label
    }
}

/// The forms that the next session opens again, with what was typed in them.
enum KeptForm: String {
    case environment, variable, value, endpoint, folder, service
}

extension AppState {
    /// The open forms in which something was typed, as they are stored.
    var formDrafts: [FormDraft] { popups.all(Form.self).compactMap { $0.draft(self) } }
}
