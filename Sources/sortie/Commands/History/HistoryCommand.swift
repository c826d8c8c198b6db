internal import ArgumentParser

/// `sortie history`: what was sent, to be looked at, sent again and compared.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Look at what was sent, send it again, compare it.", subcommands: [HistoryReplayCommand.self])
}
