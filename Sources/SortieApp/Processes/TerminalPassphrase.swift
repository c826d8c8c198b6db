internal import Foundation
internal import SortieNetworking

/// Prompts on the terminal for the passphrase of a client key, without echo.
enum TerminalPassphrase {
    /// Returns a function that prompts the user; nil where standard input or standard error is not a terminal, so that scripts get an error and
    /// never wait.
    ///
    /// - Parameter hide: called with each passphrase, so that it is masked.
    static func asking(in program: ProgramContext, hiding hide: @escaping @Sendable (String) -> Void) -> ClientKeyQuestion.Asking? {
        guard program.terminal.isPossible else { return nil }
        return { question, answer in
            // A separate thread, because waiting for input must not block other work.
            Thread.detachNewThread {
                let passphrase = ask(question, in: program)
                if let passphrase { hide(passphrase) }
                answer(passphrase)
            }
        }
    }

    private static func ask(_ question: ClientKeyQuestion, in program: ProgramContext) -> String? {
        if question.wasRefused { program.errors.line("sortie: the passphrase does not open \(question.file)") }
        let line = program.terminal.hiddenLine(after: "Passphrase for \(question.file): ")
        return line?.isEmpty == false ? line : nil
    }

    /// Prompts for the password of `-u NAME`, which may be empty; nil where standard input or standard error is not a terminal, or nothing was
    /// typed.
    ///
    /// Blocks until the user has answered, before the rest of the command.
    static func password(for name: String, in program: ProgramContext) -> String? { value(after: "Password for \(name): ", in: program) }

    /// Prompts for a secret before the rest of a command; nil where standard input or standard error is not a terminal, or nothing was typed.
    static func value(after prompt: String, in program: ProgramContext) -> String? {
        guard program.terminal.isPossible else { return nil }
        // Without it, a signal would leave the terminal without echo.
        let interruption = Interruption(in: program) {
            program.terminal.restore()
            program.errors.raw("\n")
            program.interruptions.endProgram()
        }
        defer { interruption.end() }
        return program.terminal.hiddenLine(after: prompt)
    }
}
