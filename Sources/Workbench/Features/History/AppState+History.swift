internal import HistoryModel
internal import SortieBase
internal import SortieTerminal

/// The history tab: requesting pages and handling results.
extension AppState {
    /// Whether the rows of the history are visible.
    private var isHistoryShown: Bool { bottomTab == .history && layout.bottom.height > 2 }

    /// Requests what the tab needs: one page at a time, then the number of matches.
    mutating func lookAtHistory() -> [Effect] {
        guard history.isOn, isHistoryShown else { return [] }
        var effects: [Effect] = []
        if history.asked == nil, let stretch = history.due ?? edgeInSight {
            let number = history.selectedNumber
            let query = history.window.query(stretch, filter: history.filter, selected: number)
            let id = nextJob(HistoryPageJob())
            history.asked = (id, stretch, history.filterNumber)
            history.due = nil
            effects.append(.history(id, .page(query)))
        }
        // Cancels the count of a previous filter.
        if let asked = history.countAsked, asked.filterNumber != history.filterNumber {
            stopJobs(HistoryCountJob.self)
            history.countAsked = nil
            history.isCountDue = true
        }
        // The rows have priority over the count.
        if history.asked == nil, history.isCountDue, history.countAsked == nil {
            let id = nextJob(HistoryCountJob())
            history.countAsked = (id, history.filterNumber)
            history.isCountDue = false
            effects.append(.history(id, .count(history.filter, upTo: HistoryState.countLimit + 1)))
        }
        return effects
    }

    private var edgeInSight: HistoryWindow.Stretch? {
        guard !history.isStuck, history.moment != nil, let number = history.selectedNumber ?? history.window.items.first?.number,
            let index = history.window.index(of: number)
        else { return nil }
        return history.window.edge(at: index)
    }

    /// Handles a result of the history; results of superseded requests are dropped.
    mutating func answered(_ id: JobID, _ answer: HistoryResult) -> [Effect] {
        guard let job = jobs.removeValue(forKey: id) else { return [] }
        if case .failed(let sentence) = answer { return failed(job, id, sentence) }
        switch (job, answer) {
        case (is HistoryPageJob, .page(let page, let moment)):
            take(page, moment, id)
            return performDeferred()
        case (is HistoryCountJob, .count(let count)):
            guard let asked = history.countAsked, asked.id == id else { break }
            history.countAsked = nil
            if asked.filterNumber == history.filterNumber { history.count = count } else { history.isCountDue = true }
        case (let job as PastJob, .past(let past, let moment)):
            history.moment = history.moment ?? moment
            return loaded(past, moment, for: job.purpose)
        case (let job as CompareJob, .compared(let comparison)): compared(comparison, job.numbers)
        case (let job as HistoryChangeJob, .done):
            notify(job.text)
            history.changed()
        default: break
        }
        return []
    }

    private mutating func failed(_ job: any Job, _ id: JobID, _ sentence: String) -> [Effect] {
        switch job {
        case is HistoryPageJob:
            if history.asked?.id == id { history.asked = nil }
            history.isStuck = true
            history.deferred = nil
            historyFailed(sentence)
        case is HistoryCountJob:
            // The page request reports the same problem.
            if history.countAsked?.id == id { history.countAsked = nil }
        default: notify(sentence, .error)
        }
        return []
    }

    /// Shows that the history is not recorded or cannot be read, once for each problem.
    mutating func historyFailed(_ sentence: String) {
        guard history.problem != sentence else { return }
        history.problem = sentence
        notify(sentence, .error)
    }

    private mutating func take(_ page: HistoryPage, _ moment: HistoryMoment, _ id: JobID) {
        guard let asked = history.asked, asked.id == id else { return }
        history.asked = nil
        history.note(moment)
        guard asked.filterNumber == history.filterNumber else {
            history.due = .newest
            return
        }
        history.window.take(page, asked.stretch)
        // The marked rows are updated.
        for index in history.marked.indices {
            guard let now = page.items.first(where: { $0.number == history.marked[index].number }) else { continue }
            history.marked[index] = now
        }
        if asked.stretch == .oldest, let last = page.items.last { history.selection = .ended(last.number) }
        guard let number = history.selectedNumber, let last = history.window.items.last?.number, number < last, history.window.hasOlder else {
            return
        }
        // More rows arrived at once than the window holds, so it moves to the selection.
        history.due = .around(number)
    }

