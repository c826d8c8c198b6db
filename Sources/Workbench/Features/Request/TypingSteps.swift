/// Divides typed text into undo steps: words, deletions, pastes.
struct TypingSteps: Hashable, Sendable {
    /// The current step.
    private(set) var current = Draft.Typing(field: "", part: 0)
    private var last: TextChange.Kind?

    /// Begins a step of a field.
    mutating func begin(_ field: String) {
        current = Draft.Typing(field: field, part: current.part + 1)
        last = nil
    }

    /// The step that a change belongs to.
    mutating func step(of change: TextChange, in field: String) -> Draft.Typing {
        let kind = change.kind
        let continues = last == nil || kind.continues(last)
        if field != current.field || !continues { begin(field) }
        last = kind
        return current
    }
}
