internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The forms for new and renamed items.
extension ItemsFeature {
    // MARK: New

    /// The service of the selected row, else of the open endpoint, else the first one.
    static func currentService(_ state: AppState) -> String {
        let selected = selectedItem(state).flatMap { item -> String? in
            switch item {
            case .endpoint, .folder, .service: Endpoint.serviceName(of: item.name)
            case .run, .environment: nil
            }
        }
        return selected ?? state.openTarget.map { Endpoint.serviceName(of: $0.path) } ?? state.workspace.services.first?.folder ?? ""
    }

    /// The folder below the service that is selected, with a slash; empty for none.
    private static func currentFolder(_ state: AppState) -> String {
        let path: String
        switch selectedItem(state) {
        case .folder(let folder): path = folder + "/"
        case .endpoint(let id): path = FilePath.folder(of: id.path) + "/"
        case .service, .run, .environment, nil: return ""
        }
        return FilePath.components(of: path).dropFirst().map { $0 + "/" }.joined()
    }

    /// Where the guide describes the forms.
    private static var guide: String { "workspaces#create-rename-delete" }

    static func newEndpoint(_ state: inout AppState) {
        let rows: [Form.Row] = [
            .init("Service", currentService(state), placeholder: "folder of an existing or a new service"),
            .init("File", currentFolder(state), placeholder: "name, or folder/name"),
            .init("Name", "", placeholder: "same as the file"),
            .init("Method", "GET", of: HTTPMethod.common.map(\.rawValue)),
            .init("URL", "", placeholder: "/path, or a complete URL", place: .url),
        ]
        var form = Form("New endpoint", rows, guide: Self.guide) { form, state throws(FormProblem) in
            let target = try target(of: form, state)
            var endpoint = Endpoint(
                target: target, name: name(of: form, target), method: HTTPMethod(form.text("Method")) ?? .get, path: "")
            endpoint.setURL(form.text("URL"))
            return try create(endpoint, form, replacing: nil, &state)
        }
        form.selected = currentService(state).isEmpty ? 0 : 1
        form.keep(as: .endpoint)
        state.stopEditing()
        state.popups.show(form)
    }

    static func newFolder(_ state: inout AppState) {
        let rows: [Form.Row] = [
            .init("Service", currentService(state), of: state.workspace.services.map(\.folder)),
            .init("Folder", currentFolder(state), placeholder: "name, or folder/name"),
            .init("Endpoint", "", placeholder: "the first endpoint in it; git and Services have no empty folders"),
        ]
        var form = Form("New folder", rows, guide: Self.guide) { form, state throws(FormProblem) in
            try requireName(form, "Folder")
            let folder = form.text("Service") + "/" + file(in: form.text("Folder"))
            try check(.folder(folder), at: "Folder")
            try requireName(form, "Endpoint")
            let target = folder + "/" + file(in: form.text("Endpoint"))
            try check(.endpoint(EndpointID(target)), at: "Endpoint")
            guard state.workspace.endpoint(target) == nil else { throw FormProblem("\(target) already exists", at: "Endpoint") }
            return try create(Endpoint(target: target, name: FilePath.name(of: target), path: ""), form, replacing: nil, &state)
        }
        form.selected = 1
        form.keep(as: .folder)
        state.stopEditing()
        state.popups.show(form)
    }

    static func newService(_ state: inout AppState) {
        var rows: [Form.Row] = [
            .init("Folder", "", placeholder: "the first part of its endpoints' names, such as shop"),
            .init("Name", "", placeholder: "same as the folder"),
        ]
        if !state.workspace.environments.isEmpty { rows.append(.init("Server", "", placeholder: "https://… in every environment; empty for none")) }
        var form = Form("New service", rows, guide: Self.guide) { form, state throws(FormProblem) in
            let folder = file(in: form.text("Folder"))
            try check(.service(folder), at: "Folder")
            guard state.workspace.service(folder) == nil else { throw FormProblem("\(folder) already exists; choose another name", at: "Folder") }
            let server = TypedURL.completed(form.text("Server"))
            let service = NewService(folder: folder, name: form.text("Name"), server: server)
            return start(.init(edit: .createService(service), text: "Created \(folder)", form: form, row: .service(folder)), &state)
        }
        form.keep(as: .service)
        state.stopEditing()
        state.popups.show(form)
    }

