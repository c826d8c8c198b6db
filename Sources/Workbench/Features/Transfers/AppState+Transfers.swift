internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The queue of transfers: commands and events.
extension AppState {
    // MARK: Adding

    /// Adds the transfers of an earlier session, which wait for the user.
    mutating func takeUp(_ left: [QueuedTransfer]) {
        for order in left {
            lastNumber += 1
            transfers.add(Transfer(CallID(lastNumber), order, phase: .unfinished))
        }
        if !left.isEmpty {
            bottomTab = .transfers
            notify("\(NumberText.count(left.count, "transfer")) unfinished; \(key(.restartTransfer)) in Transfers resumes", .warning)
        }
    }

    /// The default destination of a download of the endpoint.
    func destination(of endpoint: Endpoint) -> String {
        if let to = endpoint.download?.to { return folders.path(to, from: workspace.fileFolder(of: endpoint)) }
        return folders.path(folders.downloads + "/", from: folders.current)
    }

    /// Whether sending the endpoint adds a transfer to the queue.
    func isQueued(_ endpoint: Endpoint) -> Bool {
        endpoint.kind == .upload || endpoint.kind == .download && endpoint.isDownloadable
    }

    /// Adds a transfer of the endpoint to the queue, and starts it when it is its turn.
    ///
    /// - Parameter destination: The destination of a download; nil for an upload.
    mutating func enqueue(_ endpoint: Endpoint, to destination: String?) -> [Effect] {
        enqueue(QueuedTransfer(endpoint, environment: environment, destination: destination))
    }

    mutating func enqueue(_ order: QueuedTransfer, selects: Bool = true) -> [Effect] {
        let id = begin(order.endpoint, selects: selects)
        transfers.add(Transfer(id, order))
        transfersTab.selected = id
        return startTransfers()
    }

    /// Starts the transfers whose turn it is.
    mutating func startTransfers() -> [Effect] {
        transfers.startNext().map { transfer in
            switch (transfer.isUpload, transfer.hasBegun) {
            case (true, true): .resumeCall(transfer.id)
            case (true, false): .send(transfer.id, transfer.order.endpoint, environment: transfer.order.environment)
            case (false, true): .resumeDownload(transfer.id)
            case (false, false): .download(transfer.id, transfer.order)
            }
        }
    }

    // MARK: Events

    /// Handles an event of a download.
    mutating func downloaded(_ event: DownloadEvent, of id: CallID) -> [Effect] {
        guard let transfer = transfers[id], !transfer.isEnded else { return [] }
        switch event {
        case .changed(let state):
            transfers.change(id) { $0.note(state) }
            return []
        case .placed(let file):
            transfers.change(id) { $0.order.file = file }
            return []
        case .saved(let bytes):
            transfers.change(id) { $0.saved = bytes }
            return []
        case .progressed(let progress):
            transfers.change(id) { $0.progress = progress }
            return received(.progressed(Progress(received: progress.received, receivedTotal: progress.total)), of: id)
        case .decided(let decision):
            transfers.change(id) { $0.note(decision) }
            return received(.decided(decision), of: id)
        case .finished(let result):
            transfers.change(id) { $0.take(result) }
            let effects = received(.finished(result.exchange), of: id)
            end(id, Transfer.End(result))
            return effects + startTransfers()
        }
    }

    /// Handles an event of an upload.
    mutating func uploaded(_ event: CallEvent, of id: CallID) -> [Effect] {
        guard let transfer = transfers[id], transfer.isUpload, !transfer.isEnded else { return [] }
        switch event {
        case .progressed(let progress):
            transfers.change(id) {
                $0.progress.received = progress.sent
                $0.progress.total = progress.sentTotal
            }
        case .decided(let decision): transfers.change(id) { $0.note(decision) }
        case .queued(let reason): transfers.change(id) { $0.queuedBecause = reason }
        case .retrying(let seconds): transfers.change(id) { $0.retries(in: seconds) }
        case .finished(let exchange):
            transfers.change(id) {
                $0.response = exchange.response
                $0.progress.received = max($0.progress.received, exchange.sentBodyBytes)
            }
            end(id, Transfer.End(exchange))
            return startTransfers()
        case .responded, .grew, .logged, .signalled, .parked: break
        }
        return []
    }

    /// Handles a transfer that was not started, because a template or a file is invalid.
    mutating func transferFailedToStart(_ id: CallID, _ problem: Diagnostic) -> [Effect] {
        guard transfers[id] != nil else { return [] }
        end(id, .failed("\(problem.message) (\(problem.location))", isResumable: false))
        return startTransfers()
    }

