package import SortieHTTP
package import SortieTerminal
package import WorkspaceModel

extension FeatureList {
    /// The features of the program; a new one is added here.
    static let all = FeatureList(
        services: ServicesFeature(),
        request: RequestFeature(),
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
            SearchFeature(),
            SendingFeature(),
            WebSocketFeature(),
            GraphQLFeature(),
            SnapshotFeature(),
            DraftsFeature(),
            ItemsFeature(),
            ImportFeature(),
            ExportFeature(),
            RevealFeature(),
            VariablesFeature(),
            RecentFeature(),
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
    ///   - unsaved: The ``unsavedDrafts`` of an earlier session.
    ///   - runs: The records of runs that an earlier session left unfinished; the last one is shown.
    ///   - notices: Messages for the log; the last is also shown in the footer.
    ///   - folders: The folders that paths of downloads are relative to.
    ///   - engineHeaders: The fields that every request gets unless it has a field of that name.
    ///   - sections: The notation of the nested values of endpoints; nil where they cannot be edited as text.
    ///   - keepsHistory: Whether exchanges are recorded.
    ///   - permitted: The permissions that the user granted the workspace in an earlier session, or for this one.
    ///   - keepsDrafts: Whether unsaved edits are kept for the next session without a question.
    ///   - settings: The settings of the user.
    ///   - exports: The formats that requests can be exported to.
    package init(
        workspace: Workspace, environment: String?, size: Size, unsaved: [EndpointDraft] = [], runs: [RunRecord] = [],
        notices: [String] = [], folders: TransferFolders = TransferFolders(), engineHeaders: [HeaderField] = [],
        sections: (any SectionFormat)? = nil, keepsHistory: Bool = true, permitted: Set<Capability> = [],
        keepsDrafts: Bool = false, settings: Settings = Settings(), exports: [ExportChoice] = []
    ) {
        self.init(
            .all, workspace: workspace, environment: environment, size: size, folders: folders, engineHeaders: engineHeaders, sections: sections)
        permission = PermissionState(workspace, folders: folders, permitted: permitted)
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
        services.rebuild(self.workspace)
        for record in runs where workspace.runs.contains(where: { $0.name == record.run }) {
            self.runs[record.run] = RunColumns(RunView(id: nil, name: record.run, phase: .ended, record: record, environment: record.environment))
            states[RunsState.self].shown = record.run
        }
        logProblems(workspace.problems)
        for notice in notices { log.append(LogEntry(.info, notice)) }
        if let last = notices.last { toast = Toast(last) }
        use(settings)
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
        services.fold(place.folded, workspace)
        if let id = place.open.map({ EndpointID($0) }), endpoint(id) != nil { ServicesFeature.select(.endpoint(id), &self) }
        if let selected = place.selected { services.select(selected) }
        services.rebuild(workspace)
    }

    /// Opens an endpoint with the cursor in its URL.
    ///
    /// - Parameter url: The URL to begin with, as if the user had typed it; nil for that of the endpoint.
    package mutating func startTyping(in id: EndpointID, url: String?) {
        ServicesFeature.select(.endpoint(id), &self)
        guard openTarget == id, openEndpoint != nil else { return }
        RequestFeature.editURL(&self)
        guard let url, !url.isEmpty else { return }
        requestState.editing = .url(TextField(url))
        RequestFeature.setURL(to: url, typing: requests.typing.current, &self)
        updateDemand()
    }

    /// Returns the effects at the start: resumes requests that an earlier session left waiting for the network, and offers its
    /// transfers.
    package mutating func start(parked left: [ParkedRequest], transfers unfinished: [QueuedTransfer] = []) -> [Effect] {
        TransfersFeature.takeUp(unfinished, &self)
        states[LastResponsesState.self].isOn = true
        let effects = permitted(RunsFeature.takeUp(left, &self)) + HistoryFeature.requestLast(&self)
        updateDemand()
        return effects
    }
}
