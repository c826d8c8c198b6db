internal import Model

/// The reasons why commands are unavailable; nil for an available command. The footer omits unavailable commands, and shows the
/// reason when their key is pressed; help shows it too.
extension AppState {
    var noSearchReason: String? {
        guard let place = searchPlace else {
            return focus == .services ? "Services has a filter instead: press /" : "There is nothing to search here"
        }
        return needles[place] == nil ? "There is no search yet; press /" : nil
    }

    var cannotSendReason: String? {
        if isReplay { return cannotReplayReason }
        if let run = runToStart, let reason = unreadableReason(.run(run)) { return reason }
        if let run = runToStart { return runs[run]?.isUnderWay == true ? "\(run) is running already" : nil }
        guard let target = sendTarget else {
            return workspace.endpoints.isEmpty ? "The workspace has no endpoints" : "No endpoint is open; choose one in Services"
        }
        if endpoint(target) != nil { return nil }
        return unreadableReason(.endpoint(target)) ?? "The workspace no longer has the endpoint \(target)"
    }

    var cannotSaveReason: String? { noEndpointReason ?? notEditedReason }

    var noEndpointReason: String? {
        if openEndpoint != nil { return nil }
        return openTarget.flatMap { unreadableReason(.endpoint($0)) } ?? "No endpoint is open; choose one in Services"
    }

    /// The reason why the content of a file cannot be used; nil when it can.
    func unreadableReason(_ content: UnreadableFile.Content) -> String? {
        guard let problem = workspace.problem(of: content) else { return nil }
        let editor = keymap.keyLabel(of: .editOutside).map { "; \($0) opens the file there" } ?? ""
        return "\(problem.location) cannot be used: \(problem.message)\(editor)"
    }

    var notEditedReason: String? {
        guard let openTarget, drafts[openTarget]?.isEdited == true else { return "There are no changes since the last save" }
        return nil
    }

    var noRowReason: String? {
        if let reason = noEndpointReason { return reason }
        guard let row = selectedRequestRow else {
            return requestState.row < 0 ? nil : cannotAddReason.map { _ in "There is nothing to edit here" }
        }
        if case .inherited(RequestRows.engine) = row.kind { return "Sortie adds this header; a adds one of that name instead" }
        if case .inherited(let place) = row.kind { return "This row comes from \(place); edit it there" }
        if case .result = row.kind { return "This is the result; change the rows above" }
        if case .note = row.kind { return "Too long to edit in place; ^O opens it in $EDITOR" }
        return nil
    }

    var noPairReason: String? {
        selectedRequestRow?.listIndex == nil ? "No row with a check box is selected" : nil
    }

    var noToggleReason: String? {
        guard let row = selectedRequestRow else { return "No row is selected" }
        switch row.kind {
        case .pair, .part, .choice, .toggle: return nil
        default: return "This row cannot be switched; Enter edits it"
        }
    }

    var cannotDeleteReason: String? {
        guard let row = selectedRequestRow, row.option != nil else { return noPairReason }
        return row.isTakenOver ? "The endpoint has no value of its own here" : nil
    }

    var noFileReason: String? {
        if let reason = noEndpointReason { return reason }
        guard requestState.tab == .body else { return "Only a body has files" }
        return filePurpose == nil ? "Choose the kind File, or a part of a multipart body, first" : nil
    }

    var cannotFormatReason: String? {
        guard requestState.tab == .body, case .json = openEndpoint?.body else { return "Only a JSON body can be formatted" }
        return nil
    }

    var cannotAddReason: String? {
        guard let endpoint = openEndpoint else { return noEndpointReason }
        let tab = requestState.tab
        if endpoint.takesPairs(tab) { return nil }
        return tab == .body
            ? "Only a form or a multipart body has rows; choose the kind first" : "\(tab.title) has no rows to add"
    }

    var noUndoReason: String? {
        guard let openTarget, drafts[openTarget]?.canUndo == true else { return "There is nothing to undo" }
        return nil
    }

    var noRedoReason: String? {
        guard let openTarget, drafts[openTarget]?.canRedo == true else { return "There is nothing to redo" }
        return nil
    }

    var noBodyReason: String? {
        guard let body = openCall?.body, !body.bytes.isEmpty else { return "There is no body" }
        return responseState.tab == .body ? nil : "The Body tab is not shown"
    }

