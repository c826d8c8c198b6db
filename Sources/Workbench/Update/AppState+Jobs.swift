internal import Model

/// Saving, editing outside, copying, reloading, leaving.
extension AppState {
    mutating func save() -> [Effect] {
        guard commitSetting(), let openTarget, let draft = drafts[openTarget], draft.isEdited else { return [] }
        return [save(draft, thenQuit: false)]
    }

    private mutating func save(_ draft: Draft, thenQuit: Bool) -> Effect {
        .save(nextJob(.save(draft.edited, thenQuit: thenQuit)), draft.edited, original: draft.original)
    }

    mutating func saved(_ id: JobID, _ outcome: JobOutcome) -> [Effect] {
        guard case .save(let endpoint, let thenQuit) = jobs.removeValue(forKey: id) else { return [] }
        switch outcome {
        case .done(let place):
            drafts[endpoint.target]?.original = endpoint
            workspace.replace(endpoint)
            services.rebuild(workspace)
            notify("Saved\(place.isEmpty ? "" : " to \(place)")", source: endpoint.target)
        case .failed(let sentence):
            notify("Not saved: \(sentence)", .error, source: endpoint.target)
            return []
        }
        let isLast = !jobs.values.contains { if case .save(_, thenQuit: true) = $0 { true } else { false } }
        return thenQuit && isLast && editedDrafts.isEmpty ? leaveProgram() : []
    }

    /// Ctrl-O: the body of the request as text, the body of the response to look at, else the endpoint's file.
    mutating func editOutside() -> [Effect] {
        if focus == .response, let body = openCall?.body, !body.bytes.isEmpty {
            guard body.bytes.count <= AppState.copyLimit, body.kind != .binary else {
                toast = Toast("Too large or binary for an editor; s saves the body to a file", .warning)
                return []
            }
            let suffix = body.kind == .json ? ".json" : body.kind == .html ? ".html" : body.kind == .xml ? ".xml" : ".txt"
            return [.edit(nextJob(.viewBody), text: body.bytes.string(in: 0..<body.bytes.count), suffix: suffix)]
        }
        leaveEditing()
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
        if drafts[openTarget]?.isEdited == true {
            toast = Toast("Save or discard the changes first, so that the file and the screen agree", .warning)
            return []
        }
        return [.openFile(nextJob(.openFile), location)]
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

    /// A copy or a saved body came to its end.
    mutating func finished(_ id: JobID, _ outcome: JobOutcome) {
        guard let job = jobs.removeValue(forKey: id) else { return }
        switch (job, outcome) {
        case (.copy(let what, let advice), .done(let tool)):
            notify("Copied \(what)\(tool.isEmpty ? "" : " with \(tool)")\(advice.map { "; \($0)" } ?? "")")
        case (.copy(let what, _), .failed(let sentence)): notify("Could not copy \(what): \(sentence)", .error)
        case (.openFolder(let folder), .done(let how)): toast = Toast("\(folder) \(how)")
        case (.openFolder(let folder), .failed(let sentence)): notify("\(folder): \(sentence)", .warning)
        case (.saveLog, .done(let place)): notify("Saved the log to \(place)")
        case (.saveLog, .failed(let sentence)): notify("The log was not saved: \(sentence)", .error)
        case (_, .done(let place)): notify("Saved the body to \(place)")
        case (_, .failed(let sentence)): notify("The body was not saved: \(sentence)", .error)
        }
    }

    mutating func loaded(_ workspace: Workspace) {
        let hadProblems = self.workspace.problems
        self.workspace = workspace
        secrets = Redaction(adding: workspace.redact, values: secrets.values)
        layOutLog()
        if environment == nil || !workspace.environments.contains(where: { $0.name == environment }) {
            environment = workspace.initialEnvironment ?? workspace.environments.first?.name
        }
        for (target, draft) in drafts {
            guard let endpoint = workspace.endpoint(target) else { continue }
            if !draft.isEdited {
                drafts[target] = nil
            } else if endpoint != draft.original {
                drafts[target]?.original = endpoint
                notify("The file changed on disk; your changes are kept and not saved", .warning, source: target)
            }
        }
        services.rebuild(workspace)
        if let openTarget, endpoint(openTarget) == nil { self.openTarget = nil }
        openSelected()
        if workspace.problems != hadProblems { logProblems() }
    }

    /// Shows secrets on the screen, or masks them again; what is written to a file stays masked.
    mutating func toggleSecrets() {
        showsSecrets.toggle()
        layOutLog()
        toast = showsSecrets ? Toast("Secrets are shown; S masks them again", .warning) : Toast("Secrets are masked again")
    }

    // MARK: Leaving

    mutating func quit() -> [Effect] {
        leaveEditing()
        let edited = editedDrafts
        // Unsaved edits are kept as drafts and come back, so only what would be lost is asked about.
        guard callsInFlight + runsUnderWay + transfers.underWay > 0 else { return leaveProgram() }
        var reasons: [String] = []
        if callsInFlight > 0 { reasons.append("\(NumberText.count(callsInFlight, "request")) in flight") }
        if runsUnderWay > 0 { reasons.append("\(NumberText.count(runsUnderWay, "run")) under way") }
        if transfers.underWay > 0 { reasons.append("\(NumberText.count(transfers.underWay, "transfer")) under way") }
        if !edited.isEmpty { reasons.append("\(NumberText.count(edited.count, "endpoint")) not saved") }
        var items: [ListPopup.Item] = [.init(label: "Stay", choice: .quit(.stay), isCurrent: true)]
        if !edited.isEmpty { items.append(.init(label: "Save all and quit", choice: .quit(.saveAndQuit))) }
        var details = callsInFlight + runsUnderWay > 0 ? ["cancels what is in flight"] : []
        if transfers.underWay > 0 { details.append("transfers are offered next time") }
        if !edited.isEmpty { details.append("edits come back") }
        let detail = details.joined(separator: "; ")
        items.append(.init(label: "Quit", detail: detail, choice: .quit(.quit)))
        show(ListPopup(title: "Quit?", message: reasons.joined(separator: ", ") + ".", items: items))
        return []
    }

    mutating func quit(_ choice: ListPopup.QuitChoice) -> [Effect] {
        switch choice {
        case .stay: return []
        case .quit: return leaveProgram()
        case .saveAndQuit: return editedDrafts.map { save($0, thenQuit: true) }
        }
    }

    private mutating func leaveProgram() -> [Effect] {
        isQuitting = true
        return [.quit]
    }
}

extension Workspace {
    /// Puts an endpoint in the place of the one with the same target.
    mutating func replace(_ endpoint: Endpoint) {
        for service in services.indices where services[service].folder == endpoint.serviceName {
            guard let index = services[service].endpoints.firstIndex(where: { $0.target == endpoint.target }) else { continue }
            services[service].endpoints[index] = endpoint
        }
    }
}
