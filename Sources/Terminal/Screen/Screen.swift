import Glibc

/// The terminal, taken over for as long as this value lives.
///
/// There is one at a time, and it stays on the thread that made it. Wait with `poll` until ``inputDescriptor`` is readable, take
/// *all* events with ``readEvent()``, draw once. The terminal is given back when the value goes away, when the program exits, and
/// when it crashes.
public struct Screen: ~Copyable {
    /// What a person can choose.
    public struct Options: Hashable, Sendable {
        /// Whether to use colours; they are left out also where `NO_COLOR` is set to something.
        public var colour: Bool
        /// Whether to ask the terminal for mouse reports.
        public var mouse: Bool

        /// Colours and the mouse, unless said otherwise.
        public init(colour: Bool = true, mouse: Bool = true) {
            self.colour = colour
            self.mouse = mouse
        }
    }

    var signals: SignalPipe
    let poll: EventPoll
    let hasColours: Bool
    var drawn: Canvas?
    var decoder = KeyDecoder()
    var clicks = ClickCounter()
    var waiting: [InputEvent] = []
    var deadline: Int?
    var isHungUp = false
    private let hasMouse: Bool
    private let farewell: String
    private let mode: termios

    static let input = STDIN_FILENO
    static let output = STDOUT_FILENO

    // Safe: read and written on the one thread that has to do with the terminal, when a `Screen` begins and ends.
    private nonisolated(unsafe) static var isTaken = false

    /// Takes the terminal over.
    ///
    /// - Throws: A ``TerminalError`` that says why this terminal cannot be used; nothing has been changed then.
    public init(_ options: Options = Options()) throws(TerminalError) {
        let mode = try Self.usableTerminal()
        let signals = try SignalPipe()
        let poll = try EventPoll(watching: [Self.input, signals.descriptor])
        guard Curses.open() else {
            throw TerminalError(.unsuitableTerminal, "ncurses cannot use this terminal. Check that TERM names it.")
        }
        self.mode = mode
        self.signals = signals
        self.poll = poll
        farewell = Self.farewell()
        let isColourless = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        hasColours = options.colour && !isColourless && Curses.openColours() > 0
        hasMouse = options.mouse
        Self.isTaken = true
        enter()
        takeSize()
        waiting = []  // the first draw needs no resize event
    }

    deinit {
        leave()
        Self.isTaken = false
    }

    /// The terminal's size.
    public var size: Size { Curses.size }

    /// Readable as long as there may be an event; wait for it with `poll`, and then call ``readEvent()`` until it returns `nil`.
    public var inputDescriptor: Int32 { poll.descriptor }

    /// Gives the terminal to another program, such as an editor, until ``takeBack()``.
    public mutating func giveBack() {
        leave()
    }

    /// Takes the terminal again after ``giveBack()`` and shows what was drawn last.
    ///
    /// A ``InputEvent/resize(_:)`` follows where the size changed in between.
    public mutating func takeBack() {
        enter()
        takeSize()
    }

    /// Makes the next ``draw(_:)`` send the whole screen, because something else has written to the terminal.
    public func redraw() {
        Curses.repaint()
    }

    /// Stops the program as a shell expects it on Ctrl-Z, and returns when it is in the foreground again.
    ///
    /// The next event is ``InputEvent/resumed``.
    public mutating func suspend() {
        leave()
        signals.stop()
        takeBack()
        for signal in signals.take() where signal != SIGCONT && signal != SIGWINCH { answer(signal) }
        waiting.append(.resumed)
    }

    /// Takes over a size that changed, and says so with an event.
    mutating func takeSize() {
        guard let size = EventPoll.windowSize(of: Self.output), !size.isEmpty, size != self.size else { return }
        Curses.resize(to: size)
        Curses.repaint()
        drawn = nil
        waiting.append(.resize(size))
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
            Self.send(clear)  // no second screen to leave, as on the Linux console
        }
        CrashGuard.disarm()
    }

    private static let modesOff = "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l\u{1B}[?2004l"

    /// Everything that puts the terminal back, for the moment when ncurses can no longer be asked.
    private static func farewell() -> String {
        let capabilities = ["sgr0", "cnorm", "rmcup"].compactMap { Curses.capability($0) }
        return modesOff + capabilities.joined() + "\r\n"
    }

    private static func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return }  // the terminal is gone; the reading side reports it
            rest = rest.dropFirst(max(0, count))
        }
    }

    private static func usableTerminal() throws(TerminalError) -> termios {
        guard !isTaken else { throw TerminalError(.alreadyTaken, "The terminal is already in use by this program.") }
        var mode = termios()
        guard isatty(input) != 0, isatty(output) != 0, tcgetattr(output, &mode) == 0 else {
            throw TerminalError(
                .notATerminal, "Standard input and output must be a terminal. Run this without pipes or redirections.")
        }
        // Only characters: a decimal comma in the C library would surprise its other users.
        setlocale(LC_CTYPE, "")
        if String(cString: nl_langinfo(Int32(CODESET))) != "UTF-8", setlocale(LC_CTYPE, "C.UTF-8") == nil {
            throw TerminalError(.noUTF8, "There is no UTF-8 locale. Set LC_ALL to one that `locale -a` lists.")
        }
        let name = getenv("TERM").map { String(cString: $0) } ?? ""
        guard Curses.canPlaceCursor(descriptor: output) else {
            let problem =
                name.isEmpty ? "TERM is not set" : "The terminal type \(name) (TERM) is unknown or cannot place the cursor"
            throw TerminalError(.unsuitableTerminal, "\(problem). Set TERM to what the terminal is, for example xterm-256color.")
        }
        return mode
    }
}
