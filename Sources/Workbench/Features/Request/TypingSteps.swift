/// Divides typed text into undo steps: words, deletions, pastes.
struct TypingSteps: Hashable, Sendable {
    /// The current step.
    private(set) var current = Draft.Typing(field: "", part: 0)
    private var last: Kind?

    private enum Kind {
        case word, space, deletion, other
    }

    /// Begins a step of a field.
    mutating func begin(_ field: String) {
        current = Draft.Typing(field: field, part: current.part + 1)
        last = nil
    }

    /// The step that a change belongs to.
    mutating func step(of change: TextChange, in field: String) -> Draft.Typing {
        let kind = Self.kind(of: change)
        let continues =
            switch (last, kind) {
            case (nil, _), (.word, .word), (.space, .space), (.space, .word), (.deletion, .deletion): true
            default: false
            }
        if field != current.field || !continues { begin(field) }
        last = kind
        return current
    }

    private static func kind(of change: TextChange) -> Kind {
        switch change {
        case .insert(let text) where text.count > 1: .other
        case .insert(let text): text.allSatisfy(\.isWhitespace) ? .space : .word
        case .newLine: .space
        case .edit(.deleteBefore), .edit(.deleteAfter): .deletion
        case .edit: .other
        }
    }
}
