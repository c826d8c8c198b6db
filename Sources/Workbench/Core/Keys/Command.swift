/// A command of the user.
///
/// Keys, footer, help and palette refer to commands through the ``Keymap``. The cases are the general commands, whose meaning depends on
/// the popup that is shown or on the focused pane; commands of a single feature are declared there, with ``named(_:isInPalette:)``.
enum Command: Hashable, Sendable {
    // Navigation
    case focus(Pane), focusNext, focusPrevious, nextTab, previousTab, show(BottomTab), zoom, growPane, shrinkPane, resetLayout
    case move(Movement), fold, unfold, open, back, cancel

    // Rows
    case toggle, addRow, deleteRow, editRow, undo

    // Texts
    case search, nextMatch, previousMatch, copy

    // Entering text
    case text(TextEdit), accept, nextField, previousField, newLine, indent, outdent, lineUp, lineDown, pageUp, pageDown, leave

    // Popups
    case choose, close

    // The program
    case send, palette, help, toggleSecrets, redraw, suspend, quit

    /// A command of a single feature, by its name.
    case named(String, isInPalette: Bool = true)

    /// Whether the palette lists the command.
    ///
    /// Navigation within a pane or popup is excluded.
    var isInPalette: Bool {
        switch self {
        case .move, .fold, .unfold, .text, .accept, .nextField, .previousField, .newLine, .indent, .outdent, .lineUp, .lineDown, .pageUp,
            .pageDown, .leave, .choose, .close, .palette:
            false
        case .named(_, let isInPalette): isInPalette
        default: true
        }
    }
}
