internal import Terminal

extension Keymap {
    /// The bindings of single panes.
    static let paneBindings: [Binding] = [
        Binding(.services, [.enter], .open, "Open", "Open the endpoint in Request; fold or unfold a service", hint: 3),
        Binding(.services, [.space], .toggle, "Fold", "Fold or unfold"),

        Binding(.request, [.enter], .editRow, "Edit", "Edit what is selected, or choose its file", hint: 3, unless: \.noRowReason),
        Binding(.request, [.character("e")], .editText, "Type", "Edit what is selected by typing", unless: \.noRowReason),
        Binding(
            .request, [.space], .toggle, "On/off", "Switch the row on or off; choose the next value", hint: 4,
            unless: \.noToggleReason),
        Binding(.request, [.character("a")], .addRow, "Add", "Add a row", hint: 5, unless: \.cannotAddReason),
        Binding(
            .request, [.character("d"), .delete], .deleteRow, "Delete", "Delete the row, or reset an option; u undoes it",
            hint: 6, unless: \.cannotDeleteReason),
        Binding(
            .request, [.character("f")], .pickFile, "File", "Choose the file of the body or of a part", hint: 5,
            unless: \.noFileReason),
        Binding(
            .request, [.character("="), .control("f")], .formatBody, "Format", "Format the JSON body", hint: 6,
            unless: \.cannotFormatReason),
        Binding(.request, [.character("D")], .duplicateRow, "Duplicate", "Insert a copy below the row", unless: \.noPairReason),
        Binding(.request, [.character("K"), Key(.up, .alt)], .moveRow(-1), "Row up", "Move the row up", unless: \.noPairReason),
        Binding(.request, [.character("J"), Key(.down, .alt)], .moveRow(1), "Row down", "Move the row down", unless: \.noPairReason),
        Binding(
            .request, [.character("u")], .undo, "Undo", "Undo the last change to this endpoint", hint: 8,
            unless: \.noUndoReason),
        Binding(
            .request, [.character("U")], .redo, "Redo", "Redo the change that was undone last", unless: \.noRedoReason),
        Binding(.request, [.character("p")], .editURL, "URL", "Edit the path or URL", hint: 9, unless: \.noEndpointReason),
        Binding(.request, [.character("m")], .chooseMethod, "Method", "Choose the method", hint: 10, unless: \.noEndpointReason),
        Binding(
            .request, [.character("v")], .dryRun, "Dry run", "Show what would be sent, without sending it", hint: 11, unless: \.noEndpointReason),
        Binding(
            .request, [], .downloadTo, "Download", "Download the response of this request to a file", unless: \.cannotDownloadReason),
        Binding(
            .request, [], .showChanges, "Differences", "Show what saving would change in the endpoint's file", unless: \.notEditedReason),
        Binding(
            .request, [], .discard, "Discard", "Discard the unsaved changes to this endpoint", unless: \.notEditedReason
        ),

        Binding(
            .response, [.character("w")], .switchMode, "Pretty/raw/hex", "Show the body pretty, raw or as hex", hint: 4,
            unless: \.noBodyReason),
        Binding(.response, [.character("s")], .saveBody, "Save body", "Save the body to a file", hint: 5, unless: \.noBodyReason),

        Binding(
            .untrusted, [.character("T")], .copyPin, "Copy pin", "Copy the pin of the server's key; Transfers is a tab of the bottom pane",
            hint: 3),

        Binding(
            .response, [.character("m")], .loadMore, "More", "Load the next page and append its items", hint: 3,
            unless: \.cannotLoadMoreReason),

        Binding(.runs, [.enter], .open, "Show", "Show the request and the response of the step", hint: 3, unless: \.noStepReason),
        Binding(
            .runs, [.character("r")], .restartRun, "Restart", "Restart the run at the failed step; send a request that waits for the network",
            hint: 4,
            unless: \.cannotRestartReason),
        Binding(
            .runs, [.character("x")], .cancelRun, "Cancel", "Cancel the run, or a request that waits for the network", hint: 2, unless: \.noRunReason),

        Binding(
            .transfers, [.character("p")], .pauseTransfer, "Pause", "Pause or resume the transfer", hint: 2,
            unless: \.cannotPauseReason),
        Binding(
            .transfers, [.character("x")], .cancelTransfer(keepsPart: true), "Cancel",
            "Cancel the transfer and keep its partial file; remove an ended one from the list",
            hint: 3, unless: \.noTransferReason),
        Binding(
            .transfers, [.character("r")], .restartTransfer, "Resume", "Resume a transfer that is unfinished, failed or was cancelled", hint: 4,
            unless: \.cannotRestartTransferReason),
        Binding(.transfers, [.enter], .open, "Details", "Show the details of the transfer", hint: 5, unless: \.noTransferReason),
        Binding(
            .transfers, [.character("P")], .pauseAllTransfers, "Pause all", "Pause or resume all transfers", hint: 6,
            unless: \.cannotPauseAllReason),
        Binding(
            .transfers, [.character("X")], .cancelTransfer(keepsPart: false), "Discard", "Cancel the transfer and remove its partial file",
            unless: \.cannotDiscardReason),
        Binding(
            .transfers, [.character("o")], .openTransferFolder, "Folder", "Open the folder of the file", hint: 7, unless: \.noFolderReason),
        Binding(
            .transfers, [.character("K"), Key(.up, .control)], .moveTransfer(-1), "Up", "Move the transfer up in the queue",
            unless: \.cannotMoveTransferReason),
        Binding(
            .transfers, [.character("J"), Key(.down, .control)], .moveTransfer(1), "Down", "Move the transfer down in the queue",
            unless: \.cannotMoveTransferReason),
        Binding(
            .transfers, [.character("v")], .showTransferResponse, "Response", "Show the endpoint of the transfer with its response",
            unless: \.noTransferReason),

        Binding(
            .history, [.character("x")], .stopRow, "Stop", "Stop the call, transfer or run", hint: 2, unless: \.noRunningRowReason),
        Binding(
            .history, [.enter], .open, "Show", "Show the exchange in Response; go to a running call, transfer or run", hint: 3,
            unless: \.noHistoryRowReason),
        Binding(
            .history, [.character("c")], .compareRows, "Compare", "Compare the two marked exchanges, or the marked one with the selected one",
            hint: 5,
            unless: \.noChosenReason),
        Binding(
            .history, [.character("e")], .openAsDraft, "Draft", "Open the endpoint in Request as it was sent", hint: 6, unless: \.noPastReason),
        Binding(.history, [.space], .markRow, "Mark", "Mark or unmark the row", hint: 8, unless: \.noPastReason),
        Binding(
            .history, [.character("p")], .pinRows, "Pin", "Pin the exchange, so that it is kept, or unpin it", hint: 9, unless: \.noChosenReason),
        Binding(.history, [.character("t")], .tagRows, "Tags", "Edit the tags of the exchange", hint: 10, unless: \.noChosenReason),
        Binding(.history, [.character("w")], .noteRow, "Note", "Edit the note of the exchange", hint: 11, unless: \.noPastReason),
        Binding(
            .history, [.character("s")], .saveAsEndpoint, "Save as", "Save the exchange as a new endpoint of a service", hint: 12,
            unless: \.noPastReason),
        Binding(
            .history, [.character("f")], .filterToEndpoint, "Only these", "Show the exchanges of this endpoint, or all again", hint: 13,
            unless: \.noPastReason),
        Binding(
            .history, [.character("d"), .delete], .deleteRows, "Delete", "Delete the exchange from the history; asks first", hint: 14,
            unless: \.noChosenReason),

        Binding(
            .log, [.enter, .space], .open, "Unfold", "Fold or unfold a call, a block of its debug log, or a line that is too long", hint: 3,
            unless: \.noFoldReason),
        Binding(.log, [.character("v")], .changeLogLevel, "Level", "Show everything, no debug, warnings and errors, or errors", hint: 4),
        Binding(.log, [.character("f")], .chooseLogService, "Service", "Show the entries of one service", hint: 5),
        Binding(.log, [.character("s")], .saveLog, "Save", "Save the log to a file, with its secrets masked", hint: 6) {
            $0.log.items.isEmpty ? "The log is empty" : nil
        },
    ]
}