    /// Performs the command on the first row that was given before it arrived.
    private mutating func performDeferred() -> [Effect] {
        guard let command = history.deferred else { return [] }
        history.deferred = nil
        toast = nil
        switch command {
        case .show: return openHistoryRow()
        case .replay: return selectedHistoryRow == nil ? [] : Replay.start(&self)
        }
    }

    /// Stores a command until the first row arrives.
    mutating func deferCommand(_ command: HistoryState.DeferredCommand) {
        history.deferred = command
        toast = Toast("Opening the history…")
    }

    // MARK: Moving

    mutating func moveInHistory(_ movement: Movement) {
        history.isStuck = false
        switch movement {
        case .first where history.window.hasNewer:
            history.selection = .newest
            history.due = .newest
        case .last where history.window.hasOlder: history.due = .oldest
        default:
            let rows = historyRows
            guard !rows.isEmpty else { return }
            selectHistory(movement.target(from: historyIndex(in: rows), count: rows.count, page: historyPage))
        }
    }

    /// Shows the selected row.
    mutating func openHistoryRow() -> [Effect] {
        switch selectedHistoryRow {
        case .ended(let item): return [load(item.number, for: .show)]
        case .running(let row): open(row)
        case nil: if awaitsHistory { deferCommand(.show) }
        }
        return []
    }

    private mutating func open(_ row: RunningRow) {
        switch row {
        case .call(let call):
            if let endpoint = call.endpoint, calls.isLatest(call.id) {
                select(.endpoint(endpoint))
            } else {
                showReplay(call)
            }
            focus(.response)
        case .transfer(let transfer): popups.show(TransferPopup(id: transfer.id))
        case .parked(let operation): RunsFeature.show(operation, &self)
        case .run(let run): RunsFeature.show(run.name, &self)
        case .batch: break
        }
    }

    /// Stops the selected row.
    mutating func stopRow() -> [Effect] {
        switch selectedRunning {
        case .call(let call): return SendingFeature.cancel(call.id, &self)
        case .transfer(let transfer): return TransfersFeature.cancel(transfer.id, keepsPart: true, &self)
        case .parked(let operation): return RunsFeature.cancel(operation, &self)
        case .run(let run): return RunsFeature.cancel(run, &self)
        case .batch: return calls.cancelBatch().map { .cancel($0) }
        case nil: return []
        }
    }

    // MARK: Rows

    /// Marks or unmarks the row, and selects the next one.
    mutating func markRow(movesOn: Bool = true) {
        guard let item = selectedItem else { return }
        if let index = history.marked.firstIndex(where: { $0.number == item.number }) {
            history.marked.remove(at: index)
        } else {
            history.marked.append(item)
        }
        if movesOn { moveInHistory(.down) }
    }

    /// Pins or unpins the chosen exchanges.
    mutating func pinRows() -> [Effect] {
        let items = chosenItems
        guard !items.isEmpty else { return [] }
        let arePinned = items.allSatisfy(\.isPinned)
        let words = "\(NumberText.count(items.count, "exchange")) \(arePinned ? "unpinned" : "pinned")"
        return [.history(nextJob(HistoryChangeJob(text: words)), .pin(items.map(\.number), !arePinned))]
    }

    /// Opens the prompt for the tags of the chosen exchanges.
    mutating func askForTags() {
        let items = chosenItems
        guard let first = items.first else { return }
        let title = items.count == 1 ? "Tags" : "Tags of \(items.count) exchanges"
        let numbers = items.map(\.number)
        popups.push(
            Prompt(title, first.tags.joined(separator: " "), placeholder: "words with blanks between them") { prompt, state in
                state.tag(numbers, prompt.text)
            })
    }

    /// Opens the prompt for the note of the selected exchange.
    mutating func askForNote() {
        guard let item = selectedItem else { return }
        popups.push(
            Prompt("Note", item.note, placeholder: "text to find and remember it by") { prompt, state in state.note(item.number, prompt.text) })
    }

