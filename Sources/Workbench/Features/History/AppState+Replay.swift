internal import HistoryModel
internal import SortieHTTP
internal import WorkspaceModel

/// Replaying exchanges of the history.
extension AppState {
    /// Whether Ctrl-R replays an exchange.
    var isReplay: Bool {
        isFocused(.history) && (HistoryFeature.selectedRow(self) != nil || HistoryFeature.awaitsRows(self)) || !replayedItems.isEmpty
    }

    /// The exchanges that Ctrl-R replays: the chosen rows of the history, or the shown past exchange if it has no endpoint.
    private var replayedItems: [HistoryItem] {
        if focus == .response, let past = responses.past, past.name != nil { return past.past.map { [$0.item] } ?? [] }
        guard isFocused(.history) else { return [] }
        // A single mark is the first of a pair for a comparison, so the selected row is replayed.
        return history.marked.count == 1 ? HistoryFeature.selectedItem(self).map { [$0] } ?? [] : HistoryFeature.chosenItems(self)
    }

    var cannotReplayReason: String? {
        if HistoryFeature.awaitsRows(self) { return nil }
        if replayedItems.isEmpty { return "It is still in progress; \(key(.stopRow)) stops it" }
        if replayedItems.count > 1, batch != nil { return "Other exchanges are being replayed" }
        return nil
    }

    /// Requests the summary of a replay, or asks for the timing of several (key Ctrl-R).
    mutating func replay() -> [Effect] {
        let items = replayedItems
        // The filter that is being typed is kept, as with Enter.
        history.entry = nil
        guard items.count > 1 else {
            guard let item = items.first else {
                if HistoryFeature.awaitsRows(self) { HistoryFeature.deferCommand(.replay, &self) }
                return []
            }
            // The lookup of a secret may take time.
            let asked = pendingJobs(PlanReplayJob.self).first { $0.value.item.number == item.number }?.key
            let id = asked ?? nextJob(PlanReplayJob(item: item))
            toast = Toast("Preparing the replay of #\(item.number)…", job: id)
            return asked == nil ? [.planReplay(id, item.number)] : []
        }
        show(
            ListPopup(
                title: "Replay \(items.count) exchanges", message: "Signatures, tokens and cookies are created anew for each exchange.",
                items: [
                    .init(
                        label: "One after the other", detail: "each after the previous one has ended", isCurrent: true
                    ) { $0.replay(items, .inOrder) },
                    .init(label: "At the original pace", detail: "with the original intervals") { $0.replay(items, .original) },
                ]))
        return []
    }

    mutating func replayPlanned(_ id: JobID, _ summary: ReplaySummary) -> [Effect] {
        guard let item = finishJob(id, PlanReplayJob.self)?.item else { return [] }
        let isKnown = history.explained.contains(summary.number)
        if isKnown, summary.changed.isEmpty, summary.missing.isEmpty { return replay(summary, item) }
        guard mayOpen("The replay of #\(summary.number)") else { return [] }
        show(list(of: summary, item))
        return []
    }

    mutating func replayRefused(_ id: JobID, _ sentence: String) {
        guard jobs.removeValue(forKey: id) != nil else { return }
        notify(sentence, .error)
    }

    /// The summary of a replay as a list with the choice to send it.
    private func list(of summary: ReplaySummary, _ item: HistoryItem) -> ListPopup {
        var items: [ListPopup.Item] = []
        func add(_ heading: String, _ texts: [String], mark: String) {
            guard !texts.isEmpty else { return }
            items.append(.init(label: heading))
            items += texts.map { .plain(key: mark, label: redaction.masked($0)) }
        }
        add("Cannot be sent, because this is missing", summary.missing, mark: "✗")
        add("Different from the original", summary.changed, mark: "!")
        add("Created anew; everything else is sent unchanged", summary.fresh, mark: "↻")
        if summary.fresh.isEmpty, summary.missing.isEmpty { items.append(.init(label: "Sent unchanged: nothing is created anew")) }
        items.append(.init(label: ""))
        if summary.missing.isEmpty {
            items.append(.init(key: key(.choose, in: .popup), label: "Send it", isCurrent: true) { $0.replay(summary, item) })
        }
        items.append(.plain(key: key(.close, in: .popup), label: "Cancel", isCurrent: !summary.missing.isEmpty))
        return ListPopup(title: "Replay #\(summary.number)", message: redaction.masked(summary.title), items: items)
    }

    /// Replays an exchange, as a call of its endpoint if the workspace has that.
    mutating func replay(_ summary: ReplaySummary, _ item: HistoryItem) -> [Effect] {
        history.explained.insert(summary.number)
        if var order = summary.download {
            order.destination = order.destination ?? destination(of: order.endpoint)
            toast = Toast("#\(summary.number) is downloaded again; \(key(.show(.transfers))) shows it")
            return enqueue(order, selects: !isOccupied && workspace.endpoint(order.endpoint.target) != nil)
        }
        var effects: [Effect] = []
        let id: CallID
        if let target = summary.target ?? item.target, let endpoint = endpoint(target) {
            if let old = calls[target], old.isInFlight, !isParked(old.id), transfers[old.id] == nil {
                effects.append(.cancel(old.id))
                logEnd(old.id, .cancelled, duration: old.elapsed)
            }
            // The selection does not change while a popup is open or text is being typed.
            id = begin(endpoint, selects: !isOccupied)
        } else {
            let key = "replay \(lastNumber + 1)"
            id = begin(stub(key, item), selects: false)
            if let call = calls[key] { ResponseFeature.showReplay(call, key, &self) }
        }
        toast = Toast("#\(summary.number) is sent again")
        return effects + [.replay([id], [summary.number], pace: .inOrder)]
    }

    /// Replays several exchanges, the oldest first.
    mutating func replay(_ items: [HistoryItem], _ pace: ReplayPace) -> [Effect] {
        guard batch == nil else { return [] }
        var pending: [CallID: HistoryItem] = [:]
        let ids = items.map { item in
            lastNumber += 1
            pending[CallID(lastNumber)] = item
            return CallID(lastNumber)
        }
        batch = ReplayBatch(pending)
        history.marked = []
        history.selection = .newest
        return [.replay(ids, items.map(\.number), pace: pace)]
    }

    /// Adds a row for a call of a batch on its first event.
    mutating func noteReplay(_ id: CallID) {
        guard let item = batch?.pending[id], !calls.values.contains(where: { $0.id == id }) else { return }
        let key = "replay \(id.number)"
        let endpoint = stub(key, item)
        calls[key] = Call(id, endpoint)
        logBegin(id, endpoint)
    }

    /// Handles the end of a call of a batch, and shows the result when all have ended.
    mutating func replayEnded(_ id: CallID, with exchange: Exchange?) {
        if let key = calls.first(where: { $0.value.id == id })?.key { ResponseFeature.forget(key, &self) }
        guard batch?.end(id, with: exchange) == true, let batch = batch, batch.pending.isEmpty else { return }
        self.batch = nil
        notify(batch.text, batch.same == batch.count ? .info : .warning)
    }

    private func stub(_ key: String, _ item: HistoryItem) -> Endpoint {
        var endpoint = Endpoint(target: key, name: item.target ?? item.url, method: item.method, path: item.url)
        endpoint.kind = item.kind
        return endpoint
    }
}

/// Determining what a replay would do.
struct PlanReplayJob: Job {
    static let isReplaced = true
    static let opensPopup = true
    static let cancelMessage: String? = "The replay was cancelled"

    var item: HistoryItem
}
