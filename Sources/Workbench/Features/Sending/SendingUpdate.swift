internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

extension Command {
    static let sendPastCache = Command.named("sendPastCache")
}

/// Sending endpoints, and the events of calls.
struct SendingFeature: Feature {
    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .send: Self.send(&state)
        case .sendPastCache: Self.send(pastCache: true, &state)
        default: nil
        }
    }

    var bindings: [Binding] {
        [
            Binding(
                .everywhere, [.function(6)], .sendPastCache, "Skip cache", "Send the request past the cache; the response replaces the stored one",
                unless: { Self.cannotReloadReason($0) }
            )
            .alsoKnownAs("Hard reload", "Refresh")
        ]
    }

    func alert(_ state: AppState) -> Span? {
        let service = state.openEndpoint.flatMap { state.workspace.service($0.serviceName) }
        return state.workspace.trust(of: service, in: state.environment).isInsecure ? Span("TLS not verified", .warning) : nil
    }

    // MARK: Commands

    /// Sends the open request; replays the selected rows of the history; starts the selected run.
    ///
    /// - Parameter pastCache: Whether a stored response of the request is ignored and replaced.
    static func send(pastCache: Bool = false, _ state: inout AppState) -> [Effect] {
        // Typed text is already part of the request; only an invalid value prevents sending.
        if RequestFeature.editing(state) != nil, !RequestFeature.commitSetting(&state) { return [] }
        // A row can be edited further; the keys of the pane work after a URL was sent.
        if case .url = RequestFeature.editing(state) {
            RequestFeature.leaveEditing(&state)
            // The empty field hides the URL of the request that it would replace.
            if state.requestState.replacesRequest {
                state.toast = Toast("This request was not saved; \(state.key(.send)) sends it")
                return []
            }
        }
        if Replay.isMeant(state) { return Replay.start(&state) }
        if let run = RunsFeature.runToStart(state) { return RunsFeature.start(run, again: false, &state) }
        guard let id = endpointToSend(state), let endpoint = state.endpoint(id) else { return [] }
        return Prompts.ask(for: endpoint, &state) { deliver($0, pastCache: pastCache, &$1) }
    }

    /// Sends an endpoint again.
    ///
    /// - Parameter pin: The key by which alone the server is accepted; nil for the trust of the endpoint.
    static func send(_ id: EndpointID, acceptingKey pin: String?, _ state: inout AppState) -> [Effect] {
        guard let endpoint = state.endpoint(id) else { return [] }
        return Prompts.ask(for: endpoint, &state) { endpoint, state in
            deliver(endpoint, pastCache: false, &state).flatMap { effect -> [Effect] in
                guard let pin, case .send(let call, _, _) = effect else { return [effect] }
                return [.acceptKey(call, pin: pin), effect]
            }
        }
    }

    /// Sends an endpoint, or adds it to the transfers.
    private static func deliver(_ endpoint: Endpoint, pastCache: Bool, _ state: inout AppState) -> [Effect] {
        if endpoint.isQueued {
            let destination = endpoint.kind == .download ? TransfersFeature.destination(of: endpoint, state) : nil
            return TransfersFeature.enqueue(endpoint, to: destination, &state)
        }
        let effects = EndpointCall.cancelReplaced(endpoint.id, reason: "cancelled, because it was sent again", &state)
        let call = EndpointCall.begin(endpoint, &state)
        if endpoint.kind == .download {
            state.notify(
                "Sent as a normal request: only a GET without a body can be downloaded to a file and resumed", .warning, source: endpoint.id)
        }
        var sent = endpoint
        if pastCache { sent.cache?.policy = .reload }
        return effects + [.send(call, sent, environment: state.environment)]
    }

    /// Cancels a call in flight; a download keeps its partial file.
    static func cancel(_ id: CallID, _ state: inout AppState) -> [Effect] {
        if state.calls[id]?.transfer != nil { return TransfersFeature.cancel(id, keepsPart: true, &state) }
        return EndpointCall.cancel(id, &state)
    }

    // MARK: Availability

    /// The endpoint that Ctrl-R sends.
    private static func endpointToSend(_ state: AppState) -> EndpointID? {
        guard state.focus == .services else { return state.openTarget }
        switch state.services.selected {
        case .endpoint(let id): return id
        case .run: return nil
        case .service, .group, .runs, nil: return state.openTarget
        }
    }

    /// The reason why the request cannot be sent past the cache.
    private static func cannotReloadReason(_ state: AppState) -> String? {
        if let reason = cannotSendReason(state) { return reason }
        if Replay.isMeant(state) || RunsFeature.runToStart(state) != nil { return "Only a single request is sent past the cache" }
        guard endpointToSend(state).flatMap({ state.endpoint($0)?.cache }) == nil else { return nil }
        return "The endpoint has no cache: setting; \(state.key(.send)) sends it"
    }

    static func cannotSendReason(_ state: AppState) -> String? {
        if Replay.isMeant(state) { return Replay.cannotReplayReason(state) }
        if let run = RunsFeature.runToStart(state) {
            return state.unreadableReason(.run(run)) ?? (state.runs[run]?.isUnderWay == true ? "\(run) is running already" : nil)
        }
        guard let id = endpointToSend(state) else {
            return state.workspace.endpoints.isEmpty ? "The workspace has no endpoints" : "No endpoint is open; choose one in Services"
        }
        if let endpoint = state.endpoint(id) { return RequestFeature.noURLReason(endpoint, state) ?? state.fileErrorReason(endpoint) }
        return state.unreadableReason(.endpoint(id)) ?? "The workspace no longer has the endpoint \(id)"
    }
}

