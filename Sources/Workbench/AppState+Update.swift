package import SortieHTTP
package import SortieTerminal
package import WorkspaceModel

extension AppState {
    /// Applies an action and returns the resulting effects.
    package mutating func update(_ action: Action) -> [Effect] {
        var effects = permitted(
            handle(action) + RequestFeature.inspectFiles(after: action, &self) + HistoryFeature.requestRows(&self)
                + HistoryFeature.requestLast(&self) + ServiceFeature.saveChanges(&self))
        effects += GitFeature.refresh(after: action, effects, &self)
        if let job = toast?.job, jobs[job] == nil { toast = nil }
        ClientKeys.showQuestion(&self)
        SignInFeature.show(&self)
        // Time alone changes no number of rows.
        if case .tick = action {
        } else {
            RequestFeature.checkText(&self)
            updateDemand()
            effects += ResponseFeature.fitBody(&self)
        }
        return effects + cancellations()
    }

    /// Updates what the automatic sizes of the panes depend on.
    mutating func updateDemand() {
        demand = Layout.Demand(
            requestRows: RequestFeature.rowsWanted(self), isBottomEmpty: shownTab.isEmpty(self), isResponseEmpty: shownService != nil)
    }

    private mutating func handle(_ action: Action) -> [Effect] {
        switch action {
        case .input(let event): return input(event)
        case .tick(let now):
            tick(now)
            return TransfersFeature.refreshDetached(&self)
        case .worked(let result): return finish(result)
        case .call(let id, let event): return SendingFeature.received(event, of: id, &self)
        case .download(let id, let event): return SendingFeature.received(event, of: id, &self)
        case .callFailedToStart(let id, let problem): return SendingFeature.failedToStart(id, problem, &self)
        case .indexed(let id, let view): return ResponseFeature.indexed(id, view, &self)
        case .settingsLoaded(let settings): use(settings)
        case .workspaceLoaded(let workspace, let scan):
            loaded(workspace, scan)
            return askAgain()
        case .hooksChanged(let workspace, let effect):
            loaded(workspace)
            return askAgain() + again(effect)
        case .problemsFound(let problems): found(problems)
        case .workspaceFailed(let sentence), .notStored(let sentence): notify(sentence, .error)
        case .saved(let id, let outcome): return DraftsFeature.saved(id, outcome, &self)
        case .edited(let id, let outcome): return edited(id, outcome)
        case .copied(let id, let outcome): return copied(id, outcome)
        case .bodyOpened(let id, let outcome): ResponseFeature.opened(id, outcome, &self)
        case .viewerFailed(let sentence): notify("The program for the body failed: \(sentence)", .error)
        case .downloadRead(let id, let content): return TransfersFeature.show(content, of: id, &self)
        case .comparedWithFile(let id, let outcome): DraftsFeature.comparedWithFile(id, outcome, &self)
        case .capture(let id, let update): CaptureFeature.captured(id, update, &self)
        case .clientKeyAsked(let file, let wasRefused): ClientKeys.asked(ClientKeyQuestion(file: file, wasRefused: wasRefused), &self)
        case .signInBegan(let signIn): SignInFeature.began(signIn, &self)
        case .signInEnded(let id): SignInFeature.ended(id, &self)
        case .secretUsed(let value):
            if !secrets.values.contains(value) {
                secrets.hide(value)
                layoutChanged()
            }
        case .filesInspected(let facts): return RequestFeature.inspected(facts, &self)
        case .gitChanged, .otherFilesChanged: break
        case .history(let id, let result): return HistoryFeature.received(id, result, &self)
        case .historyChanged: history.changed()
        case .historyFailed(let sentence): HistoryFeature.failed(sentence, &self)
        case .created(let id, let outcome): HistoryFeature.created(id, outcome, &self)
        case .workspaceEdited(let id, let outcome): return ItemsFeature.edited(id, outcome, &self)
        case .monitored(let report): monitor.report = report
        case .run(let id, let update): RunsFeature.happened(update, in: id, &self)
        case .log(let entry): log.append(entry)
        case .callEnded(let target, let events): LogFeature.add(events, of: target, &self)
        }
        return []
    }

