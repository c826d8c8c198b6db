internal import Foundation
internal import Interchange
internal import SortieNetworking
internal import Synchronization
internal import WorkspaceModel

/// Prompts on the terminal for the values of `{{$prompt LABEL}}`.
enum TerminalPrompt {
    /// Prompts for a value; one prompt is shown at a time, and no thread of Swift's pool waits.
    ///
    /// - Parameter environment: The environment that the value is for, where the command uses several.
    /// - Throws: When the user cancelled, or entered nothing.
    static func value(
        of question: PromptQuestion, in environment: String? = nil, program: ProgramContext, cancelledBy cancellation: Cancellation
    ) async throws(TemplateError) -> String {
        await program.terminal.turn.take()
        defer { program.terminal.turn.end() }
        return try await BlockingExecutor.shared.run { () throws(TemplateError) in try ask(question, environment, program, cancellation) }
    }

    private static func ask(
        _ question: PromptQuestion, _ environment: String?, _ program: ProgramContext, _ cancellation: Cancellation
    ) throws(TemplateError) -> String {
        let prompt = (environment.map { $0 + ": " } ?? "") + question.label + (question.suggestion.isEmpty ? ": " : " [\(question.suggestion)]: ")
        let line: String?
        if question.isSecret {
            line = program.terminal.hiddenLine(after: prompt) { cancellation.waitForInput(on: program.input.descriptor) }
        } else {
            program.errors.prompt(prompt)
            line = cancellation.waitForInput(on: program.input.descriptor) ? program.input.line() : nil
        }
        guard let line else {
            throw TemplateError(cancellation.isCancelled ? "“\(question.label)” was not entered" : "“\(question.label)” got no input")
        }
        return line.isEmpty ? question.suggestion : line
    }

    /// Requires that every value is given, has a default, or can be prompted for.
    ///
    /// - Throws: A usage error that names the option which supplies the value.
    static func requireValues(of questions: [PromptQuestion], given: [String: String], in program: ProgramContext) throws {
        guard !program.terminal.isPossible, let question = questions.first(where: { given[$0.label] == nil && $0.suggestion.isEmpty }) else { return }
        // A value on the command line is in the list of processes.
        let argument = ShellQuote.quoted(question.label + (question.isSecret ? "@FILE" : "=VALUE"))
        throw CommandFailure(
            .usage, name: "prompt", "“\(question.label)” has to be entered, and standard input or standard error is not a terminal",
            hint: "--var \(argument) supplies it")
    }

    /// Prompts for all values that are not given, one after the other.
    ///
    /// - Parameter environment: The environment that the values are for, where the command uses several.
    static func values(
        of questions: [PromptQuestion], given: [String: String], in environment: String? = nil, program: ProgramContext
    ) async throws -> [String: String] {
        try requireValues(of: questions, given: given, in: program)
        guard program.terminal.isPossible else { return [:] }
        var values: [String: String] = [:]
        for question in questions where given[question.label] == nil {
            do {
                values[question.label] = try await Interruption.cancelling(in: program) { cancellation in
                    try await value(of: question, in: environment, program: program, cancelledBy: cancellation)
                }
            } catch let error as TemplateError {
                throw CommandFailure(.usage, name: "prompt", error.message)
            }
        }
        return values
    }
}

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

/// Displays on stderr what the user must do for an access token, and opens the page where there is a desktop.
struct TerminalSignIn: OAuth2SignInPresenter {
    let program: ProgramContext

    /// A presenter where a user can see it; nil otherwise, so that scripts get an error and never wait.
    static func whereSeen(in program: ProgramContext) -> TerminalSignIn? { program.errors.isTerminal ? TerminalSignIn(program: program) : nil }

    func begin(_ signIn: OAuth2SignIn) {
        let page: String
        switch signIn.step {
        case .browser:
            page = signIn.page.description
            program.errors.line("sortie: sign in with a browser on this machine at")
            program.errors.line("  \(page)")
        case .code(let code, let plain, let pageWithCode):
            page = (pageWithCode ?? plain).description
            program.errors.line("sortie: sign in with a browser at \(plain), and enter the code \(VisibleLine.of(code))")
            if let pageWithCode { program.errors.line("  \(pageWithCode) contains the code") }
        }
        program.errors.line("sortie: waiting for the sign-in; Ctrl-C ends the wait")
        guard program.errors.isTerminal else { return }
        // Without a desktop the user opens the page.
        Task { _ = await Desktop.open(page, advice: "", in: program) }
    }

    func end(_ signIn: OAuth2SignIn) {}
}

/// The turn to prompt on the terminal: one task at a time has it, so that prompts are displayed one after the other.
final class TerminalTurn: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [Latch] = []
    }

    private let state = Mutex(State())

    /// Waits for the turn; callers get it in the order of their calls.
    func take() async {
        let latch = state.withLock { state -> Latch? in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            let latch = Latch()
            state.waiting.append(latch)
            return latch
        }
        await latch?.wait()
    }

    /// Passes the turn on.
    func end() {
        let next = state.withLock { state -> Latch? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.open()
    }
}