    private mutating func end(_ id: CallID, _ end: Transfer.End) {
        guard let transfer = transfers[id], !transfer.isEnded else { return }
        transfers.end(id, end)
        switch end {
        case .done:
            notify(redaction.masked(transfer.isUpload ? "\(transfer.name) was uploaded" : "\(transfer.name) was saved: \(transfer.file ?? "")"))
        case .failed(let sentence, _): notify(redaction.masked("\(transfer.name): \(sentence)"), .error, source: transfer.target)
        case .superseded: notify("A newer download replaced \(transfer.name)", .warning, source: transfer.target)
        case .cancelled: break
        }
    }

    // MARK: Commands

    /// Pauses or resumes the selected transfer.
    mutating func pauseTransfer() -> [Effect] {
        guard let row = selectedTransfer else { return [] }
        if case .call(let call) = row {
            let isSuspended = calls[call.target]?.isSuspended == true
            calls[call.target]?.isSuspended.toggle()
            return [isSuspended ? .resumeCall(call.id) : .suspendCall(call.id)]
        }
        return pause(row.id) + startTransfers()
    }

    private mutating func pause(_ id: CallID) -> [Effect] {
        guard let transfer = transfers[id] else { return [] }
        switch transfer.phase {
        case .queued:
            transfers.change(id) { $0.phase = .paused }
        case .running:
            transfers.change(id) { $0.phase = .paused }
            return [transfer.isUpload ? .suspendCall(id) : .pauseDownload(id)]
        case .paused:
            transfers.change(id) { $0.phase = .queued }
        case .unfinished: return goOn(transfer)
        case .cancelling, .ended: break
        }
        return []
    }

    /// Pauses all running and queued transfers, or resumes all.
    mutating func pauseAllTransfers() -> [Effect] {
        let isUnderWay = transfers.underWay > 0
        var effects: [Effect] = []
        for transfer in transfers.active {
            switch transfer.phase {
            case .queued where isUnderWay, .running where isUnderWay, .paused where !isUnderWay: effects += pause(transfer.id)
            default: break
            }
        }
        toast = Toast(isUnderWay ? "All transfers are paused; \(key(.pauseAllTransfers)) resumes them" : "All transfers are resumed")
        return effects + startTransfers()
    }

    /// Continues an unfinished or ended transfer.
    mutating func restartTransfer() -> [Effect] {
        guard case .transfer(let transfer) = selectedTransfer else { return [] }
        return goOn(transfer)
    }

    /// Adds a transfer to the queue again, with its partial file.
    private mutating func goOn(_ transfer: Transfer) -> [Effect] {
        var order = transfer.order
        order.bytes = transfer.isUpload ? 0 : transfer.progress.received
        order.total = transfer.progress.total
        // A complete download leaves no partial file.
        if transfer.phase == .ended(.done) { (order.bytes, order.total) = (0, nil) }
        transfers.remove(transfer.id)
        return enqueue(order, selects: false)
    }

    /// Cancels the selected transfer, or removes one that does not run.
    mutating func cancelTransfer(keepsPart: Bool) -> [Effect] {
        guard let row = selectedTransfer else { return [] }
        switch row {
        case .call(let call): return cancel(call)
        case .finished(let finished):
            transfersTab.finished.removeAll { $0.id == finished.id }
            return []
        case .transfer(let transfer):
            if transfer.phase == .unfinished || transfer.isEnded {
                transfers.remove(transfer.id)
                return keepsPart ? [] : [.discardPart(transfer.id, transfer.order)]
            }
            return cancel(transfer, keepsPart: keepsPart)
        }
    }

    /// Cancels a transfer that has not ended.
    mutating func cancel(_ transfer: Transfer, keepsPart: Bool) -> [Effect] {
        let id = transfer.id
        guard !transfer.isEnded, transfer.phase != .cancelling else { return [] }
        guard transfer.hasBegun else {
            transfers.end(id, .cancelled(keepsPart: keepsPart))
            // It was not sent.
            if calls[transfer.target]?.id == id { calls[transfer.target] = nil }
            logEnd(id, .cancelled, duration: 0)
            return keepsPart ? [] : [.discardPart(id, transfer.order)]
        }
        transfers.change(id) { $0.phase = .cancelling }
        if calls[transfer.target]?.id == id { calls[transfer.target]?.phase = .cancelling }
        return [transfer.isUpload ? .cancel(id) : .cancelDownload(id, keepsPart: keepsPart)]
    }

