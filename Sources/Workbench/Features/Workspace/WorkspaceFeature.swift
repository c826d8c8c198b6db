internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The files of the workspace: reading them again, their problems, and the environments.
struct WorkspaceFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(.panes, [.control("e")], .chooseEnvironment, "Environment", "Switch the environment, create one, or edit the variables of all")
                .alsoKnownAs("Env", "Switch environment", "Stage", "Production", "Staging"),
            Binding(
                .panes, [.character("!")], .problems, "Problems", "List the problems of the workspace's files, and open a file at its problem",
                hint: 50
            ) {
                $0.problems.isEmpty ? "The workspace has no problems" : nil
            },
            Binding(.everywhere, [], .reload, "Reload files", "Read the workspace's files again").alsoKnownAs("Reload"),
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .chooseEnvironment: chooseEnvironment(&state)
        case .problems: showProblems(&state)
        case .reload: return [.reloadWorkspace]
        default: return nil
        }
        return []
    }

    func places(_ state: AppState) -> [ListPopup.Item] {
        state.workspace.environments.map { environment in
            .init(name: environment.name, label: "Switch to this environment", place: "Environment", keywords: [environment.name]) {
                Self.choose(environment.name, &$0)
            }
        }
    }

    private static func choose(_ environment: String, _ state: inout AppState) -> [Effect] {
        state.environment = environment
        state.notify("The environment is \(environment) now")
        return []
    }

    private func chooseEnvironment(_ state: inout AppState) {
        var items = state.workspace.environments.map { environment in
            let names = environment.variables.keys.sorted().joined(separator: ", ")
            return ListPopup.Item(label: environment.name, detail: names, isCurrent: environment.name == state.environment) {
                Self.choose(environment.name, &$0)
            }
        }
        items += [
            .init(label: "New environment…", detail: "a copy of another one, or empty") { $0.performFromList(.newEnvironment) },
            .init(label: "Variables…", detail: "of all environments side by side") { $0.performFromList(.variables) },
        ]
        state.show(ListPopup(title: "Environment", items: items, guideAddress: "workspaces#variables"))
    }

    private func showProblems(_ state: inout AppState) {
        let items = state.problems.map { problem in
            ListPopup.Item(
                key: problem.severity == .error ? "✗" : "!", label: problem.location.description, detail: problem.workbenchSentence
            ) { state in
                state.services.showRow(of: problem.location.file, in: state.workspace)
                state.openSelected()
                return [.openFile(state.nextJob(OpenFileJob()), problem.location)]
            }
        }
        state.show(
            ListPopup(
                title: "Problems", message: "\(state.key(.choose)) opens the file at the problem.", items: items,
                emptyText: "The workspace has no problems."))
    }
}

extension Command {
    static let chooseEnvironment = Command.named("chooseEnvironment")
    static let problems = Command.named("problems")
    static let reload = Command.named("reload")
}

extension AppState {
    /// Takes over the problems that need further files than those of the workspace.
    mutating func found(_ problems: [Diagnostic]) {
        let known = problemsOfFurtherFiles
        problemsOfFurtherFiles = problems
        logProblems(problems.filter { !known.contains($0) })
    }

    /// Keeps the rows and the texts of the field that is being edited as they are shown, whatever other programs made of them in the files.
    ///
    /// What was typed is merged with the files when the field is left. A field of a service that has no file any more is left now.
    private mutating func keepEditedFields(with files: Workspace) {
        if requestState.editing != nil, let openTarget, let endpoint = endpoint(openTarget) {
            if drafts[openTarget] == nil { drafts[openTarget] = Draft(endpoint) }
            // The value of some settings is part of the draft only when it is complete.
            if files.endpoint(openTarget) == nil { _ = RequestFeature.commitSetting(&self) }
        }
        if servicePane.editing != nil, let service = shownService {
            if files.service(service.folder) == nil {
                ServiceFeature.leave(&self)
                guard let change = serviceChanges.changes[service.folder], change.service != change.base else { return }
                notify("\(service.name) was removed by another program; what was typed is kept until it is there again", .warning)
            } else if serviceChanges.changes[service.folder] == nil {
                serviceChanges.changes[service.folder] = .init(base: service, service: service)
            }
        }
    }

    /// Takes over the files of the workspace after they were read again.
    mutating func loaded(_ workspace: Workspace, _ scan: CapabilityScan? = nil) {
        let before = self.workspace
        let requestPlace = RequestFeature.place(self)
        let servicePlace = ServiceFeature.place(self)
        keepEditedFields(with: workspace)
        self.workspace = workspace
        permission.use(workspace, folders: folders, scan: scan)
        secrets = Redaction(adding: workspace.redact, values: secrets.values)
        layoutChanged()
        states[DescribedRequests.self] = DescribedRequests()
        if environment == nil || !workspace.environments.contains(where: { $0.name == environment }) {
            environment = workspace.initialEnvironment ?? workspace.environments.first?.name
        }
        let isTyping = requestState.editing != nil
        for target in drafts.keys.sorted() { DraftsFeature.takeUpFile(of: target, isTyping: isTyping && target == openTarget, &self) }
        if !isTyping, let openTarget, requests[openTarget] != nil { RequestFeature.select(requestPlace, &self) }
        if servicePane.editing == nil, shownService != nil { ServiceFeature.select(servicePlace, &self) }
        services.rebuild(self.workspace)
        if let openTarget, endpoint(openTarget) == nil {
            requests[openTarget]?.editing = nil
            if workspace.problem(of: .endpoint(openTarget)) == nil { self.openTarget = nil }
        }
        // A service stays open where it still exists.
        if shownService == nil {
            openService = nil
            // A field of a service that no longer exists must not be that of another one.
            servicePane.editing = nil
            openSelected()
        }
        for name in runs.keys {
            guard let run = workspace.runs.first(where: { $0.name == name }) else { continue }
            let old = before.runs.first { $0.name == name }.map { RunPlan($0).newRecord(environment: environment) }
            let record = RunPlan(run).newRecord(environment: environment)
            if record != old { runs[name]?.take(record) }
        }
        if workspace.problems != before.problems { logProblems(workspace.problems) }
        if let file = workspace.unreadable.first(where: { !before.unreadable.contains($0) }) {
            let keys = keymap.keyLabel(of: .problems).map { "; \($0) lists the problems" } ?? ""
            let isOfSettings = if case .endpoint = file.content { false } else if case .run = file.content { false } else { true }
            toast = Toast("\(file.file) cannot be used\(isOfSettings ? ", its previous content applies" : "")\(keys)", .error)
        }
    }
}