    var noStepReason: String? { shownRun?.record == nil && selectedParked == nil ? "No run is shown" : nil }

    var noRunReason: String? { shownRun?.isUnderWay == true || selectedParked != nil ? nil : "No run is in progress here" }

    var cannotRestartReason: String? {
        if selectedParked != nil { return nil }
        guard let run = shownRun else { return "No run is shown" }
        if run.isUnderWay { return "\(run.name) is still running" }
        if run.phase == .idle { return "\(run.name) was not started; ^R starts it" }
        guard let record = run.record, record.restartStep != nil else { return "No step failed; ^R starts the run from the beginning" }
        return nil
    }

    var noTransferReason: String? { selectedTransfer == nil ? "There is no transfer" : nil }

    var cannotPauseReason: String? {
        switch selectedTransfer {
        case nil: return noTransferReason
        case .call(let call): return call.phase == .sending ? nil : "\(call.name) is being cancelled"
        case .finished(let finished): return "\(finished.name) has ended"
        case .transfer(let transfer):
            if transfer.isEnded { return "\(transfer.name) has ended; r starts it again" }
            return transfer.phase == .cancelling ? "\(transfer.name) is being cancelled" : nil
        }
    }

    /// Whether `p` resumes the selected transfer.
    var isSelectedTransferPaused: Bool {
        switch selectedTransfer {
        case .transfer(let transfer): transfer.phase == .paused || transfer.phase == .unfinished
        case .call(let call): call.isSuspended
        case .finished, nil: false
        }
    }

    var cannotPauseAllReason: String? {
        transfers.active.contains { $0.hasPlace || $0.phase == .queued || $0.phase == .paused } ? nil : "No transfer runs, waits or is paused"
    }

    var cannotRestartTransferReason: String? {
        guard case .transfer(let transfer) = selectedTransfer else {
            return selectedTransfer == nil ? noTransferReason : "Send the request again from its endpoint"
        }
        switch transfer.phase {
        case .unfinished, .ended: return nil
        case .paused: return "\(transfer.name) is paused; p resumes it"
        case .queued, .running, .cancelling: return "\(transfer.name) is in progress; x cancels it, then r resumes it"
        }
    }

    var cannotDiscardReason: String? {
        guard case .transfer(let transfer) = selectedTransfer, !transfer.isUpload else { return "Only a download has a partial file to remove" }
        return transfer.phase == .ended(.done) ? "\(transfer.name) is complete and has no partial file" : nil
    }

    var noFolderReason: String? {
        if case .transfer(let transfer) = selectedTransfer, transfer.folder != nil { return nil }
        return selectedTransfer == nil ? noTransferReason : "Only a download has a folder"
    }

    var cannotMoveTransferReason: String? {
        guard case .transfer(let transfer) = selectedTransfer, !transfer.isEnded else { return "Only a transfer that has not ended can be moved" }
        return nil
    }

    var cannotDownloadReason: String? {
        guard let endpoint = openEndpoint else { return noEndpointReason }
        return endpoint.isDownloadable ? nil : "Only a GET without a body can be downloaded"
    }

    var noHistoryRowReason: String? {
        guard isHistoryFocused else { return "Choose a row in History first" }
        return selectedHistoryRow == nil && !awaitsHistory ? "There is no row" : nil
    }

    /// The reason why no ended exchange is selected.
    var noPastReason: String? {
        guard isHistoryFocused else { return "Choose a row in History first" }
        return selectedItem == nil ? selectedRunning == nil ? "There is no row" : "It is still in progress; x stops it" : nil
    }

    /// The same for commands that also apply to marked rows.
    var noChosenReason: String? { isHistoryFocused && !history.marked.isEmpty ? nil : noPastReason }

    var noRunningRowReason: String? {
        guard isHistoryFocused else { return "Choose a row in History first" }
        return selectedRunning == nil ? "It has ended; only a running call, transfer or run can be stopped" : nil
    }

    /// The reason why Esc does nothing.
    var nothingToLeaveReason: String? {
        let isRunFocused = focus == .bottom && bottom.tab == .runs && shownRun?.isUnderWay == true
        let isMarked = isHistoryFocused && !history.marked.isEmpty
        let isPastShown = focus == .response && past != nil
        return isAwaitingPopup || hasSearchOrFilter || isMarked || isPastShown || isZoomed || isRunFocused ? nil : "Nothing is being sent here"
    }
}
