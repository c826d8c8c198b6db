package import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Determining what a replay would do.
package struct PlanReplayJob: WorkJob {
    static let isReplaced = true
    static let opensPopup = true
    static let cancelMessage: String? = "The replay was cancelled"
    package static let mayRunHooks = true

    package let item: HistoryItem
    /// What the user entered for the prompts of the exchange, by label.
    var promptValues: [String: String] = [:]

    var sent: [SentByEffect] { [.anything] }

    func refused(_ problem: Diagnostic) -> Result<ReplaySummary, Diagnostic>? { .failure(problem) }

    /// What the replay would do; a problem where the exchange cannot be replayed.
    func finish(_ outcome: Result<ReplaySummary, Diagnostic>, _ state: inout AppState) -> [Effect] {
        switch outcome {
        case .success(let summary): return Replay.planned(summary, self, &state)
        case .failure(let problem):
            state.notify(problem.workbenchSentence, .error)
            return []
        }
    }
}

/// Replaying exchanges of the history.
enum Replay {
    /// Whether Ctrl-R replays an exchange.
    static func isMeant(_ state: AppState) -> Bool {
        state.isFocused(.history) && (HistoryFeature.selectedRow(state) != nil || HistoryFeature.awaitsRows(state)) || !items(state).isEmpty
    }

    /// The exchanges that Ctrl-R replays: the chosen rows of the history, or the shown past exchange if it has no endpoint.
    private static func items(_ state: AppState) -> [HistoryItem] {
        if state.focus == .response, let past = state.responses.past, past.name != nil { return past.replayedItem.map { [$0] } ?? [] }
        guard state.isFocused(.history) else { return [] }
        // A single mark is the first of a pair for a comparison, so the selected row is replayed.
        return state.history.marked.count == 1 ? HistoryFeature.selectedItem(state).map { [$0] } ?? [] : HistoryFeature.chosenItems(state)
    }

    static func cannotReplayReason(_ state: AppState) -> String? {
        if HistoryFeature.awaitsRows(state) { return nil }
        let items = items(state)
        if items.isEmpty { return "It is still in progress; \(state.key(.stopRow)) stops it" }
        if items.count > 1, state.calls.batch != nil { return "Other exchanges are being replayed" }
        return nil
    }

    /// Requests the summary of a replay, or asks for the timing of several (key Ctrl-R).
    static func start(_ state: inout AppState) -> [Effect] {
        let items = items(state)
        // The filter that is being typed is kept, as with Enter.
        state.history.entry = nil
        guard items.count > 1 else {
            guard let item = items.first else {
                if HistoryFeature.awaitsRows(state) { HistoryFeature.deferCommand(.replay, &state) }
                return []
            }
            // The lookup of a secret may take time.
            let message = "Preparing the replay of #\(item.number)…"
            guard let asked = state.pendingJobs(PlanReplayJob.self).first(where: { $0.value.item.number == item.number })?.key else {
                return state.start(PlanReplayJob(item: item), showing: message)
            }
            state.toast = Toast(message, job: asked)
            return []
        }
        state.show(choice(items))
        return []
    }

    /// Asks for the timing of several exchanges; those that change something on the server are sent only where the user says so.
    private static func choice(_ items: [HistoryItem]) -> ListPopup {
        let safe = items.filter(\.method.isSafe)
        let count = items.count - safe.count
        let methods = Set(items.map(\.method.rawValue)).subtracting(safe.map(\.method.rawValue)).sorted().joined(separator: ", ")
        var rows: [ListPopup.Item] = []
        if count > 0, !safe.isEmpty {
            rows.append(
                .init(label: "Only the safe ones", detail: "\(safe.count) of \(items.count), without \(methods)", isCurrent: true) {
                    send(safe, .inOrder, &$0)
                })
        } else if count > 0 {
            rows.append(.plain(label: "Send nothing", isCurrent: true))
        }
        let all = count > 0 ? "all \(items.count), with \(methods), which may change something again; " : ""
        rows += [
            .init(label: "One after the other", detail: all + "each after the previous one has ended", isCurrent: count == 0) {
                send(items, .inOrder, &$0)
            },
            .init(label: "At the original pace", detail: all + "with the original intervals") { send(items, .original, &$0) },
        ]
        return ListPopup(
            title: "Replay \(items.count) exchanges", message: "Signatures, tokens and cookies are created anew for each exchange.", items: rows,
            isMenu: true)
    }

