internal import ArgumentParser
internal import SortieBase

/// The program as a function of its arguments.
package enum Program {
    /// Runs a command on the calling thread, and an asynchronous one on the blocking executor, so that Swift's shared thread pool stays available for
    /// requests.
    ///
    /// - Returns: the exit code.
    package static func run(in program: ProgramContext) -> Int32 {
        do {
            try UsageHint.requireSubcommand(program.arguments, in: program)
            try run(command(program.arguments), in: program)
            return 0
        } catch let code as ExitCode {
            return code.rawValue
        } catch {
            guard let failure = CommandFailure(of: error) else { return report(error, to: program) }
            failure.report(to: program.errors)
            return failure.exitCode
        }
    }

    /// The exit code, after a message, where the process has too few descriptors for threads and events, or arguments that are not text; nil where
    /// commands can run.
    package static func refusal(in program: ProgramContext) -> Int32? {
        do throws(CommandFailure) {
            try FileLimit.requireLeast()
            try requireText(UnsafeMutableBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst())
            return nil
        } catch {
            error.report(to: program.errors)
            return error.exitCode
        }
    }

    /// Refuses an argument that is not UTF-8, in which Swift replaces bytes, so that the program would send or open something else.
    static func requireText(_ arguments: some Collection<UnsafeMutablePointer<CChar>?>) throws(CommandFailure) {
        for (index, argument) in arguments.enumerated() {
            guard let argument, String(validatingCString: argument) == nil else { continue }
            throw CommandFailure(
                .usage, "the argument \(index + 1), “\(String(cString: argument))”, is not UTF-8",
                hint: "rename a file whose name is not UTF-8; bytes of a body can be in a file: -d @FILE")
        }
    }

    /// Whether the command sends requests, so that the engine may be prepared before the arguments are parsed.
    package static func sendsRequests(_ arguments: [String]) -> Bool {
        let commands: [any ParsableCommand.Type] = [
            SendCommand.self, DownloadCommand.self, UploadCommand.self, RunCommand.self, BenchCommand.self,
        ]
        guard let name = arguments.first else { return false }
        return commands.contains { $0.configuration.commandName == name } && !["--dry-run", "--help", "-h"].contains(where: arguments.contains)
    }

    /// Whether the command may leave the foreground, for which another process has to be started before this one has a second thread.
    package static func mayDetach(_ arguments: [String]) -> Bool {
        sendsRequests(arguments) && arguments.first == DownloadCommand.configuration.commandName && arguments.contains("--detach")
    }

    /// Parses the arguments.
    ///
    /// A command without subcommands is parsed on its own, because the arguments of all commands above it take a third of the time. Arguments that it
    /// rejects, and help, are parsed from the root, whose messages have the whole command line.
    private static func command(_ arguments: [String]) throws -> any ParsableCommand {
        let subcommands = SortieCommand.configuration.subcommands
        if arguments.first == "help" { try requireCommands(arguments.dropFirst().filter { !$0.hasPrefix("-") }) }
        if let name = arguments.first, let type = subcommands.first(where: { $0.configuration.commandName == name }),
            type.configuration.subcommands.isEmpty
        {
            do {
                let command = try type.parseAsRoot(Array(arguments.dropFirst()))
                if Swift.type(of: command) == type { return command }
            } catch {
                // The arguments are parsed from the root below, whose error has the whole command line.
            }
        }
        do { return try SortieCommand.parseAsRoot(arguments) } catch {
            let message = SortieCommand.message(for: error)
            guard let name = (SharedOptions.values + SharedOptions.flags).first(where: { message.hasPrefix("Unknown option '\($0)'") }),
                let option = arguments.firstIndex(where: { $0 == name || $0.hasPrefix("\(name)=") })
            else { throw error }
            let next = option + (SharedOptions.flags.contains(name) || arguments[option].contains("=") ? 1 : 2)
            guard next <= arguments.endIndex else { throw error }
            return try command(Array(arguments[..<option] + arguments[next...]))
        }
    }

    /// - Throws: A usage error where the words are not a command and its subcommands; the parser would print the general help.
    private static func requireCommands(_ words: [String]) throws(CommandFailure) {
        var known = SortieCommand.configuration.subcommands
        for word in words {
            guard let command = known.first(where: { $0.configuration.commandName == word }) else {
                throw CommandFailure(
                    .usage, "there is no command \(word)", hint: UsageHint.remedy(for: "", [word]) ?? "sortie --help lists the commands")
            }
            known = command.configuration.subcommands
        }
    }

    private static func run(_ command: any ParsableCommand, in program: ProgramContext) throws {
        if let command = command as? any ProgramCommand { return try command.run(in: program) }
        // Help, and a command that only has subcommands.
        var command = command
        try command.run()
    }

    /// Help and version are regular results; every other result of the parser is a usage error.
    private static func report(_ error: any Error, to program: ProgramContext) -> Int32 {
        guard SortieCommand.exitCode(for: error) != .success else {
            let message = SortieCommand.fullMessage(for: error)
            let end = message.hasPrefix("OVERVIEW") ? CommandExamples.text(forHelpOf: program.arguments) : ""
            // The libraries are loaded for their versions only here: the configuration is created for every command.
            program.output.write(message == VersionReport.line ? VersionReport.text : message + "\n" + end)
            return 0
        }
        var message = SortieCommand.message(for: error)
        if message.isEmpty { message = "\(error)" }
        let remedy = UsageHint.remedy(for: message, program.arguments)
        // The parser proposes the option whose name is most similar, whatever it means.
        if remedy != nil { message = message.replacing(/\. Did you mean '[^']*'\?$/, with: "") }
        let hint = remedy ?? "sortie --help lists the commands, sortie COMMAND --help their options"
        CommandFailure(.usage, message, hint: hint).report(to: program.errors)
        return CommandFailure.Kind.usage.exitCode
    }
}