/// What Core needs for the keys that send and cancel.
extension AppState {
    var cannotSendReason: String? { SendingFeature.cannotSendReason(self) }

    /// Cancels a call in flight.
    mutating func cancel(_ call: Call) -> [Effect] { SendingFeature.cancel(call.id, &self) }
}

/// The events of calls: changes of the table, and what they require outside of it.
extension SendingFeature {
    /// What an ended call was, for messages after its end.
    private struct Subject {
        var id: CallID
        var name: String
        var source: String
        /// Whether it waited for the network.
        var wasParked: Bool
        /// Whether the response pane shows it.
        var isShown: Bool
    }

    /// Handles an event of a call; events of a replaced or ended call are dropped.
    static func received(_ event: CallEvent, of id: CallID, _ state: inout AppState) -> [Effect] {
        guard let subject = start(id, &state) else { return [] }
        if case .finished(let exchange) = event { LogFeature.end(of: exchange, id, &state) }
        state.calls.receive(event, of: id)
        switch event {
        case .decided(let decision): LogFeature.append(.decision(decision), to: id, &state)
        case .reported(let report):
            if let record = report.record { LogFeature.append(.block(record), to: id, &state) }
            if let signal = report.signal { show(signal, subject, &state) }
        case .grew(let bytes): return ResponseFeature.arrived(id, bytes, isFinal: false, &state)
        case .parked: reportParking(subject, &state)
        case .finished(let exchange): return ended(subject, exchange, &state)
        case .responded, .progressed, .changed: break
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
        let isCancelled = state.calls[id]?.call.isCancelling == true
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
            id: id, name: call.name, source: call.source, wasParked: state.calls.isParked(id), isShown: state.openCall?.id == id)
    }

    /// Reports the end of a call and completes its body.
    private static func ended(_ subject: Subject, _ exchange: Exchange, _ state: inout AppState) -> [Effect] {
        if subject.wasParked, !subject.isShown, state.calls[subject.id]?.transfer == nil {
            let end = exchange.error?.message ?? exchange.response.map { StatusText.line($0) } ?? "no response"
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
        guard let queued = QueuedCall(state.calls[id]) else { return [] }
        TransfersFeature.report(queued, &state)
        return TransfersFeature.startNext(&state)
    }

    private static func reportParking(_ subject: Subject, _ state: inout AppState) {
        guard !subject.wasParked, state.calls.isParked(subject.id) else { return }
        state.notify("\(subject.name) waits for the network; Runs shows it", .warning, source: subject.source)
    }

    /// Shows the signal of a plugin.
    ///
    /// A running call is visible without the loading signal.
    private static func show(_ signal: UserSignal, _ subject: Subject, _ state: inout AppState) {
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
