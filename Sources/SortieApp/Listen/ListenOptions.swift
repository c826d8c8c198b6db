internal import ArgumentParser

/// How long `sortie listen` listens, and whether it sends lines.
struct ListenOptions: ParsableArguments {
    @Option(name: .customLong("for"), help: ArgumentHelp("Close the connection after this time, such as 30s or 5m.", valueName: "time"))
    var time: String?

    @Option(help: ArgumentHelp("Close the connection after this number of received messages or events.", valueName: "n"))
    var count: Int?

    @Flag(
        name: [.customShort("i"), .customLong("interactive")],
        help: "Send each line of standard input as a message, also where it is a terminal; a file or a pipe is always sent.")
    var interactive = false

    /// The time limit; nil for none.
    ///
    /// - Throws: A usage error that names the option and the remedy.
    func duration() throws -> Duration? { try time.map { try Duration(ofOptionFor: $0) } }

    /// Rejects a number of messages below 1.
    func checkCount() throws {
        guard let count, count < 1 else { return }
        throw CommandFailure(.usage, "--count \(count) is not a number of messages", hint: "write a number from 1")
    }
}
