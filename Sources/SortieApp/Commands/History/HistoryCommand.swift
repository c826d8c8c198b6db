internal import ArgumentParser

/// `sortie history`: the history of exchanges, for scripts.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List, show, replay, compare and export exchanges.",
        subcommands: [
            HistoryListCommand.self, HistoryShowCommand.self, HistoryReplayCommand.self, HistoryDiffCommand.self, HistoryExportCommand.self,
            HistoryPruneCommand.self, HistoryDeleteCommand.self, HistoryPinCommand.self, HistoryUnpinCommand.self, HistoryTagCommand.self,
            HistoryNoteCommand.self,
        ], defaultSubcommand: HistoryListCommand.self)
}
