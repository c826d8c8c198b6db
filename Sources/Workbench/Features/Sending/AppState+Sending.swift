internal import BodyViews
internal import SortieHTTP
internal import WorkspaceModel

/// Sending requests and handling their events.
extension AppState {
    /// Sends the open request; replays the selected rows of the history; starts the selected run.
    ///
    /// - Parameter pastCache: Whether a stored response of the request is ignored and replaced.
    mutating func send(pastCache: Bool = false) -> [Effect] {
        // Typed text is already part of the request; only an invalid value prevents sending.
        if editing != nil, !commitSetting() { return [] }
        if isReplay { return replay() }
        if let run = runToStart { return start(run: run, again: false) }
        guard let target = sendTarget, let endpoint = endpoint(target) else { return [] }
        if isQueued(endpoint) {
            let destination = endpoint.kind == .download ? destination(of: endpoint) : nil
            return enqueue(endpoint, to: destination)
        }
        var effects: [Effect] = []
        // A parked request continues to wait.
        if let old = calls[target], old.isInFlight, !isParked(old.id) {
            effects.append(.cancel(old.id))
            logPart(.problem("cancelled, because it was sent again"), of: old.id)
            logEnd(old.id, .cancelled, duration: old.elapsed)
        }
        let id = begin(endpoint)
        if endpoint.kind == .download {
            notify("Sent as a normal request: only a GET without a body can be downloaded to a file and resumed", .warning, source: target)
        }
        if let problem = endpoint.body.jsonProblem {
            // This may be intended, for example to test a server.
            notify("Sent although the body is not JSON, \(problem)", .warning, source: target)
        }
        var sent = endpoint
        if pastCache { sent.cache?.policy = .reload }
        return effects + [.send(id, sent, environment: environment)]
    }

    /// Creates a call as the endpoint's latest one, which the response pane shows.
    mutating func begin(_ endpoint: Endpoint, selects: Bool = true) -> CallID {
        let target = endpoint.target
        lastNumber += 1
        let id = CallID(lastNumber)
        if target == openTarget { dismissPast() }
        calls[target] = Call(id, endpoint)
        responses[target, default: ResponseState()].startOver()
        forgetSearches(of: target)
        if selects, target != openTarget { select(.endpoint(target)) }
        logBegin(id, endpoint)
        return id
    }

    mutating func cancel(_ call: Call) -> [Effect] {
        if let transfer = transfers[call.id] { return cancel(transfer, keepsPart: true) }
        guard calls[call.target]?.id == call.id, calls[call.target]?.phase == .sending else { return [] }
        calls[call.target]?.phase = .cancelling
        return [.cancel(call.id)]
    }

    mutating func received(_ event: CallEvent, of id: CallID) -> [Effect] {
        if let index = parked.firstIndex(where: { $0.id == id }), calls[parked[index].target]?.id != id {
            receivedParked(event, at: index)
            return []
        }
        // Events of an earlier or ended call are dropped.
        guard let target = calls.first(where: { $0.value.id == id })?.key, calls[target]?.isInFlight == true else {
            noteEarlierTransfer(event, of: id)
            return []
        }
        switch event {
        case .decided(let decision):
            calls[target]?.note(decision)
            logPart(.decision(decision), of: id)
            return []
        case .logged(let record):
            logPart(.block(record), of: id)
            return []
        case .signalled(let signal):
            show(signal, of: target)
            return []
        case .responded(let response):
            calls[target]?.response = response
            return []
        case .progressed(let progress):
            calls[target]?.progress = progress
            return []
        case .grew(let bytes):
            return grow(target, to: bytes, isFinal: false)
        case .queued(let reason):
            calls[target]?.queuedBecause = reason
            return []
        case .retrying(let seconds):
            let elapsed = calls[target]?.elapsed ?? 0
            calls[target]?.retriesAt = seconds > 0 ? elapsed + seconds : nil
            return []
        case .parked(let notice):
            if let call = calls[target] { parked(notice, call) }
            return []
        case .finished(let exchange):
            parked.removeAll { $0.id == id }
            calls[target]?.finish(exchange)
            logEnd(of: exchange, id, target)
            noteFinishedTransfer(target)
            guard let response = exchange.response else { return [] }
            return grow(target, to: response.body, isFinal: true)
        }
    }

