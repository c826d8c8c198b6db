internal import SortieTerminal

extension Context {
    static let transfers = Context("Transfers")
}

extension BottomTab {
    static let transfers = BottomTab("Transfers")
}

extension SearchPlace {
    static let transfers = SearchPlace("transfers")
}

extension Command {
    static let pauseTransfer = Command.named("pauseTransfer")
    static let pauseAllTransfers = Command.named("pauseAllTransfers")
    static let cancelTransfer = Command.named("cancelTransfer")
    static let discardTransfer = Command.named("discardTransfer")
    static let restartTransfer = Command.named("restartTransfer")
    static let moveTransferUp = Command.named("moveTransferUp", isInPalette: false)
    static let moveTransferDown = Command.named("moveTransferDown", isInPalette: false)
    static let openTransferFolder = Command.named("openTransferFolder")
    static let showTransferResponse = Command.named("showTransferResponse")
    static let chooseTransferLimit = Command.named("chooseTransferLimit")
    static let downloadTo = Command.named("downloadTo")
}

extension TransfersFeature {
    var bindings: [Binding] {
        [
            Binding(
                .transfers, [.character("p")], .pauseTransfer, "Pause", "Pause or resume the transfer", hint: 2,
                unless: \.cannotPauseReason),
            Binding(
                .transfers, [.character("x")], .cancelTransfer, "Cancel",
                "Cancel the transfer and keep its partial file; remove an ended one from the list",
                hint: 3, unless: \.noTransferReason),
            Binding(
                .transfers, [.character("r")], .restartTransfer, "Go on", "Resume a transfer that is unfinished, failed or was cancelled", hint: 4,
                unless: \.cannotRestartTransferReason),
            Binding(.transfers, [.enter], .open, "Details", "Show the details of the transfer", hint: 5, unless: \.noTransferReason),
            Binding(
                .transfers, [.character("P")], .pauseAllTransfers, "Pause all", "Pause or resume all transfers", hint: 6,
                unless: \.cannotPauseAllReason),
            Binding(
                .transfers, [.character("X")], .discardTransfer, "Discard", "Cancel the transfer and remove its partial file",
                unless: \.cannotDiscardReason),
            Binding(
                .transfers, [.character("o")], .openTransferFolder, "Folder", "Open the folder of the file", hint: 7, unless: \.noFolderReason),
            Binding(
                .transfers, [.character("K"), Key(.up, .control)], .moveTransferUp, "Up", "Move the transfer up in the queue",
                unless: \.cannotMoveTransferReason),
            Binding(
                .transfers, [.character("J"), Key(.down, .control)], .moveTransferDown, "Down", "Move the transfer down in the queue",
                unless: \.cannotMoveTransferReason),
            Binding(
                .transfers, [.character("v")], .showTransferResponse, "Response", "Show the endpoint of the transfer with its response",
                unless: \.noTransferReason),
            Binding(
                .request, [], .downloadTo, "Download", "Download the response of this request to a file", unless: \.cannotDownloadReason),
            Binding(.panes, [.character("T")], .show(.transfers), "Transfers", "Show Transfers"),
            Binding(.everywhere, [], .chooseTransferLimit, "Transfers at once", "Set how many transfers run at once"),
        ]
    }
}
