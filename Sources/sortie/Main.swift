internal import ArgumentParser
internal import Glibc
internal import Networking

@main
enum Main {
    static func main() async {
        // A reader that went away is an error of the write, not the end of the process. A handler, because to ignore the signal
        // would be inherited by the editor and by the commands of secrets, whose pipes need it.
        signal(SIGPIPE, pipeBroke)
        let status = await run(Array(CommandLine.arguments.dropFirst()))
        await Client.shutDownEngine()
        exit(status)
    }

    private static func run(_ arguments: [String]) async -> Int32 {
        do {
            var command = try SortieCommand.parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
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
