internal import SortieTerminal

/// A change of a text by a key, a paste, the mouse or a completion.
enum TextChange: Hashable, Sendable {
    case insert(String)
    /// Enter in a text of several lines.
    case newLine
    case edit(TextEdit)
    case point(TextPoint)
    case replace(TextReplacement)
    /// Replaces the whole text as one step, for a text from the user's editor.
    case replaceAll(String)

    /// The kind of a change, which determines the undo step it belongs to.
    enum Kind: Hashable, Sendable {
        case word, space, deletion, other

        /// Whether a change continues the undo step of the previous change: words with the space before them, deletions.
        func continues(_ last: Kind?) -> Bool {
            switch (last, self) {
            case (.word, .word), (.space, .space), (.space, .word), (.deletion, .deletion): true
            default: false
            }
        }
    }

    var kind: Kind {
        switch self {
        case .insert(let text) where text.count > 1: .other
        case .insert(let text): text.allSatisfy(\.isWhitespace) ? .space : .word
        case .newLine: .space
        case .edit(.deleteBefore), .edit(.deleteAfter): .deletion
        case .edit, .point, .replace, .replaceAll: .other
        }
    }
}

/// A press or a drag of the mouse in a text.
struct TextPoint: Hashable, Sendable {
    enum Gesture: Hashable, Sendable {
        case move, select, selectWord
    }

    /// The cell within the drawn area.
    var point: Point
    /// The size of the drawn area.
    var size: Size
    var action: Gesture
}

/// A replacement of the text around the cursor.
struct TextReplacement: Hashable, Sendable {
    /// The number of characters before the cursor that are replaced.
    var before: Int
    /// The number of characters after the cursor that are replaced.
    var after = 0
    var text: String
    /// The number of characters of ``text`` after which the cursor is placed; nil for its end.
    var cursor: Int?
}
