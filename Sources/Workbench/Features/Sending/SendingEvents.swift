internal import SortieHTTP
internal import WorkspaceModel

/// The events of calls: changes of the table, and what they require outside of it.
extension SendingFeature {
    /// What an ended call was, for messages after its end.
    private struct Subject {
        var id: CallID
        var name: String
        var source: String
        /// Whether it waited for the network.
        var wasParked: Bool
        /// Whether the response pane can show it.
        var isViewable: Bool
    }

    /// Handles an event of a call; events of a replaced or ended call are dropped.
    static func received(_ event: CallEvent, of id: CallID, _ state: inout AppState) -> [Effect] {
        guard let subject = start(id, &state) else { return [] }
        if case .finished(let exchange) = event { LogFeature.end(of: exchange, id, &state) }
        state.calls.receive(event, of: id)
        switch event {
        case .decided(let decision): LogFeature.append(.decision(decision), to: id, &state)
        case .logged(let record): LogFeature.append(.block(record), to: id, &state)
        case .signalled(let signal): show(signal, subject, &state)
        case .grew(let bytes): return ResponseFeature.arrived(id, bytes, isFinal: false, &state)
        case .parked: reportParking(subject, &state)
        case .finished(let exchange): return ended(subject, exchange, &state)
        case .responded, .progressed, .queued, .retrying: break
        }
        return []
    }

    /// Handles an event of a download; events of an ended download are dropped.
    static func received(_ event: DownloadEvent, of id: CallID, _ state: inout AppState) -> [Effect] {
        guard let subject = start(id, &state) else { return [] }
        if case .finished(let result) = event { LogFeature.end(of: result.exchange, id, &state) }
        state.calls.receive(event, of: id)
        switch event {
        case .decided(let decision): LogFeature.append(.decision(decision), to: id, &state)
        case .finished(let result): return ended(subject, result.exchange, &state)
        case .changed, .placed, .progressed, .saved: break
        }
        return []
    }

    /// Handles a call that was not sent, because a template or a file is invalid.
    static func failedToStart(_ id: CallID, _ problem: Diagnostic, _ state: inout AppState) -> [Effect] {
        guard start(id, &state) != nil else { return [] }
        let isCancelled = state.calls[id]?.call.phase == .cancelling
        LogFeature.append(.problem(problem.messageWithLocation), to: id, &state)
        LogFeature.end(id, isCancelled ? .cancelled : .failed("not sent"), duration: 0, &state)
        state.calls.failToStart(id, problem)
        return reportEnd(of: id, &state)
    }

    /// Begins a replay with its first event; nil for a call whose events are dropped.
    private static func start(_ id: CallID, _ state: inout AppState) -> Subject? {
        guard state.calls.accepts(id) else { return nil }
        if state.calls.start(id) { LogFeature.begin(id, &state) }
        guard let call = state.calls[id]?.call else { return nil }
        return Subject(
            id: id, name: call.name, source: call.source, wasParked: state.calls.isParked(id), isViewable: state.calls.isViewable(id))
    }

    /// Reports the end of a call and completes its body.
    private static func ended(_ subject: Subject, _ exchange: Exchange, _ state: inout AppState) -> [Effect] {
        if subject.wasParked, !subject.isViewable, state.calls[subject.id]?.transfer == nil {
            let end = exchange.error?.message ?? exchange.response.map { "\($0.status) \($0.reason)".trimmingEnd } ?? "no response"
            state.notify(
                state.redaction.masked("\(subject.name), after waiting: \(end)"), exchange.error == nil ? .info : .error, source: subject.source)
        }
        let effects = exchange.response.map { ResponseFeature.arrived(subject.id, $0.body, isFinal: true, &state) } ?? []
        return effects + reportEnd(of: subject.id, &state)
    }

    /// Reports the end of a transfer or of the replay of several exchanges, and starts the transfers whose turn it is.
    private static func reportEnd(of id: CallID, _ state: inout AppState) -> [Effect] {
        if state.calls[id] == nil { state.responses[.call(id)] = nil }
        if let batch = state.calls.endBatch() { state.notify(batch.text, batch.isSame ? .info : .warning) }
        guard let transfer = state.calls[id]?.transfer else { return [] }
        TransfersFeature.report(transfer, &state)
        return TransfersFeature.startNext(&state)
    }

    private static func reportParking(_ subject: Subject, _ state: inout AppState) {
        guard !subject.wasParked, state.calls.isParked(subject.id) else { return }
        state.notify("\(subject.name) waits for the network; Runs shows it", .warning, source: subject.source)
    }

    /// Shows the signal of a plugin.
    ///
    /// A running call is visible without the loading signal.
    private static func show(_ signal: ScreenSignal, _ subject: Subject, _ state: inout AppState) {
        switch signal {
        case .loading: break
        case .toast(let text):
            state.toast = Toast(text, .warning)
        case .authExpired(let text):
            state.toast = Toast("The login has expired: \(state.redaction.masked(text))", .warning)
            state.log.append(LogEntry(.warning, source: subject.source, "the login has expired: \(text)"))
        }
    }
}
