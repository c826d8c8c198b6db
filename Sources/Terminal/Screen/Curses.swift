internal import CNcurses

/// The used part of ncurses in Swift's types: drawing and restoring the terminal.
///
/// ncurses only draws. ``KeyDecoder`` decodes the keys for the reasons given there.
enum Curses {
    /// Initialises the terminal.
    ///
    /// Returns `false` where ncurses does not support it.
    static func open() -> Bool {
        guard cncurses_open() != nil else { return false }
        raw()
        noecho()
        nonl()
        typeahead(-1)  // otherwise ncurses interrupts drawing while input is pending
        leaveok(cncurses_window(), false)
        scrollok(cncurses_window(), false)
        return true
    }

    /// Initialises the colours and returns their number: 0, 8 or 256.
    static func openColours() -> Int {
        guard has_colors(), start_color() != ERR else { return 0 }
        use_default_colors()
        let roles = Role.allCases.count
        guard cncurses_colours() >= 8, cncurses_pairs() > roles else { return 0 }
        let isRich = cncurses_colours() >= 256
        for role in Role.allCases {
            let look = Theme.of(role)
            init_pair(pair(of: role), (isRich ? look.rich : look.basic) ?? -1, -1)
        }
        return isRich ? 256 : 8
    }

    /// Writes one piece of a cell to the screen buffer.
    static func put(_ text: [Unicode.Scalar], row: Int, column: Int, style: Style, colour: Bool) {
        let characters = text.map { wchar_t(bitPattern: $0.value) } + [0]
        let attributes = attributes(Theme.attributes(of: style, colour: colour))
        _ = cncurses_put(Int32(row), Int32(column), characters, attributes, colour ? pair(of: style.role) : 0)
    }

    /// Sends the changes and shows the cursor at `cursor`, or hides it.
    static func refresh(cursor: Point?) {
        curs_set(cursor == nil ? 0 : 1)
        if let cursor { wmove(cncurses_window(), Int32(cursor.row), Int32(cursor.column)) }
        wrefresh(cncurses_window())
    }

    /// Discards the known content of the terminal, so that the next ``refresh(cursor:)`` sends everything.
    static func repaint() {
        clearok(cncurses_shown(), true)
    }

    /// Clears the screen buffer.
    static func erase() {
        werase(cncurses_window())
    }

    /// Sets the size.
    static func resize(to size: Size) {
        resizeterm(Int32(size.height), Int32(size.width))
    }

    /// The size that ncurses uses.
    static var size: Size { Size(width: Int(cncurses_columns()), height: Int(cncurses_rows())) }

    /// Restores the terminal until the next ``refresh(cursor:)``.
    static func close() {
        endwin()
    }

    /// Whether the terminal description supports full-screen programs.
    static func canPlaceCursor(descriptor: Int32) -> Bool {
        var error: Int32 = 0
        return cncurses_describe(descriptor, &error) == OK && capability("cup") != nil
    }

    /// A capability of the terminal as bytes to send, without the padding delays of old terminals.
    static func capability(_ name: String) -> String? {
        cncurses_capability(name).map { String(cString: $0).replacing(/\$<[^>]*>/, with: "") }
    }

    /// The width of a scalar in columns according to the C library, which ncurses uses.
    static func libraryWidth(of scalar: Unicode.Scalar) -> Int {
        Int(wcwidth(wchar_t(bitPattern: scalar.value)))
    }

    private static func pair(of role: Role) -> Int16 { Int16(role.rawValue) + 1 }

    private static func attributes(_ attributes: Theme.Attributes) -> attr_t {
        var bits: attr_t = 0
        if attributes.contains(.bold) { bits |= cncurses_bold() }
        if attributes.contains(.dim) { bits |= cncurses_dim() }
        if attributes.contains(.reverse) { bits |= cncurses_reverse() }
        if attributes.contains(.underline) { bits |= cncurses_underline() }
        return bits
    }
}