    private mutating func tag(_ numbers: [Int64], _ text: String) -> [Effect] {
        popups.pop()
        let tags = text.split(separator: " ").map { String($0.hasPrefix("#") ? $0.dropFirst() : $0) }.filter { !$0.isEmpty }
        return [.history(nextJob(HistoryChangeJob(text: tags.isEmpty ? "No tags" : "Tagged \(tags.joined(separator: " "))")), .tag(numbers, tags))]
    }

    private mutating func note(_ number: Int64, _ text: String) -> [Effect] {
        popups.pop()
        return [.history(nextJob(HistoryChangeJob(text: text.isEmpty ? "No note" : "Noted")), .note(number, text))]
    }

    /// Asks for confirmation before deleting the chosen exchanges, which cannot be undone.
    mutating func askToDelete() {
        let items = chosenItems
        guard let first = items.first else { return }
        let what = items.count == 1 ? "\(first.method) \(first.target ?? first.url)" : "\(items.count) exchanges"
        let pinned = items.count(where: \.isPinned)
        let detail = pinned == 0 ? "this cannot be undone" : "\(items.count == 1 ? "it is" : "\(pinned) are") pinned; this cannot be undone"
        show(
            ListPopup(
                title: "Delete from the history?", message: what,
                items: [
                    .plain(label: "Keep"),
                    .init(label: "Delete", detail: detail, isCurrent: pinned == 0) { $0.delete(items.map(\.number)) },
                ]))
    }

    private mutating func delete(_ numbers: [Int64]) -> [Effect] {
        let gone = Set(numbers)
        history.marked.removeAll { gone.contains($0.number) }
        return [.history(nextJob(HistoryChangeJob(text: "\(NumberText.count(numbers.count, "exchange")) deleted")), .delete(numbers))]
    }

    /// Compares the two marked exchanges, or the marked one with the selected one.
    mutating func compareRows() -> [Effect] {
        var numbers = history.marked.map(\.number)
        if numbers.count < 2, let item = selectedItem, !numbers.contains(item.number) { numbers.append(item.number) }
        guard numbers.count > 1 else {
            if history.marked.isEmpty { markRow(movesOn: false) }
            toast = Toast("\(key(.compareRows)) on a second row compares")
            return []
        }
        guard numbers.count == 2 else {
            toast = Toast("\(numbers.count) rows are marked; two can be compared, \(key(.markRow)) takes a mark away", .warning)
            return []
        }
        numbers.sort()
        let id = nextJob(CompareJob(numbers: numbers))
        toast = Toast("Comparing…", job: id)
        return [.history(id, .compare(numbers[0], numbers[1]))]
    }

    mutating func compared(_ comparison: ExchangeComparison, _ numbers: [Int64]) {
        guard mayOpen("The comparison") else { return }
        history.marked.removeAll { numbers.contains($0.number) }
        popups.show(ComparePopup(comparison, moment: history.moment))
    }

    // MARK: The filter

    mutating func startHistoryFilter() {
        guard history.isOn else {
            toast = Toast("The history is switched off by --no-history", .warning)
            return
        }
        history.entry = TextField(history.filterText)
        // “since:1h” is relative to the time of the last page, so a new one is requested.
        if history.due == nil { history.due = .again }
    }

    mutating func leaveHistoryFilter() {
        history.entry = nil
        history.setFilter("")
    }

    /// Filters to the exchanges of the row's endpoint or URL, or removes that filter.
    mutating func filterToEndpoint() {
        guard let item = selectedItem else { return }
        let filter: String
        if let target = item.target {
            filter = HistoryFilter.Test.target(target).description
        } else {
            // The query varies, and a secret in it is masked.
            let url = item.url.prefix { $0 != "?" }.filter { $0 != "\"" }
            filter = "url:\"\(url)\""
        }
        history.setFilter(history.filterText == filter ? "" : filter)
        toast = history.filterText.isEmpty ? Toast("All exchanges are shown") : Toast("Only \(filter) is shown; \(key(.back)) shows all again")
    }
}

/// A page of the history.
struct HistoryPageJob: Job {
    static let isReplaced = true
}

/// The number of matching exchanges.
struct HistoryCountJob: Job {
    static let isReplaced = true
}

/// A change of the history.
struct HistoryChangeJob: Job {
    /// The message when the change is made.
    var text: String
}
