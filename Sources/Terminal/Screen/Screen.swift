import Glibc

/// The terminal in full-screen mode for the lifetime of this value.
///
/// Only one value may exist at a time, and it must stay on the thread that created it. Wait with `poll` until
/// ``inputDescriptor`` is readable, read *all* events with ``readEvent()``, and draw once. The terminal is restored
/// when the value is destroyed, when the program exits, and when it crashes.
package struct Screen: ~Copyable {
    /// The settings of a screen.
    package struct Options: Hashable, Sendable {
        /// The largest number of colours to use.
        ///
        /// A non-empty `NO_COLOR` disables them too.
        package var colours: ColourDepth
        /// The colours of the roles.
        package var theme: Theme
        /// Whether to enable mouse reports.
        package var mouse: Bool
        /// The characters for borders, bars and marks; nil for ASCII where the locale is not one of UTF-8.
        package var glyphs: GlyphSet?
        /// Whether the terminal draws an emoji sequence in two columns; nil for what is known about the terminal.
        package var sequences: Bool?

        /// Creates settings; by default colours and the mouse are enabled.
        package init(
            colours: ColourDepth = .rich, theme: Theme = .automatic, mouse: Bool = true, glyphs: GlyphSet? = nil, sequences: Bool? = nil
        ) {
            self.colours = colours
            self.theme = theme
            self.mouse = mouse
            self.glyphs = glyphs
            self.sequences = sequences
        }
    }

    var signals: SignalPipe
    let poll: EventPoll
    /// The number of colours that are used.
    package private(set) var depth: ColourDepth
    var theme: Theme
    /// The characters that are drawn for those of the canvas.
    var glyphs: GlyphSet
    /// Whether emoji sequences are written as a whole.
    private(set) var drawsSequences: Bool
    /// Whether the user's locale is one of UTF-8.
    private let isUTF8: Bool
    private let canUnderline: Bool
    var pictures = PicturePairs()
    var drawn: Canvas?
    var decoder = KeyDecoder()
    var clicks = ClickCounter()
    var waiting: [InputEvent] = []
    var deadline: Int?
    var isHungUp = false
    private var hasMouse: Bool
    private let farewell: String
    private let mode: termios

    static let input = STDIN_FILENO
    static let output = STDOUT_FILENO

    // Safe: accessed on the one thread that uses the terminal, when a `Screen` is created and destroyed.
    private nonisolated(unsafe) static var isTaken = false

    /// Switches the terminal to full-screen mode.
    ///
    /// - Throws: A ``TerminalError`` when the terminal is not usable. The terminal is unchanged then.
    package init(_ options: Options = Options()) throws(TerminalError) {
        let (mode, isUTF8, type) = try Self.usableTerminal()
        let signals = try SignalPipe()
        let poll = try EventPoll(watching: [Self.input, signals.descriptor])
        guard Curses.open(type) else {
            throw TerminalError(.unsuitableTerminal, "ncurses cannot use this terminal. Check that TERM names it.")
        }
        self.init(options, mode: mode, isUTF8: isUTF8, signals: signals, poll: poll)
    }

    /// Does not throw: Swift 6.2 destroys the default values twice where an initializer of a noncopyable value throws.
    private init(_ options: Options, mode: termios, isUTF8: Bool, signals: consuming SignalPipe, poll: consuming EventPoll) {
        self.mode = mode
        self.signals = signals
        self.poll = poll
        farewell = Self.farewell()
        theme = options.theme
        depth = Curses.openColours(options.theme, atMost: Self.permitted(options))
        self.isUTF8 = isUTF8
        glyphs = Self.glyphs(options, isUTF8: isUTF8)
        drawsSequences = Self.drawsSequences(options, isUTF8: isUTF8)
        canUnderline = Curses.capability("smul") != nil
        hasMouse = options.mouse
        Self.isTaken = true
        enter()
        // The first draw needs no event. Swift 6.2 refuses a mutating method here.
        _ = Self.adoptSize()
    }

    deinit {
        leave()
        Self.isTaken = false
    }

    /// The terminal's size.
    package var size: Size { Curses.size }

    /// Readable while an event may be pending.
    ///
    /// Wait for it with `poll`, then call ``readEvent()`` until it returns `nil`.
    package var inputDescriptor: Int32 { poll.descriptor }

    /// Restores the terminal for another program, such as an editor, until ``takeBack()``.
    package mutating func giveBack() {
        leave()
    }

    /// Switches to full-screen mode again after ``giveBack()`` and shows the last canvas.
    ///
    /// An ``InputEvent/resize(_:)`` follows where the size changed in between.
    package mutating func takeBack() {
        enter()
        takeSize()
    }

    /// Changes colours, characters and mouse; the next ``draw(_:)`` sends the whole screen.
    package mutating func use(_ options: Options) {
        theme = options.theme
        depth = Curses.openColours(options.theme, atMost: Self.permitted(options))
        glyphs = Self.glyphs(options, isUTF8: isUTF8)
        drawsSequences = Self.drawsSequences(options, isUTF8: isUTF8)
        drawn = nil
        guard options.mouse != hasMouse else { return }
        hasMouse = options.mouse
        giveBack()
        takeBack()
    }

    /// The number of colours that the environment permits and the theme uses.
    private static func permitted(_ options: Options) -> ColourDepth {
        let isColourless = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        return isColourless ? .none : min(options.colours, options.theme.depth)
    }

    /// Whether emphasis needs brackets, because the terminal cannot underline or has no colours.
    var needsBrackets: Bool { depth == .none || !canUnderline }

    private static func glyphs(_ options: Options, isUTF8: Bool) -> GlyphSet {
        switch options.glyphs {
        case nil: isUTF8 ? .unicode : .asciiOnly
        case .unicode: .unicode
        case .ascii, .asciiOnly: isUTF8 ? .ascii : .asciiOnly
        }
    }

    private static func drawsSequences(_ options: Options, isUTF8: Bool) -> Bool { isUTF8 && (options.sequences ?? EmojiSequences.areKnown()) }

    /// Makes the next ``draw(_:)`` send the whole screen, because another program has written to the terminal.
    package mutating func redraw() {
        Curses.repaint()
        // The next canvas is a frame also where it is the last one.
        drawn = nil
    }

    /// Stops the program as Ctrl-Z does and returns when it is in the foreground again.
    ///
    /// The next event is ``InputEvent/resumed``.
    package mutating func suspend() {
        leave()
        signals.stop()
        takeBack()
        for signal in signals.take() where signal != SIGCONT && signal != SIGWINCH { answer(signal) }
        waiting.append(.resumed)
    }

    /// Adopts a changed size and queues an event.
    mutating func takeSize() {
        guard let size = Self.adoptSize() else { return }
        drawn = nil
        waiting.append(.resize(size))
    }

    /// The size of the terminal where it differs from that of ncurses, which has it then.
    private static func adoptSize() -> Size? {
        guard let size = EventPoll.windowSize(of: output), !size.isEmpty, size != Curses.size else { return nil }
        Curses.resize(to: size)
        Curses.repaint()
        return size
    }

    private func enter() {
        CrashGuard.arm(descriptor: Self.output, mode: mode, farewell: farewell)
        Curses.repaint()
        Curses.refresh(cursor: nil)
        Self.send("\u{1B}[?2004h" + (hasMouse ? "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" : ""))
    }

    private func leave() {
        Self.send(Self.modesOff)
        Curses.close()
        if Curses.capability("rmcup") == nil, let clear = Curses.capability("clear") {
            Self.send(clear)  // no alternate screen to leave, as on the Linux console
        }
        CrashGuard.disarm()
    }

    private static let modesOff = "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l\u{1B}[?2004l"

    /// A terminal with this mode (synchronized output) shows what follows when ``frameEnd`` has arrived, and not in parts; others ignore it.
    private static let frameStart = "\u{1B}[?2026h"
    private static let frameEnd = "\u{1B}[?2026l"

    /// The bytes that restore the terminal where ncurses can no longer be called.
    private static func farewell() -> String {
        let capabilities = ["sgr0", "cnorm", "rmcup"].compactMap { Curses.capability($0) }
        return frameEnd + modesOff + capabilities.joined() + "\r\n"
    }

    /// Sets the clipboard of the terminal; false when the sequence cannot be written.
    ///
    /// A terminal does not report whether it supports the sequence.
    package func copy(_ sequence: ClipboardSequence) -> Bool { Self.send(sequence.bytes) }

    private static func send(_ text: String) { _ = send(Array(text.utf8)) }

    private static func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return false }  // the terminal is gone; reading reports it
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }

    /// The settings of the terminal, whether the user's locale is one of UTF-8, and the name of the terminal's description.
    private static func usableTerminal() throws(TerminalError) -> (mode: termios, isUTF8: Bool, type: String) {
        guard !isTaken else { throw TerminalError(.alreadyTaken, "The terminal is already in use by this program.") }
        var mode = termios()
        guard isatty(input) != 0, isatty(output) != 0, tcgetattr(output, &mode) == 0 else {
            throw TerminalError(
                .notATerminal, "Standard input and output must be a terminal. Run this without pipes or redirections.")
        }
        // Only LC_CTYPE is set: another decimal separator in the C library would affect its other users.
        setlocale(LC_CTYPE, "")
        let isUTF8 = String(cString: nl_langinfo(Int32(CODESET))) == "UTF-8"
        if !isUTF8, setlocale(LC_CTYPE, "C.UTF-8") == nil {
            throw TerminalError(.noUTF8, "There is no UTF-8 locale. Set LC_ALL to one that `locale -a` lists.")
        }
        let name = getenv("TERM").map { String(cString: $0) } ?? ""
        guard let type = TerminalType.candidates(of: name).first(where: { Curses.canPlaceCursor($0, descriptor: output) }) else {
            let problem =
                name.isEmpty ? "TERM is not set" : "The terminal type \(name) (TERM) is unknown or cannot place the cursor"
            throw TerminalError(.unsuitableTerminal, "\(problem). Set TERM to what the terminal is, for example xterm-256color.")
        }
        return (mode, isUTF8, type)
    }
}

