internal import SortieTerminal
internal import WorkspaceModel

/// The transfers tab: the queue of downloads and uploads, and calls with large bodies.
struct TransfersFeature: TabFeature {
    let tab = BottomTab.transfers
    let context = Context.transfers
    var guideTopic: String { "transfers" }
    let searchPlace: SearchPlace? = .transfers

    func label(of command: Command, _ state: AppState) -> String? {
        switch command {
        case .pauseTransfer where state.isSelectedTransferPaused: "Go on"
        case .pauseAllTransfers where state.transfers.underWay == 0: "Resume all"
        case .cancelTransfer where runningCall(state) == nil: "Forget"
        default: nil
        }
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .pauseTransfer: return state.pauseTransfer()
        case .pauseAllTransfers: return state.pauseAllTransfers()
        case .cancelTransfer: return state.cancelTransfer(keepsPart: true)
        case .discardTransfer: return state.cancelTransfer(keepsPart: false)
        case .restartTransfer: return state.restartTransfer()
        case .moveTransferUp: return state.moveTransfer(by: -1)
        case .moveTransferDown: return state.moveTransfer(by: 1)
        case .openTransferFolder: return state.openTransferFolder()
        case .showTransferResponse: showResponse(&state)
        case .chooseTransferLimit: state.chooseTransferLimit()
        case .downloadTo: state.askForDownloadPath()
        default: return nil
        }
        return []
    }

    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement):
            let rows = state.transferRows
            state.selectTransfer(
                movement.target(from: state.transferIndex(in: rows), count: rows.count, page: state.layout.bottom.height - 2))
        case .open: open(&state)
        case .copy:
            guard case .transfer(let transfer) = state.selectedTransfer, let path = transfer.file ?? transfer.folder else { return nil }
            return state.copy(path, "the path")
        default: return nil
        }
        return []
    }

    /// Shows the details of a transfer, or the endpoint of a call.
    private func open(_ state: inout AppState) {
        guard let row = state.selectedTransfer else { return }
        if case .transfer(let transfer) = row {
            state.popups.show(TransferPopup(id: transfer.id))
        } else if state.endpoint(row.target) != nil {
            ServicesFeature.select(.endpoint(row.target), &state)
            state.focus(.response)
        }
    }

    /// Shows the endpoint of the selected transfer in the response pane.
    private func showResponse(_ state: inout AppState) {
        guard let row = state.selectedTransfer else { return }
        guard state.endpoint(row.target) != nil else {
            state.toast = Toast("The workspace no longer has the endpoint \(row.target)", .warning)
            return
        }
        ServicesFeature.select(.endpoint(row.target), &state)
        state.focus(.response)
    }

    func runningCall(_ state: AppState) -> Call? { state.selectedTransfer.flatMap { inFlight($0, state) } }

    func back(_ state: inout AppState) -> [Effect]? { runningCall(state).map { _ in state.cancelTransfer(keepsPart: true) } }

    /// The running call of a row; nil for a row that has ended, is unfinished or is being cancelled.
    ///
    /// A transfer that is not the latest call of its endpoint gets a new value with its ID.
    private func inFlight(_ row: TransferRow, _ state: AppState) -> Call? {
        switch row {
        case .call(let call): return call.phase == .sending ? call : nil
        case .transfer(let transfer):
            guard !transfer.isEnded, transfer.phase != .unfinished, transfer.phase != .cancelling else { return nil }
            return state.calls[transfer.target]?.id == transfer.id ? state.calls[transfer.target] : Call(transfer.id, transfer.order.endpoint)
        case .finished: return nil
        }
    }

    func find(_ search: LineSearch, forward: Bool, includingHere: Bool, _ state: inout AppState) -> [Effect] {
        let rows = state.transferRows
        let found = search.next(in: rows.count, from: state.transferIndex(in: rows), forward: forward, includingStart: includingHere) {
            rows[$0].name + " " + rows[$0].target
        }
        if let found { state.selectTransfer(found) }
        state.reportSearch(found != nil, search.searchTerm)
        return []
    }

    // MARK: Screen

    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) { state.drawTransfers(on: &canvas, in: rect) }

    func click(row: Int, height: Int, _ state: inout AppState) {
        state.selectTransfer(state.transferTop(state.transferRows, height: height) + row)
    }
}
