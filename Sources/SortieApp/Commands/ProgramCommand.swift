internal import ArgumentParser

/// A command, which uses the process only by the context that it is given.
protocol ProgramCommand: ParsableCommand {
    func run(in program: ProgramContext) throws
}

/// A command that waits for requests or for other work.
protocol AsyncProgramCommand: ParsableCommand {
    func run(in program: ProgramContext) async throws
}
