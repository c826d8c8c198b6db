internal import SortieHTTP
internal import WorkspaceModel

/// Changes of operations by the events of their calls.
extension Operations {
    /// Whether events of a call change it; events of a replaced or ended call are dropped.
    func accepts(_ id: CallID) -> Bool { self[id].map { !$0.isEnded } ?? false }

    /// Applies an event of a call.
    mutating func receive(_ event: CallEvent, of id: CallID) {
        guard accepts(id) else { return }
        if case .parked(let notice) = event { park(id, notice) }
        change(id) {
            $0.call.receive(event)
            if $0.transfer?.isUpload == true { $0.transfer?.receive(event) }
        }
        guard case .finished(let exchange) = event else { return }
        change(id) { $0.parking = nil }
        endReplay(id, with: exchange)
        if let transfer = self[id]?.transfer {
            if transfer.isUpload { end(id, Transfer.End(exchange)) }
        } else {
            ended(id)
        }
    }

    /// Applies an event of a download.
    mutating func receive(_ event: DownloadEvent, of id: CallID) {
        guard accepts(id) else { return }
        change(id) {
            $0.transfer?.receive(event)
            switch event {
            case .progressed(let progress): $0.call.progress = CallProgress(received: progress.received, receivedTotal: progress.total)
            case .decided(let decision): $0.call.note(decision)
            case .finished(let result): $0.call.finish(result.exchange)
            case .changed, .placed, .saved: break
            }
        }
        if case .finished(let result) = event { end(id, Transfer.End(result)) }
    }

    /// Ends a call that was not sent, because a template or a file is invalid.
    ///
    /// A request that waits for the network stays on the disk and in the table.
    mutating func failToStart(_ id: CallID, _ problem: Diagnostic) {
        guard accepts(id) else { return }
        let reason = problem.messageWithLocation
        change(id) {
            $0.parking?.reason = "not sent: \(reason)"
            if $0.parking == nil || $0.call.isInFlight { $0.call.phase = .notSent(problem) }
        }
        endReplay(id, with: nil)
        if self[id]?.transfer != nil { end(id, .failed(reason, isResumable: false)) } else { ended(id) }
    }

    /// Adds an ended call with a large body to the transfers tab, and removes the call if no pane shows it.
    private mutating func ended(_ id: CallID) {
        guard let operation = self[id], operation.isEnded else { return }
        if isViewable(id), operation.call.exchange != nil, operation.call.isTransfer, let dropped = queue.endCall(id) { evict(dropped) }
        evict(id)
    }
}