    /// Adds the events of a transfer that is not its endpoint's latest call to the log.
    private mutating func noteEarlierTransfer(_ event: CallEvent, of id: CallID) {
        guard let transfer = transfers[id], !transfer.isEnded else { return }
        switch event {
        case .decided(let decision): logPart(.decision(decision), of: id)
        case .logged(let record): logPart(.block(record), of: id)
        case .finished(let exchange): logEnd(of: exchange, id, transfer.target)
        default: break
        }
    }

    /// Shows the signal of a plugin.
    ///
    /// A running call is visible without the loading signal (S0.27, S3.3).
    private mutating func show(_ signal: ScreenSignal, of target: String) {
        switch signal {
        case .loading: break
        case .toast(let text):
            toast = Toast(text, .warning)
        case .authExpired(let text):
            toast = Toast("The login has expired: \(redaction.masked(text))", .warning)
            log.append(LogEntry(.warning, source: target, "the login has expired: \(text)"))
        }
    }

    mutating func failedToStart(_ id: CallID, _ problem: Diagnostic) {
        if let index = parked.firstIndex(where: { $0.id == id }) {
            // It stays on the disk and in the list.
            parked[index].reason = "not sent: \(problem.message) (\(problem.location))"
        }
        guard let target = calls.first(where: { $0.value.id == id })?.key, calls[target]?.isInFlight == true else { return }
        let isCancelled = calls[target]?.phase == .cancelling
        calls[target]?.phase = .notSent(problem)
        logPart(.problem("\(problem.message) (\(problem.location))"), of: id)
        logEnd(id, isCancelled ? .cancelled : .failed("not sent"), duration: 0)
    }

    /// Extends a body and continues its index.
    private mutating func grow(_ target: String, to bytes: BodyBytes, isFinal: Bool) -> [Effect] {
        let mode = responses[target]?.mode
        calls[target]?.grow(to: bytes, isFinal: isFinal, mode: mode)
        return continueIndex(target)
    }

    mutating func continueIndex(_ target: String) -> [Effect] {
        guard let call = calls[target], let body = call.body, body.canAdvance, !call.isIndexing else { return [] }
        calls[target]?.isIndexing = true
        return [.index(call.id, body)]
    }

    mutating func indexed(_ id: CallID, _ view: BodyView) -> [Effect] {
        guard let target = calls.first(where: { $0.value.id == id })?.key, let current = calls[target]?.body else { return [] }
        calls[target]?.isIndexing = false
        var view = view
        if view.bytes != current.bytes || view.isFinal != current.isFinal {
            view.grow(to: current.bytes, isFinal: current.isFinal)
        }
        if view.mode != current.mode, view.modes.contains(current.mode) { view.show(current.mode) }
        calls[target]?.body = view
        revealPending(target)
        return continueIndex(target)
    }

    mutating func logEnd(of exchange: Exchange, _ id: CallID, _ target: String) {
        var state = LoggedCall.State.failed("no response")
        if let error = exchange.error {
            let isCancel = error.code == .cancelled || error.code == .superseded
            logPart(.failure(error), of: id)
            state = isCancel ? .cancelled : .failed(error.code.rawValue)
        } else if let response = exchange.response {
            state = .answered(status: response.status, bytes: response.body.count, isFromCache: response.isFromCache)
        }
        logEnd(id, state, duration: exchange.duration)
    }

    var openCall: Call? { shownKey.flatMap { calls[$0] } }

    /// The endpoint that Ctrl-R sends.
    var sendTarget: String? {
        guard focus == .services else { return openTarget }
        switch services.selected {
        case .endpoint(let target): return target
        case .run: return nil
        case .service, .group, .runs, nil: return openTarget
        }
    }

    /// The latest call of an endpoint while it is being sent.
    func sendingCall(of target: String) -> Call? { calls[target].flatMap { $0.phase == .sending ? $0 : nil } }

    /// The reason why the request cannot be sent past the cache.
    var cannotReloadReason: String? {
        if let reason = cannotSendReason { return reason }
        if isReplay || runToStart != nil { return "Only a single request is sent past the cache" }
        return sendTarget.flatMap { endpoint($0)?.cache } == nil ? "The endpoint has no cache: setting; \(key(.send)) sends it" : nil
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
}
