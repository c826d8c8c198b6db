internal import SortieHTTP
internal import SortieTerminal

extension AppState {
    /// Applies an action and returns the resulting effects.
    package mutating func update(_ action: Action) -> [Effect] {
        var effects = permitted(
            answer(action) + RequestFeature.inspectFiles(after: action, &self) + HistoryFeature.requestRows(&self)
                + HistoryFeature.requestLast(&self))
        effects += GitFeature.refresh(after: action, effects, &self)
        if let job = toast?.job, jobs[job] == nil { toast = nil }
        ClientKeys.showQuestion(&self)
        SignInFeature.show(&self)
        // Time alone changes no number of rows.
        if case .tick = action {
        } else {
            updateDemand()
            effects += ResponseFeature.fitBody(&self)
        }
        return effects + cancellations()
    }

    /// Updates what the automatic sizes of the panes depend on.
    mutating func updateDemand() {
        demand = Layout.Demand(requestRows: RequestFeature.rowsWanted(self), isBottomEmpty: shownTab.isEmpty(self))
    }

    private mutating func answer(_ action: Action) -> [Effect] {
        switch action {
        case .input(let event): return input(event)
        case .tick(let now):
            tick(now)
            return TransfersFeature.refreshDetached(&self)
        case .call(let id, let event): return SendingFeature.received(event, of: id, &self)
        case .download(let id, let event): return SendingFeature.received(event, of: id, &self)
        case .messageSent(let id, let outcome):
            WebSocketFeature.sent(id, outcome, &self)
            return []
        case .callFailedToStart(let id, let problem): return SendingFeature.failedToStart(id, problem, &self)
        case .indexed(let id, let view): return ResponseFeature.indexed(id, view, &self)
        case .searched(let id, let step): return ResponseFeature.searched(id, step, &self)
        case .searching(let id, let offset):
            ResponseFeature.searching(id, offset, &self)
            return []
        case .matchesCounted(let id, let count):
            ResponseFeature.counted(id, count, &self)
            return []
        case .settingsLoaded(let settings):
            use(settings)
            return []
        case .filtered(let id, let update): return ResponseFeature.filtered(id, update, &self)
        case .resultsIndexed(let id, let view): return ResponseFeature.resultsIndexed(id, view, &self)
        case .tableIndexed(let id, let table): return ResponseFeature.tableIndexed(id, table, &self)
        case .tableSorted(let id, let update):
            ResponseFeature.tableSorted(id, update, &self)
            return []
        case .imageDecoded(let id, let outcome):
            ResponseFeature.imageDecoded(id, outcome, &self)
            return []
        case .workspaceLoaded(let workspace):
            loaded(workspace)
            return askAgain()
        case .hooksChanged(let workspace, let effect):
            loaded(workspace)
            return askAgain() + again(effect)
        case .problemsFound(let problems):
            found(problems)
            return []
        case .workspaceFailed(let sentence):
            notify(sentence, .error)
            return []
        case .saved(let id, let outcome): return DraftsFeature.saved(id, outcome, &self)
        case .edited(let id, let outcome): return edited(id, outcome)
        case .copied(let id, let outcome): return copied(id, outcome)
        case .bodyPrepared(let id, let outcome): return ResponseFeature.prepared(id, outcome, &self)
        case .bodyOpened(let id, let outcome):
            ResponseFeature.opened(id, outcome, &self)
            return []
        case .viewerFailed(let sentence):
            notify("The program for the body failed: \(sentence)", .error)
            return []
        case .gitChanged: return []
        case .downloadRead(let id, let content):
            return TransfersFeature.show(content, of: id, &self)
        case .openedFolder(let id, let outcome):
            TransfersFeature.openedFolder(id, outcome, &self)
            return []
        case .fileSaved(let id, let outcome): return fileSaved(id, outcome)
        case .comparedWithFile(let id, let outcome):
            DraftsFeature.comparedWithFile(id, outcome, &self)
            return []
        case .cookies(let id, let listing): return CookiesFeature.listed(id, listing, &self)
        case .cache(let id, let listing):
            CacheFeature.listed(id, listing, &self)
            return []
        case .capture(let id, let update):
            CaptureFeature.captured(id, update, &self)
            return []
        case .snapshotRecorded(let id, let outcome):
            SnapshotFeature.ended(id, outcome, &self)
            return []
        case .graphQLSchema(let id, let outcome):
            GraphQLFeature.arrived(id, outcome, &self)
            return []
        case .dryRan(let id, let outcome):
            DryRunFeature.finished(id, outcome, &self)
            return []
        case .clientKeyAsked(let file, let wasRefused):
            ClientKeys.asked(ClientKeyQuestion(file: file, wasRefused: wasRefused), &self)
            return []
        case .signInBegan(let signIn):
            SignInFeature.began(signIn, &self)
            return []
        case .signInEnded(let id):
            SignInFeature.ended(id, &self)
            return []
        case .detachedDownloads(let id, let listing):
            TransfersFeature.listed(id, listing, &self)
            return []
        case .tokens(let id, let listing):
            TokensFeature.listed(id, listing, &self)
            return []
        case .openedPage(let id, let outcome):
            SignInFeature.opened(id, outcome, &self)
            return []
        case .secretUsed(let value):
            if !secrets.values.contains(value) {
                secrets.hide(value)
                layoutChanged()
            }
            return []
        case .secretsRevealed(let id, let outcome):
            RevealFeature.revealed(id, outcome, &self)
            return []
        case .filesInspected(let facts): return RequestFeature.inspected(facts, &self)
        case .otherFilesChanged: return []
        case .folderListed(let id, let listing):
            FilePickerFeature.listed(id, listing, &self)
            return []
        case .pageLoaded(let id, let exchange): return ResponseFeature.loaded(id, exchange, &self)
        case .pageFailed(let id, let problem):
            ResponseFeature.pageFailed(id, problem, &self)
            return []
        case .history(let id, let result): return HistoryFeature.received(id, result, &self)
        case .historyChanged:
            history.changed()
            return []
        case .historyFailed(let sentence):
            HistoryFeature.failed(sentence, &self)
            return []
        case .replayPlanned(let id, let summary): return Replay.planned(id, summary, &self)
        case .replayRefused(let id, let sentence):
            Replay.refused(id, sentence, &self)
            return []
        case .created(let id, let outcome):
            HistoryFeature.created(id, outcome, &self)
            return []
        case .workspaceChecked(let id, let outcome): return RecentFeature.checked(id, outcome, &self)
        case .workspaceEdited(let id, let outcome): return ItemsFeature.edited(id, outcome, &self)
        case .commandsRead(let id, let commands): return ImportFeature.read(id, commands, &self)
        case .importPlanned(let id, let outcome):
            ImportFeature.planned(id, outcome, &self)
            return []
        case .exported(let id, let outcome): return ExportFeature.exported(id, outcome, &self)
        case .gitRead(let id, let status):
            GitFeature.received(id, status, &self)
            return []
        case .monitored(let report):
            monitor.report = report
            return []
        case .run(let id, let update):
            RunsFeature.happened(update, in: id, &self)
            return []
        case .log(let entry):
            log.append(entry)
            return []
        case .callEnded(let target, let events):
            LogFeature.add(events, of: target, &self)
            return []
        }
    }

    private mutating func input(_ event: InputEvent) -> [Effect] {
        history.deferred = nil
        if event.isDeliberate, toast?.isDismissed(at: now) == true { toast = nil }
        if event.isDeliberate { reveal = nil }
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
        messages.stamp(now)
        calls.tick(now)
        for name in runs.keys { runs[name]?.tick(now) }
        reveal?.tick(now)
        if reveal?.isExpired == true { reveal = nil }
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
