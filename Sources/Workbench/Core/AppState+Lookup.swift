internal import Model
internal import Terminal

/// Derived values of the state.
extension AppState {
    /// The endpoint as it would be sent, with unsaved changes.
    func endpoint(_ target: String) -> Endpoint? {
        drafts[target]?.edited ?? workspace.endpoint(target)
    }

    var openEndpoint: Endpoint? { openTarget.flatMap { endpoint($0) } }

    var openCall: Call? { shownKey.flatMap { calls[$0] } }

    var editedDrafts: [Draft] {
        drafts.values.filter(\.isEdited).sorted { $0.original.target < $1.original.target }
    }

    /// The state of the request pane for the open endpoint.
    var requestState: RequestState {
        get { openTarget.flatMap { requests[$0] } ?? RequestState() }
        set { if let openTarget { requests[openTarget] = newValue } }
    }

    /// The state of the response pane for the shown exchange.
    var responseState: ResponseState {
        get { shownKey.flatMap { responses[$0] } ?? ResponseState() }
        set { if let shownKey { responses[shownKey] = newValue } }
    }

    /// What is masked on the screen.
    var redaction: Redaction { showsSecrets ? .none : secrets }

    /// The rows of the shown tab of the request pane.
    var requestRows: [RequestRow] {
        guard let endpoint = openEndpoint else { return [] }
        var rows = RequestRows(
            endpoint: endpoint, workspace: workspace, preview: RequestPreview(self, endpoint), files: files.facts,
            engineHeaders: engineHeaders, showsSecrets: showsSecrets
        ).rows(of: requestState.tab)
        let redaction = redaction
        for index in rows.indices where rows[index].mayHaveTemplates {
            let row = rows[index]
            // A template names a secret without revealing its value.
            rows[index].isSecret = !showsSecrets && !row.value.contains("{{") && (row.isSecret || redaction.isSecretPath(row.name))
        }
        return rows
    }

    /// The selected row of the request pane; nil on the request line.
    var selectedRequestRow: RequestRow? {
        let rows = requestRows
        return rows.indices.contains(requestState.row) ? rows[requestState.row] : nil
    }

    /// The endpoint that Ctrl-R sends.
    var sendTarget: String? {
        guard focus == .services else { return openTarget }
        switch services.selected {
        case .endpoint(let target): return target
        case .run: return nil
        case .service, .group, .runs, nil: return openTarget
        }
    }

    /// Whether the focused pane has a search or a filter.
    ///
    /// Esc clears that before it cancels a call.
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

    /// The running call of a row; nil for a row that has ended, is unfinished or is being cancelled.
    ///
    /// A transfer that is not the latest call of its endpoint gets a new value with its ID.
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

    /// The search place of the focused pane.
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

    /// Shows a message in the footer and adds it to the log.
    mutating func notify(_ text: String, _ level: LogEntry.Level = .info, source: String = "") {
        // The log keeps the text, because it is masked where it is shown.
        toast = Toast(redaction.masked(text), level)
        log.append(LogEntry(level, source: source, text))
    }

    /// Adds all diagnostics of the workspace's files to the log.
    mutating func logProblems() {
        for problem in workspace.problems {
            log.append(
                LogEntry(problem.severity == .error ? .error : .warning, source: problem.location.description, problem.message))
        }
    }

    /// The index of the server that requests of a service go to, from 0.
    func serverIndex(of service: Service) -> Int {
        bottom.monitor.report.serverIndex(of: service.folder, in: environment)
    }
}
