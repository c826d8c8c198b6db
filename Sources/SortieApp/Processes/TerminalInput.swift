internal import Foundation
internal import Glibc
internal import Synchronization

/// The terminal as the place where the user answers prompts: standard input with the prompts on standard error.
final class TerminalInput: Sendable {
    private let input: ProgramInput
    private let errors: StandardError
    /// The turn to prompt.
    let turn = TerminalTurn()
    /// The terminal settings before echo was switched off; nil while echo is on.
    private let mode = Mutex<termios?>(nil)
    /// Serialises the prompts without echo.
    private let hiddenTurn = NSLock()

    init(input: ProgramInput, errors: StandardError) {
        (self.input, self.errors) = (input, errors)
    }

    /// Whether the user can be prompted: standard input is a terminal, and so is standard error, which shows the prompt.
    var isPossible: Bool { input.isTerminal && errors.isTerminal }

    /// Switches echo on again; also called when the program ends.
    func restore() {
        mode.withLock { mode in
            guard var before = mode else { return }
            mode = nil
            tcsetattr(input.descriptor, TCSANOW, &before)
        }
    }

    /// Reads a line without echo.
    ///
    /// - Parameter mayRead: waits for input; false where the user cancelled.
    func hiddenLine(after prompt: String, when mayRead: () -> Bool = { true }) -> String? {
        hiddenTurn.lock()
        defer { hiddenTurn.unlock() }
        // After echo is off, because the user may type as soon as the prompt appears.
        hideTyping()
        errors.prompt(prompt)
        let line = mayRead() ? input.line() : nil
        restore()
        errors.raw("\n")
        return line
    }

    private func hideTyping() {
        mode.withLock { mode in
            var before = termios()
            guard tcgetattr(input.descriptor, &before) == 0 else { return }
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            if tcsetattr(input.descriptor, TCSAFLUSH, &silent) == 0 { mode = before }
        }
    }
}
