internal import Model
internal import Terminal

/// A popup with several fields.
struct Form: Hashable, Sendable {
    /// The use of the values.
    enum Purpose: Hashable, Sendable {
        /// A cookie of the jar in the popup below; `replacing` is nil for a new one.
        case cookie(CookiesPopup, replacing: Cookie?)
        case conditions(service: String)
        case capture
        /// A new endpoint for the request of a past exchange.
        case endpoint(PastExchange)
    }

    /// The value of a row.
    enum Value: Hashable, Sendable {
        case text(TextField, placeholder: String = "", isSecret: Bool = false)
        /// One of several words.
        case choice([String], Int)
    }

    /// A field with its label.
    struct Row: Hashable, Sendable {
        var label: String
        var value: Value

        /// Creates a text field.
        init(_ label: String, _ text: String, placeholder: String = "", isSecret: Bool = false) {
            self.label = label
            value = .text(TextField(text), placeholder: placeholder, isSecret: isSecret)
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
    let purpose: Purpose
    var rows: [Row]
    var selected = 0
    /// The reason why the values are not valid.
    var problem: String?

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
}

extension AppState {
    private func formRect(_ form: Form) -> Rect {
        let whole = Rect(origin: .zero, size: size).split(bottomHeight: 1).top
        return whole.centered(Size(width: min(76, max(20, whole.width - 4)), height: min(form.rows.count + 4, whole.height)))
    }

    func drawForm(_ form: Form, on canvas: inout Canvas) {
        let rect = formRect(form)
        canvas.fill(rect, style: .overlay)
        canvas.box(rect, title: [Span(form.title, .titleFocused)], trailing: [Span("Esc closes", .muted)], style: .borderFocused)
        let inner = rect.inset(columns: 2, rows: 1)
        let labelWidth = form.rows.reduce(0) { max($0, CellWidth.width(of: $1.label)) } + 2
        let room = max(0, inner.height - 1)
        let top = Window.top(0, showing: form.selected, count: form.rows.count, height: room)
        for offset in 0..<room where top + offset < form.rows.count {
            let index = top + offset
            let row = form.rows[index]
            let isSelected = index == form.selected
            let start = Point(column: inner.column, row: inner.row + offset)
            canvas.write(row.label, at: start, style: isSelected ? .accent : .muted, width: labelWidth)
            let point = start.moved(columns: labelWidth)
            let width = max(0, inner.width - labelWidth)
            switch row.value {
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
                var spans = words.enumerated().flatMap { number, word in
                    [Span(number == chosen ? "(•) " : "( ) ", number == chosen ? .accent : .muted), Span(word), Span("  ")]
                }
                if spans.reduce(0, { $0 + CellWidth.width(of: $1.text) }) > width + 2 {
                    // Words that do not fit are shown one at a time.
                    spans = [Span("‹ ", .accent), Span(words[chosen]), Span(" ›", .accent), Span("  \(chosen + 1) of \(words.count)", .muted)]
                }
                canvas.write(spans, at: point, width: width)
                if isSelected {
                    canvas.select(row: point.row, in: Rect(column: point.column, row: point.row, width: width, height: 1), isFocused: true)
                }
            }
        }
        if let problem = form.problem {
            canvas.write(
                CellWidth.truncated(problem, to: inner.width), at: Point(column: inner.column, row: inner.endRow - 1), style: .warning,
                width: inner.width)
        }
    }

    /// Accepts the values, or shows why they are not valid.
    mutating func accepted(_ form: Form) -> [Effect] {
        do throws(FormProblem) {
            switch form.purpose {
            case .cookie(let list, let old): return try put(form, replacing: old, in: list)
            case .conditions(let service): return try setConditions(form, of: service)
            case .capture: return try startCapture(form)
            case .endpoint(let past): return try saveEndpoint(form, of: past)
            }
        } catch {
            var form = form
            form.problem = error.sentence
            if let label = error.label, let row = form.rows.firstIndex(where: { $0.label == label }) { form.select(row) }
            popup = .form(form)
            return []
        }
    }

    /// Handles the mouse: a click selects a row, or the next word of the selected row.
    mutating func used(_ mouse: Mouse, on form: Form) {
        guard mouse.kind == .press else { return }
        let rect = formRect(form)
        guard rect.contains(mouse.position) else {
            popup = popup?.beneath
            return
        }
        let row = mouse.position.row - rect.row - 1
        guard form.rows.indices.contains(row) else { return }
        var form = form
        if form.selected == row { form.turn(by: 1) } else { form.select(row) }
        popup = .form(form)
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

extension Popup {
    /// The popup that is shown again when this one closes.
    var beneath: Popup? {
        switch self {
        case .form(let form):
            switch form.purpose {
            case .cookie(let list, _): .cookies(list)
            case .conditions, .capture, .endpoint: nil
            }
        case .prompt(let prompt):
            switch prompt.purpose {
            case .importCookies(let list), .exportCookies(let list): .cookies(list)
            default: nil
            }
        case .list(let list): list.prompt.map { .prompt($0) }
        case .diff(let diff): diff.beneath.map { .list($0) }
        default: nil
        }
    }
}
