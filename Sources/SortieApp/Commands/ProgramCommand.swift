internal import ArgumentParser

/// A command, which uses the process only by the context that it is given.
protocol ProgramCommand: ParsableCommand {
    func run(in program: ProgramContext) throws
}

/// A command that waits for requests or for other work.
protocol AsyncProgramCommand: ProgramCommand, Sendable {
    func run(in program: ProgramContext) async throws
}

extension AsyncProgramCommand {
    func run(in program: ProgramContext) throws {
        try MainThread.wait { try await run(in: program) }
    }
}

/// A command that sends the request of an endpoint or of a URL.
///
/// It declares the three groups itself, because a debug build of ArgumentParser validates a group in a group, and each level of groups takes four times
/// as long: with one group that had these three, a debug build parsed the arguments of `sortie send` for 140 ms.
protocol RequestCommand: AsyncProgramCommand {
    var parts: RequestPartOptions { get }
    var sending: SendingOptions { get }
    var trust: TrustOptions { get }
}

extension RequestCommand {
    /// The options about the request.
    var request: RequestCommandOptions { RequestCommandOptions(parts: parts, sending: sending, trust: trust) }
}

extension CommandConfiguration {
    /// The configuration of a command that ``Program`` parses on its own, which is the first of its command line then.
    ///
    /// ArgumentParser looks for `--generate-completion-script` in the arguments of the first command by parsing them two more times, an eighth of the
    /// instructions of `sortie send`. It does not for a command that has a superior one by another way than the list of subcommands.
    var parsedAlone: CommandConfiguration {
        var configuration = self
        configuration._superCommandName = "sortie"
        return configuration
    }
}
