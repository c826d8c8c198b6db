internal import WorkspaceModel

/// The reasons why commands of the transfers tab are unavailable; nil for an available command.
extension AppState {
    var noTransferReason: String? { selectedTransfer == nil ? "There is no transfer" : nil }

    var cannotPauseReason: String? {
        switch selectedTransfer {
        case nil: return noTransferReason
        case .call(let call): return call.phase == .sending ? nil : "\(call.name) is being cancelled"
        case .finished(let finished): return "\(finished.name) has ended"
        case .transfer(let transfer):
            if transfer.isEnded { return "\(transfer.name) has ended; \(key(.restartTransfer)) starts it again" }
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
        case .paused: return "\(transfer.name) is paused; \(key(.pauseTransfer)) lets it go on"
        case .queued, .running, .cancelling:
            return "\(transfer.name) is under way; \(key(.cancelTransfer)) cancels it, and \(key(.restartTransfer)) goes on"
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
}
