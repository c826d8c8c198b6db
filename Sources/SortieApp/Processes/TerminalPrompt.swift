internal import Interchange
internal import SortieNetworking
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