/// Drawing.
extension Screen {
    /// Shows `canvas`.
    ///
    /// Only the differences from the last canvas are sent.
    ///
    /// A larger canvas is clipped to the terminal; a smaller one leaves the rest blank.
    package mutating func draw(_ canvas: borrowing Canvas) {
        if needsBrackets { show(canvas.bracketed) } else { show(canvas) }
    }

    private mutating func show(_ canvas: borrowing Canvas) {
        let visible = canvas.bounds.intersection(Rect(origin: .zero, size: size))
        let before = drawn?.size == canvas.size ? drawn : nil
        var isChanged = before == nil
        if isChanged { Curses.erase() }
        for row in visible.rows {
            for column in visible.columns {
                let index = row * canvas.size.width + column
                let cell = canvas.cells[index]
                if let before, before.cells[index] == cell { continue }
                isChanged = true
                put(cell, row: row, column: column, end: visible.endColumn)
            }
        }
        drawn = copy canvas
        if isChanged { Self.send(Self.frameStart) }
        Curses.refresh(cursor: canvas.cursor.flatMap { visible.contains($0) ? $0 : nil })
        if isChanged { Self.send(Self.frameEnd) }
    }

    private mutating func put(_ cell: Cell, row: Int, column: Int, end: Int) {
        guard cell.width > 0 else { return }  // the first cell is drawn with both columns
        if column + cell.width > end {
            Curses.put([" "], row: row, column: column, style: cell.style, theme: theme, depth: depth)
            return
        }
        if let colours = cell.style.colours {
            put(cell, colours, row: row, column: column)
            return
        }
        var column = column
        let glyph = glyphs.glyph(cell.glyph, width: cell.width)
        if glyph.utf8.count == 1, let scalar = glyph.unicodeScalars.first {
            Curses.put([scalar], row: row, column: column, style: cell.style, theme: theme, depth: depth)
            return
        }
        if drawsSequences, let sequence = TerminalGlyph.sequence(glyph, width: cell.width, libraryWidth: Curses.libraryWidth) {
            Curses.put(sequence, row: row, column: column, style: cell.style, theme: theme, depth: depth)
            return
        }
        for piece in TerminalGlyph.pieces(of: glyph, width: cell.width, libraryWidth: Curses.libraryWidth) {
            Curses.put(piece.text, row: row, column: column, style: cell.style, theme: theme, depth: depth)
            column += piece.width
        }
    }

