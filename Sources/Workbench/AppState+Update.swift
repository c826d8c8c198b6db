internal import SortieHTTP
internal import SortieTerminal

extension AppState {
    /// Applies an action and returns the resulting effects.
    public mutating func update(_ action: Action) -> [Effect] {
        let effects = permitted(answer(action) + lookAtFiles(after: action) + lookAtHistory())
        if let job = toast?.job, jobs[job] == nil { toast = nil }
        ClientKeys.showQuestion(&self)
        return effects + cancellations()
    }

    private mutating func answer(_ action: Action) -> [Effect] {
        switch action {
        case .input(let event): return input(event)
        case .tick(let now):
            tick(now)
            return []
        case .call(let id, let event):
            noteReplay(id)
            let effects = received(event, of: id) + uploaded(event, of: id)
            if case .finished(let exchange) = event { replayEnded(id, with: exchange) }
            return effects
        case .download(let id, let event): return downloaded(event, of: id)
        case .callFailedToStart(let id, let problem):
            noteReplay(id)
            failedToStart(id, problem)
            replayEnded(id, with: nil)
            return transferFailedToStart(id, problem)
        case .indexed(let id, let view): return indexed(id, view)
        case .searched(let id, let step): return searched(id, step)
        case .matchesCounted(let id, let count):
            counted(id, count)
            return []
        case .workspaceLoaded(let workspace):
            loaded(workspace)
            return askAgain()
        case .workspaceFailed(let sentence):
            notify(sentence, .error)
            return []
        case .saved(let id, let outcome): return saved(id, outcome)
        case .edited(let id, let outcome):
            edited(id, outcome)
            return []
        case .copied(let id, let outcome):
            copied(id, outcome)
            return []
        case .openedFolder(let id, let outcome):
            openedFolder(id, outcome)
            return []
        case .fileSaved(let id, let outcome):
            fileSaved(id, outcome)
            return []
        case .comparedWithFile(let id, let outcome):
            comparedWithFile(id, outcome)
            return []
        case .cookies(let id, let listing):
            CookiesFeature.listed(id, listing, &self)
            return []
        case .cache(let id, let listing):
            CacheFeature.listed(id, listing, &self)
            return []
        case .capture(let id, let update):
            CaptureFeature.captured(id, update, &self)
            return []
        case .dryRan(let id, let outcome):
            DryRunFeature.finished(id, outcome, &self)
            return []
        case .clientKeyAsked(let file, let wasRefused):
            ClientKeys.asked(ClientKeyQuestion(file: file, wasRefused: wasRefused), &self)
            return []
        case .secretUsed(let value):
            if !secrets.values.contains(value) {
                secrets.hide(value)
                layoutChanged()
            }
            return []
        case .filesInspected(let facts):
            files.facts.merge(facts) { $1 }
            return []
        case .folderListed(let id, let listing):
            FilePickerFeature.listed(id, listing, &self)
            return []
        case .pageLoaded(let id, let exchange): return loaded(id, exchange)
        case .pageFailed(let id, let problem):
            pageFailed(id, problem)
            return []
        case .history(let id, let answer): return answered(id, answer)
        case .historyChanged:
            history.changed()
            return []
        case .historyFailed(let sentence):
            historyFailed(sentence)
            return []
        case .replayPlanned(let id, let summary): return replayPlanned(id, summary)
        case .replayRefused(let id, let sentence):
            replayRefused(id, sentence)
            return []
        case .created(let id, let outcome):
            created(id, outcome)
            return []
        case .monitored(let report):
            monitor.report = report
            return []
        case .run(let id, let update):
            happened(update, in: id)
            return []
        case .log(let entry):
            log.append(entry)
            return []
        }
    }

    private mutating func input(_ event: InputEvent) -> [Effect] {
        history.deferred = nil
        if event.isDeliberate, toast?.isDismissed(at: now) == true { toast = nil }
        let before = toast
        defer { if toast != before { toast?.isReply = true } }
        switch event {
        case .key(let key): return pressed(key)
        case .paste(let text): return pasted(text)
        case .mouse(let mouse): return used(mouse)
        case .resize(let size):
            self.size = size
            layoutChanged()
            drag = nil
            return []
        case .resumed: return []
        case .hangup:
            isQuitting = true
            stopAllJobs()
            return [.quit]
        }
    }

    private mutating func tick(_ now: Double) {
        guard now.isFinite else { return }
        self.now = now
        log.stamp(now)
        transfers.changeAll { $0.tick(now) }
        for (target, call) in calls where call.isInFlight && transfers[call.id]?.hasPlace != false { calls[target]?.tick(now) }
        for name in runs.keys where runs[name]?.isUnderWay == true {
            let start = runs[name]?.startedAt ?? now
            runs[name]?.startedAt = start
            runs[name]?.elapsed = max(0, now - start)
        }
        if batch != nil {
            let start = batch?.startedAt ?? now
            batch?.startedAt = start
            batch?.elapsed = max(0, now - start)
        }
        if toast?.shownAt == nil { toast?.shownAt = now }
        if toast?.isExpired(at: now) == true { toast = nil }
    }
}

extension InputEvent {
    /// Whether it is a key, a paste, or a press of a mouse button.
    fileprivate var isDeliberate: Bool {
        switch self {
        case .key, .paste: true
        case .mouse(let mouse): mouse.kind == .press
        case .resize, .resumed, .hangup: false
        }
    }
}
