internal import CNcurses

/// The used part of ncurses in Swift's types: drawing and restoring the terminal.
///
/// ncurses only draws. ``KeyDecoder`` decodes the keys for the reasons given there.
enum Curses {
    /// Initialises the terminal with a description.
    ///
    /// Returns `false` where ncurses does not support it.
    static func open(_ type: String) -> Bool {
        guard cncurses_open(type) != nil else { return false }
        raw()
        noecho()
        nonl()
        typeahead(-1)  // otherwise ncurses interrupts drawing while input is pending
        leaveok(cncurses_window(), false)
        scrollok(cncurses_window(), false)
        return true
    }

    /// Initialises the colours and returns the depth that the terminal supports, at most `most`.
    static func openColours(_ theme: Theme, atMost most: ColourDepth) -> ColourDepth {
        guard most > .none, has_colors(), start_color() != ERR else { return .none }
        use_default_colors()
        let roles = Role.allCases.count
        guard cncurses_pairs() > roles else { return .none }
        var depth = min(most, ColourDepth(colours: Int(cncurses_colours())))
        // The selection bar needs a second pair for each role.
        if depth == .rich, cncurses_pairs() <= 2 * roles { depth = .extended }
        setColours(theme, depth)
        return depth
    }

    /// Sets the colours of all roles.
    static func setColours(_ theme: Theme, _ depth: ColourDepth) {
        guard depth > .none else { return }
        for role in Role.allCases {
            for style in depth == .rich ? [Style(role), Style(role).selected()] : [Style(role)] {
                let look = theme.rendition(of: style, depth: depth)
                init_pair(pair(of: style, depth), look.foreground ?? -1, look.background ?? -1)
            }
        }
    }

    /// Writes one piece of a cell, or an emoji sequence into the cells of its first emoji, to the screen buffer.
    static func put(_ text: [Unicode.Scalar], row: Int, column: Int, style: Style, theme: Theme, depth: ColourDepth) {
        let characters = text.map { wchar_t($0.value) } + [0]
        let look = theme.rendition(of: style, depth: depth)
        let hasColours = look.foreground != nil || look.background != nil
        _ = cncurses_put(Int32(row), Int32(column), characters, attributes(look.attributes), hasColours ? pair(of: style, depth) : 0)
    }

    /// Writes a glyph in the colours of a pair.
    static func put(_ text: [Unicode.Scalar], row: Int, column: Int, pair: Int16) {
        _ = cncurses_put(Int32(row), Int32(column), text.map { wchar_t($0.value) } + [0], attributes([]), pair)
    }

    /// The greatest number of a pair.
    static var lastPair: Int16 { Int16(clamping: cncurses_pairs() - 1) }

    /// Sets the colours of a pair.
    static func setColours(_ colours: CellColours, ofPair pair: Int16) {
        init_pair(pair, colours.foreground.map { Int16($0) } ?? -1, colours.background.map { Int16($0) } ?? -1)
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

    /// Whether the system has the description of a terminal, and it supports full-screen programs.
    static func canPlaceCursor(_ type: String, descriptor: Int32) -> Bool {
        var error: Int32 = 0
        return cncurses_describe(type, descriptor, &error) == OK && capability("cup") != nil
    }

    /// A capability of the terminal as bytes to send, without the padding delays of old terminals.
    static func capability(_ name: String) -> String? {
        cncurses_capability(name).map { String(cString: $0).replacing(/\$<[^>]*>/, with: "") }
    }

    /// The width of a scalar in columns according to the C library, which ncurses uses.
    static func libraryWidth(of scalar: Unicode.Scalar) -> Int {
        Int(wcwidth(wchar_t(scalar.value)))
    }

    private static func pair(of style: Style, _ depth: ColourDepth) -> Int16 {
        let isSecond = style.isSelected && depth == .rich
        return Int16(style.role.rawValue) + 1 + (isSecond ? Int16(Role.allCases.count) : 0)
    }

    private static func attributes(_ attributes: Look.Attributes) -> attr_t {
        var bits: attr_t = 0
        if attributes.contains(.bold) { bits |= cncurses_bold() }
        if attributes.contains(.dim) { bits |= cncurses_dim() }
        if attributes.contains(.reverse) { bits |= cncurses_reverse() }
        if attributes.contains(.underline) { bits |= cncurses_underline() }
        return bits
    }
}