    /// Draws a cell of a picture; as a character where there are not enough colours.
    private mutating func put(_ cell: Cell, _ colours: CellColours, row: Int, column: Int) {
        guard depth == .rich, let (pair, isNew) = pictures.number(of: colours, last: Curses.lastPair) else {
            Curses.put([colours.character], row: row, column: column, style: Style(.text), theme: theme, depth: depth)
            return
        }
        if isNew { Curses.setColours(colours, ofPair: pair) }
        Curses.put(Array(cell.glyph.unicodeScalars), row: row, column: column, pair: pair)
    }
}

/// Input from keys, the mouse and signals.
extension Screen {
    /// The timeout after a single Escape, in milliseconds.
    private static let escapeDelay = 25
    /// The timeout after the start of a sequence.
    ///
    /// It is longer, because only a slow connection splits a sequence, which must not become text.
    private static let sequenceDelay = 250
    /// The timeout after the last byte of a paste or a report without an end.
    private static let textDelay = 2000

    /// The next event; `nil` when none is pending.
    ///
    /// Does not block.
    ///
    /// Callers must call it until it returns `nil` before they wait again, because events that were already read no
    /// longer make ``inputDescriptor`` readable.
    package mutating func readEvent() -> InputEvent? {
        while true {
            for signal in signals.take() { answer(signal) }
            if !waiting.isEmpty { return waiting.removeFirst() }
            if let event = decoder.next() { return counted(event) }
            if readBytes() { continue }
            guard let pause = pause(for: decoder.pending) else {
                setDeadline(nil)
                return nil
            }
            guard let deadline else {
                setDeadline(EventPoll.now + pause)
                return nil
            }
            guard EventPoll.now >= deadline else { return nil }
            setDeadline(nil)
            waiting = decoder.flush()
        }
    }