    /// Asks for the name of a run of the marked endpoints, or of one endpoint where none is marked.
    static func newRun(_ state: inout AppState) {
        let marked = state.services.marked
        let targets = state.workspace.endpoints.map(\.target)
        var rows: [Form.Row] = [
            .init("Name", proposing: runName(of: marked, state), placeholder: "name of the file in runs, without .yaml"),
            .init("Kind", "chain", of: [RunDefinition.Kind.chain.rawValue, RunDefinition.Kind.batch.rawValue]),
        ]
        if marked.isEmpty { rows.append(.init("Sends", state.openTarget?.path ?? targets.first ?? "", of: targets)) }
        state.stopEditing()
        state.popups.show(
            Form(
                marked.isEmpty ? "New run" : "New run of \(ItemCount.text(marked.count, "endpoint"))", rows,
                guide: "runs#build-a-run-in-the-workbench"
            ) { form, state throws(FormProblem) in
                let name = file(in: form.text("Name"))
                try check(.run(name), at: "Name")
                guard !state.workspace.runs.contains(where: { $0.name == name }) else { throw FormProblem("\(name) already exists", at: "Name") }
                let kind = RunDefinition.Kind(rawValue: form.text("Kind")) ?? .chain
                let endpoints = marked.isEmpty ? [EndpointID(form.text("Sends"))] : marked
                let edit = WorkspaceEdit.createRun(RunDefinition(name: name, kind: kind, sending: endpoints), saving: [])
                var job = EditWorkspaceJob(edit: edit, text: "Created runs/\(name).yaml", form: form, row: .run(name))
                job.then = { state in
                    state.services.clearMarks()
                    return state.isOccupied ? [] : state.perform(.showSelectedRun)
                }
                return start(job, &state)
            })
    }

    /// The proposed name of a run: the names of its endpoints, with a number where a run has that name; empty for no endpoints.
    static func runName(of endpoints: [EndpointID], _ state: AppState) -> String {
        let names = endpoints.prefix(3).map { FilePath.name(of: $0.path) }
        let stem = String(names.joined(separator: "-").prefix(40))
        let known = Set(state.workspace.runs.map(\.name))
        guard !stem.isEmpty, known.contains(stem) else { return stem }
        return (2...known.count + 2).map { "\(stem)-\($0)" }.first { !known.contains($0) } ?? stem
    }

    static func newEnvironment(from base: String?, _ state: inout AppState) {
        let none = "nothing"
        var rows = [Form.Row("Name", "", placeholder: "such as test")]
        if !state.workspace.environments.isEmpty {
            rows.append(.init("Copy of", base ?? none, of: state.workspace.environments.map(\.name) + [none]))
        }
        var form = Form("New environment", rows, guide: "workspaces#variables") { form, state throws(FormProblem) in
            let name = form.text("Name")
            try checkEnvironment(name, state)
            let base = form.text("Copy of")
            let edit = WorkspaceEdit.createEnvironment(name, from: base.isEmpty || base == none ? nil : base)
            var job = EditWorkspaceJob(edit: edit, text: "Created the environment \(name), which is selected now", form: form)
            // An environment is its variables, which are added next, or differ from those that were copied.
            job.then = { state in state.isOccupied ? [] : state.perform(.variables) }
            return start(job, &state)
        }
        form.keep(as: .environment)
        state.stopEditing()
        state.showForm(form)
    }

    // MARK: Save as

    static func saveAs(_ state: inout AppState) {
        state.stopEditing()
        guard let open = state.openEndpoint else { return }
        let last = FilePath.components(of: String(open.path.prefix { $0 != "?" && $0 != "#" })).last.map(String.init) ?? ""
        let isURL = last.contains(":") || last.contains("{{") || last.isEmpty || !HTTPURL.isAbsolute(open.path)
        let typed = EndpointID("\(open.serviceName)/\(isURL ? FilePath.components(of: open.target).dropFirst().joined(separator: "/") : last)")
        let free = problem(of: .endpoint(typed), state) == nil ? typed.path : freeName(for: .endpoint(typed), state)
        let file = FilePath.components(of: free).dropFirst().joined(separator: "/")
        // Edits of an empty request, which only exist to be saved, are discarded.
        let wasEmpty = state.drafts[open.id]?.original.path.isEmpty == true
        saveAs(open, service: open.serviceName, file: file, replacing: wasEmpty ? open.id : nil, &state)
    }

    /// Asks for the service and the file of an endpoint.
    static func saveAs(_ open: Endpoint, service: String, file: String, replacing draft: EndpointID?, _ state: inout AppState) {
        let rows: [Form.Row] = [
            .init("Service", service, placeholder: "folder of an existing or a new service"),
            .init("File", proposing: file, placeholder: "name, or folder/name"),
            .init("Name", "", placeholder: "same as the file"),
        ]
        var form = Form("Save as endpoint", rows, guide: Self.guide) { form, state throws(FormProblem) in
            var endpoint = open
            endpoint.move(to: try target(of: form, state), in: state.workspace.folder)
            endpoint.name = name(of: form, endpoint.target)
            endpoint.location = nil
            return try create(endpoint, form, replacing: draft, &state)
        }
        form.selected = service.isEmpty ? 0 : 1
        state.popups.show(form)
    }

