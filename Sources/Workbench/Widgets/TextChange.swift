/// A change of a text by a key or a paste.
enum TextChange: Hashable, Sendable {
    case insert(String)
    /// Enter in a text of several lines.
    case newLine
    case edit(TextEdit)
}

extension TextField {
    mutating func apply(_ change: TextChange) {
        switch change {
        case .insert(let text): insert(text)
        case .newLine: break
        case .edit(let edit): apply(edit)
        }
    }
}

extension TextArea {
    mutating func apply(_ change: TextChange) {
        switch change {
        case .insert(let text): insert(text)
        case .newLine: insert("\n")
        case .edit(let edit): apply(edit)
        }
    }
}