    /// Handles a signal.
    mutating func answer(_ signal: Int32) {
        switch signal {
        case SIGWINCH: takeSize()
        case SIGTSTP: suspend()
        case SIGCONT:
            // After SIGSTOP, which cannot be caught, the shell has used the terminal.
            giveBack()
            takeBack()
            waiting.append(.resumed)
        default: hangUp()
        }
    }

    /// Reads bytes from the terminal.
    ///
    /// Returns whether the state changed.
    private mutating func readBytes() -> Bool {
        guard !isHungUp else { return false }
        var wanted = pollfd(fd: Self.input, events: Int16(POLLIN), revents: 0)
        // `poll` lets the terminal stay in blocking mode, which it shares with the shell and with every child
        // program.
        guard Glibc.poll(&wanted, 1, 0) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        let count = read(Self.input, &bytes, bytes.count)
        if count > 0 {
            setDeadline(nil)
            decoder.feed(bytes.prefix(count))
            return true
        }
        if count < 0, errno == EINTR || errno == EAGAIN { return false }
        hangUp()
        return true
    }

    private mutating func hangUp() {
        guard !isHungUp else { return }
        isHungUp = true
        poll.forget(Self.input)
        waiting.append(.hangup)
    }

    private mutating func counted(_ event: InputEvent) -> InputEvent {
        guard case .mouse(let mouse) = event else { return event }
        return .mouse(clicks.count(mouse, at: EventPoll.now))
    }

    private mutating func setDeadline(_ time: Int?) {
        guard time != deadline else { return }
        deadline = time
        poll.setTimer(time.map { max(1, $0 - EventPoll.now) })
    }

    private func pause(for pending: KeyDecoder.Pending) -> Int? {
        switch pending {
        case .nothing: nil
        case .escape: Self.escapeDelay
        case .sequence: Self.sequenceDelay
        case .paste, .report: Self.textDelay
        }
    }
}
