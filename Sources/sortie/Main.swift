internal import ArgumentParser
internal import Glibc
internal import Networking

@main
enum Main {
    /// Runs on the main thread, and asynchronous commands on the blocking executor, so that Swift's shared thread pool stays available for requests.
    static func main() {
        // A reader that went away is an error of the write, not the end of the process. A handler, because to ignore the signal
        // would be inherited by the editor and by the commands of secrets, whose pipes need it.
        signal(SIGPIPE, pipeBroke)
        let status = run(Array(CommandLine.arguments.dropFirst()))
        endEngine()
        exit(status)
    }

    private static func endEngine() {
        do { try MainThread.wait { await Client.shutDownEngine() } } catch { assertionFailure("\(error)") }
    }

    private static func run(_ arguments: [String]) -> Int32 {
        do {
            try run(SortieCommand.parseAsRoot(arguments))
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
            StandardOutput.write(SortieCommand.fullMessage(for: error) + "\n")
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