    // MARK: Renaming and copying

    static func rename(_ item: WorkspaceItem, _ state: inout AppState) {
        state.stopEditing()
        state.popups.show(
            Form("Rename or move the \(item.kind)", rows(for: item, name: item.name, label: true, state), guide: Self.guide) {
                form, state throws(FormProblem) in
                let name = try newName(of: item, form, allows: item.name, state)
                let typed = form.text("Name").isEmpty ? nil : form.text("Name")
                let label = followingLabel(of: item, to: name, typed, state) ?? typed
                if name == item.name, label == nil || label == self.label(of: item, state) {
                    state.popups.pop()
                    state.notify("Nothing was changed")
                    return []
                }
                if case .environment = item {
                    return start(.init(edit: .move(item, to: name, label: nil), text: "Renamed \(item.name) to \(name)", form: form), &state)
                }
                let edit = WorkspaceEdit.move(item, to: name, label: label)
                return start(
                    .init(
                        edit: edit, text: name == item.name ? "Renamed \(name)" : "Moved \(item.name) to \(name)", form: form,
                        row: .init(item.named(name))),
                    &state)
            })
    }

    /// The name for display of a service that follows its folder: `Shop` in the folder `shop` becomes `Store` in `store`.
    ///
    /// - Returns: nil where the user typed a name, and for a name that is not that of the folder.
    private static func followingLabel(of item: WorkspaceItem, to name: String, _ typed: String?, _ state: AppState) -> String? {
        guard case .service = item, name != item.name, let old = label(of: item, state), typed == nil || typed == old else { return nil }
        if old == item.name { return name }
        let isCapitalized = old.lowercased() == item.name.lowercased()
        return isCapitalized ? name.prefix(1).uppercased() + name.dropFirst() : nil
    }

    static func duplicate(_ item: WorkspaceItem, _ state: inout AppState) {
        state.stopEditing()
        let rows = rows(for: item, name: freeName(for: item, state), label: false, isProposed: true, state)
        state.popups.show(
            Form("Duplicate the \(item.kind)", rows, guide: Self.guide) { form, state throws(FormProblem) in
                let name = try newName(of: item, form, allows: nil, state)
                return start(
                    .init(edit: .duplicate(item, as: name), text: "Copied \(item.name) to \(name)", form: form, row: .init(item.named(name))), &state)
            })
    }

    /// The name for display; nil for an item without one.
    private static func label(of item: WorkspaceItem, _ state: AppState) -> String? {
        switch item {
        case .endpoint(let id): state.workspace.endpoint(id)?.name
        case .service(let folder): state.workspace.service(folder)?.name
        case .folder, .run, .environment: nil
        }
    }

    private static func rows(
        for item: WorkspaceItem, name: String, label: Bool, isProposed: Bool = false, _ state: AppState
    ) -> [Form.Row] {
        func row(_ label: String, _ text: String) -> Form.Row { isProposed ? .init(label, proposing: text) : .init(label, text) }
        let below = FilePath.components(of: name).dropFirst().joined(separator: "/")
        let services = state.workspace.services.map(\.folder)
        switch item {
        case .endpoint:
            let shown = label ? [Form.Row("Name", self.label(of: item, state) ?? "", placeholder: "same as before")] : []
            return [row("File", below), .init("Service", Endpoint.serviceName(of: name), of: services)] + shown
        case .folder: return [row("Folder", below), .init("Service", Endpoint.serviceName(of: name), of: services)]
        case .service:
            let shown = label ? [Form.Row("Name", self.label(of: item, state) ?? "", placeholder: "same as before")] : []
            return [row("Folder", name)] + shown
        case .run: return [row("File", name)]
        case .environment: return [row("Environment", name)]
        }
    }

    /// The typed name of an item.
    private static func newName(of item: WorkspaceItem, _ form: Form, allows old: String?, _ state: AppState) throws(FormProblem) -> String {
        let first = form.rows[0]
        try requireName(form, first.label)
        let name: String
        switch item {
        case .endpoint, .folder: name = form.text("Service") + "/" + file(in: first.text)
        case .service, .run: name = file(in: first.text)
        case .environment:
            name = first.text
            if name != old { try checkEnvironment(name, state) }
            return name
        }
        try check(item.named(name), at: first.label)
        if name != old, let problem = problem(of: item.named(name), state) { throw FormProblem(problem, at: first.label) }
        return name
    }

