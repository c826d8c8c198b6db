/// An event from the terminal.
package enum InputEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// Text was pasted. Its line breaks are line feeds.
    case paste(String)
    /// The mouse was used.
    case mouse(Mouse)
    /// The size of the terminal changed; the screen must be drawn again.
    case resize(Size)
    /// The program is in the foreground again after it was stopped; the screen must be drawn again.
    case resumed
    /// The terminal was closed. No event follows; the program must end.
    case hangup
}