    /// Shows the summary of a replay, or sends the exchange when nothing needs attention.
    fileprivate static func planned(_ summary: ReplaySummary, _ job: PlanReplayJob, _ state: inout AppState) -> [Effect] {
        let isKnown = state.history.explained.contains(summary.number)
        if isKnown, summary.changed.isEmpty, summary.missing.isEmpty { return send(job, summary, &state) }
        guard state.mayOpen("The replay of #\(summary.number)") else { return [] }
        if !summary.prompts.isEmpty { return ask(summary.prompts, job, &state) }
        state.show(list(of: summary, job, state))
        return []
    }

    /// Asks for the values that are not stored, and determines with them what the replay would do.
    private static func ask(_ prompts: [PromptQuestion], _ job: PlanReplayJob, _ state: inout AppState) -> [Effect] {
        Prompts.ask(prompts, for: "#\(job.item.number)", &state) { values, state in
            [.supplyReplayPrompts(job.item.number, values)]
                + state.start(PlanReplayJob(item: job.item, promptValues: values), showing: "Preparing the replay of #\(job.item.number)…")
        }
    }

    /// The summary of a replay as a list with the choice to send it.
    private static func list(of summary: ReplaySummary, _ job: PlanReplayJob, _ state: AppState) -> ListPopup {
        var items: [ListPopup.Item] = []
        func add(_ heading: String, _ texts: [String], mark: String) {
            guard !texts.isEmpty else { return }
            items.append(.init(label: heading))
            items += texts.map { .plain(key: mark, label: state.redaction.masked($0)) }
        }
        add("Cannot be sent, because this is missing", summary.missing, mark: "✗")
        add("Different from the original", summary.changed, mark: "!")
        add("Created anew; everything else is sent unchanged", summary.fresh, mark: "↻")
        if summary.fresh.isEmpty, summary.missing.isEmpty { items.append(.init(label: "Sent unchanged: nothing is created anew")) }
        items.append(.init(label: ""))
        if summary.missing.isEmpty {
            items.append(.init(key: state.key(.choose, in: .popup), label: "Send it", isCurrent: true) { send(job, summary, &$0) })
        }
        items.append(.plain(key: state.key(.close, in: .popup), label: "Cancel", isCurrent: !summary.missing.isEmpty))
        return ListPopup(
            title: "Replay #\(summary.number)", message: state.redaction.masked(summary.title), items: items, guideAddress: "history#replay")
    }

    /// Replays an exchange, as the latest call of its endpoint if the workspace has that.
    private static func send(_ job: PlanReplayJob, _ summary: ReplaySummary, _ state: inout AppState) -> [Effect] {
        let item = job.item
        state.history.explained.insert(summary.number)
        if var queuedTransfer = summary.download {
            queuedTransfer.endpoint.promptValues.merge(job.promptValues) { $1 }
            queuedTransfer.destination = queuedTransfer.destination ?? TransfersFeature.destination(of: queuedTransfer.endpoint, state)
            state.toast = Toast("#\(summary.number) is downloaded again; \(state.key(.show(.transfers))) shows it")
            let selects = !state.isOccupied && state.workspace.endpoint(queuedTransfer.endpoint.id) != nil
            return TransfersFeature.enqueue(queuedTransfer, selects: selects, &state)
        }
        var effects: [Effect] = []
        let id: CallID
        if let target = summary.target ?? item.target, let endpoint = state.endpoint(EndpointID(target)) {
            effects = EndpointCall.cancelReplaced(endpoint.id, &state)
            // The selection does not change while a popup is open or text is being typed.
            id = EndpointCall.begin(endpoint, replaying: item, selects: !state.isOccupied, &state)
        } else {
            id = state.calls.begin(replaying: item)
            LogFeature.begin(id, &state)
            if let call = state.calls[id]?.call { ResponseFeature.showReplay(call, &state) }
        }
        state.toast = Toast("#\(summary.number) is sent again")
        if !job.promptValues.isEmpty { effects.append(.supplyReplayPrompts(summary.number, job.promptValues)) }
        return effects + [.replay([id], [summary.number], pace: .inOrder)]
    }

    /// Replays several exchanges, the oldest first.
    private static func send(_ items: [HistoryItem], _ pace: ReplayPace, _ state: inout AppState) -> [Effect] {
        guard state.calls.batch == nil else { return [] }
        let ids = state.calls.beginBatch(items)
        state.history.marked = []
        state.history.selection = .newest
        return [.replay(ids, items.map(\.number), pace: pace)]
    }
}
