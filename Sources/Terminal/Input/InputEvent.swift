/// Something that came from the terminal.
public enum InputEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// Text was pasted; its line ends are line feeds.
    case paste(String)
    /// The mouse was used.
    case mouse(Mouse)
    /// The terminal has a new size; draw again.
    case resize(Size)
    /// The program is in the foreground again after it was stopped; draw again.
    case resumed
    /// The terminal is gone: its window was closed, or its other end hung up. Nothing follows; end the program.
    case hangup
}
