/// The undo steps of a text; a step is a word, a row of deletions, or another single change.
struct TextHistory: Hashable, Sendable {
    /// A content of the text with its cursor.
    struct Moment: Hashable, Sendable {
        var lines: [[Character]]
        var cursor: EditableText.Position
    }

    /// The maximum number of steps.
    static let limit = 200

    private var past: [Moment] = []
    private var undone: [Moment] = []
    private var last: TextChange.Kind?

    /// Begins a step before a change, unless the change continues the last step.
    mutating func begin(_ kind: TextChange.Kind, from moment: Moment) {
        if past.isEmpty || !kind.continues(last) { past.append(moment) }
        if past.count > Self.limit { past.removeFirst() }
        undone = []
        last = kind
    }

    /// Ends the step, because the cursor was moved.
    mutating func endStep() { last = nil }

    /// The content before the last step; nil when there is none.
    mutating func undo(from moment: Moment) -> Moment? {
        last = nil
        guard let before = past.popLast() else { return nil }
        undone.append(moment)
        return before
    }

    /// The content after the step that was undone last; nil when there is none.
    mutating func redo(from moment: Moment) -> Moment? {
        last = nil
        guard let after = undone.popLast() else { return nil }
        past.append(moment)
        return after
    }
}
