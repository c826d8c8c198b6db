internal import Glibc
internal import SortieBase
internal import SortieTerminal

/// Standard output, which contains only the requested result.
struct StandardOutput: Sendable {
    private let stream: OutputDescriptor
    private let errors: StandardError
    /// Ends the program with an exit code, because nothing more can be written.
    private let end: @Sendable (Int32) -> Void

    init(_ stream: OutputDescriptor, errors: StandardError, end: @escaping @Sendable (Int32) -> Void) {
        (self.stream, self.errors, self.end) = (stream, errors, end)
    }

    private var descriptor: Int32 { stream.number }

    /// Whether output was discarded, because its reader took nothing or has gone.
    var isDiscarding: Bool { stream.isDiscarding }

    /// Whether standard output is a terminal.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether standard output is a terminal that understands control sequences.
    var takesControlSequences: Bool { isTerminal && !errors.isDumb }

    /// The number of columns of the terminal.
    var columns: Int { size(\.ws_col) ?? 80 }

    /// The number of rows of the terminal.
    var rows: Int { size(\.ws_row) ?? 24 }

    private func size(_ side: KeyPath<winsize, UInt16>) -> Int? {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size[keyPath: side] > 0 ? Int(size[keyPath: side]) : nil
    }

    /// Writes text unchanged.
    func write(_ text: String, isEndless: Bool = false, until isCancelled: () -> Bool = { false }) {
        Array(text.utf8).withUnsafeBytes { write($0, isEndless: isEndless, until: isCancelled) }
    }

    /// Writes a document: its text for programs, and without control characters for a terminal.
    func document(_ text: String) { write(isTerminal ? VisibleText.of(text) : text) }

    /// Writes bytes unchanged.
    ///
    /// When the reader has closed, the rest is discarded, so that the command completes its work and ends with its own exit code.
    ///
    /// - Parameters:
    ///   - isEndless: Whether the command has output without an end, so that a closed reader ends the program.
    ///   - isCancelled: Whether the rest is not needed any more.
    func write(_ bytes: UnsafeRawBufferPointer, isEndless: Bool = false, until isCancelled: () -> Bool = { false }) {
        let code = stream.write(bytes, until: isCancelled)
        guard code != 0 else { return }
        if code == EPIPE { return isEndless ? end(0) : () }
        let failure = Self.failure(code)
        failure.report(to: errors)
        end(failure.exitCode)
    }

    /// Writes text whose loss does not end the command: a closed reader is ignored, and another failure is a warning.
    func announce(_ text: String) {
        let code = Array(text.utf8).withUnsafeBytes { stream.write($0) }
        if code != 0, code != EPIPE { errors.line("sortie: warning: \(Self.failure(code).message)") }
    }

    private static func failure(_ code: Int32) -> CommandFailure {
        CommandFailure(.file, "stdout cannot be written: \(String(cString: strerror(code)).lowercased())")
    }
}

/// Standard error, for messages and progress.
struct StandardError: Sendable {
    private let stream: OutputDescriptor
    /// Whether a terminal understands no control sequences.
    let isDumb: Bool

    /// - Parameter terminal: The value of `TERM`; nil where it is not set.
    init(_ stream: OutputDescriptor, terminal: String?) {
        self.stream = stream
        isDumb = ["", "dumb"].contains(terminal ?? "")
    }

    private var descriptor: Int32 { stream.number }

    /// Whether standard error is a terminal.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether standard error is a terminal that understands control sequences, so that a line can be replaced.
    var takesControlSequences: Bool { isTerminal && !isDumb }

    /// The number of columns of the terminal.
    var columns: Int {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Writes again, because standard error has become another file.
    func restart() { stream.restart() }

    /// Writes one line, in which external text cannot control the terminal or look like another line of the program.
    func line(_ text: String) {
        raw(VisibleLine.of(text) + "\n")
    }

    /// Writes a line for each of the problems of files, as warnings.
    func warn(_ problems: [Diagnostic]) {
        for problem in problems { line("sortie: warning: \(problem.programLine)") }
    }

    /// Writes a prompt; the input follows on the same line.
    func prompt(_ text: String) { raw(VisibleText.of(text)) }

    /// Writes text unchanged, for the progress line.
    func raw(_ text: String) {
        // An error is ignored, because it cannot be reported when stderr fails.
        Array(text.utf8).withUnsafeBytes { _ = stream.write($0) }
    }
}

/// Where a command writes its lines for the user: stdout, or stderr where stdout has a document.
enum LineOutput: Sendable {
    case standardOutput(StandardOutput), standardError(StandardError)

    /// Whether the lines appear on a terminal.
    var isTerminal: Bool {
        switch self {
        case .standardOutput(let output): output.isTerminal
        case .standardError(let errors): errors.isTerminal
        }
    }

    /// Writes lines unchanged.
    func write(_ text: String) {
        switch self {
        case .standardOutput(let output): output.write(text)
        case .standardError(let errors): errors.raw(text)
        }
    }
}
