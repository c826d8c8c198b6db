internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Opening a folder in the desktop's file manager.
package struct OpenFolderJob: WorkJob {
    package let folder: String

    func finish(_ outcome: JobOutcome, _ state: inout AppState) -> [Effect] {
        switch outcome {
        case .done(let how): state.toast = Toast("\(folder) \(how)")
        case .failed(let sentence): state.notify("\(folder): \(sentence)", .warning)
        case .exists, .protected: break
        }
        return []
    }
}

/// The transfers tab: the queue of downloads and uploads, and calls with large bodies.
struct TransfersFeature: TabFeature {
    let tab = BottomTab.transfers
    let context = Context.transfers

    func guideAddress(_ state: AppState) -> String {
        switch Self.selectedRow(state) {
        case .detached: "transfers#detached-downloads"
        case .transfer(let queued) where queued.transfer.isUpload: "transfers#uploads"
        case .transfer: "transfers#downloads"
        case .call, nil: "transfers#the-queue"
        }
    }

    func isEmpty(_ state: AppState) -> Bool { state.transferRows.isEmpty }
    let searchPlace: SearchPlace? = .transfers

    func label(of command: Command, _ state: AppState) -> String? {
        switch command {
        case .pauseTransfer where Self.isSelectedPaused(state): "Resume"
        case .resumeTransfer where Self.selectedTransfer(state)?.isSentAgain == true: "Send again"
        case .pauseAllTransfers where state.calls.transfersUnderWay == 0: "Resume all"
        case .cancelTransfer where !Self.isSelectedUnderWay(state): "Remove"
        default: nil
        }
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .pauseTransfer: return Self.pauseSelected(&state)
        case .pauseAllTransfers: return Self.pauseAll(&state)
        case .cancelTransfer: return Self.cancelSelected(keepsPart: true, &state)
        case .discardTransfer: return Self.discardSelected(&state)
        case .resumeTransfer: return Self.selectedTransfer(state).map { Self.resume($0, &state) } ?? []
        case .moveTransferUp: Self.moveSelected(by: -1, &state)
        case .moveTransferDown: Self.moveSelected(by: 1, &state)
        case .openTransferFolder: return Self.openFolder(&state)
        case .showTransferResponse: return showResponse(&state)
        case .resumeFailedTransfers: return Self.resumeFailed(&state)
        case .chooseTransferLimit: Self.chooseLimit(&state)
        case .downloadTo: Self.askForDownload(&state)
        case .uploadWithRate: Self.askForUpload(&state)
        default: return nil
        }
        return []
    }

    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement):
            let rows = state.transferRows
            let index = state.states[TransfersState.self].index(in: rows)
            state.states[TransfersState.self]
                .select(movement.target(from: index, count: rows.count, page: state.layout.bottom.height - 2), in: rows)
        case .open: open(&state)
        case .copy:
            if case .detached(let row) = Self.selectedRow(state) { return state.copy(row.download.file, "the path") }
            guard let transfer = Self.selectedTransfer(state)?.transfer, let path = transfer.file ?? transfer.folder else { return nil }
            return state.copy(path, "the path")
        default: return nil
        }
        return []
    }

    /// Shows the details of a transfer, or the endpoint of a call.
    private func open(_ state: inout AppState) {
        guard let row = Self.selectedRow(state) else { return }
        if case .transfer(let queued) = row {
            state.popups.show(TransferPopup(id: queued.id))
        } else if case .detached(let detached) = row {
            Self.showDetached(detached, &state)
        } else if let endpoint = row.endpoint, state.endpoint(endpoint) != nil {
            ServicesFeature.select(.endpoint(endpoint), &state)
            state.focus(.response)
        }
    }

    /// Shows the endpoint of the selected transfer in the response pane, and the file of a small finished download as the body.
    private func showResponse(_ state: inout AppState) -> [Effect] {
        guard let row = Self.selectedRow(state) else { return [] }
        if case .detached = row {
            state.toast = Toast("History has the response when the download has ended")
            return []
        }
        guard let endpoint = row.endpoint, state.endpoint(endpoint) != nil else {
            state.toast = Toast("The workspace no longer has the endpoint \(row.endpoint?.path ?? row.name)", .warning)
            return []
        }
        ServicesFeature.select(.endpoint(endpoint), &state)
        state.focus(.response)
        guard case .transfer(let queued) = row, queued.state == .done, let file = queued.transfer.result?.file else { return [] }
        let transfer = queued.transfer
        guard transfer.progress.received <= DownloadContent.limit else {
            let (size, limit) = (ByteCount(transfer.progress.received).text, ByteCount(DownloadContent.limit).text)
            state.toast = Toast("\(transfer.name) has \(size); only a file of at most \(limit) is shown", .warning)
            return []
        }
        return [.readDownload(queued.id, file)]
    }

    /// Shows the content of a downloaded file as the body of its response.
    static func show(_ content: DownloadContent, of id: CallID, _ state: inout AppState) -> [Effect] {
        guard let call = state.calls[id]?.call else { return [] }
        switch content {
        case .bytes(let bytes):
            // The final, usually empty, body of the exchange is replaced, not extended.
            state.calls.change(id) { $0.call.body = nil }
            return ResponseFeature.grow(id, to: bytes, isFinal: true, &state)
        case .unreadable(let sentence):
            state.notify(state.redaction.masked("\(call.name) is not shown: \(sentence)"), .warning, source: call.source)
            return []
        }
    }

    /// Whether the selected row is under way; false for one that has ended, is unfinished or is being cancelled.
    private static func isSelectedUnderWay(_ state: AppState) -> Bool {
        switch selectedRow(state) {
        case nil: false
        case .call(let call): call.isSending
        case .transfer(let queued): queued.call.isSending && !queued.transfer.isUnfinished
        case .detached(let row): row.download.process != nil
        }
    }

    func find(_ search: LineSearch, forward: Bool, includingHere: Bool, _ state: inout AppState) -> [Effect] {
        let rows = state.transferRows
        let index = state.states[TransfersState.self].index(in: rows)
        let found = state.find(search, in: rows.count, from: index, forward: forward, includingHere: includingHere) {
            rows[$0].name + " " + (rows[$0].endpoint?.path ?? "")
        }
        if let found { state.states[TransfersState.self].select(found, in: rows) }
        return []
    }

    // MARK: Selection

    /// The selected row; nil while another tab is shown.
    static func selectedRow(_ state: AppState) -> TransferRow? {
        guard state.bottomTab == .transfers else { return nil }
        let rows = state.transferRows
        return rows.isEmpty ? nil : rows[state.states[TransfersState.self].index(in: rows)]
    }

    /// The selected transfer; nil when a call is selected.
    static func selectedTransfer(_ state: AppState) -> QueuedCall? {
        if case .transfer(let queued) = selectedRow(state) { queued } else { nil }
    }

    /// Whether the pause command resumes the selected row.
    private static func isSelectedPaused(_ state: AppState) -> Bool {
        switch selectedRow(state) {
        case .transfer(let queued): queued.call.isSuspended
        case .call(let call): call.isSuspended
        case .detached, nil: false
        }
    }

    // MARK: The queue

    /// Adds the transfers of an earlier session, which wait for the user.
    static func takeUp(_ left: [QueuedTransfer], _ state: inout AppState) {
        for queuedTransfer in left { state.calls.takeUp(queuedTransfer) }
        guard !left.isEmpty else { return }
        state.bottomTab = .transfers
        state.notify("\(ItemCount.text(left.count, "transfer")) unfinished; \(state.key(.resumeTransfer)) in Transfers resumes", .warning)
    }

    /// The default destination of a download of the endpoint.
    static func destination(of endpoint: Endpoint, _ state: AppState) -> String {
        let folders = state.folders
        if let to = endpoint.download?.to { return folders.path(to, from: state.workspace.fileFolder(of: endpoint)) }
        return folders.path((state.workspace.downloadFolder ?? folders.downloads) + "/", from: folders.current)
    }

    /// Adds a transfer of the endpoint to the queue, and starts it when it is its turn.
    ///
    /// - Parameter destination: The destination of a download; nil for an upload.
    static func enqueue(_ endpoint: Endpoint, to destination: String?, _ state: inout AppState) -> [Effect] {
        enqueue(QueuedTransfer(endpoint, environment: state.environment, destination: destination), &state)
    }

    static func enqueue(_ queuedTransfer: QueuedTransfer, selects: Bool = true, _ state: inout AppState) -> [Effect] {
        let id = EndpointCall.begin(queuedTransfer.endpoint, selects: selects, &state)
        if let superseded = state.calls.enqueue(id, queuedTransfer) { LogFeature.end(superseded, .cancelled, duration: 0, &state) }
        state.states[TransfersState.self].selected = id
        return startNext(&state)
    }

    /// Starts the transfers whose turn it is.
    static func startNext(_ state: inout AppState) -> [Effect] {
        state.calls.startTransfers().map { queued in
            let order = queued.transfer.order
            if queued.state != .idle { return passing(.run, to: queued) }
            return queued.transfer.isUpload ? .send(queued.id, order.endpoint, environment: order.environment) : .download(queued.id, order)
        }
    }

    /// The effect that passes a command to the call of a transfer.
    private static func passing(_ command: TransferCommand, to queued: QueuedCall) -> Effect {
        guard queued.transfer.isUpload else { return .commandDownload(queued.id, command) }
        switch command {
        case .run: return .resumeCall(queued.id)
        case .wait, .pause: return .suspendCall(queued.id)
        case .cancel, .supersede, .expire: return .cancel(queued.id)
        }
    }

    /// Reports the end of a transfer.
    static func report(_ queued: QueuedCall, _ state: inout AppState) {
        let transfer = queued.transfer
        let name = transfer.name
        func masked(_ text: String) -> String { state.redaction.masked(text) }
        switch queued.state {
        case .done: state.notify(masked(transfer.isUpload ? "\(name) was uploaded" : "\(name) was saved: \(transfer.file ?? "")"))
        case .failed(let error, _): state.notify(masked("\(name): \(error.message)"), .error, source: transfer.endpoint)
        case .superseded: state.notify("A newer download replaced \(name)", .warning, source: transfer.endpoint)
        default: break
        }
    }

    // MARK: Commands

    private static func pauseSelected(_ state: inout AppState) -> [Effect] {
        guard let row = selectedRow(state) else { return [] }
        if case .call(let call) = row {
            guard state.calls.follow(call.isSuspended ? .run : .pause, call.id) else { return [] }
            return [call.isSuspended ? .resumeCall(call.id) : .suspendCall(call.id)]
        }
        return pause(row.id, &state) + startNext(&state)
    }

    /// Pauses a transfer, or resumes it.
    private static func pause(_ id: CallID, _ state: inout AppState) -> [Effect] {
        guard let queued = QueuedCall(state.calls[id]) else { return [] }
        if queued.transfer.isUnfinished { return resume(queued, &state) }
        guard state.calls.follow(queued.command == .pause ? .wait : .pause, id) else { return [] }
        return queued.command == .run ? [passing(.pause, to: queued)] : []
    }

    /// Pauses all running and queued transfers, or resumes all.
    private static func pauseAll(_ state: inout AppState) -> [Effect] {
        let isUnderWay = state.calls.transfersUnderWay > 0
        var effects: [Effect] = []
        for queued in state.calls.transfers where !queued.transfer.isUnfinished && (queued.command == .pause) != isUnderWay {
            effects += pause(queued.id, &state)
        }
        let key = state.key(.pauseAllTransfers)
        state.toast = Toast(isUnderWay ? "All transfers are paused; \(key) resumes them" : "All transfers are resumed")
        return effects + startNext(&state)
    }

    /// Adds an unfinished or ended transfer to the queue again; asks for the values of prompts that an earlier session did not store.
    private static func resume(_ queued: QueuedCall, _ state: inout AppState) -> [Effect] {
        resume(queued, &state) { _ in [] }
    }

    private static func resume(
        _ queued: QueuedCall, _ state: inout AppState, then work: @escaping @Sendable (inout AppState) -> [Effect]
    ) -> [Effect] {
        // The values of a replay are those of the history.
        let order = queued.transfer.order
        guard order.replays == nil else { return enqueueAgain(queued, order.endpoint, &state) + work(&state) }
        return Prompts.ask(for: order.endpoint, &state) { enqueueAgain(queued, $0, &$1) + work(&$1) }
    }

    /// Adds transfers to the queue again, one after the other, because only one form asks for values at a time.
    private static func resume(_ transfers: ArraySlice<QueuedCall>, of count: Int, _ state: inout AppState) -> [Effect] {
        guard let transfer = transfers.first else {
            state.toast = Toast("\(ItemCount.text(count, "transfer")) resumed")
            return []
        }
        return resume(transfer, &state) { resume(transfers.dropFirst(), of: count, &$0) }
    }

    /// Adds an unfinished or ended transfer to the queue again, with its partial file.
    private static func enqueueAgain(_ queued: QueuedCall, _ endpoint: Endpoint, _ state: inout AppState) -> [Effect] {
        let transfer = queued.transfer
        var queuedTransfer = transfer.order
        queuedTransfer.endpoint = endpoint
        queuedTransfer.bytes = transfer.isUpload ? 0 : transfer.progress.received
        queuedTransfer.total = transfer.progress.total
        // A complete download leaves no partial file.
        if queued.state == .done { (queuedTransfer.bytes, queuedTransfer.total) = (0, nil) }
        state.calls.remove(queued.id)
        return enqueue(queuedTransfer, selects: false, &state)
    }

    /// Adds all failed, cancelled and unfinished transfers to the queue again.
    private static func resumeFailed(_ state: inout AppState) -> [Effect] {
        let left = leftTransfers(state)
        return resume(left[...], of: left.count, &state)
    }

    /// The transfers that ended without success, and those that an earlier session left unfinished.
    static func leftTransfers(_ state: AppState) -> [QueuedCall] {
        (state.calls.transfers + state.calls.endedTransfers.reversed()).filter { queued in
            switch queued.state {
            case .failed, .cancelled: true
            default: queued.transfer.isUnfinished && !queued.isEnded
            }
        }
    }

    /// Cancels the selected transfer, or removes one that does not run.
    private static func cancelSelected(keepsPart: Bool, _ state: inout AppState) -> [Effect] {
        guard let row = selectedRow(state) else { return [] }
        switch row {
        case .call(let call) where call.isInFlight: return EndpointCall.cancel(call.id, &state)
        case .transfer(let queued) where !queued.isEnded && !queued.transfer.isUnfinished:
            return cancel(queued.id, keepsPart: keepsPart, &state)
        case .call(let call): state.calls.remove(call.id)
        case .detached(let row): return keepsPart ? stopDetached(row, &state) : []
        case .transfer(let queued):
            state.calls.remove(queued.id)
            if !keepsPart { return [.discardPart(queued.id, queued.transfer.order)] }
        }
        return []
    }

    /// Cancels the selected transfer and removes its partial file; asks first where the settings say so.
    private static func discardSelected(_ state: inout AppState) -> [Effect] {
        guard state.settings.confirmsDiscarding, let queued = selectedTransfer(state) else { return cancelSelected(keepsPart: false, &state) }
        state.confirm("Remove the partial file?", queued.transfer.name, keep: "Keep it", "Remove it", detail: "this cannot be undone") { state in
            guard selectedTransfer(state)?.id == queued.id else { return [] }
            return cancelSelected(keepsPart: false, &state)
        }
        return []
    }

    /// Cancels a transfer that has not ended.
    static func cancel(_ id: CallID, keepsPart: Bool, _ state: inout AppState) -> [Effect] {
        guard let queued = QueuedCall(state.calls[id]), queued.call.isSending else { return [] }
        guard queued.state != .idle else {
            LogFeature.end(id, .cancelled, duration: 0, &state)
            state.calls.end(id, .cancelled(keepsPart: keepsPart))
            // It was not sent.
            state.calls.withdraw(id)
            return keepsPart ? [] : [.discardPart(id, queued.transfer.order)]
        }
        return state.calls.cancel(id, keepsPart: keepsPart) ? [passing(.cancel(keepsPart: keepsPart), to: queued)] : []
    }

    /// Moves the selected transfer in the queue.
    private static func moveSelected(by distance: Int, _ state: inout AppState) {
        guard let queued = selectedTransfer(state) else { return }
        state.calls.move(queued.id, by: distance)
        state.states[TransfersState.self].selected = queued.id
    }

    /// Opens the folder of the file in the desktop's file manager.
    private static func openFolder(_ state: inout AppState) -> [Effect] {
        guard let folder = selectedTransfer(state)?.transfer.folder else { return [] }
        return state.start(OpenFolderJob(folder: folder))
    }

    /// Opens the choice of the number of concurrent transfers.
    private static func chooseLimit(_ state: inout AppState) {
        let current = state.calls.queue.limit
        state.show(
            ListPopup(
                title: "Transfers at once",
                items: TransferOrder.limits.map { limit in
                    .init(label: "\(limit)", isCurrent: limit == current) { state in
                        state.calls.queue.limit = limit
                        state.notify("\(ItemCount.text(limit, "transfer")) at once")
                        return startNext(&state)
                    }
                }))
    }
}

extension Endpoint {
    /// Whether sending the endpoint adds a transfer to the queue.
    var isQueued: Bool { kind == .upload || kind == .download && isDownloadable }
}