    private mutating func input(_ event: InputEvent) -> [Effect] {
        history.deferred = nil
        let isDismissed = event.isDeliberate && toast?.isDismissed(at: now) == true
        // An offer is dismissed after its key could open it.
        if isDismissed, toast?.guideAddress == nil { toast = nil }
        if event.isDeliberate { reveal = nil }
        let before = toast
        defer {
            if toast != before {
                toast?.isReply = true
            } else if isDismissed {
                toast = nil
            }
        }
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

extension FeatureList {
    /// The features of the program; a new one is added here.
    static let all = FeatureList(
        services: ServicesFeature(),
        request: RequestFeature(),
        service: ServiceFeature(),
        response: ResponseFeature(),
        tabs: [
            TransfersFeature(),
            RunsFeature(),
            LogFeature(),
            HistoryFeature(),
            MonitorFeature(),
        ],
        others: [
            CompletionFeature(),
            ViFeature(),
            SearchFeature(),
            SendingFeature(),
            TrustFeature(),
            RepairFeature(),
            WebSocketFeature(),
            GraphQLFeature(),
            SnapshotFeature(),
            ResponseValuesFeature(),
            MakeSecretFeature(),
            // Before the features that save, because it asks about credentials first.
            SecretsFeature(),
            DraftsFeature(),
            ItemsFeature(),
            ImportFeature(),
            ExportFeature(),
            RevealFeature(),
            VariablesFeature(),
            RecentFeature(),
            ScratchFeature(),
            EditorFeature(),
            WorkspaceFeature(),
            GitFeature(),
            DryRunFeature(),
            FilePickerFeature(),
            CompareFeature(),
            CookiesFeature(),
            CacheFeature(),
            SignInFeature(),
            TokensFeature(),
            ServersFeature(),
            DownloadLimitsFeature(),
            CaptureFeature(),
            ConditionsFeature(),
            SettingsFeature(),
            PaletteFeature(),
            JumpFeature(),
            MessagesFeature(),
            ContractCoverageFeature(),
            ContractReportFeature(),
            HelpFeature(),
            GuideFeature(),
            QuitFeature(),
        ])
}

extension AppState {
    /// Creates the initial state, with the first endpoint selected.
    ///
    /// - Parameters:
    ///   - environment: The name of the environment; nil for the initial one of the workspace.
    ///   - unsaved: The endpoints of the ``unsavedEdits`` of an earlier session.
    ///   - services: The services of the ``unsavedEdits`` of an earlier session.
    ///   - runs: The records of runs that an earlier session left unfinished; the last one is shown.
    ///   - notices: Messages for the log; the last is also shown in the footer.
    ///   - tour: The address of the part of the guide that is offered as a tour; nil for none.
    ///   - folders: The folders that paths of downloads are relative to.
    ///   - engineHeaders: The fields that every request gets unless it has a field of that name.
    ///   - sections: The notation of the nested values of endpoints; nil where they cannot be edited as text.
    ///   - keepsHistory: Whether exchanges are recorded.
    ///   - permitted: The permissions that the user granted the workspace in an earlier session, or for this one.
    ///   - scan: The capabilities that the files require; nil to compute them, which takes long for thousands of endpoints.
    ///   - keepsDrafts: Whether unsaved edits are kept for the next session without a question.
    ///   - settings: The settings of the user.
    ///   - exports: The formats that requests can be exported to.
    package init(
        workspace: Workspace, environment: String?, size: Size, unsaved: [EndpointDraft] = [], services unsavedServices: [ServiceDraft] = [],
        runs: [RunRecord] = [], notices: [String] = [], tour: String? = nil, folders: TransferFolders = TransferFolders(),
        engineHeaders: [HeaderField] = [],
        sections: (any SectionFormat)? = nil, keepsHistory: Bool = true, permitted: Set<Capability> = [], scan: CapabilityScan? = nil,
        keepsDrafts: Bool = false, settings: Settings = Settings(), exports: [ExportChoice] = []
    ) {
        self.init(
            .all, workspace: workspace, environment: environment, size: size, folders: folders, engineHeaders: engineHeaders, sections: sections)
        permission = PermissionState(workspace, folders: folders, permitted: permitted, scan: scan)
        history.isOn = keepsHistory
        states[QuitState.self].keepsDrafts = keepsDrafts
        states[ExportState.self].choices = exports
        services.rebuild(workspace)
        services.selected = services.firstEndpoint ?? services.rows.first?.kind
        openSelected()
        for draft in unsaved {
            let (id, target) = (draft.edited.id, draft.edited.target)
            // Changes that another program made since are merged, as during a session.
            // A draft whose original is not known and that has no file is a change of an empty endpoint.
            let original = draft.original ?? workspace.endpoint(target) ?? Endpoint(target: target, name: draft.edited.name, path: "")
            drafts[id, default: Draft(original)].change { $0 = draft.edited }
            DraftsFeature.takeUpFile(of: id, &self)
        }
        ServiceFeature.restore(unsavedServices, &self)
        services.rebuild(self.workspace)
        for record in runs where workspace.runs.contains(where: { $0.name == record.run }) {
            self.runs[record.run] = RunColumns(RunView(id: nil, name: record.run, phase: .ended, record: record, environment: record.environment))
            states[RunsState.self].shown = record.run
        }
        logProblems(workspace.problems)
        for notice in notices { log.append(LogEntry(.info, notice)) }
        if let notice = notices.last ?? (isScratch ? ScratchFeature.place(self) : nil) { toast = Toast(notice) }
        use(settings)
        if let tour { offer(tour: tour) }
        updateDemand()
    }

    /// Goes back to where the user left the workspace.
    ///
    /// - Parameters:
    ///   - recent: The workspaces that were open last, the latest first.
    ///   - choosesEnvironment: Whether the environment was selected for this session.
    package mutating func goBack(to recent: [WorkspacePlace], choosesEnvironment: Bool) {
        states[RecentState.self].places = recent
        guard let place = recent.first(where: { $0.folder == workspace.folder }) else { return }
        if !choosesEnvironment, workspace.environments.contains(where: { $0.name == place.environment }) { environment = place.environment }
        arrangePanes(as: place)
        for key in place.chosen.reversed() { states[PaletteState.self].choose(key) }
        if let id = place.open.map({ EndpointID($0) }), endpoint(id) != nil { ServicesFeature.select(.endpoint(id), &self) }
        // The service of the open endpoint may be folded as well.
        services.fold(place.folded, workspace)
        if let selected = place.selected { services.select(selected) }
        services.rebuild(workspace)
    }

    /// Opens the request of the scratch workspace with the cursor in its URL.
    ///
    /// What was typed there before and not saved is replaced with the first character.
    ///
    /// - Parameter url: The URL to begin with, as if the user had typed it; nil for an empty one.
    package mutating func startTyping(in id: EndpointID, url: String?) -> [Effect] {
        ServicesFeature.select(.endpoint(id), &self)
        guard openTarget == id, openEndpoint != nil else { return [] }
        let command = url.flatMap { PastedCommand.isCommand($0) ? $0 : nil }
        RequestFeature.editNewURL(command == nil ? url ?? "" : "", &self)
        let effects = command.map { ImportFeature.read($0, &self) } ?? []
        updateDemand()
        return effects
    }

    /// Opens a URL, or the request of a curl command, as a new request of the workspace, with the cursor in the URL where nothing has to be stored before.
    package mutating func startTyping(_ url: String) -> [Effect] {
        guard !PastedCommand.isCommand(url) else { return ImportFeature.read(url, &self) }
        let effects = permitted(ImportFeature.open(url, &self))
        if effects.isEmpty, popups.isEmpty {
            RequestFeature.editURL(&self)
            requestState.pathBefore = ""
        }
        updateDemand()
        return effects
    }

    /// Returns the effects at the start: resumes requests that an earlier session left waiting for the network, offers its transfers, and opens its
    /// forms.
    package mutating func start(
        parked left: [ParkedRequest], transfers unfinished: [QueuedTransfer] = [], forms: [FormDraft] = []
    ) -> [Effect] {
        TransfersFeature.takeUp(unfinished, &self)
        states[LastResponsesState.self].isOn = true
        let effects = permitted(RunsFeature.takeUp(left, &self)) + HistoryFeature.requestLast(&self)
        open(forms)
        updateDemand()
        return effects
    }
}

/// Where the user leaves the workspace, and going back to it.
extension AppState {
    /// Where the user leaves the workspace.
    package var place: WorkspacePlace {
        var place = WorkspacePlace(folder: workspace.folder, name: workspace.name, open: openTarget?.path, environment: environment)
        // Sizes that are those of the settings follow the settings.
        let chosen = splits == Layout.Splits(settings) ? Layout.Splits() : splits
        // The tab of the bottom pane is not remembered, so its zoom would show another one.
        let zoomed = isZoomed && focus != .bottom ? focus.rawValue : nil
        if chosen != Layout.Splits() || zoomed != nil {
            place.panes = WorkspacePlace.Panes(
                columns: size.width, rows: size.height, services: chosen.servicesWidth, request: chosen.requestShare, bottom: chosen.bottomHeight,
                zoomed: zoomed)
        }
        place.folded = services.foldedKeys
        place.chosen = states[PaletteState.self].recent
        if let selected = services.selected, selected.key != openTarget.map({ TreeRow.Kind.endpoint($0).key }) { place.selected = selected.key }
        return place
    }

    /// Gives the panes the sizes that they had in a terminal of this or of another size.
    mutating func arrangePanes(as place: WorkspacePlace) {
        guard let panes = place.panes, panes.columns > 0, panes.rows > 0 else { return }
        let sizes = Layout.Splits(
            servicesWidth: panes.services.map { Self.scaled($0, from: panes.columns, to: size.width) },
            bottomHeight: panes.bottom.map { Self.scaled($0, from: panes.rows, to: size.height) },
            requestShare: panes.request?.clamped(to: 50...950))
        if sizes != Layout.Splits() { splits = sizes }
        if let zoomed = panes.zoomed.flatMap({ Pane(rawValue: $0) }) {
            focus(zoomed)
            isZoomed = true
        }
    }

    /// A number of cells in proportion to the size of the terminal; the layout limits it.
    private static func scaled(_ cells: Int, from before: Int, to now: Int) -> Int {
        let most = 10_000
        let (cells, before, now) = (cells.clamped(to: 1...most), before.clamped(to: 1...most), now.clamped(to: 1...most))
        return max(1, (cells * now + before / 2) / before)
    }
}
