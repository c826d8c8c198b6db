internal import ArgumentParser
internal import Dispatch
internal import Glibc
internal import SortieNetworking

@main
enum Main {
    /// Runs on the main thread, and asynchronous commands on the blocking executor, so that Swift's shared thread pool stays available for requests.
    static func main() {
        // A reader that went away is an error of the write, not the end of the process. A handler, because to ignore the signal
        // would be inherited by the editor and by the commands of secrets, whose pipes need it.
        signal(SIGPIPE, pipeBroke)
        let arguments = Array(CommandLine.arguments.dropFirst())
        prepareEngine(for: arguments)
        let status = run(arguments)
        endEngine()
        HookPrograms.shared.endAll()
        Tunnels.shared.endAll()
        exit(status)
    }

    /// Loads libcurl while the arguments are parsed and the workspace is read, for the commands that send requests.
    private static func prepareEngine(for arguments: [String]) {
        let sendingCommands: [any ParsableCommand.Type] = [
            SendCommand.self, DownloadCommand.self, UploadCommand.self, RunCommand.self, BenchCommand.self,
        ]
        guard let name = arguments.first, sendingCommands.contains(where: { $0.configuration.commandName == name }),
            !["--dry-run", "--help", "-h"].contains(where: arguments.contains)
        else { return }
        // The thread of the command first: glibc starts none while it loads a library.
        BlockingExecutor.shared.start {}
        Client.prepareEngine()
    }

    private static func endEngine() {
        let ended = DispatchSemaphore(value: 0)
        Client.shutDownEngine { ended.signal() }
        ended.wait()
    }

    private static func run(_ arguments: [String]) -> Int32 {
        do {
            try run(command(arguments))
            return 0
        } catch let failure as CommandFailure {
            failure.report()
            return failure.exitCode
        } catch let code as ExitCode {
            return code.rawValue
        } catch {
            return report(error)
        }
    }

    /// Parses the arguments.
    ///
    /// A command without subcommands is parsed on its own, because the arguments of all commands above it take a third of the time. Arguments that it
    /// rejects, and help, are parsed from the root, whose messages have the whole command line.
    private static func command(_ arguments: [String]) throws -> any ParsableCommand {
        let subcommands = SortieCommand.configuration.subcommands
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
        return try SortieCommand.parseAsRoot(arguments)
    }

    private static func run(_ command: sending any ParsableCommand) throws {
        var command = command
        guard let command = command as? any AsyncParsableCommand else { return try command.run() }
        try MainThread.wait {
            var command = command
            try await command.run()
        }
    }

    /// Help and version are regular results; every other result of the parser is a usage error.
    private static func report(_ error: any Error) -> Int32 {
        guard SortieCommand.exitCode(for: error) != .success else {
            let message = SortieCommand.fullMessage(for: error)
            // The libraries are loaded for their versions only here: the configuration is created for every command.
            StandardOutput.write(message == VersionReport.line ? VersionReport.text : message + "\n")
            return 0
        }
        var message = SortieCommand.message(for: error)
        if message.isEmpty { message = "\(error)" }
        CommandFailure(.usage, message, hint: "sortie --help lists the commands, sortie COMMAND --help their options").report()
        return CommandFailure.Kind.usage.exitCode
    }
}

/// Does nothing; no closure, because that would belong to the main actor and run on whichever thread wrote.
private func pipeBroke(_ signal: Int32) {}
