internal import Glibc
internal import Terminal

/// What was asked for, and nothing else.
enum StandardOutput {
    /// Whether a person reads it.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// How many columns that terminal has.
    static var columns: Int {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Writes text as it is.
    static func write(_ text: String) {
        Array(text.utf8).withUnsafeBytes { write($0) }
    }

    /// Writes bytes as they are.
    ///
    /// A reader that went away ends the program quietly, as it does `cat`.
    static func write(_ bytes: UnsafeRawBufferPointer) {
        guard !FileDescriptorWriter.writeAll(bytes, to: STDOUT_FILENO) else { return }
        let code = errno
        if code == EPIPE { exit(0) }
        let failure = CommandFailure(.file, "stdout cannot be written: \(String(cString: strerror(code)).lowercased())")
        failure.report()
        exit(failure.exitCode)
    }
}

/// Messages and progress.
enum StandardError {
    /// Whether a person reads it.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes one line in which nothing that came from outside can command the terminal, or look like another line of ours.
    static func line(_ text: String) {
        raw(VisibleLine.of(text) + "\n")
    }

    /// Writes a question, which the answer follows on the same line.
    static func prompt(_ text: String) { raw(VisibleText.of(text)) }

    /// Writes text as it is: our own progress line.
    static func raw(_ text: String) {
        // Nobody is left to tell when stderr cannot be written.
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
