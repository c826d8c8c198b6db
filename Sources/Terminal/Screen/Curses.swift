internal import CNcurses

/// What of ncurses is used, in Swift's types: drawing, and giving the terminal back.
///
/// ncurses only draws. Keys are read and decoded by ``KeyDecoder``, see there.
enum Curses {
    /// Takes the terminal over, or answers `false` where ncurses cannot.
    static func open() -> Bool {
        guard cncurses_open() != nil else { return false }
        raw()
        noecho()
        nonl()
        typeahead(-1)  // or a draw is broken off while keys are waiting
        leaveok(cncurses_window(), false)
        scrollok(cncurses_window(), false)
        return true
    }

    /// How many colours there are to choose from: 0, 8 or 256.
    static func openColours() -> Int {
        guard has_colors(), start_color() != ERR else { return 0 }
        use_default_colors()
        let roles = Role.allCases.count
        guard cncurses_colours() >= 8, cncurses_pairs() > roles else { return 0 }
        let isRich = cncurses_colours() >= 256
        for role in Role.allCases {
            let look = Look.of(role)
            init_pair(pair(of: role), (isRich ? look.rich : look.basic) ?? -1, -1)
        }
        return isRich ? 256 : 8
    }

    /// Puts one piece of a cell at a place on the screen.
    static func put(_ text: [Unicode.Scalar], row: Int, column: Int, style: Style, colour: Bool) {
        let characters = text.map { wchar_t(bitPattern: $0.value) } + [0]
        let attributes = attributes(Look.attributes(of: style, colour: colour))
        _ = cncurses_put(Int32(row), Int32(column), characters, attributes, colour ? pair(of: style.role) : 0)
    }

    /// Sends what changed, with the cursor at `cursor` or hidden.
    static func refresh(cursor: Point?) {
        curs_set(cursor == nil ? 0 : 1)
        if let cursor { wmove(cncurses_window(), Int32(cursor.row), Int32(cursor.column)) }
        wrefresh(cncurses_window())
    }

    /// Forgets what the terminal shows, so that the next ``refresh(cursor:)`` sends everything.
    static func repaint() {
        clearok(cncurses_shown(), true)
    }

    /// Blanks everything that will be drawn.
    static func erase() {
        werase(cncurses_window())
    }

    /// Takes over a new size.
    static func resize(to size: Size) {
        resizeterm(Int32(size.height), Int32(size.width))
    }

    /// The size ncurses works with.
    static var size: Size { Size(width: Int(cncurses_columns()), height: Int(cncurses_rows())) }

    /// Gives the terminal back until the next ``refresh(cursor:)``.
    static func close() {
        endwin()
    }

    /// Whether the description of the terminal allows full-screen programs.
    static func canPlaceCursor(descriptor: Int32) -> Bool {
        var error: Int32 = 0
        return cncurses_describe(descriptor, &error) == OK && capability("cup") != nil
    }

    /// A capability of the terminal as the bytes to send, without the delays old terminals needed.
    static func capability(_ name: String) -> String? {
        cncurses_capability(name).map { String(cString: $0).replacing(/\$<[^>]*>/, with: "") }
    }

    /// The columns the C library, and with it ncurses, counts for a scalar.
    static func libraryWidth(of scalar: Unicode.Scalar) -> Int {
        Int(wcwidth(wchar_t(bitPattern: scalar.value)))
    }

    private static func pair(of role: Role) -> Int16 { Int16(role.rawValue) + 1 }

    private static func attributes(_ attributes: Look.Attributes) -> attr_t {
        var bits: attr_t = 0
        if attributes.contains(.bold) { bits |= cncurses_bold() }
        if attributes.contains(.dim) { bits |= cncurses_dim() }
        if attributes.contains(.reverse) { bits |= cncurses_reverse() }
        if attributes.contains(.underline) { bits |= cncurses_underline() }
        return bits
    }
}
