internal import Foundation
internal import Glibc
internal import SortieNetworking
internal import Synchronization

/// Prompts on the terminal for the passphrase of a client key, without echo.
enum TerminalPassphrase {
    /// The terminal settings before echo was switched off; nil while echo is on.
    private static let mode = Mutex<termios?>(nil)
    /// Serialises the prompts.
    private static let turn = NSLock()
    private static let restoresAtExit: Bool = atexit { TerminalPassphrase.restore() } == 0

    /// Returns a function that prompts the user; nil where standard input or standard error is not a terminal, so that scripts get an error and
    /// never wait.
    ///
    /// - Parameter hide: called with each passphrase, so that it is masked.
    static func asking(hiding hide: @escaping @Sendable (String) -> Void) -> ClientKeyQuestion.Asking? {
        guard isatty(STDIN_FILENO) == 1, StandardError.isTerminal else { return nil }
        return { question, answer in
            // A separate thread, because waiting for input must not block other work.
            Thread.detachNewThread {
                let passphrase = ask(question)
                if let passphrase { hide(passphrase) }
                answer(passphrase)
            }
        }
    }

    /// Switches echo on again; also called when the program ends.
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

    /// Prompts for the password of `-u NAME`, which may be empty; nil where standard input or standard error is not a terminal, or nothing was
    /// typed.
    ///
    /// Blocks until the user has answered, before the rest of the command.
    static func password(for name: String) -> String? { value(after: "Password for \(name): ") }

    /// Prompts for a secret before the rest of a command; nil where standard input or standard error is not a terminal, or nothing was typed.
    static func value(after prompt: String) -> String? {
        guard isatty(STDIN_FILENO) == 1, StandardError.isTerminal else { return nil }
        // Without it, a signal would leave the terminal without echo.
        let interruption = Interruption {
            restore()
            StandardError.raw("\n")
            _exit(CommandFailure.Kind.interrupted.exitCode)
        }
        defer { interruption.end() }
        return hiddenLine(after: prompt)
    }

    /// Reads a line without echo.
    ///
    /// - Parameter mayRead: waits for input; false where the user cancelled.
    static func hiddenLine(after prompt: String, when mayRead: () -> Bool = { true }) -> String? {
        turn.lock()
        defer { turn.unlock() }
        _ = restoresAtExit
        // After echo is off, because the user may type as soon as the prompt appears.
        hideTyping()
        StandardError.prompt(prompt)
        let line = mayRead() ? readLine() : nil
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
