internal import Glibc
internal import SortieBase
internal import SortieTerminal

/// Standard output, which contains only the requested result.
enum StandardOutput {
    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The number of columns of the terminal.
    static var columns: Int { size(\.ws_col) ?? 80 }

    /// The number of rows of the terminal.
    static var rows: Int { size(\.ws_row) ?? 24 }

    private static func size(_ side: KeyPath<winsize, UInt16>) -> Int? {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size[keyPath: side] > 0 ? Int(size[keyPath: side]) : nil
    }

    /// Writes text unchanged.
    static func write(_ text: String) {
        Array(text.utf8).withUnsafeBytes { write($0) }
    }

    /// Writes bytes unchanged.
    ///
    /// A closed reader ends the program without a message, as it ends `cat`.
    static func write(_ bytes: UnsafeRawBufferPointer) {
        guard !FileDescriptorWriter.writeAll(bytes, to: STDOUT_FILENO) else { return }
        let code = errno
        if code == EPIPE { exit(0) }
        let failure = CommandFailure(.file, "stdout cannot be written: \(String(cString: strerror(code)).lowercased())")
        failure.report()
        exit(failure.exitCode)
    }
}

/// Standard error, for messages and progress.
enum StandardError {
    /// Whether standard error is a terminal.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes one line, in which external text cannot control the terminal or look like another line of the program.
    static func line(_ text: String) {
        raw(VisibleLine.of(text) + "\n")
    }

    /// Writes a line for each of the problems of files, as warnings.
    static func warn(_ problems: [Diagnostic]) {
        for problem in problems { line("sortie: warning: \(problem)") }
    }

    /// Writes a prompt; the input follows on the same line.
    static func prompt(_ text: String) { raw(VisibleText.of(text)) }

    /// Writes text unchanged, for the progress line.
    static func raw(_ text: String) {
        // An error is ignored, because it cannot be reported when stderr fails.
        Array(text.utf8).withUnsafeBytes { _ = FileDescriptorWriter.writeAll($0, to: STDERR_FILENO) }
    }
}

private enum FileDescriptorWriter {
    static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
