internal import Model

/// Saving, editing in `$EDITOR`, copying, reloading and quitting.
extension AppState {
    mutating func save() -> [Effect] {
        guard commitSetting(), let openTarget, drafts[openTarget]?.isEdited == true else { return [] }
        // Leaving the field merges the changes of another program.
        if drafts[openTarget]?.onDisk != nil { leaveEditing() }
        guard let draft = drafts[openTarget] else { return [] }
        if draft.onDisk != nil {
            showConflict(openTarget)
            return []
        }
        return [save(draft, thenQuit: false)]
    }

    mutating func save(_ draft: Draft, thenQuit: Bool) -> Effect {
        .save(nextJob(.save(draft.edited, thenQuit: thenQuit)), draft.edited, original: draft.isFileGone ? nil : draft.original)
    }

    mutating func saved(_ id: JobID, _ outcome: EndpointSaveOutcome) -> [Effect] {
        guard case .save(let sent, let thenQuit) = jobs.removeValue(forKey: id) else { return [] }
        var effects: [Effect] = []
        switch outcome {
        case .saved(let endpoint):
            var same = sent
            same.location = endpoint.location
            // The rows of the file may differ from those that are being edited.
            if endpoint != same, openTarget == sent.target { leaveEditing() }
            drafts[sent.target]?.saved(endpoint, sent: sent)
            workspace.replace(endpoint)
            services.rebuild(workspace)
            effects = permitTyped(sent)
            notify("Saved\(endpoint.location.map { " to \($0.file)" } ?? "")", source: sent.target)
        case .changedOnDisk(let sentence):
            notify("Not saved: \(sentence)", .warning, source: sent.target)
            if drafts[sent.target]?.onDisk != nil, mayOpen("The file's changes") { showConflict(sent.target) }
            return []
        case .failed(let sentence):
            notify("Not saved: \(sentence)", .error, source: sent.target)
            return []
        }
        let isLast = !jobs.values.contains { if case .save(_, thenQuit: true) = $0 { true } else { false } }
        return effects + (thenQuit && isLast && editedDrafts.isEmpty ? leaveProgram() : [])
    }

    /// Opens in `$EDITOR`: the request body, the response body read-only, or the endpoint's file (key Ctrl-O).
    mutating func editOutside() -> [Effect] {
        if focus == .response, let body = openCall?.body, !body.bytes.isEmpty {
            guard body.bytes.count <= AppState.copyLimit, body.kind != .binary else {
                toast = Toast("Too large or binary for an editor; s saves the body to a file", .warning)
                return []
            }
            let suffix = body.kind == .json ? ".json" : body.kind == .html ? ".html" : body.kind == .xml ? ".xml" : ".txt"
            return [.edit(nextJob(.viewBody), text: body.wholeText, suffix: suffix)]
        }
        leaveEditing()
        if let location = selectedFile { return [.openFile(nextJob(.openFile), location)] }
        guard let openTarget, let endpoint = openEndpoint else {
            toast = Toast("No endpoint is open", .warning)
            return []
        }
        if focus == .request, requestState.tab == .body, let text = endpoint.body.editableText {
            return [.edit(nextJob(.editBody(target: openTarget)), text: text, suffix: endpoint.body.fileSuffix)]
        }
        guard let location = endpoint.location else {
            toast = Toast("This endpoint has no file yet", .warning)
            return []
        }
        return [.openFile(nextJob(.openFile), location)]
    }

    /// The file that Ctrl-O opens instead of a body or the endpoint's file: an unreadable one, at its first problem, or that of the
    /// service or run selected in the services pane.
    private var selectedFile: SourceLocation? {
        if focus == .services, let content = services.selected?.content {
            if let problem = workspace.problem(of: content) { return problem.location }
            switch content {
            case .service(let folder): return workspace.service(folder)?.location
            case .run(let name): return workspace.runs.first { $0.name == name }?.location
            case .endpoint, .workspace: break
            }
        }
        guard let openTarget, drafts[openTarget]?.isFileGone != true else { return nil }
        return workspace.problem(of: .endpoint(openTarget))?.location
    }

    mutating func edited(_ id: JobID, _ outcome: EditOutcome) {
        guard let job = jobs.removeValue(forKey: id) else { return }
        switch (job, outcome) {
        case (.editBody(let target), .text(let text)):
            guard let original = drafts[target]?.original ?? workspace.endpoint(target) else { return }
            drafts[target, default: Draft(original)].change { $0.body = $0.body.replacing(text: text) }
        case (_, .failed(let sentence)): notify(sentence, .error)
        default: break
        }
    }

