internal import SortieHTTP
internal import WorkspaceModel

/// Parked requests, which wait for the network. They do not block later requests, and they are stored on the disk.
extension AppState {
    /// Resumes requests of an earlier session.
    ///
    /// Those that were being sent then wait for the user.
    mutating func takeUp(_ left: [ParkedRequest]) -> [Effect] {
        var waiting: [ParkedSending] = []
        for request in left {
            lastNumber += 1
            let id = CallID(lastNumber)
            parked.append(ParkedView(id, request.endpoint, reason: request.reason, phase: request.isOut ? .doubtful(request) : .waiting))
            if !request.isOut { waiting.append(ParkedSending(id: id, request: request)) }
        }
        return waiting.isEmpty ? [] : [.sendParked(waiting)]
    }

    /// The selected parked request of the runs tab.
    var selectedParked: ParkedView? {
        guard isFocused(.runs) else { return nil }
        return parked.first { $0.id == runsTab.parked }
    }

    /// Records that a call has to wait, or is being sent again.
    mutating func parked(_ notice: ParkingNotice, _ call: Call) {
        if let index = parked.firstIndex(where: { $0.id == call.id }) {
            parked[index].note(notice)
        } else if !notice.isOut {
            parked.append(ParkedView(call, reason: notice.reason))
            notify("\(call.name) waits for the network; Runs shows it", .warning, source: call.target)
        }
    }

    /// Handles an event of a parked call that is not the latest call of its endpoint.
    mutating func receivedParked(_ event: CallEvent, at index: Int) {
        let view = parked[index]
        switch event {
        case .parked(let notice):
            parked[index].note(notice)
        case .decided(let decision):
            logPart(.decision(decision), of: view.id)
        case .logged(let record):
            logPart(.block(record), of: view.id)
        case .finished(let exchange):
            parked.remove(at: index)
            logEnd(of: exchange, view.id, view.target)
            let end = exchange.error?.message ?? exchange.response.map { "\($0.status) \($0.reason)".trimmingEnd } ?? "no response"
            notify(
                redaction.masked("\(view.name), after waiting: \(end)"), exchange.error == nil ? .info : .error, source: view.target)
        default:
            break
        }
    }

    /// Retries parked requests; one that may have arrived is sent again.
    mutating func tryParked() -> [Effect] {
        guard let view = selectedParked, let index = parked.firstIndex(where: { $0.id == view.id }) else { return [] }
        guard case .doubtful(let request) = view.phase else { return [.tryParked] }
        parked[index].phase = .waiting
        return [.sendParked([ParkedSending(id: view.id, request: request)])]
    }

    mutating func cancelParked(_ view: ParkedView) -> [Effect] {
        guard let index = parked.firstIndex(where: { $0.id == view.id }) else { return [] }
        if case .doubtful(let request) = view.phase {
            parked.remove(at: index)
            log.append(LogEntry(.info, source: view.target, "removed; it may have arrived before"))
            return [.dropParked(request.id)]
        }
        parked[index].phase = .cancelling
        if calls[view.target]?.id == view.id { calls[view.target]?.phase = .cancelling }
        return [.cancel(view.id)]
    }
}
