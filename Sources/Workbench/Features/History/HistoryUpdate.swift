internal import HistoryModel
internal import SortieBase
internal import SortieTerminal
internal import WorkspaceModel

/// A page of the history.
struct HistoryPageJob: Job {
    static let isReplaced = true
}

/// The number of matching exchanges.
struct HistoryCountJob: Job {
    static let isReplaced = true
}

/// The exchanges that the palette finds.
struct HistoryPlacesJob: Job {
    static let isReplaced = true

    /// The list of the palette.
    let list: PopupStack.ID
}

/// A change of the history.
struct HistoryChangeJob: Job {
    /// The message when the change is made.
    var text: String
    /// The exchanges that are deleted.
    var deleted: [Int64] = []
}

/// Requesting pages of the history, and handling results.
extension HistoryFeature {
    /// Requests what the tab needs while its rows are visible: one page at a time, then the number of matches.
    static func requestRows(_ state: inout AppState) -> [Effect] {
        guard state.history.isOn, state.bottomTab == .history, state.layout.bottom.height > 2 else { return [] }
        var effects: [Effect] = []
        let filter = state.history.filter(in: state.workspace.folder)
        if let stretch = state.history.nextStretch {
            let id = state.nextJob(HistoryPageJob())
            state.history.asked = (id, stretch, state.history.filterNumber)
            state.history.due = nil
            let history = state.history
            effects.append(.history(id, .page(history.window.query(stretch, filter: filter, selected: history.selectedNumber))))
        }
        // Cancels the count of a previous filter.
        if let asked = state.history.countAsked, asked.filterNumber != state.history.filterNumber {
            state.stopJobs(HistoryCountJob.self)
            state.history.countAsked = nil
            state.history.isCountDue = true
        }
        // The rows have priority over the count.
        if state.history.asked == nil, state.history.isCountDue, state.history.countAsked == nil {
            let id = state.nextJob(HistoryCountJob())
            state.history.countAsked = (id, state.history.filterNumber)
            state.history.isCountDue = false
            effects.append(.history(id, .count(filter, upTo: HistoryState.countLimit + 1)))
        }
        return effects
    }

    /// Handles a result of the history; results of superseded requests are dropped.
    static func received(_ id: JobID, _ result: HistoryResult, _ state: inout AppState) -> [Effect] {
        guard let job = state.jobs.removeValue(forKey: id) else { return [] }
        switch (job, result) {
        case (is HistoryPageJob, .failed(let sentence)):
            if state.history.asked?.id == id { state.history.asked = nil }
            state.history.isStuck = true
            state.history.deferred = nil
            failed(sentence, &state)
        case (is HistoryCountJob, .failed):
            // The page request reports the same problem.
            if state.history.countAsked?.id == id { state.history.countAsked = nil }
        case (let job as LastResponseJob, .failed(let sentence)): lastFailed(job.target, sentence, &state)
        case (let job as LastResponseJob, .past(let past, let moment)): return lastLoaded(past, moment, of: job.target, &state)
        // The tab reports the same problem.
        case (is HistoryPlacesJob, .failed): break
        case (_, .failed(let sentence)): state.notify(sentence, .error)
        case (is HistoryPageJob, .page(let page, let moment)):
            state.history.take(page, moment, id)
            return performDeferred(&state)
        case (is HistoryCountJob, .count(let count)): state.history.take(count: count, id)
        case (let job as HistoryPlacesJob, .page(let page, let moment)): add(page.items, at: moment, to: job.list, &state)
        case (let job as PastJob, .past(let past, let moment)):
            state.history.moment = state.history.moment ?? moment
            return loaded(past, moment, for: job.purpose, &state)
        case (let job as CompareJob, .compared(let comparison)):
            guard state.mayOpen("The comparison") else { break }
            state.history.marked.removeAll { job.numbers.contains($0.number) }
            state.popups.show(ComparePopup(comparison, moment: state.history.moment))
        case (let job as CompareRunJob, .comparedRun(let comparison)): RunsFeature.compared(comparison, job.run, &state)
        case (let job as HistoryChangeJob, .done):
            state.notify(job.text)
            state.history.changed()
            forgetDeleted(job.deleted, &state)
        default: break
        }
        return []
    }

    /// Shows that the history is not recorded or cannot be read, once for each problem.
    static func failed(_ sentence: String, _ state: inout AppState) {
        guard state.history.problem != sentence else { return }
        state.history.problem = sentence
        state.notify(sentence, .error)
    }

    /// Performs the command on the first row that was given before it arrived; says so where there is no row.
    private static func performDeferred(_ state: inout AppState) -> [Effect] {
        guard let command = state.history.deferred else { return [] }
        guard selectedRow(state) != nil else {
            // The page belonged to an earlier filter, and the next one is requested.
            if state.history.due != nil { return [] }
            state.history.deferred = nil
            let reason =
                state.history.filterText.isEmpty
                ? "The history is empty" : "Nothing in the history matches; \(state.key(.back)) shows all exchanges"
            state.toast = Toast(reason, .warning)
            return []
        }
        state.history.deferred = nil
        state.toast = nil
        switch command {
        case .show: return openRow(&state)
        case .replay: return Replay.start(&state)
        }
    }