    /// Moves the selected transfer in the queue.
    mutating func moveTransfer(by distance: Int) -> [Effect] {
        guard case .transfer(let transfer) = selectedTransfer else { return [] }
        transfers.move(transfer.id, by: distance)
        transfersTab.selected = transfer.id
        return []
    }

    /// Opens the folder of the file in the desktop's file manager.
    mutating func openTransferFolder() -> [Effect] {
        guard case .transfer(let transfer) = selectedTransfer, let folder = transfer.folder else { return [] }
        return [.openFolder(nextJob(OpenFolderJob(folder: folder)), folder)]
    }

    /// Opens the choice of the number of concurrent transfers.
    mutating func chooseTransferLimit() {
        show(
            ListPopup(
                title: "Transfers at once",
                items: TransferBoard.limits.map { limit in
                    .init(label: "\(limit)", isCurrent: limit == transfers.limit) { state in
                        state.transfers.limit = limit
                        state.notify("\(NumberText.count(limit, "transfer")) at once")
                        return state.startTransfers()
                    }
                }))
    }

    /// Opens the prompt for the destination of a download of the open endpoint.
    mutating func askForDownloadPath() {
        guard let endpoint = openEndpoint else { return }
        popups.push(
            Prompt("Download to", destination(of: endpoint), placeholder: "a file, or a folder that ends with /") { prompt, state in
                guard !prompt.text.isEmpty, let endpoint = state.endpoint(endpoint.target) else { return [] }
                state.popups.pop()
                return state.enqueue(endpoint, to: state.folders.path(prompt.text, from: state.folders.current))
            })
    }

    /// Handles the result of opening a folder.
    mutating func openedFolder(_ id: JobID, _ outcome: JobOutcome) {
        guard let folder = finishJob(id, OpenFolderJob.self)?.folder else { return }
        switch outcome {
        case .done(let how): toast = Toast("\(folder) \(how)")
        case .failed(let sentence): notify("\(folder): \(sentence)", .warning)
        case .exists, .protected: break
        }
    }

    /// Adds an ended transfer to the transfers tab.
    mutating func noteFinishedTransfer(_ target: String) {
        guard let call = calls[target], call.isTransfer, transfers[call.id] == nil else { return }
        let outcome: FinishedTransfer.Outcome =
            call.isCancelled ? .cancelled : call.error.map { .failed($0.message) } ?? .done
        let isUpload = call.kind == .upload || call.progress.sent > call.progress.received
        transfersTab.finished.insert(
            FinishedTransfer(
                id: call.id, target: target, name: call.name, isUpload: isUpload,
                bytes: isUpload ? call.progress.sent : call.progress.received, seconds: call.duration, outcome: outcome), at: 0)
        if transfersTab.finished.count > TransfersState.finishedLimit { transfersTab.finished.removeLast() }
    }
}

/// Opening a folder in the desktop's file manager.
struct OpenFolderJob: Job {
    var folder: String
}

extension Transfer {
    /// The folder of the file.
    var folder: String? {
        if let file { return FilePath.folder(of: file) }
        return order.destination.map { FilePath.namesFolder($0) ? $0 : FilePath.folder(of: $0) }
    }

    /// Records the result of a download.
    mutating func take(_ result: DownloadResult) {
        self.result = result
        restarts = result.restarts
        progress.received = result.bytes
        if result.state == .done { progress.total = result.bytes }
    }
}

extension Transfer.End {
    /// Creates the result of a download.
    init(_ result: DownloadResult) {
        switch result.state {
        case .cancelled(let keepsPart): self = .cancelled(keepsPart: keepsPart)
        case .superseded: self = .superseded
        case .failed(let error, let isResumable): self = .failed(error.message, isResumable: isResumable)
        default: self = .done
        }
    }

    /// Creates the result of an upload.
    init(_ exchange: Exchange) {
        guard let error = exchange.error else {
            let isRefused = exchange.response.map { $0.status >= 400 } ?? false
            self = isRefused ? .failed(exchange.response.map { StatusText.line($0) } ?? "", isResumable: false) : .done
            return
        }
        switch error.code {
        case .cancelled: self = .cancelled(keepsPart: false)
        case .superseded: self = .superseded
        default: self = .failed(error.message, isResumable: false)
        }
    }
}