    // MARK: Names

    /// The reason why an item of this name cannot be created; nil where nothing known has it.
    private static func problem(of item: WorkspaceItem, _ state: AppState) -> String? {
        let isTaken =
            switch item {
            case .endpoint(let id): state.workspace.endpoint(id) != nil
            case .service(let folder): state.workspace.service(folder) != nil
            case .run(let name): state.workspace.runs.contains { $0.name == name }
            case .environment(let name): state.workspace.environments.contains { $0.name == name }
            case .folder(let path): state.workspace.endpoints.contains { $0.target.hasPrefix(path + "/") }
            }
        return isTaken ? "\(item.name) already exists; choose another name" : nil
    }

    /// The name for a copy of an item.
    private static func freeName(for item: WorkspaceItem, _ state: AppState) -> String {
        let names = [item.name + "-copy"] + (2...99).map { "\(item.name)-copy-\($0)" }
        return names.first { problem(of: item.named($0), state) == nil } ?? names[0]
    }

    private static func check(_ item: WorkspaceItem, at label: String) throws(FormProblem) {
        if let problem = item.nameProblem { throw FormProblem(problem, at: label) }
    }

    /// Refuses an empty name, and one that only names a folder.
    private static func requireName(_ form: Form, _ label: String) throws(FormProblem) {
        let name = file(in: form.text(label))
        if name.isEmpty { throw FormProblem("enter a name", at: label) }
        if name.hasSuffix("/") { throw FormProblem("enter a name after the last “/”", at: label) }
    }

    private static func checkEnvironment(_ name: String, _ state: AppState) throws(FormProblem) {
        let label = state.popup.flatMap { ($0 as? Form)?.rows[0].label }
        if let problem = WorkspaceItem.environment(name).nameProblem ?? problem(of: .environment(name), state) {
            throw FormProblem(problem, at: label)
        }
    }

    /// A typed file, without the ending that files have anyway.
    private static func file(in text: String) -> String { FilePath.yamlStem(text.trimmingBlanks) ?? text.trimmingBlanks }

    /// The target that a form with a service and a file names.
    private static func target(of form: Form, _ state: AppState) throws(FormProblem) -> String {
        let service = file(in: form.text("Service"))
        try check(.service(service), at: "Service")
        try requireName(form, "File")
        let target = service + "/" + file(in: form.text("File"))
        try check(.endpoint(EndpointID(target)), at: "File")
        if let problem = problem(of: .endpoint(EndpointID(target)), state) { throw FormProblem(problem, at: "File") }
        return target
    }

    private static func name(of form: Form, _ target: String) -> String {
        form.text("Name").isEmpty ? FilePath.name(of: target) : form.text("Name")
    }

    // MARK: Creating

    /// Creates an endpoint, and its service after the user confirmed that it is new.
    private static func create(
        _ endpoint: Endpoint, _ form: Form, replacing draft: EndpointID?, _ state: inout AppState
    ) throws(FormProblem) -> [Effect] {
        var endpoint = endpoint
        var service: NewService?
        let folder = endpoint.serviceName
        if state.workspace.service(folder) == nil {
            let question = "There is no service \(folder) yet; \(state.key(.accept, in: .form)) again creates it"
            guard form.problem == question else { throw FormProblem(question, at: "Service") }
            service = NewService(folder: folder, name: "", server: "")
            if !state.workspace.environments.isEmpty, let server = endpoint.removeServer() { service?.server = server }
        } else {
            endpoint.removeServer(of: state.serverURLs(of: folder))
        }
        if service?.server.isEmpty != false, !RequestFeature.hasServer(endpoint, state) { endpoint.path = TypedURL.completed(endpoint.path) }
        return start(
            .init(
                edit: .createEndpoint(endpoint, service: service), text: "Saved to \(endpoint.target).yaml", form: form, row: .endpoint(endpoint.id),
                replacedDraft: draft), &state)
    }
}

extension Endpoint {
    /// Removes scheme and host of an absolute URL from the path, and returns them; nil where it is none.
    fileprivate mutating func removeServer() -> String? {
        guard HTTPURL.isAbsolute(path), let slashes = path.firstRange(of: "://") else { return nil }
        let end = path[slashes.upperBound...].firstIndex { "/?#".contains($0) } ?? path.endIndex
        guard end > slashes.upperBound else { return nil }
        let server = String(path[..<end])
        path = path[end...].hasPrefix("/") ? String(path[end...]) : "/" + path[end...]
        return server
    }
}