    /// Stores a command until the first row arrives.
    static func deferCommand(_ command: HistoryState.DeferredCommand, _ state: inout AppState) {
        state.history.deferred = command
        state.toast = Toast("Opening the history…")
    }
}

extension HistoryFeature {
    /// Adds the latest exchange of each request to a list of the palette.
    private static func add(_ items: [HistoryItem], at moment: HistoryMoment, to list: PopupStack.ID, _ state: inout AppState) {
        guard state.popups.topID == list else { return }
        var seen: Set<String> = []
        let latest = items.filter { seen.insert("\($0.method) \($0.url)").inserted }
        state.popups.change(ListPopup.self) { popup in
            popup.add(
                further: latest.map { item in
                    let name = "\(StatusText.short(item.shownMethod)) \(item.target ?? item.urlPathFirst)"
                    let outcome = "\(HistoryColumns.status(of: item).text) · \(moment.short(item.startedAt))"
                    // The endpoint itself is more likely meant than what was received.
                    return .init(name: name, label: outcome, place: "History", keywords: [item.url, item.target ?? ""], handicap: 80) {
                        [load(item.number, for: .show, &$0)]
                    }
                })
        }
    }
}

/// The selected rows.
extension HistoryFeature {
    static func rows(_ state: AppState) -> HistoryRows { state.history.rows(RunningRow.all(state)) }

    /// Whether the history tab is focused and its first rows have not arrived yet.
    static func awaitsRows(_ state: AppState) -> Bool {
        let history = state.history
        return state.isFocused(.history) && history.isOn && history.moment == nil && history.problem == nil && rows(state).isEmpty
    }

    /// The selected row; nil when another pane has the focus.
    static func selectedRow(_ state: AppState) -> HistoryRow? {
        guard state.isFocused(.history) else { return nil }
        let rows = rows(state)
        return rows.isEmpty ? nil : rows[state.history.index(in: rows)]
    }

    /// The selected exchange.
    static func selectedItem(_ state: AppState) -> HistoryItem? {
        if case .ended(let item) = selectedRow(state) { item } else { nil }
    }

    /// The selected running row.
    static func selectedRunning(_ state: AppState) -> RunningRow? {
        if case .running(let row) = selectedRow(state) { row } else { nil }
    }

    /// The exchanges that a command applies to: the marked ones, the oldest first, otherwise the selected one.
    static func chosenItems(_ state: AppState) -> [HistoryItem] {
        state.history.marked.isEmpty ? selectedItem(state).map { [$0] } ?? [] : state.history.marked.sorted { $0.number < $1.number }
    }
}

/// The commands of the tab.
extension HistoryFeature {
    static func move(_ movement: Movement, _ state: inout AppState) {
        let (rows, page) = (rows(state), HistoryView(state).listHeight)
        state.history.move(movement, in: rows, page: page)
    }

    /// Shows the selected row.
    static func openRow(_ state: inout AppState) -> [Effect] {
        switch selectedRow(state) {
        case .ended(let item): return [load(item.number, for: .show, &state)]
        case .running(let row): open(row, &state)
        case nil: if awaitsRows(state) { deferCommand(.show, &state) }
        }
        return []
    }

    private static func open(_ row: RunningRow, _ state: inout AppState) {
        switch row {
        case .call(let call):
            if let endpoint = call.endpoint, state.calls.isLatest(call.id) {
                ServicesFeature.select(.endpoint(endpoint), &state)
            } else {
                ResponseFeature.showReplay(call, &state)
            }
            state.focus(.response)
        case .transfer(let queued): state.popups.show(TransferPopup(id: queued.id))
        case .parked(let operation): RunsFeature.show(operation, &state)
        case .run(let run): RunsFeature.show(run.name, &state)
        case .batch: break
        }
    }

    /// Stops the selected row.
    static func stopRow(_ state: inout AppState) -> [Effect] {
        switch selectedRunning(state) {
        case .call(let call): return state.cancel(call)
        case .transfer(let queued): return TransfersFeature.cancel(queued.id, keepsPart: true, &state)
        case .parked(let operation): return RunsFeature.cancel(operation, &state)
        case .run(let run): return RunsFeature.cancelRun(run.name, &state)
        case .batch: return state.calls.cancelBatch().map { .cancel($0) }
        case nil: return []
        }
    }

    private static func change(_ text: String, _ request: HistoryRequest, _ state: inout AppState) -> [Effect] {
        let deleted = if case .delete(let numbers) = request { numbers } else { [Int64]() }
        return [.history(state.nextJob(HistoryChangeJob(text: text, deleted: deleted)), request)]
    }