    /// Handles the result of copying or of opening a folder.
    mutating func finished(_ id: JobID, _ outcome: JobOutcome) {
        guard let job = jobs.removeValue(forKey: id) else { return }
        switch (job, outcome) {
        case (.copy(let what, let advice), .done(let tool)):
            notify("Copied \(what)\(tool.isEmpty ? "" : " with \(tool)")\(advice.map { "; \($0)" } ?? "")")
        case (.copy(let what, _), .failed(let sentence)), (.copy(let what, _), .exists(let sentence)):
            notify("Could not copy \(what): \(sentence)", .error)
        case (.openFolder(let folder), .done(let how)): toast = Toast("\(folder) \(how)")
        case (.openFolder(let folder), .failed(let sentence)): notify("\(folder): \(sentence)", .warning)
        default: break
        }
    }

    mutating func loaded(_ workspace: Workspace) {
        let before = self.workspace
        self.workspace = workspace
        permission.use(workspace, folders: folders)
        secrets = Redaction(adding: workspace.redact, values: secrets.values)
        layOutLog()
        if environment == nil || !workspace.environments.contains(where: { $0.name == environment }) {
            environment = workspace.initialEnvironment ?? workspace.environments.first?.name
        }
        for target in drafts.keys.sorted() { takeUpFile(of: target) }
        services.rebuild(self.workspace)
        if let openTarget, endpoint(openTarget) == nil {
            requests[openTarget]?.editing = nil
            if workspace.problem(of: .endpoint(openTarget)) == nil { self.openTarget = nil }
        }
        openSelected()
        if workspace.problems != before.problems { logProblems() }
        if let file = workspace.unreadable.first(where: { !before.unreadable.contains($0) }) {
            let keys = keymap.keyLabel(of: .problems).map { "; \($0) lists the problems" } ?? ""
            let isOfSettings = if case .endpoint = file.content { false } else if case .run = file.content { false } else { true }
            toast = Toast("\(file.file) cannot be used\(isOfSettings ? ", what it said before holds" : "")\(keys)", .error)
        }
    }

    /// Shows or masks secrets on the screen; files stay masked.
    mutating func toggleSecrets() {
        showsSecrets.toggle()
        layOutLog()
        toast = showsSecrets ? Toast("Secrets are shown; S masks them again", .warning) : Toast("Secrets are masked again")
    }

    // MARK: Quitting

    mutating func quit() -> [Effect] {
        leaveEditing()
        let edited = editedDrafts
        guard !edited.isEmpty || callsInFlight + runsUnderWay + transfers.underWay > 0 else { return leaveProgram() }
        var reasons: [String] = []
        if callsInFlight > 0 { reasons.append("\(NumberText.count(callsInFlight, "request")) in flight") }
        if runsUnderWay > 0 { reasons.append("\(NumberText.count(runsUnderWay, "run")) under way") }
        if transfers.underWay > 0 { reasons.append("\(NumberText.count(transfers.underWay, "transfer")) under way") }
        if !edited.isEmpty { reasons.append("\(NumberText.count(edited.count, "endpoint")) not saved") }
        var details = callsInFlight + runsUnderWay > 0 ? ["cancels what is in flight"] : []
        if transfers.underWay > 0 { details.append("transfers are offered next time") }
        let detail = details.joined(separator: "; ")
        var items: [ListPopup.Item] = [.init(label: "Stay", choice: .quit(.stay), isCurrent: true)]
        if edited.isEmpty {
            items.append(.init(label: "Quit", detail: detail, choice: .quit(.quit)))
        } else {
            let keeping = (["the edits are there the next time"] + details).joined(separator: "; ")
            items.append(.init(label: "Save all and quit", detail: detail, choice: .quit(.saveAndQuit)))
            items.append(.init(label: "Keep as drafts and quit", detail: keeping, choice: .quit(.quit)))
            items.append(.init(label: "Discard the edits and quit", detail: detail, choice: .quit(.discardAndQuit)))
            items.append(.init(label: ""))
            items.append(.init(label: "Not saved"))
            items += edited.map { .init(label: $0.original.target, detail: $0.original.name, choice: .quit(.show($0.original.target))) }
        }
        show(ListPopup(title: "Quit?", message: reasons.joined(separator: ", ") + ".", items: items))
        return []
    }

    mutating func quit(_ choice: ListPopup.QuitChoice) -> [Effect] {
        switch choice {
        case .stay: return []
        case .show(let target):
            select(.endpoint(target))
            focus(.request)
            return []
        case .quit: return leaveProgram()
        case .discardAndQuit:
            drafts = [:]
            return leaveProgram()
        case .saveAndQuit:
            if let conflict = editedDrafts.first(where: { $0.onDisk != nil }) {
                showConflict(conflict.original.target)
                return []
            }
            return editedDrafts.map { save($0, thenQuit: true) }
        }
    }

    private mutating func leaveProgram() -> [Effect] {
        isQuitting = true
        stopAllJobs()
        return [.quit]
    }
}

extension Workspace {
    /// Replaces the endpoint with the same target.
    mutating func replace(_ endpoint: Endpoint) {
        for service in services.indices where services[service].folder == endpoint.serviceName {
            guard let index = services[service].endpoints.firstIndex(where: { $0.target == endpoint.target }) else { continue }
            services[service].endpoints[index] = endpoint
        }
    }
}
