internal import Foundation
internal import Glibc
internal import Networking
internal import Synchronization

/// Asks on the terminal for the passphrase of a client key, without showing what is typed.
enum TerminalPassphrase {
    /// How the terminal was before its echo was switched off; nil while it is not.
    private static let mode = Mutex<termios?>(nil)
    /// One question at a time.
    private static let turn = NSLock()
    private static let restoresAtExit: Bool = atexit { TerminalPassphrase.restore() } == 0

    /// Asks the user of a command; nil where standard input or standard error is no terminal, so that scripts get an error and never wait.
    ///
    /// - Parameter hide: is told each passphrase, so that it is masked.
    static func asking(hiding hide: @escaping @Sendable (String) -> Void) -> ClientKeyQuestion.Asking? {
        guard isatty(STDIN_FILENO) == 1, StandardError.isTerminal else { return nil }
        return { question, answer in
            // A thread of its own: waiting for a person must hold up nothing else.
            Thread.detachNewThread {
                let passphrase = ask(question)
                if let passphrase { hide(passphrase) }
                answer(passphrase)
            }
        }
    }

    /// Switches the echo on again; called when the program ends, too.
    static func restore() {
        mode.withLock { mode in
            guard var before = mode else { return }
            mode = nil
            tcsetattr(STDIN_FILENO, TCSANOW, &before)
        }
    }

    private static func ask(_ question: ClientKeyQuestion) -> String? {
        if question.wasRefused { StandardError.line("sortie: the passphrase does not open \(question.file)") }
        let line = hiddenLine(after: "Passphrase for \(question.file): ")
        return line?.isEmpty == false ? line : nil
    }

    /// Asks for the password of `-u NAME`, which may be empty; nil where standard input or standard error is no terminal, or nothing was typed.
    ///
    /// Waits for the user: before anything else of the command.
    static func password(for name: String) -> String? {
        guard isatty(STDIN_FILENO) == 1, StandardError.isTerminal else { return nil }
        // Without it the signal would leave the terminal without echo.
        let interruption = Interruption {
            restore()
            StandardError.raw("\n")
            _exit(CommandFailure.Kind.interrupted.exitCode)
        }
        defer { interruption.end() }
        return hiddenLine(after: "Password for \(name): ")
    }

    /// Reads a line that the terminal does not show.
    private static func hiddenLine(after prompt: String) -> String? {
        turn.lock()
        defer { turn.unlock() }
        _ = restoresAtExit
        // After the echo is off: who sees the question can type.
        hideTyping()
        StandardError.prompt(prompt)
        let line = readLine()
        restore()
        StandardError.raw("\n")
        return line
    }

    private static func hideTyping() {
        mode.withLock { mode in
            var before = termios()
            guard tcgetattr(STDIN_FILENO, &before) == 0 else { return }
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            if tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 { mode = before }
        }
    }
}