    /// Pins or unpins the chosen exchanges.
    static func pinRows(_ state: inout AppState) -> [Effect] {
        let items = chosenItems(state)
        guard !items.isEmpty else { return [] }
        let arePinned = items.allSatisfy(\.isPinned)
        return change(
            "\(ItemCount.text(items.count, "exchange")) \(arePinned ? "unpinned" : "pinned")", .pin(items.map(\.number), !arePinned), &state)
    }

    /// Opens the prompt for the tags of the chosen exchanges.
    static func askForTags(_ state: inout AppState) {
        let items = chosenItems(state)
        guard let first = items.first else { return }
        let title = items.count == 1 ? "Tags" : "Tags of \(items.count) exchanges"
        state.popups.push(
            Prompt(title, first.tags.joined(separator: " "), placeholder: "words with blanks between them") { prompt, state in
                state.popups.pop()
                let tags = prompt.text.split(separator: " ").map { String($0.hasPrefix("#") ? $0.dropFirst() : $0) }.filter { !$0.isEmpty }
                return change(tags.isEmpty ? "No tags" : "Tagged \(tags.joined(separator: " "))", .tag(items.map(\.number), tags), &state)
            })
    }

    /// Opens the prompt for the note of the selected exchange.
    static func askForNote(_ state: inout AppState) {
        guard let item = selectedItem(state) else { return }
        state.popups.push(
            Prompt("Note", item.note, placeholder: "text to find and remember it by") { prompt, state in
                state.popups.pop()
                return change(prompt.text.isEmpty ? "No note" : "Noted", .note(item.number, prompt.text), &state)
            })
    }

    /// Asks for confirmation before deleting the chosen exchanges, which cannot be undone.
    static func askToDelete(_ state: inout AppState) -> [Effect] {
        let items = chosenItems(state)
        guard let first = items.first else { return [] }
        guard state.settings.confirmsDeleting else { return delete(items, &state) }
        let what = items.count == 1 ? "\(first.shownMethod) \(first.target ?? first.url)" : "\(items.count) exchanges"
        let pinned = items.count(where: \.isPinned)
        let detail = pinned == 0 ? "this cannot be undone" : "\(items.count == 1 ? "it is" : "\(pinned) are") pinned; this cannot be undone"
        state.show(
            ListPopup(
                title: "Delete from the history?", message: what,
                items: [
                    .plain(label: "Keep"),
                    .init(label: "Delete", detail: detail, isCurrent: pinned == 0) { delete(items, &$0) },
                ]))
        return []
    }

    private static func delete(_ items: [HistoryItem], _ state: inout AppState) -> [Effect] {
        let numbers = items.map(\.number)
        state.history.marked.removeAll { numbers.contains($0.number) }
        return change("\(ItemCount.text(numbers.count, "exchange")) deleted", .delete(numbers), &state)
    }

    /// Compares the two marked exchanges, or the marked one with the selected one.
    static func compareRows(_ state: inout AppState) -> [Effect] {
        var numbers = state.history.marked.map(\.number)
        let item = selectedItem(state)
        if numbers.count < 2, let item, !numbers.contains(item.number) { numbers.append(item.number) }
        guard numbers.count > 1 else {
            if state.history.marked.isEmpty, let item { state.history.mark(item) }
            state.toast = Toast("\(state.key(.compareRows)) on a second row compares")
            return []
        }
        guard numbers.count == 2 else {
            state.toast = Toast("\(numbers.count) rows are marked; two can be compared, \(state.key(.markRow)) takes a mark away", .warning)
            return []
        }
        numbers.sort()
        let id = state.nextJob(CompareJob(numbers: numbers))
        state.toast = Toast("Comparing…", job: id)
        return [.history(id, .compare(numbers[0], numbers[1]))]
    }

    static func startFilter(_ state: inout AppState) {
        guard state.history.isOn else {
            state.toast = Toast("Sortie was started without the history", .warning)
            return
        }
        state.history.entry = TextField(state.history.filterText)
        // “since:1h” is relative to the time of the last page, so a new one is requested.
        if state.history.due == nil { state.history.due = .again }
    }

    /// Filters to the exchanges of the row's endpoint or URL, or removes that filter.
    static func filterToEndpoint(_ state: inout AppState) {
        guard let item = selectedItem(state) else { return }
        let filter: String
        if let target = item.target {
            filter = HistoryFilter.Test.target(target).description
        } else {
            // The query varies, and a secret in it is masked.
            let url = item.url.prefix { $0 != "?" }.filter { $0 != "\"" }
            filter = "url:\"\(url)\""
        }
        let isOn = state.history.filterText == filter
        state.history.setFilter(isOn ? "" : filter)
        state.toast = isOn ? Toast("All exchanges are shown") : Toast("Only \(filter) is shown; \(state.key(.back)) shows all again")
    }
}
