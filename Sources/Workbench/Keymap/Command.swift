/// A command of the user.
///
/// Keys, footer, help and palette refer to commands through the ``Keymap``.
enum Command: Hashable, Sendable {
    // Navigation
    case focus(Pane), focusNext, focusPrevious, nextTab, previousTab, show(BottomTab), zoom
    case move(Movement), fold, unfold, open, back

    // Sending
    case send, save, discard, chooseEnvironment, editOutside, reload

    // Rows of a request
    case toggle, addRow, deleteRow, duplicateRow, moveRow(Int), editRow, editText, undo, redo, showChanges, editURL, chooseMethod, formatBody
    case pickFile

    // Texts
    case search, nextMatch, previousMatch, copy, switchMode, saveBody, copyPin, dryRun, chooseLogService, changeLogLevel, saveLog

    // Transfers
    case pauseTransfer, pauseAllTransfers, cancelTransfer(keepsPart: Bool), restartTransfer, moveTransfer(Int), openTransferFolder
    case showTransferResponse, chooseTransferLimit, downloadTo

    // Runs
    case restartRun, cancelRun, loadMore

    // The history
    case stopRow, markRow, compareRows, pinRows, tagRows, noteRow, deleteRows, filterToEndpoint, openAsDraft, saveAsEndpoint

    // Entering text
    case text(TextEdit), accept, nextField, previousField, newLine, lineUp, lineDown, pageUp, pageDown, leave

    // Popups
    case choose, close

    // Choosing a file
    case folderUp, completeName, toggleHidden

    // Cookies
    case cookies, deleteDomain, clearCookies, importCookies, exportCookies

    // The network
    case capture, conditions, clearConditions

    // The program
    case palette, help, problems, toggleSecrets, redraw, suspend, quit
}
