internal import Model
internal import Terminal

/// Questions about the state that several places ask.
extension AppState {
    /// The endpoint as it would be sent, changes included.
    func endpoint(_ target: String) -> Endpoint? {
        drafts[target]?.edited ?? workspace.endpoint(target)
    }

    var openEndpoint: Endpoint? { openTarget.flatMap { endpoint($0) } }

    var openCall: Call? { shownKey.flatMap { calls[$0] } }

    var editedDrafts: [Draft] {
        drafts.values.filter(\.isEdited).sorted { $0.original.target < $1.original.target }
    }

    /// What the request pane shows of the open endpoint.
    var requestState: RequestState {
        get { openTarget.flatMap { requests[$0] } ?? RequestState() }
        set { if let openTarget { requests[openTarget] = newValue } }
    }

    /// What the response pane remembers of what it shows.
    var responseState: ResponseState {
        get { shownKey.flatMap { responses[$0] } ?? ResponseState() }
        set { if let shownKey { responses[shownKey] = newValue } }
    }

    /// What is masked of all that is shown now.
    var redaction: Redaction { showsSecrets ? .none : secrets }

    /// The rows of the shown tab of the request.
    var requestRows: [RequestRow] {
        guard let endpoint = openEndpoint else { return [] }
        var rows = RequestRows(
            endpoint: endpoint, workspace: workspace, preview: RequestPreview(self, endpoint), files: files.facts,
            engineHeaders: engineHeaders, showsSecrets: showsSecrets
        ).rows(of: requestState.tab)
        let redaction = redaction
        for index in rows.indices where rows[index].mayHaveTemplates {
            let row = rows[index]
            // A variable stands for a secret without telling it.
            rows[index].isSecret = !showsSecrets && !row.value.contains("{{") && (row.isSecret || redaction.isSecretPath(row.name))
        }
        return rows
    }

    /// The selected row of the request; nil on the request line.
    var selectedRequestRow: RequestRow? {
        let rows = requestRows
        return rows.indices.contains(requestState.row) ? rows[requestState.row] : nil
    }

    /// The endpoint that Ctrl-R would send.
    var sendTarget: String? {
        guard focus == .services else { return openTarget }
        switch services.selected {
        case .endpoint(let target): return target
        case .run: return nil
        case .service, .group, .runs, nil: return openTarget
        }
    }

    /// Whether the focused pane is searched or filtered; Esc clears that before it cancels anything.
    var hasSearchOrFilter: Bool {
        if focus == .services { return services.filter != nil }
        if isHistoryFocused { return !history.filterText.isEmpty }
        return searchPlace.map { needles[$0] != nil } ?? false
    }

    /// The running call that the next Esc cancels.
    var callToCancel: Call? { hasSearchOrFilter ? nil : focusedCall }

    /// The running call of the focused pane.
    var focusedCall: Call? {
        let target: String?
        switch focus {
        case .services: target = if case .endpoint(let target) = services.selected { target } else { nil }
        case .request: target = openTarget
        case .response: target = shownKey
        case .bottom: return selectedTransfer.flatMap { inFlight($0) }
        }
        return target.flatMap { calls[$0] }.flatMap { $0.phase == .sending ? $0 : nil }
    }

    /// The call of a row that runs; nil for a transfer that an earlier one of the endpoint is.
    private func inFlight(_ row: TransferRow) -> Call? {
        switch row {
        case .call(let call): return call.phase == .sending ? call : nil
        case .transfer(let transfer):
            guard !transfer.isEnded, transfer.phase != .unfinished, transfer.phase != .cancelling else { return nil }
            return calls[transfer.target]?.id == transfer.id ? calls[transfer.target] : Call(transfer.id, transfer.order.endpoint)
        case .finished: return nil
        }
    }

    /// The transfer of the open endpoint's call.
    var openTransfer: Transfer? { openCall.flatMap { transfers[$0.id] } }

    /// The place in which the focused pane searches.
    var searchPlace: SearchPlace? {
        switch focus {
        case .services: nil
        case .request: .request
        case .response: .response
        case .bottom:
            switch bottom.tab {
            case .transfers: .transfers
            case .log: .log
            case .runs, .history, .monitor: nil
            }
        }
    }

    /// Says something in the footer and keeps it in the log.
    mutating func notify(_ text: String, _ level: LogEntry.Level = .info, source: String = "") {
        // The log keeps the text, because it is masked where it is shown.
        toast = Toast(redaction.masked(text), level)
        log.append(LogEntry(level, source: source, text))
    }

    /// Puts every problem of the workspace's files into the log.
    mutating func logProblems() {
        for problem in workspace.problems {
            log.append(
                LogEntry(problem.severity == .error ? .error : .warning, source: problem.location.description, problem.message))
        }
    }

    /// The position of the server that requests of a service go to now, from 0.
    func serverIndex(of service: Service) -> Int {
        bottom.monitor.report.serverIndex(of: service.folder, in: environment)
    }
}
